import type pg from 'pg';
import { openDatabase } from '../../../src/platform/store/database.js';
import { startPostgresServer } from '../../../src/platform/store/postgres-server.js';

/** A throw-away database with its tables. */
export async function openTestDatabase() {
  const server = await startPostgresServer();
  const connection: pg.PoolConfig = server.connection;
  const database = await openDatabase(connection);
  return {
    connection,
    db: database.db,
    async stop() {
      await database.close();
      await server.stop();
    },
  };
}
