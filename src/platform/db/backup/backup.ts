import { getTableName, is, type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { PgTable } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { currentVersion, type Db, versionOf } from '../database.js';
import * as schema from '../schema.js';
import { type BackupContent, type BackupWriter, writeBackupFile } from './backup-file.js';

/** A column of a table. */
interface CatalogColumn {
  readonly name: string;
  /** Type in the notation of a cast. */
  readonly type: string;
  /** Whether a sequence generates the values of the column. */
  readonly isIdentity: boolean;
}

/** A table of the platform, as defined in the database. */
export interface CatalogTable {
  readonly name: string;
  readonly columns: readonly CatalogColumn[];
}

/** A foreign key. */
interface CatalogReference {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** The tables and references that a backup contains. */
export interface Catalog {
  /** Tables, sorted so that referenced tables come first, as far as possible. */
  readonly tables: readonly CatalogTable[];
  /** Foreign keys to the same or a later table. The order of tables cannot satisfy them. */
  readonly forwardReferences: readonly CatalogReference[];
}

/** Names of all tables of the platform. Other tables of the database are ignored. */
export const tableNames: readonly string[] = Object.values<unknown>(schema)
  .filter(each => is(each, PgTable))
  .map(getTableName);

/** Reads the catalog from the database, so that new tables are included automatically. */
export async function readCatalog(db: Db): Promise<Catalog> {
  const columns = await db.execute<{ table: string; name: string; type: string; isIdentity: boolean }>(sql`
    select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      a.attidentity <> '' as "isIdentity"
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname in ${tableNames}
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    order by c.relname, a.attnum`);
  const { rows: references } = await db.execute<{ name: string; from: string; to: string }>(sql`
    select conname as name, f.relname as "from", t.relname as "to"
    from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace and f.relname in ${tableNames}
    order by conname`);
  const order = inOrder([...new Set(columns.rows.map(({ table }) => table))], references);
  const place = new Map(order.map((name, index) => [name, index]));
  return {
    tables: order.map(name => ({ name, columns: columns.rows.filter(({ table }) => table === name) })),
    forwardReferences: references.filter(({ from, to }) => (place.get(to) ?? 0) >= (place.get(from) ?? 0)),
  };
}

/** Sorts names after the names that they reference; the members of a cycle keep the order in which they are visited. */
function inOrder(names: readonly string[], references: readonly CatalogReference[]): string[] {
  const placed = new Set<string>();
  const visiting = new Set<string>();
  const visit = (name: string) => {
    if (placed.has(name) || visiting.has(name)) return;
    visiting.add(name);
    for (const { from, to } of references) if (from === name) visit(to);
    placed.add(name);
  };
  for (const name of names) visit(name);
  return [...placed];
}

/** Connection parameters of a database. */
export type DatabasePlace = pg.ClientConfig;

/**
 * Runs long work on a dedicated connection, without the statement timeout that applies to requests. Session settings
 * make the text format of values independent of the server's configuration.
 */
export async function withSingleConnection<T>(place: DatabasePlace, work: (db: Db) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...place, connectionTimeoutMillis: 10_000, application_name: 'pa-platform backup' });
  // Ignore the error, because the current statement also fails if the connection breaks.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const db = drizzle(client, { schema, casing: 'snake_case' });
    await db.execute(sql`select set_config('TimeZone', 'UTC', false), set_config('DateStyle', 'ISO, YMD', false),
      set_config('IntervalStyle', 'postgres', false), set_config('bytea_output', 'hex', false),
      set_config('extra_float_digits', '1', false), set_config('statement_timeout', '0', false),
      set_config('idle_in_transaction_session_timeout', '0', false), set_config('search_path', 'public', false)`);
    return await work(db);
  } finally {
    // Ignore the error, because the work is either complete, or its error is reported.
    await client.end().catch(() => undefined);
  }
}

/** Options of a backup or restore. */
export interface CopyOptions {
  /** Path of the backup file. */
  readonly file: string;
  readonly signal?: AbortSignal | undefined;
  /** Called for each table, and from time to time within a large one. */
  readonly onProgress?: ((progress: CopyProgress) => void) | undefined;
}

/** Progress within one table. */
export interface CopyProgress {
  readonly table: string;
  readonly rows: number;
  readonly of: number;
}

/** Totals of a backup or restore. */
export interface CopyResult {
  readonly tables: number;
  readonly rows: number;
}

const firstBatch = 20;
const maxRows = 500;
const batchBytes = 1024 * 1024;
/** Number of rows between progress reports. */
const progressStep = 50_000;

/**
 * Writes a consistent snapshot of all platform data to a file while the platform keeps running. Secrets remain
 * encrypted.
 * @throws Error if the database does not have the schema of this release.
 */
