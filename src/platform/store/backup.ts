import { type SQL, sql } from 'drizzle-orm';
import { readCatalog } from './backup-catalog.js';
import { type BackupContent, type BackupWriter, writeBackupFile } from './backup-file.js';
import type { Db } from './database.js';
import { currentVersion, versionOf } from './migrate.js';
import { type DatabasePlace, withSingleConnection } from './single-connection.js';

/** What a backup or a restore is told beside the place of the database. */
export interface CopyOptions {
  /** The backup. */
  readonly file: string;
  readonly signal?: AbortSignal | undefined;
  /** Hears of each table, and now and then within a large one. */
  readonly onProgress?: ((progress: CopyProgress) => void) | undefined;
}

/** How far a table is copied. */
export interface CopyProgress {
  readonly table: string;
  readonly rows: number;
  readonly of: number;
}

/** What was copied. */
export interface Copied {
  readonly tables: number;
  readonly rows: number;
}

const firstBatch = 20;
const mostRows = 500;
const batchBytes = 1024 * 1024;
/** Rows after which progress is told again. */
const progressStep = 50_000;

/**
 * Writes all of a platform's own data to a file, as it is at one moment, while it may go on changing. Secrets in it stay sealed.
 * @throws Error, in a sentence, where the database is not one of this release.
 */
export async function backUp(place: DatabasePlace, options: CopyOptions): Promise<Copied & { bytes: number }> {
  return withSingleConnection(place, async db => {
    await requireCurrent(db);
    const { tables } = await readCatalog(db);
    return db.transaction(
      async tx => {
        // Before the first look, which is the moment of the backup: no migration comes between the tables and their rows.
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

/** Names of tables, as a list in a statement. */
export function identifiers(tables: readonly { readonly name: string }[]): SQL {
  return sql.join(
    tables.map(({ name }) => sql.identifier(name)),
    sql`, `,
  );
}

async function requireCurrent(db: Db): Promise<void> {
  const version = await versionOf(db);
  if (version === 0) throw new Error('There is no platform on this database: there is nothing to back up.');
  if (version > currentVersion()) {
    throw new Error('The database is one of a newer pa-platform: back it up with that one.');
  }
  if (version < currentVersion()) {
    throw new Error(
      'The database is one of an older pa-platform: back it up with that one, or start this one on it first.',
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

/** Sequences are outside of transactions: what one says now is past all that the transaction can see. */
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
    let told = 0;
    for await (const lines of linesOf(tx, table)) {
      signal?.throwIfAborted();
      await writer.writeRows(table.name, lines);
      rows += lines.length;
      if (rows - told < progressStep) continue;
      told = rows;
      onProgress?.({ table: table.name, rows, of: table.rows });
    }
    if (rows > told) onProgress?.({ table: table.name, rows, of: table.rows });
  }
}

/** The rows of a table, some at a time: as many as come to about a megabyte, by the size of those before them. */
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
    const longest = Math.max(...lines.map(line => line.length));
    batch = Math.max(1, Math.min(2 * batch, mostRows, Math.floor(batchBytes / longest)));
  }
  await tx.execute(sql`close backup_rows`);
}
