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