export async function backUp(place: DatabasePlace, options: CopyOptions): Promise<CopyResult & { bytes: number }> {
  return withSingleConnection(place, async db => {
    await requireCurrent(db);
    const { tables } = await readCatalog(db);
    return db.transaction(
      async tx => {
        // Locks the tables before the first query, which defines the snapshot, so that no migration can run between
        // reading tables and reading rows.
        await tx.execute(sql`lock table ${identifiers(tables)} in access share mode`);
        const content = await describe(tx);
        const bytes = await writeBackupFile(options.file, content, writer => copyTables(tx, content, writer, options));
        const rows = content.tables.reduce((sum, table) => sum + table.rows, 0);
        return { tables: content.tables.length, rows, bytes };
      },
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
    );
  });
}

/** Returns the names of tables as a list in a statement. */
export function identifiers(tables: readonly { readonly name: string }[]): SQL {
  return sql.join(
    tables.map(({ name }) => sql.identifier(name)),
    sql`, `,
  );
}

async function requireCurrent(db: Db): Promise<void> {
  const version = await versionOf(db);
  if (version === 0) throw new Error('The database contains no platform data, so there is nothing to back up.');
  if (version > currentVersion()) {
    throw new Error('The database was migrated by a newer pa-platform. Back it up with that version.');
  }
  if (version < currentVersion()) {
    throw new Error(
      'The database has the schema of an older pa-platform. Back it up with that version, or start this version on it first.',
    );
  }
}

async function describe(tx: Db): Promise<BackupContent> {
  const { tables } = await readCatalog(tx);
  const described: BackupContent['tables'] = [];
  const sequences: BackupContent['sequences'] = [];
  for (const { name, columns } of tables) {
    const { rows } = await tx.execute<{ count: string }>(
      sql`select count(*)::text as count from ${sql.identifier(name)}`,
    );
    described.push({ name, columns: columns.map(column => column.name), rows: Number(rows[0]?.count ?? 0) });
    for (const column of columns.filter(({ isIdentity }) => isIdentity)) {
      sequences.push({ table: name, column: column.name, next: await nextValue(tx, name, column.name) });
    }
  }
  return { madeAt: new Date().toISOString(), schemaVersion: await versionOf(tx), tables: described, sequences };
}

/**
 * Returns the next value of a sequence. Sequences are not transactional, so this value is greater than those of all
 * rows that the transaction can see.
 */
async function nextValue(tx: Db, table: string, column: string): Promise<string> {
  const { rows: names } = await tx.execute<{ schema: string; name: string }>(sql`
    select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.oid = pg_get_serial_sequence(quote_ident(${table}), ${column})::regclass`);
  const [sequence] = names;
  if (!sequence) throw new Error('An identity column has no sequence.');
  const { rows } = await tx.execute<{ next: string }>(sql`
    select (last_value + is_called::int)::text as next
    from ${sql.identifier(sequence.schema)}.${sql.identifier(sequence.name)}`);
  return rows[0]?.next ?? '1';
}

async function copyTables(
  tx: Db,
  content: BackupContent,
  writer: BackupWriter,
  { signal, onProgress }: CopyOptions,
): Promise<void> {
  for (const table of content.tables) {
    let rows = 0;
    let reported = 0;
    for await (const lines of linesOf(tx, table)) {
      signal?.throwIfAborted();
      await writer.writeRows(table.name, lines);
      rows += lines.length;
      if (rows - reported < progressStep) continue;
      reported = rows;
      onProgress?.({ table: table.name, rows, of: table.rows });
    }
    if (rows > reported) onProgress?.({ table: table.name, rows, of: table.rows });
  }
}

/** Returns the rows of a table in batches of about a megabyte, estimated from the size of the previous rows. */
async function* linesOf(tx: Db, { name, columns }: BackupContent['tables'][number]): AsyncGenerator<string[]> {
  const texts = sql.join(
    columns.map(column => sql`${sql.identifier(column)}::text`),
    sql`, `,
  );
  await tx.execute(sql`declare backup_rows no scroll cursor for
    select to_json(array[${texts}])::text as line from ${sql.identifier(name)}`);
  let batch = firstBatch;
  for (;;) {
    const { rows } = await tx.execute<{ line: string }>(sql`fetch ${sql.raw(String(batch))} from backup_rows`);
    if (rows.length === 0) break;
    const lines = rows.map(({ line }) => line);
    yield lines;
    const maxLength = Math.max(...lines.map(line => line.length));
    batch = Math.max(1, Math.min(2 * batch, maxRows, Math.floor(batchBytes / maxLength)));
  }
  await tx.execute(sql`close backup_rows`);
}
