import type { QueryLimits } from '../query-limits.js';
import type { Engine, EngineLoss } from './engine.js';

/** Where a platform says that its rows are. */
export interface DataLocationOptions {
  readonly sourcesDirectory?: string | undefined;
  readonly dataSourceUrl?: string | undefined;
  readonly dataSchema?: string | undefined;
}

/** Where rows are: in files, which DuckDB reads, or on a Postgres server. */
export type DataLocation =
  | { readonly kind: 'files'; readonly directory: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly schema: string };

/**
 * Reads where the rows are; null where nothing is said of it.
 * @throws Error, in a sentence, where it is said twice or by half.
 */
export function readDataLocation({
  sourcesDirectory,
  dataSourceUrl,
  dataSchema,
}: DataLocationOptions): DataLocation | null {
  if (dataSourceUrl === undefined) {
    if (dataSchema !== undefined) {
      throw new Error('A schema (--data-schema) is one of a data source: give the URL of it (PA_DATA_SOURCE_URL) too.');
    }
    return sourcesDirectory === undefined ? null : { kind: 'files', directory: sourcesDirectory };
  }
  if (sourcesDirectory !== undefined) {
    throw new Error('Rows are in files or in a data source: give --sources or PA_DATA_SOURCE_URL, not both.');
  }
  return { kind: 'postgres', url: dataSourceUrl, schema: dataSchema ?? 'public' };
}

/** What an engine is opened with, beside the place of its rows. */
export interface EngineOptions {
  readonly queryTimeoutMs?: QueryLimits['queryTimeoutMs'] | undefined;
  /** Of DuckDB. */
  readonly memoryLimit?: QueryLimits['memoryLimit'] | undefined;
  /** Keeps what was imported of files for the next start. */
  readonly workDirectory?: string | undefined;
  readonly onProblem: (message: string) => void;
  /** Called when an engine process was lost and replaced. */
  readonly onEngineLoss?: ((loss: EngineLoss) => void) | undefined;
}

/**
 * Opens what reads the rows. Packages are loaded here, so that nobody needs those of the other engine.
 * @throws Error, in a sentence, where it can't be opened.
 */
export async function openEngine(place: DataLocation, options: EngineOptions): Promise<Engine> {
  const { workDirectory, onProblem, onEngineLoss, queryTimeoutMs: timeoutMs, memoryLimit } = options;
  const common = { onProblem, ...(timeoutMs !== undefined && { timeoutMs }) };
  if (place.kind === 'postgres') {
    const { openPostgresEngine } = await import('./postgres/open-postgres-engine.js');
    return openPostgresEngine({ ...common, url: place.url, schema: place.schema });
  }
  const { openDuckDbEngine } = await import('./duckdb/open-duckdb-engine.js');
  return openDuckDbEngine({
    ...common,
    sources: place.directory,
    ...(workDirectory !== undefined && { workDirectory }),
    ...(memoryLimit !== undefined && { memoryLimit }),
    ...(onEngineLoss !== undefined && { onEngineLoss }),
  });
}
