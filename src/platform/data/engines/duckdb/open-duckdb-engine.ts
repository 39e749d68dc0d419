import { mkdir, rm } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { makeProcessFolder } from '../../../runtime/process-folder.js';
import { type Engine, type EngineLoss, type RunOptions, SqlDialect } from '../engine.js';
import { StopReason, stoppedProblem } from '../query-problem.js';
import { type ImportedTable, importSource, pruneImports } from './import-source.js';
import { IsolatedEngine } from './isolated-engine.js';
import type { InstanceLimits } from './open-instance.js';
import { ServingInstance, type ServingOptions } from './serving-instance.js';
import type { StatementOptions } from './session.js';
import { digest, findSources, isSettled, type Source } from './sources.js';

/** One state of the data, open for queries. */
export interface Generation {
  /** Hash of the content of all tables. */
  readonly version: string;
  readonly tables: readonly ImportedTable[];
  readonly instance: ServingInstance;
}

/**
 * Imports new and changed sources and opens all tables, including tables of `previous` whose source file was removed.
 * @throws SourcesError if a source can't be imported.
 */
async function openGeneration(
  sources: readonly Source[],
  previous: readonly ImportedTable[],
  workDirectory: string,
  limits: InstanceLimits,
  options: ServingOptions = {},
): Promise<Generation> {
  const fresh = await importAll(sources, workDirectory, limits);
  const tables = [...fresh, ...withoutSource(previous, sources)];
  const instance = await ServingInstance.open(tables, limits, options).catch(async () => {
    // Another process may have removed an import, or a full disk may have truncated it. Import once more.
    await Promise.all(fresh.map(({ file }) => rm(file, { force: true })));
    await importAll(sources, workDirectory, limits);
    return ServingInstance.open(tables, limits, options);
  });
  return { version: versionOf(tables), tables, instance };
}

/** Returns the version that the data will have after importing these sources. */
function upcomingVersion(sources: readonly Source[], previous: readonly ImportedTable[]): string {
  return versionOf([...sources, ...withoutSource(previous, sources)]);
}

/** Imports the sources one at a time, because an import uses all threads. */
async function importAll(sources: readonly Source[], workDirectory: string, limits: InstanceLimits) {
  const tables: ImportedTable[] = [];
  for (const source of sources) tables.push(await importSource(source, workDirectory, limits));
  return tables;
}

function withoutSource(tables: readonly ImportedTable[], sources: readonly Source[]): ImportedTable[] {
  return tables.filter(({ table }) => !sources.some(source => source.table === table));
}

function versionOf(tables: readonly { readonly table: string; readonly fingerprint: string }[]): string {
  return digest(tables.map(({ table, fingerprint }) => `${table} ${fingerprint}`).sort());
}

/** Location of the data and limits of queries. */
export interface DuckDbEngineOptions {
  /** Folder with Parquet, CSV (`.csv`, `.tsv`) and JSON (`.json`, `.jsonl`, `.ndjson`) files, one per table. */
  readonly sources: string;
  /** Folder that caches imports across restarts; several processes can share it. Default: a temporary folder. */
  readonly workDirectory?: string;
  /**
   * Memory limit for all queries together, in DuckDB syntax (`2GB`). Default: a quarter of the machine's memory, up to
   * 4 GB.
   */
  readonly memoryLimit?: string;
  /** Disk space for spilling, in DuckDB syntax. Default: `2GB`. */
  readonly spillLimit?: string;
  /** Maximum number of threads per query. Default: one per core. */
  readonly threads?: number;
  /** Time limit of one query, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Whether tables whose file was removed are served until the next start. Default: true. */
  readonly keepsRemovedTables?: boolean;
  /** Interval at which the sources are polled for changes, in milliseconds. Default: 1,000. */
  readonly pollMs?: number;
  /** How long an interrupted statement may run before its engine is replaced, in milliseconds. Default: 5,000. */
  readonly graceMs?: number;
  /**
   * Called with a message if a changed source cannot be imported or an engine was replaced. If an import fails, the
   * previous data is retained.
   */
  readonly onProblem?: (message: string) => void;
  /** Called when the engine for statements was replaced. */
  readonly onEngineLoss?: (loss: EngineLoss) => void;
}

const lossMessages: Readonly<Record<EngineLoss, string>> = {
  unresponsive: 'A statement did not stop when it was interrupted. The engine process for SQL statements was replaced.',
  frozen: 'The engine process for SQL statements did not respond and was replaced.',
  exited: 'The engine process for SQL statements ended. The next statement starts another one.',
};

