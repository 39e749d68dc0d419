import { randomUUID } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type DuckDBConnection, version } from '@duckdb/node-api';
import { csvSelect } from './csv-source.js';
import { jsonSelect } from './json-source.js';
import { type InstanceLimits, openInstance, sqlString } from './open-instance.js';
import { digest, readSource, type Source, SourceFormat, SourcesError } from './sources.js';
import { describeFileProblem } from './text-source.js';

/** A table in its own DuckDB file. */
export interface ImportedTable {
  readonly table: string;
  readonly file: string;
  /** Hash that changes whenever the source changes. */
  readonly fingerprint: string;
  readonly importedAt: Date;
}

const maxAttempts = 3;
/** Revision of the import code. Increment it when files are read differently, to invalidate older imports. */
const revision = '3';
/** Age in milliseconds after which a partial import counts as abandoned by a killed process. */
const abandonedAfterMs = 3_600_000;

/**
 * Imports a source into the work folder unless an import exists. Writes a partial file and then renames it, so that
 * processes that share the folder never see an incomplete import.
 * @throws SourcesError if the file cannot be read or keeps changing.
 */
export async function importSource(
  source: Source,
  workDirectory: string,
  limits: InstanceLimits,
): Promise<ImportedTable> {
  let current = source;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const file = join(workDirectory, importName(current));
    if (!(await exists(file))) await writeImport(current, file, limits);
    const latest = await readSource(dirname(source.path), basename(source.path));
    if (latest.fingerprint === current.fingerprint) return describe(current, file);
    await rm(file, { force: true });
    current = latest;
  }
  throw new SourcesError(
    `The source ${basename(source.path)} changed while it was being read. Write it to another folder first, then move the finished file to the folder of the sources.`,
  );
}

/**
 * Removes outdated imports of these tables from the work folder. Processes that have an import open can still read it.
 */
export async function pruneImports(current: readonly ImportedTable[], workDirectory: string): Promise<void> {
  const keep = new Set(current.map(({ file }) => basename(file)));
  const places = [...keep].map(placePart);
  for (const name of await readdir(workDirectory)) {
    const path = join(workDirectory, name);
    const outdated = name.endsWith('.duckdb') && !keep.has(name) && places.includes(placePart(name));
    if (outdated || (isPartial(name) && (await isAbandoned(path)))) {
      // A file that cannot be removed now is removed with a later import.
      await rm(path, { force: true }).catch(() => undefined);
    }
  }
}

/** Returns `<table>.<place>.<state>.duckdb`. The state depends on the source, the DuckDB version and `revision`. */
function importName({ table, place, fingerprint }: Source): string {
  return `${table}.${place}.${digest([fingerprint, version(), revision])}.duckdb`;
}

function placePart(name: string): string {
  return name.split('.', 2).join('.');
}

function isPartial(name: string): boolean {
  return /\.partial(\.wal)?$/.test(name);
}

async function isAbandoned(path: string): Promise<boolean> {
  // Another process may have completed or removed the file.
  const stats = await stat(path).catch(() => undefined);
  return stats !== undefined && Date.now() - stats.mtimeMs > abandonedAfterMs;
}

async function describe({ table, fingerprint }: Source, file: string): Promise<ImportedTable> {
  return { table, file, fingerprint, importedAt: (await stat(file)).mtime };
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

async function writeImport(source: Source, file: string, limits: InstanceLimits): Promise<void> {
  const partial = `${file}.${randomUUID()}.partial`;
  try {
    await copyTable(source, partial, limits);
    await rename(partial, file);
  } finally {
    await rm(partial, { force: true });
    await rm(`${partial}.wal`, { force: true });
  }
}

async function copyTable(source: Source, file: string, limits: InstanceLimits): Promise<void> {
  const instance = await openInstance(file, limits);
  try {
    const connection = await instance.connect();
    await connection.run(`CREATE TABLE "${source.table}" AS ${await sourceSelect(connection, source)}`);
    await connection.run('CHECKPOINT');
    connection.closeSync();
  } catch (error) {
    // Omit the engine's message, because it quotes the row that could not be read.
    const problem =
      describeFileProblem(error) ?? `cannot be imported: check that it is a complete ${source.format} file`;
    throw new SourcesError(`The source ${basename(source.path)} ${problem}.`);
  } finally {
    instance.closeSync();
  }
}

function sourceSelect(connection: DuckDBConnection, { format, path }: Source): Promise<string> {
  switch (format) {
    case SourceFormat.parquet:
      return Promise.resolve(`SELECT * FROM read_parquet(${sqlString(path)})`);
    case SourceFormat.csv:
      return csvSelect(connection, path);
    case SourceFormat.json:
      return jsonSelect(connection, path);
  }
}
