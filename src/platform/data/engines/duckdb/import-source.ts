import { randomUUID } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type DuckDBConnection, version } from '@duckdb/node-api';
import { csvSelect } from './csv-source.js';
import { jsonSelect } from './json-source.js';
import { type InstanceLimits, openInstance, sqlString } from './open-instance.js';
import { digest, readSource, type Source, SourceFormat, SourcesError } from './sources.js';
import { describeFileProblem } from './text-source.js';

/** A table in a DuckDB file of its own. */
export interface ImportedTable {
  readonly table: string;
  readonly file: string;
  /** Changes whenever the source did. */
  readonly fingerprint: string;
  readonly importedAt: Date;
}

const attempts = 3;
/** Counted up when files are read differently: imports of before are no longer used. */
const revision = '2';
/** A half-written import of a process that was killed is left alone for this long: it may be one at work. */
const abandonedAfterMs = 3_600_000;

/**
 * Imports a source into the work folder, or finds it there. The DuckDB file is written under a name of its own and then renamed,
 * so that processes which share the folder never see half of one.
 * @throws SourcesError when the file can't be read, or keeps changing.
 */
export async function importSource(
  source: Source,
  workDirectory: string,
  limits: InstanceLimits,
): Promise<ImportedTable> {
  let wanted = source;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const file = join(workDirectory, importName(wanted));
    if (!(await exists(file))) await writeImport(wanted, file, limits);
    const now = await readSource(dirname(source.path), basename(source.path));
    if (now.fingerprint === wanted.fingerprint) return describe(wanted, file);
    await rm(file, { force: true });
    wanted = now;
  }
  throw new SourcesError(
    `The source ${basename(source.path)} changes while it is read: write it elsewhere, then move it here.`,
  );
}

/** Removes what earlier states of these tables left in the work folder. A file that is still open elsewhere lives on there. */
export async function pruneImports(current: readonly ImportedTable[], workDirectory: string): Promise<void> {
  const keep = new Set(current.map(({ file }) => basename(file)));
  const places = [...keep].map(placePart);
  for (const name of await readdir(workDirectory)) {
    const path = join(workDirectory, name);
    const outdated = name.endsWith('.duckdb') && !keep.has(name) && places.includes(placePart(name));
    if (outdated || (isPartial(name) && (await isAbandoned(path)))) {
      await rm(path, { force: true }).catch(() => undefined);
    }
  }
}

/** `<table>.<place>.<state>.duckdb`: another DuckDB version, or another way to read files, uses none of it. */
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
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > abandonedAfterMs;
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
    // What the engine threw is left out: it quotes the row that it could not read.
    const told = describeFileProblem(error) ?? `can not be imported: check that it is a whole ${source.format} file`;
    throw new SourcesError(`The source ${basename(source.path)} ${told}.`);
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
