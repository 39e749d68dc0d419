/** Resource limits for the queries of a Data API. Omitted limits have a default. */
export interface QueryLimits {
  /**
   * How long a request waits for rows before it returns `Continue wait`, in milliseconds; 5,000 by default. The query
   * continues to run.
   */
  readonly continueWaitMs?: number;
  /** Maximum run time of one statement in the engine, in milliseconds; 30,000 by default. */
  readonly queryTimeoutMs?: number;
  /**
   * Memory limit for all statements together, such as `2GB`; by default a quarter of the machine's memory, up to 4 GB.
   */
  readonly memoryLimit?: string;
  /** Size of the result caches in bytes; 64 MB by default. 0 disables caching. */
  readonly cacheBytes?: number;
  /** Maximum number of statements that wait for the engine; 1,000 by default. Further queries fail with 503. */
  readonly queueLimit?: number;
}

const ranges = {
  continueWaitMs: [1, 120_000],
  queryTimeoutMs: [1, 3_600_000],
  cacheBytes: [0, 2 ** 40],
  queueLimit: [1, 100_000],
} as const;

/** Whether the value is a memory size in DuckDB syntax: `512MB`, `1.5 GiB`. */
export function isMemorySize(text: string): boolean {
  return /^0*[1-9]\d{0,8}(\.\d{1,3})? ?[KMGT]i?B$/i.test(text);
}

/**
 * Validates query limits.
 * @throws Error that names the limit and its valid range.
 */
export function checkLimits(limits: QueryLimits): void {
  for (const name of ['continueWaitMs', 'queryTimeoutMs', 'cacheBytes', 'queueLimit'] as const) {
    const [min, max] = ranges[name];
    const value = limits[name];
    if (value === undefined || (Number.isInteger(value) && value >= min && value <= max)) continue;
    throw new Error(`${name} must be a whole number from ${min} to ${max}.`);
  }
  if (limits.memoryLimit === undefined || isMemorySize(limits.memoryLimit)) return;
  throw new Error('memoryLimit must be a size like 512MB or 2GB.');
}
