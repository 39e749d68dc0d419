/** What the queries of a Data API may take; what is left out has a default. */
export interface QueryLimits {
  /** Milliseconds that a request waits for its rows before it is told `Continue wait`, while they go on; 5,000 by default. */
  readonly continueWaitMs?: number;
  /** Milliseconds that the engine may work on one statement; 30,000 by default. */
  readonly queryTimeoutMs?: number;
  /** Memory of all statements together, like `2GB`; a quarter of the machine's by default, 4 GB at most. */
  readonly memoryLimit?: string;
  /** Bytes of the results that are kept; 64 MB by default, 0 keeps none. */
  readonly cacheBytes?: number;
  /** Statements that may wait for the engine; 1,000 by default. One more is answered 503. */
  readonly queueLimit?: number;
}

const ranges = {
  continueWaitMs: [1, 120_000],
  queryTimeoutMs: [1, 3_600_000],
  cacheBytes: [0, 2 ** 40],
  queueLimit: [1, 100_000],
} as const;

/** True for a size as DuckDB writes it: `512MB`, `1.5 GiB`. */
export function isMemorySize(text: string): boolean {
  return /^0*[1-9]\d{0,8}(\.\d{1,3})? ?[KMGT]i?B$/i.test(text);
}

/**
 * Checks limits that a program gives.
 * @throws Error that names the limit and what it may be.
 */
export function checkLimits(limits: QueryLimits): void {
  for (const name of ['continueWaitMs', 'queryTimeoutMs', 'cacheBytes', 'queueLimit'] as const) {
    const [least, most] = ranges[name];
    const value = limits[name];
    if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) continue;
    throw new Error(`${name} must be a whole number from ${least} to ${most}.`);
  }
  if (limits.memoryLimit === undefined || isMemorySize(limits.memoryLimit)) return;
  throw new Error('memoryLimit must be a size like 512MB or 2GB.');
}
