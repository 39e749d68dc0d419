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

/** How a restore handles existing content of the database. */
export const ExistingData = {
  /** Rejects databases that contain more than the rows that a first start creates. */
  keep: 'keep',
  /** Truncates the database in the same transaction. */
  replace: 'replace',
} as const;
/** How a restore handles existing content of the database. */
export type ExistingData = (typeof ExistingData)[keyof typeof ExistingData];

const batchRows = 1000;
const batchCharacters = 1024 * 1024;
const progressStep = 50_000;
const lockNotAvailable = '55P03';
const newerVersion = 'Restore it with the version that created it, or a later one.';

/**
 * Number of rows that a table may contain before a restore, because the first start creates them or they are temporary;
 * 0 for tables that are not listed.
 */
const firstRows: ReadonlyMap<string, number> = new Map([
  ['accounts', 1],
  ['users', 1],
  ['deployments', 1],
  ['deployment_environments', 1],
  ['agents', 1],
  ['api_keys', 1],
  ['roles', builtInRoles.length],
  // The recurring jobs. Jobs of other kinds need no check, because they exist only if other tables also have rows.
  ['jobs', Number.POSITIVE_INFINITY],
  // Groups created by `--group`, and the group for sharing with all users. They have no effect without members, content
  // or tenants.
  ['groups', Number.POSITIVE_INFINITY],
  ['rate_limits', Number.POSITIVE_INFINITY],
]);

/**
 * Restores a database from a backup in one transaction. Checks the whole backup before that, so that a damaged one
 * changes nothing. A backup of an older release is restored into the tables of that release, which are then migrated.
 * @throws Error with the reason.
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
      throw new Error('The database was migrated by a newer pa-platform. Restore the backup with that version.');
    }
    return db.transaction(async tx => {
      await emptyTables(tx, options.present);
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
    throw new Error('The backup was made by a newer pa-platform. Restore it with that version.');
  }
  if (!migrations().some(({ folderMillis }) => folderMillis === schemaVersion)) {
    throw new Error('The backup was made by an unreleased pa-platform. Restore it with that version.');
  }
}

/** Locks all tables and truncates them, if that is requested or if they contain only rows of a first start. */
async function emptyTables(tx: Db, present: ExistingData): Promise<void> {
  const { tables } = await readCatalog(tx);
  await tx.execute(sql`set local lock_timeout = '10s'`);
  try {
    await tx.execute(sql`lock table ${identifiers(tables)} in access exclusive mode`);
  } catch (error) {
    if (databaseCode(error) !== lockNotAvailable) throw error;
    throw new Error('The database is in use. Stop the platforms that use it, then restore again.', { cause: error });
  }
  if (present === ExistingData.keep) {
    const table = await tableWithContent(tx, tables);
    if (table !== null) {
      throw new Error(
        `The database is not empty (${table}). Restore into an empty database, or pass --replace to delete its content.`,
      );
    }
  }
  await tx.execute(sql`truncate ${identifiers(tables)}`);
}

/** Returns the first table that contains more rows than a first start creates; `null` if there is none. */
async function tableWithContent(tx: Db, tables: readonly CatalogTable[]): Promise<string | null> {
  for (const { name } of tables) {
    const maxRows = firstRows.get(name) ?? 0;
    if (maxRows === Number.POSITIVE_INFINITY) continue;
    const { rows } = await tx.execute(sql`select from ${sql.identifier(name)} limit ${maxRows + 1}`);
    if (rows.length > maxRows) return name;
  }
  return null;
}

/** Recreates the tables at the version of a migration. */
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
    const described = header.tables.find(({ name }) => name === table);
    await insert(tx, requireTable(catalog, table), described?.columns ?? [], lines);
    const before = filled.get(table) ?? 0;
    const rows = before + lines.length;
    filled.set(table, rows);
    const isEnd = rows === described?.rows;
    if (isEnd || Math.floor(rows / progressStep) > Math.floor(before / progressStep)) {
      options.onProgress?.({ table, rows, of: described?.rows ?? rows });
    }
  }
  await tx.execute(sql`set constraints all immediate`);
  await setSequences(tx, header, catalog);
  for (const { from, name } of catalog.forwardReferences) {
    await tx.execute(sql`alter table ${sql.identifier(from)} alter constraint ${sql.identifier(name)} not deferrable`);
  }
}

/**
 * Defers the check of these foreign keys until all rows are inserted, because a row may precede the row that it
 * references.
 */
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

/** Batches of rows of one table, about a megabyte each. */
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
  if (!table)
    throw new Error(`The backup contains the table ${name}, which this version does not have. ${newerVersion}`);
  return table;
}

/**
 * Returns the type of a column from the catalog of the database, because statements must not contain text from the
 * file.
 */
function typeOf(table: CatalogTable, column: string): string {
  const found = table.columns.find(({ name }) => name === column);
  if (!found)
    throw new Error(
      `The backup contains the column ${table.name}.${column}, which this version does not have. ${newerVersion}`,
    );
  return found.type;
}

/**
 * Sets the next values of the identity columns. Uses `alter column`, which unlike `setval` is undone if the transaction
 * fails.
 */
async function setSequences(tx: Db, { sequences }: BackupHeader, catalog: Catalog): Promise<void> {
  for (const { table, column, next } of sequences) {
    const name = sql.identifier(requireTable(catalog, table).name);
    const start = sql.raw(String(BigInt(next)));
    await tx.execute(sql`alter table ${name} alter column ${sql.identifier(column)} restart with ${start}`);
  }
}
