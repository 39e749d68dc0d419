import { sql } from 'drizzle-orm';
import { builtInRoles } from '../../../contract/roles.js';
import {
  currentVersion,
  type Db,
  databaseCode,
  migrateBetween,
  migrations,
  openDatabase,
  versionOf,
} from '../database.js';
import {
  type Catalog,
  type CatalogTable,
  type CopyOptions,
  type CopyResult,
  type DatabasePlace,
  identifiers,
  readCatalog,
  withSingleConnection,
} from './backup.js';
import { type BackupHeader, readBackupHeader, readBackupRows } from './backup-file.js';

/** What a restore does with what the database holds. */
export const ExistingData = {
  /** Refuses to restore where there is anything but what a first start makes. */
  keep: 'keep',
  /** Empties the database first, in the same transaction. */
  replace: 'replace',
} as const;
/** What a restore does with what the database holds. */
export type ExistingData = (typeof ExistingData)[keyof typeof ExistingData];

const batchRows = 1000;
const batchCharacters = 1024 * 1024;
const progressStep = 50_000;
const lockNotAvailable = '55P03';

/** Rows that a first start makes, or that pass by themselves; in all other tables there are none. */
const firstRows: ReadonlyMap<string, number> = new Map([
  ['accounts', 1],
  ['users', 1],
  ['deployments', 1],
  ['deployment_environments', 1],
  ['agents', 1],
  ['api_keys', 1],
  ['roles', builtInRoles.length],
  // Those of `--group`, and that for sharing with everybody. Nothing of them counts without members, content or tenants.
  ['groups', Number.POSITIVE_INFINITY],
  ['rate_limits', Number.POSITIVE_INFINITY],
]);

/**
 * Fills a database from a backup, in one transaction: all of it, or nothing. The backup is read to its end before that, so that a damaged
 * one changes nothing. One of an older release is put into tables as they were then, which are migrated from there.
 * @throws Error, in a sentence
 */
export async function restoreBackup(
  place: DatabasePlace,
  options: CopyOptions & { readonly present: ExistingData },
): Promise<CopyResult> {
  const header = await readBackupHeader(options.file);
  requireKnownVersion(header);
  for await (const _row of readBackupRows(options.file)) options.signal?.throwIfAborted();
  await (await openDatabase(place)).close();
  return withSingleConnection(place, async db => {
    if ((await versionOf(db)) !== currentVersion()) {
      throw new Error('The database is one of a newer pa-platform: restore with that one.');
    }
    return db.transaction(async tx => {
      await makeRoom(tx, options.present);
      const isOlder = header.schemaVersion < currentVersion();
      if (isOlder) await rebuildTables(tx, header.schemaVersion);
      await fill(tx, header, options);
      if (isOlder) await migrateBetween(tx, header.schemaVersion, currentVersion());
      return { tables: header.tables.length, rows: header.tables.reduce((sum, { rows }) => sum + rows, 0) };
    });
  });
}

function requireKnownVersion({ schemaVersion }: BackupHeader): void {
  if (schemaVersion > currentVersion()) {
    throw new Error('The backup is one of a newer pa-platform: restore it with that one.');
  }
  if (!migrations().some(({ folderMillis }) => folderMillis === schemaVersion)) {
    throw new Error('The backup is one of a pa-platform that was never released: restore it with that one.');
  }
}

/** Keeps everybody else away, and empties the tables where that is what was asked for, or where nothing is lost by it. */
async function makeRoom(tx: Db, present: ExistingData): Promise<void> {
  const { tables } = await readCatalog(tx);
  await tx.execute(sql`set local lock_timeout = '10s'`);
  try {
    await tx.execute(sql`lock table ${identifiers(tables)} in access exclusive mode`);
  } catch (error) {
    if (databaseCode(error) !== lockNotAvailable) throw error;
    throw new Error('The database is in use: stop the platforms on it, and restore again.', { cause: error });
  }
  if (present === ExistingData.keep) {
    const table = await tableWithContent(tx, tables);
    if (table !== null) {
      throw new Error(
        `The database holds content already (${table}): restore into an empty one, or replace what it holds with --replace.`,
      );
    }
  }
  await tx.execute(sql`truncate ${identifiers(tables)}`);
}