/** Delay before a failed import is retried, in milliseconds. A change to the source triggers an immediate retry. */
const retryAfterMs = 30_000;

/**
 * Opens an engine on a folder of files. Imports each file into a DuckDB file, and imports it again when it changes.
 * Queries run in an instance that cannot open any path.
 * @throws SourcesError with a message for the operator if the folder can't be used; TypeError if a limit is not a size.
 */
export async function openDuckDbEngine(options: DuckDbEngineOptions): Promise<Engine> {
  checkSizes(options);
  const scratch = await makeProcessFolder('duckdb');
  const workDirectory = resolve(options.workDirectory ?? join(scratch, 'imports'));
  const limits: InstanceLimits = {
    memoryLimit: options.memoryLimit ?? defaultMemoryLimit(),
    threads: options.threads ?? availableParallelism(),
    spillDirectory: join(scratch, 'spill'),
    spillLimit: options.spillLimit ?? '2GB',
  };
  try {
    await mkdir(workDirectory, { recursive: true, mode: 0o700 });
    const serving = servingOptions(options);
    const skipped = new Set<string>();
    const found = await findSources(options.sources, warning => skipped.add(warning));
    for (const warning of skipped) options.onProblem?.(warning);
    const first = await openGeneration(found, [], workDirectory, limits, serving);
    await pruneImports(first.tables, workDirectory);
    return new DuckDbEngine(options, { scratch, workDirectory, limits, skipped }, first);
  } catch (error) {
    await rm(scratch, { recursive: true, force: true });
    throw error;
  }
}

function servingOptions({ graceMs, onProblem }: DuckDbEngineOptions): ServingOptions {
  const onUnresponsive = () =>
    onProblem?.(
      'A load query did not stop when it was interrupted. Until it ends, load queries run in the engine process for SQL statements. Restart the platform if this persists.',
    );
  return { graceMs, onUnresponsive };
}

function checkSizes({ memoryLimit, spillLimit }: DuckDbEngineOptions): void {
  for (const [name, size] of Object.entries({ memoryLimit, spillLimit })) {
    if (size !== undefined && !/^\d+(\.\d+)?[KMGT]i?B$/i.test(size)) {
      throw new TypeError(`The ${name} must be a size like 2GB.`);
    }
  }
}

function defaultMemoryLimit(): string {
  const quarter = Math.floor(totalmem() / 4 / 1024 ** 2);
  return `${Math.min(Math.max(quarter, 256), 4096)}MiB`;
}

/** Folders and limits of an engine. */
interface Workplace {
  /** Temporary folder, removed on close. */
  readonly scratch: string;
  readonly workDirectory: string;
  readonly limits: InstanceLimits;
  /** Warnings about skipped sources that were already reported when the engine opened. */
  readonly skipped: ReadonlySet<string>;
}

/**
 * Runs load queries in this process, because the platform generates their SQL and another process would add up to a
 * millisecond per query. Runs SQL from callers as streams in a separate process that can be killed.
 */
