import type { Fragment } from './answer-body.js';

/** How a request to the Data API ended. */
export const QueryOutcome = {
  ok: 'ok',
  /** The query is still running; the client repeats the request. */
  wait: 'continue-wait',
  /** Rejected because of a client error: 400, 403, 404 or 413. */
  refused: 'refused',
  /** Rejected because of overload: 503. */
  busy: 'busy',
  aborted: 'aborted',
  failed: 'failed',
} as const;
/** How a request to the Data API ended. */
export type QueryOutcome = (typeof QueryOutcome)[keyof typeof QueryOutcome];

/** Source of the rows of a response. */
export const CacheUse = {
  /** A fresh cache entry. */
  hit: 'hit',
  /** A stale cache entry that the cache mode allows. */
  stale: 'stale',
  /** An identical query that was already running. */
  shared: 'shared',
  /** A run of the query in the engine. */
  miss: 'miss',
  /** An upstream cluster, whose cache use and number of rows are unknown. */
  upstream: 'upstream',
} as const;
/** Source of the rows of a response. */
export type CacheUse = (typeof CacheUse)[keyof typeof CacheUse];

/** Durations of the phases of a request in milliseconds; 0 for phases that did not run. */
export interface QueryTimes {
  /** Time spent in the engine's queue. */
  readonly queueMs: number;
  /** Time spent planning the query and generating its SQL. */
  readonly compileMs: number;
  readonly engineMs: number;
  readonly serializeMs: number;
  readonly totalMs: number;
}

/**
 * Log entry of one request to the Data API. It has no field for member names, values or tokens, which must not be
 * logged.
 */
export interface QueryEvent extends QueryTimes {
  readonly event: 'query';
  /** Time when the response was ready, in ISO 8601. */
  readonly time: string;
  readonly requestId: string;
  /**
   * Operation: the last segment of the URL path. The requests of a batch are reported as `load`, and a rejected batch
   * as `load-batch`.
   */
  readonly operation: 'load' | 'load-batch' | 'subscribe' | 'dry-run' | 'meta' | 'sql' | 'cubesql' | 'convert-query';
  readonly status: number;
  readonly outcome: QueryOutcome;
  /** `null` if no rows were requested; `upstream` for every forwarded request. */
  readonly cache: CacheUse | null;
  readonly rows: number;
}

/** The user and the embed tenant of a request, for the stored query log. */
export interface QueryCaller {
  readonly userId: number | null;
  readonly embedTenantId: number | null;
}

const reach: readonly CacheUse[] = [CacheUse.hit, CacheUse.stale, CacheUse.shared, CacheUse.miss, CacheUse.upstream];

/** Measures the phases of one request. */
export class RequestTrace {
  /** `null` until the caller is known. */
  caller: QueryCaller | null = null;
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

  /** Measures the planning of a query and the generation of its SQL. */
  compile<T>(work: () => T): T {
    const start = performance.now();
    try {
      return work();
    } finally {
      this.#compileMs += performance.now() - start;
    }
  }

  /** Measures planning that uses the engine. */
  async compiling<T>(work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.#compileMs += performance.now() - start;
    }
  }

  /** Measures the generation of every fragment of a body. */
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

  /**
   * Records how a query was served. If a request has several queries, the slowest source and the maximum times are
   * reported.
   */
  recordServed(cache: CacheUse, rows: number, queueMs = 0, engineMs = 0): void {
    if (this.#cache === null || reach.indexOf(cache) > reach.indexOf(this.#cache)) this.#cache = cache;
    this.#rows += rows;
    this.#queueMs = Math.max(this.#queueMs, queueMs);
    this.#engineMs = Math.max(this.#engineMs, engineMs);
  }

  /** Returns the log entry of the request. */
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
      queueMs: roundMs(this.#queueMs),
      compileMs: roundMs(this.#compileMs),
      engineMs: roundMs(this.#engineMs),
      serializeMs: roundMs(this.#serializeMs),
      totalMs: roundMs(performance.now() - this.#startedAt),
    };
  }
}

/** Rounds to a hundredth of a millisecond. */
function roundMs(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}
