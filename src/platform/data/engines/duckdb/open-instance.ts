import { DuckDBInstance } from '@duckdb/node-api';

/** Bounds of everything that runs in one DuckDB instance. */
export interface InstanceLimits {
  /** As DuckDB writes it: `1GB`. */
  readonly memoryLimit: string;
  readonly threads: number;
  /** Where operators spill to when memory runs out. */
  readonly spillDirectory: string;
  /** As DuckDB writes it: `2GB`. */
  readonly spillLimit: string;
}

/** Settings that an instance is born with: its bounds, and no extension from anywhere. */
/**
 * What the engine must not do to make statements faster: `late_materialization` sorts, for a large LIMIT, the ids of all those rows
 * before there is a first one, four times the time of reading them. What `common_subplan` takes for a common part of two sub-selects may
 * not be one: a measure over distinct keys was that of other rows. `cte_inlining` loses the parameters of a WITH that it moves to where it
 * is used: NULL takes their place (the latter two in 1.5.5).
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

/** Opens an instance within its bounds. Times without a zone are in UTC, wherever the server stands. */
export async function openInstance(path: string, limits: InstanceLimits): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(path, instanceOptions(limits));
  try {
    const connection = await instance.connect();
    // The engine heeds this limit only when it is set afterwards.
    await connection.run(`SET GLOBAL max_temp_directory_size = ${sqlString(limits.spillLimit)}`);
    // Without GLOBAL it would hold for this connection alone.
    await connection.run(`SET GLOBAL TimeZone = 'UTC'`);
    connection.closeSync();
    return instance;
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

/** A path as a literal in a statement of our own. */
export function sqlString(path: string): string {
  return `'${path.replaceAll("'", "''")}'`;
}
