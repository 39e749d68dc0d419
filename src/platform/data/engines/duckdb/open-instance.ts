import { DuckDBInstance } from '@duckdb/node-api';

/** Limits of a DuckDB instance. */
export interface InstanceLimits {
  /** Memory limit in DuckDB syntax, such as `1GB`. */
  readonly memoryLimit: string;
  readonly threads: number;
  /** Spill folder for queries that exceed the memory limit. */
  readonly spillDirectory: string;
  /** Maximum size of the spill folder in DuckDB syntax, such as `2GB`. */
  readonly spillLimit: string;
}

/** Returns the settings of a new instance: its limits, and no extensions. */
/**
 * Disables optimizers that make statements slow or return wrong results. `late_materialization` sorts the row IDs of a
 * large LIMIT before the first row, which takes four times as long as reading the rows. As of 1.5.5, `common_subplan`
 * merges different subqueries (a measure over distinct keys returned values of other rows), and `cte_inlining` replaces
 * parameters of an inlined WITH by NULL.
 */
export const disabledOptimizers = 'late_materialization,common_subplan,cte_inlining';

function instanceOptions(limits: InstanceLimits): Record<string, string> {
  return {
    threads: String(limits.threads),
    memory_limit: limits.memoryLimit,
    temp_directory: limits.spillDirectory,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    disabled_optimizers: disabledOptimizers,
  };
}

/** Opens an instance with limits. Times without a zone are in UTC, regardless of the server's time zone. */
export async function openInstance(path: string, limits: InstanceLimits): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(path, instanceOptions(limits));
  try {
    const connection = await instance.connect();
    // Set this limit here, because the engine ignores it as an initial option.
    await connection.run(`SET GLOBAL max_temp_directory_size = ${sqlString(limits.spillLimit)}`);
    // Without GLOBAL, only this connection would use the limit.
    await connection.run(`SET GLOBAL TimeZone = 'UTC'`);
    connection.closeSync();
    return instance;
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

/** Quotes a path as a SQL literal. */
export function sqlString(path: string): string {
  return `'${path.replaceAll("'", "''")}'`;
}
