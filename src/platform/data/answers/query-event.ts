import type { Fragment } from './answer-body.js';

/** How a request to the Data API ended. */
export const QueryOutcome = {
  ok: 'ok',
  /** The query goes on; the client asks again. */
  wait: 'continue-wait',
  /** The caller's own doing: 400, 403, 404, 413. */
  refused: 'refused',
  /** Too much at once: 503. */
  busy: 'busy',
  aborted: 'aborted',
  failed: 'failed',
} as const;
/** How a request to the Data API ended. */
export type QueryOutcome = (typeof QueryOutcome)[keyof typeof QueryOutcome];

/** Where the rows of an answer came from. */
export const CacheUse = {
  /** Kept, and young enough. */
  hit: 'hit',
  /** Kept, too old, and given out since the cache mode allows it. */
  stale: 'stale',
  /** Of an equal query that was under way already. */
  shared: 'shared',
  /** The engine ran for it. */
  miss: 'miss',
  /** From the cluster that the Data API is passed on to; what it did for them isn't known here, nor how many there are. */
  upstream: 'upstream',
} as const;
/** Where the rows of an answer came from. */
export type CacheUse = (typeof CacheUse)[keyof typeof CacheUse];

/** Where the time of a request went, in milliseconds; 0 for what it didn't come to. */
export interface QueryTimes {
  /** Waiting for a place in the engine. */
  readonly queueMs: number;
  /** Reading the query and making its SQL. */
  readonly compileMs: number;
  readonly engineMs: number;
  readonly serializeMs: number;
  readonly totalMs: number;
}

/**
 * One request to the Data API, as it is logged: no names of members, no values, no tokens. What must not stand in a log has no
 * field here.
 */
export interface QueryEvent extends QueryTimes {
  readonly event: 'query';
  /** ISO 8601, when the answer was ready. */
  readonly time: string;
  readonly requestId: string;
  /** Last part of the path. */
  readonly operation: 'load' | 'subscribe' | 'dry-run' | 'meta' | 'sql' | 'cubesql' | 'convert-query';
  readonly status: number;
  readonly outcome: QueryOutcome;
  /** Null where no rows were asked for; `upstream` wherever the request was passed on. */
  readonly cache: CacheUse | null;
  readonly rows: number;
}

const reach: readonly CacheUse[] = [CacheUse.hit, CacheUse.stale, CacheUse.shared, CacheUse.miss, CacheUse.upstream];

/** Notes where the time of one request goes. */
export class RequestTrace {
  readonly #startedAt = performance.now();
  readonly #operation: QueryEvent['operation'];
  readonly #requestId: string;
  #cache: CacheUse | null = null;
  #rows = 0;
  #queueMs = 0;
  #compileMs = 0;
  #engineMs = 0;
  #serializeMs = 0;

  constructor(operation: QueryEvent['operation'], requestId: string) {
    this.#operation = operation;
    this.#requestId = requestId;
  }

  /** Times the reading of a query and the making of its SQL. */
  compile<T>(work: () => T): T {
    const start = performance.now();
    try {
      return work();
    } finally {
      this.#compileMs += performance.now() - start;
    }
  }

  /** Times a reading that has to ask the engine. */
  async compiling<T>(work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.#compileMs += performance.now() - start;
    }
  }

  /** Times each fragment of a body as it is made. */
  *serialize(fragments: Iterable<Fragment>): Generator<Fragment> {
    const rest = fragments[Symbol.iterator]();
    for (;;) {
      const start = performance.now();
      const next = rest.next();
      this.#serializeMs += performance.now() - start;
      if (next.done) return;
      yield next.value;
    }
  }

  /** Of several queries in one request, the longest way counts. */
  served(cache: CacheUse, rows: number, queueMs = 0, engineMs = 0): void {
    if (this.#cache === null || reach.indexOf(cache) > reach.indexOf(this.#cache)) this.#cache = cache;
    this.#rows += rows;
    this.#queueMs = Math.max(this.#queueMs, queueMs);
    this.#engineMs = Math.max(this.#engineMs, engineMs);
  }

  /** What is logged of the request. */
  event(status: number, outcome: QueryOutcome): QueryEvent {
    return {
      event: 'query',
      time: new Date().toISOString(),
      requestId: this.#requestId,
      operation: this.#operation,
      status,
      outcome,
      cache: this.#cache,
      rows: this.#rows,
      queueMs: rounded(this.#queueMs),
      compileMs: rounded(this.#compileMs),
      engineMs: rounded(this.#engineMs),
      serializeMs: rounded(this.#serializeMs),
      totalMs: rounded(performance.now() - this.#startedAt),
    };
  }
}

/** To a hundredth of a millisecond. */
function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}
