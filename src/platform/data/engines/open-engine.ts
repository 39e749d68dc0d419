import type { QueryLimits } from '../query-limits.js';
import type { Engine, EngineLoss } from './engine.js';

/** Options that locate the data. */
export interface DataLocationOptions {
  readonly sourcesDirectory?: string | undefined;
  readonly dataSourceUrl?: string | undefined;
  readonly dataSchema?: string | undefined;
}

/** Location of the data: files that DuckDB reads, or a Postgres server. */
export type DataLocation =
  | { readonly kind: 'files'; readonly directory: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly schema: string };

/**
 * Reads the location of the data; `null` if no option is set.
 * @throws Error with a message for the operator if the options conflict or are incomplete.
 */
export function readDataLocation({
  sourcesDirectory,
  dataSourceUrl,
  dataSchema,
}: DataLocationOptions): DataLocation | null {
  if (dataSourceUrl === undefined) {
    if (dataSchema !== undefined) {
      throw new Error('--data-schema requires PA_DATA_SOURCE_URL: the URL of the data source.');
    }
    return sourcesDirectory === undefined ? null : { kind: 'files', directory: sourcesDirectory };
  }
  if (sourcesDirectory !== undefined) {
    throw new Error('--sources and PA_DATA_SOURCE_URL are mutually exclusive: set one of them.');
  }
  return { kind: 'postgres', url: dataSourceUrl, schema: dataSchema ?? 'public' };
}

/** Options of an engine, except the data location. */
export interface EngineOptions {
  readonly queryTimeoutMs?: QueryLimits['queryTimeoutMs'] | undefined;
  /** Only for DuckDB. */
  readonly memoryLimit?: QueryLimits['memoryLimit'] | undefined;
  /** Folder that caches imported files across restarts. */
  readonly workDirectory?: string | undefined;
  /** Whether tables whose file was removed are served until the next start; true by default. Only for DuckDB. */
  readonly keepsRemovedTables?: boolean | undefined;
  readonly onProblem: (message: string) => void;
  /** Called when an engine process is lost and replaced. */
  readonly onEngineLoss?: ((loss: EngineLoss) => void) | undefined;
}

/**
 * Opens the engine for a data location. Lazy-loads its packages, so that the packages of the other engine need not be
 * installed.
 * @throws Error with a message for the operator if the engine can't be opened.
 */
export async function openEngine(location: DataLocation, options: EngineOptions): Promise<Engine> {
  const {
    workDirectory,
    onProblem,
    onEngineLoss,
    queryTimeoutMs: timeoutMs,
    memoryLimit,
    keepsRemovedTables,
  } = options;
  const common = { onProblem, ...(timeoutMs !== undefined && { timeoutMs }) };
  if (location.kind === 'postgres') {
    const { openPostgresEngine } = await import('./postgres/open-postgres-engine.js');
    return openPostgresEngine({ ...common, url: location.url, schema: location.schema });
  }
  const { openDuckDbEngine } = await import('./duckdb/open-duckdb-engine.js');
  return openDuckDbEngine({
    ...common,
    sources: location.directory,
    ...(workDirectory !== undefined && { workDirectory }),
    ...(memoryLimit !== undefined && { memoryLimit }),
    ...(keepsRemovedTables !== undefined && { keepsRemovedTables }),
    ...(onEngineLoss !== undefined && { onEngineLoss }),
  });
}
