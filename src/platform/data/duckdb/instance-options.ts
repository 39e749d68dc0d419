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
export function instanceOptions(limits: InstanceLimits): Record<string, string> {
  return {
    threads: String(limits.threads),
    memory_limit: limits.memoryLimit,
    temp_directory: limits.spillDirectory,
    max_temp_directory_size: limits.spillLimit,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  };
}

/** A path as a literal in a statement of our own. */
export function quoted(path: string): string {
  return `'${path.replaceAll("'", "''")}'`;
}
