import type { Fragment } from './answer-body.js';
import { CacheUse, type QueryEvent, type QueryOutcome } from './query-event.js';

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
