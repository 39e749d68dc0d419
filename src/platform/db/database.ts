import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { type ChannelListener, listenTo } from './listen.js';
import * as schema from './schema.js';

/** What the functions of the store take: the database, or a transaction on it. */
export type Db = PgDatabase<NodePgQueryResultHKT, typeof schema>;

/** The platform's metadata, opened. */
export interface Database {
  readonly db: Db;
  /** True when a query gets through. */
  isReady(): Promise<boolean>;
  /** Hears what is notified on a channel, see `listenTo`; to be closed before the database is. */
  listen(channel: string, hear: () => void): ChannelListener;
  close(): Promise<void>;
}

/** Where the migrations are. */
const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

/** Any number that no other user of advisory locks on this database takes. */
const migrationLock = 7_265_001;

const limits = {
  max: 10,
  connectionTimeoutMillis: 10_000,
  idleTimeoutMillis: 30_000,
  statement_timeout: 30_000,
  idle_in_transaction_session_timeout: 30_000,
} as const;

/**
 * Connects to Postgres and brings its tables up to date. Platforms that start at once on one database wait for each other.
 * @param config - where the database is; the size of the pool and the time limits are ours unless it says otherwise.
 */
export async function openDatabase(config: pg.PoolConfig): Promise<Database> {
  const pool = new pg.Pool({ ...limits, ...config });
  // An idle connection that breaks is dropped by the pool and replaced; without a listener it would end the process.
  pool.on('error', () => {});
  // So would one that breaks between two statements of a transaction, when the pool doesn't listen: the next statement fails then.
  pool.on('connect', client => client.on('error', () => {}));
  try {
    await runMigrations(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    db: drizzle(pool, { schema, casing: 'snake_case' }),
    isReady: () =>
      pool.query('select 1').then(
        () => true,
        () => false,
      ),
    listen: (channel, hear) => listenTo(config, channel, hear),
    close: () => pool.end(),
  };
}

async function runMigrations(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(`set statement_timeout = '120s'`);
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await migrate(drizzle(client), { migrationsFolder });
  } finally {
    // Closing the connection gives the lock back and forgets the longer time limit, whatever happened before.
    client.release(true);
  }
}

/** The SQLSTATE of what the database threw, like `23505` of a unique violation; null for everything else. */
export function databaseCode(error: unknown): string | null {
  const cause: unknown = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : null;
  return typeof code === 'string' ? code : null;
}

/** SQLSTATEs of constraints that a writer met. */
export const DatabaseCode = {
  uniqueViolation: '23505',
  foreignKeyViolation: '23503',
  checkViolation: '23514',
} as const;

/** Locks are taken in one order everywhere, so that callers who define the same names at once do not block each other. */
export function inNameOrder<T extends { readonly name: string }>(list: readonly T[]): T[] {
  return [...list].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** All migrations, the first one first; the time of one is the version that a database has after it. */
export function migrations(): readonly MigrationMeta[] {
  return readMigrationFiles({ migrationsFolder });
}

/** The version of this release. */
export function currentVersion(): number {
  return migrations().at(-1)?.folderMillis ?? 0;
}

/** The version that a database has; 0 of one that was never migrated. */
export async function versionOf(db: Db): Promise<number> {
  const { rows: tables } = await db.execute<{ known: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as known`,
  );
  if (!tables[0]?.known) return 0;
  const { rows } = await db.execute<{ version: string | null }>(
    sql`select max(created_at)::text as version from drizzle.__drizzle_migrations`,
  );
  return Number(rows[0]?.version ?? 0);
}

/** Runs those migrations that lie between two versions, in the transaction that it is given. */
export async function migrateBetween(tx: Db, after: number, until: number): Promise<void> {
  const between = migrations().filter(({ folderMillis }) => folderMillis > after && folderMillis <= until);
  for (const { sql: statements, hash, folderMillis } of between) {
    for (const statement of statements) await tx.execute(sql.raw(statement));
    await tx.execute(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`,
    );
  }
}