/** A table that holds more than a first start puts there; null where there is none. */
async function tableWithContent(tx: Db, tables: readonly CatalogTable[]): Promise<string | null> {
  for (const { name } of tables) {
    const most = firstRows.get(name) ?? 0;
    if (most === Number.POSITIVE_INFINITY) continue;
    const { rows } = await tx.execute(sql`select from ${sql.identifier(name)} limit ${most + 1}`);
    if (rows.length > most) return name;
  }
  return null;
}

/** Makes the tables anew as they were after a migration. */
async function rebuildTables(tx: Db, version: number): Promise<void> {
  const { tables } = await readCatalog(tx);
  await tx.execute(sql`drop table ${identifiers(tables)} cascade`);
  await tx.execute(sql`delete from drizzle.__drizzle_migrations`);
  await migrateBetween(tx, 0, version);
}

async function fill(tx: Db, header: BackupHeader, options: CopyOptions): Promise<void> {
  const catalog = await readCatalog(tx);
  await deferReferences(tx, catalog);
  const filled = new Map<string, number>();
  for await (const { table, lines } of batchesOf(options.file)) {
    options.signal?.throwIfAborted();
    const told = header.tables.find(({ name }) => name === table);
    await insert(tx, requireTable(catalog, table), told?.columns ?? [], lines);
    const before = filled.get(table) ?? 0;
    const rows = before + lines.length;
    filled.set(table, rows);
    const isEnd = rows === told?.rows;
    if (isEnd || Math.floor(rows / progressStep) > Math.floor(before / progressStep)) {
      options.onProgress?.({ table, rows, of: told?.rows ?? rows });
    }
  }
  await tx.execute(sql`set constraints all immediate`);
  await setSequences(tx, header, catalog);
  for (const { from, name } of catalog.forwardReferences) {
    await tx.execute(sql`alter table ${sql.identifier(from)} alter constraint ${sql.identifier(name)} not deferrable`);
  }
}

/** Rows that refer to others of the same table may come before them. */
async function deferReferences(tx: Db, { forwardReferences }: Catalog): Promise<void> {
  for (const { from, name } of forwardReferences) {
    await tx.execute(
      sql`alter table ${sql.identifier(from)} alter constraint ${sql.identifier(name)} deferrable initially deferred`,
    );
  }
}

interface Batch {
  readonly table: string;
  readonly lines: readonly string[];
}

/** Rows of one table, about a megabyte at a time. */
async function* batchesOf(file: string): AsyncGenerator<Batch> {
  let lines: string[] = [];
  let characters = 0;
  let current = '';
  for await (const { table, line } of readBackupRows(file)) {
    if (lines.length > 0 && (table !== current || lines.length >= batchRows || characters >= batchCharacters)) {
      yield { table: current, lines };
      lines = [];
      characters = 0;
    }
    current = table;
    lines.push(line);
    characters += line.length;
  }
  if (lines.length > 0) yield { table: current, lines };
}

async function insert(
  tx: Db,
  table: CatalogTable,
  columns: readonly string[],
  lines: readonly string[],
): Promise<void> {
  const names = sql.join(
    columns.map(column => sql.identifier(column)),
    sql`, `,
  );
  const values = sql.join(
    columns.map((column, index) => sql`(line ->> ${sql.raw(String(index))})::${sql.raw(typeOf(table, column))}`),
    sql`, `,
  );
  await tx.execute(sql`insert into ${sql.identifier(table.name)} (${names})
    select ${values} from jsonb_array_elements(${`[${lines.join(',')}]`}::jsonb) as line`);
}

function requireTable({ tables }: Catalog, name: string): CatalogTable {
  const table = tables.find(each => each.name === name);
  if (!table) throw new Error(`The backup holds a table that this pa-platform does not have (${name}).`);
  return table;
}

/** The type of a column as the database itself writes it: nothing of a file is ever part of a statement. */
function typeOf(table: CatalogTable, column: string): string {
  const found = table.columns.find(({ name }) => name === column);
  if (!found)
    throw new Error(`The backup holds a column that this pa-platform does not have (${table.name}.${column}).`);
  return found.type;
}

/** By a change of the column, which ends with the transaction where that fails: the value of a sequence alone would stay. */
async function setSequences(tx: Db, { sequences }: BackupHeader, catalog: Catalog): Promise<void> {
  for (const { table, column, next } of sequences) {
    const name = sql.identifier(requireTable(catalog, table).name);
    const start = sql.raw(String(BigInt(next)));
    await tx.execute(sql`alter table ${name} alter column ${sql.identifier(column)} restart with ${start}`);
  }
}
