import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Db } from './database.js';
import * as schema from './schema.js';

/** Where a database is. */
export type DatabasePlace = pg.ClientConfig;

/**
 * Runs long work on a connection of its own, without the time limits of requests, where values are written as texts that every
 * Postgres reads the same way.
 */
export async function withSingleConnection<T>(place: DatabasePlace, work: (db: Db) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...place, connectionTimeoutMillis: 10_000, application_name: 'pa-platform backup' });
  // A connection that breaks fails the statement that is under way.
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
    await client.end().catch(() => undefined);
  }
}