class DuckDbEngine implements Engine {
  readonly dialect = SqlDialect.duckdb;
  readonly isolatesStreams = true;
  readonly #options: DuckDbEngineOptions;
  readonly #workplace: Workplace;
  readonly #poll: NodeJS.Timeout;
  readonly #retiring = new Set<ServingInstance>();
  readonly #isolated: IsolatedEngine;
  #current: Generation;
  #refreshing: Promise<void> | undefined;
  #missing: ReadonlySet<string> = new Set();
  #skipped: ReadonlySet<string>;
  #failed: { readonly version: string; readonly at: number } | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: DuckDbEngineOptions, workplace: Workplace, first: Generation) {
    this.#options = options;
    this.#workplace = workplace;
    this.#current = first;
    this.#skipped = workplace.skipped;
    this.#isolated = new IsolatedEngine({
      tables: () => this.#current.tables,
      limits: workplace.limits,
      graceMs: options.graceMs,
      onLoss: loss => {
        options.onProblem?.(lossMessages[loss]);
        options.onEngineLoss?.(loss);
      },
    });
    this.#poll = setInterval(() => this.#startRefresh(), options.pollMs ?? 1000).unref();
  }

  get dataVersion(): string {
    return this.#current.version;
  }

  get lastRefreshTime(): Date {
    return new Date(Math.max(0, ...this.#current.tables.map(({ importedAt }) => importedAt.getTime())));
  }

  get tables(): readonly string[] {
    return this.#current.tables.map(({ table }) => table);
  }

  async run(...[sql, parameters, options]: Parameters<Engine['run']>): ReturnType<Engine['run']> {
    return this.#serving().run(sql, parameters, this.#statementOptions(options));
  }

  async describe(...[sql, parameters]: Parameters<Engine['describe']>): ReturnType<Engine['describe']> {
    return this.#serving().describe(sql, parameters, this.#statementOptions());
  }

  async stream(...[sql, parameters, options]: Parameters<Engine['stream']>): ReturnType<Engine['stream']> {
    return this.#isolated.stream(sql, parameters, this.#statementOptions(options));
  }

  async refresh(): Promise<void> {
    // A refresh that is running may have listed the files before they changed.
    await this.#refreshing;
    if (this.#closed) return;
    this.#startRefresh();
    await this.#refreshing;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  /**
   * Selects where to run a load query: in this process, which is faster, unless a statement blocks one of its threads.
   */
  #serving(): Pick<ServingInstance, 'run' | 'describe'> {
    if (this.#closed) throw stoppedProblem(StopReason.closed);
    return this.#current.instance.isResponsive ? this.#current.instance : this.#isolated;
  }

  #statementOptions(options?: RunOptions): StatementOptions {
    return { timeoutMs: this.#options.timeoutMs ?? 30_000, signal: options?.signal };
  }

  async #close(): Promise<void> {
    clearInterval(this.#poll);
    await this.#refreshing;
    const parts = [this.#isolated, this.#current.instance, ...this.#retiring];
    const ends = await Promise.allSettled(parts.map(part => part.close()));
    await rm(this.#workplace.scratch, { recursive: true, force: true });
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  #startRefresh(): void {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
  }

  async #refresh(): Promise<void> {
    let version = '';
    try {
      const now = new Date();
      const skipped = new Set<string>();
      const found = await findSources(this.#options.sources, warning => skipped.add(warning));
      this.#reportSkipped(skipped);
      this.#reportMissing(found);
      const sources = found.filter(source => isSettled(source, now));
      const previous = this.#previousTables(found);
      version = upcomingVersion(sources, previous);
      if (version === this.#current.version || this.#hasFailedRecently(version)) return;
      const { workDirectory, limits } = this.#workplace;
      const serving = servingOptions(this.#options);
      await this.#swap(await openGeneration(sources, previous, workDirectory, limits, serving));
    } catch (error) {
      if (this.#hasFailedRecently(version)) return;
      this.#failed = { version, at: Date.now() };
      this.#options.onProblem?.(error instanceof Error ? error.message : 'Could not read the sources.');
    }
  }

  /** Returns the tables that remain although their file is missing or is being written. */
  #previousTables(found: readonly Source[]): readonly ImportedTable[] {
    const { tables } = this.#current;
    if (this.#options.keepsRemovedTables ?? true) return tables;
    return tables.filter(({ table }) => found.some(source => source.table === table));
  }

  /** Reports each skipped source once until it is removed. */
  #reportSkipped(warnings: ReadonlySet<string>): void {
    for (const warning of warnings) if (!this.#skipped.has(warning)) this.#options.onProblem?.(warning);
    this.#skipped = warnings;
  }

  /** Reports each missing source once until it is restored. */
  #reportMissing(found: readonly Source[]): void {
    if (this.#options.keepsRemovedTables === false) return;
    const missing = this.#current.tables
      .map(({ table }) => table)
      .filter(table => !found.some(one => one.table === table));
    for (const table of missing.filter(name => !this.#missing.has(name))) {
      this.#options.onProblem?.(
        `The source of the table ${table} was removed. Its rows are served until the next start.`,
      );
    }
    this.#missing = new Set(missing);
  }

  #hasFailedRecently(version: string): boolean {
    return this.#failed?.version === version && Date.now() - this.#failed.at < retryAfterMs;
  }

  async #swap(next: Generation): Promise<void> {
    const { instance } = this.#current;
    this.#current = next;
    this.#failed = undefined;
    this.#retiring.add(instance);
    void instance.retire().then(() => this.#retiring.delete(instance));
    void this.#isolated.refresh();
    await pruneImports(next.tables, this.#workplace.workDirectory);
  }
}
