import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { retry } from '../runtime/retry.js';
import { type ChannelListener, listenTo } from './listen.js';
import * as schema from './schema.js';

/** The database or a transaction on it. */
export type Db = PgDatabase<NodePgQueryResultHKT, typeof schema>;

/** An open metadata database. */
export interface Database {
  readonly db: Db;
  /** True if a query succeeds. */
  isReady(): Promise<boolean>;
  /** Subscribes to a channel, see `listenTo`. Close the listener before the database. */
  listen(channel: string, onNotify: () => void): ChannelListener;
  close(): Promise<void>;
}

/** Folder of the migrations. */
const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

/** Arbitrary key that no other advisory lock on this database uses. */
const migrationLock = 7_265_001;

const limits = {
  max: 10,
  connectionTimeoutMillis: 10_000,
  idleTimeoutMillis: 30_000,
  statement_timeout: 30_000,
  idle_in_transaction_session_timeout: 30_000,
} as const;

/**
 * A platform loads its model while it connects. On a busy machine, loading can block the event loop longer than the
 * connection timeout of requests, so the start retries for up to a minute.
 */
const startPolicy = {
  maxAttempts: 6,
  isRetryable: (error: unknown) =>
    error instanceof Error &&
    /^(timeout exceeded when trying to connect|.* due to connection timeout)$/.test(error.message),
};

/**
 * Connects to Postgres and runs pending migrations. Platforms that start concurrently on one database wait for each
 * other.
 * @param config - connection of the database. Overrides the default pool size and timeouts.
 */
export async function openDatabase(config: pg.PoolConfig): Promise<Database> {
  const pool = new pg.Pool({ ...limits, ...config });
  // If an idle connection breaks, the pool replaces it. Without a listener, the error would end the process.
  pool.on('error', () => {});
  // Also listen on each client, because a connection can break between two statements of a transaction. The next
  // statement then fails.
  pool.on('connect', client => client.on('error', () => {}));
  try {
    await retry(() => runMigrations(pool), startPolicy);
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
    listen: (channel, onNotify) => listenTo(config, channel, onNotify),
    close: () => pool.end(),
  };
}

/** Runs pending migrations. Leaves its connection in the pool, for the first request. */
async function runMigrations(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  let isReset = false;
  try {
    await client.query(`set statement_timeout = '120s'`);
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await migrate(drizzle(client), { migrationsFolder });
    await client.query('select pg_advisory_unlock($1)', [migrationLock]);
    await client.query('reset statement_timeout');
    isReset = true;
  } finally {
    // After a failure, closes the connection, which releases the lock and discards the longer timeout.
    client.release(!isReset);
  }
}

/** Returns the SQLSTATE of a database error, such as `23505` for a unique violation; `null` for other errors. */
export function databaseCode(error: unknown): string | null {
  const cause: unknown = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : null;
  return typeof code === 'string' ? code : null;
}

/** SQLSTATEs of constraint violations, missing permissions and lock timeouts. */
export const DatabaseCode = {
  uniqueViolation: '23505',
  foreignKeyViolation: '23503',
  checkViolation: '23514',
  insufficientPrivilege: '42501',
  lockNotAvailable: '55P03',
} as const;

/**
 * Sorts by name. Callers that define the same names concurrently lock in this order, so that they do not deadlock.
 */
export function inNameOrder<T extends { readonly name: string }>(list: readonly T[]): T[] {
  return [...list].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns all migrations in order. The timestamp of the last applied migration is the schema version of a database. */
export function migrations(): readonly MigrationMeta[] {
  return readMigrationFiles({ migrationsFolder });
}

/** Returns the schema version of this release. */
export function currentVersion(): number {
  return migrations().at(-1)?.folderMillis ?? 0;
}

/** Returns the schema version of a database; 0 if it was never migrated. */
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

/** Runs the migrations between two versions in the given transaction. */
export async function migrateBetween(tx: Db, after: number, until: number): Promise<void> {
  const between = migrations().filter(({ folderMillis }) => folderMillis > after && folderMillis <= until);
  for (const { sql: statements, hash, folderMillis } of between) {
    for (const statement of statements) await tx.execute(sql.raw(statement));
    await tx.execute(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`,
    );
  }
}
