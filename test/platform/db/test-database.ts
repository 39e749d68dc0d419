import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type pg from 'pg';
import { inject } from 'vitest';
import { openDatabase } from '../../../src/platform/db/database.js';
import { startPostgresServer } from '../../../src/platform/db/embedded-postgres/postgres-server.js';

/** The wait is long, because many requests share few connections on a busy machine. */
const timeouts = {
  connectionTimeoutMillis: 60_000,
  statement_timeout: 60_000,
  idle_in_transaction_session_timeout: 60_000,
};

/** Opens a temporary database with the platform's tables, on a server shared with other test files. */
export async function openTestDatabase() {
  const { connection, giveBack } = await takeDatabase(inject('databases'));
  const database = await openDatabase({ ...connection, ...timeouts });
  return {
    connection,
    db: database.db,
    async stop() {
      await database.close();
      await giveBack();
    },
  };
}

/** Secret key of the platforms on a test database. */
export const testSecretKey = 'x'.repeat(32);

/**
 * Takes a database with all tables for `createPlatform`. It saves the start of a server and the migrations.
 * @returns the options of the platform, and `stop`, to call after the platform is closed.
 */
export async function takePlatformDatabase() {
  const { connection, giveBack } = await takeDatabase(inject('databases'));
  const { host = '', port, user, database } = connection;
  const databaseUrl = `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`;
  return { options: { databaseUrl, secretKey: testSecretKey }, connection, stop: giveBack };
}

interface Taken {
  readonly connection: pg.PoolConfig;
  giveBack(): Promise<void>;
}

async function takeDatabase(path: string | undefined): Promise<Taken> {
  if (path === undefined) {
    const server = await startPostgresServer();
    return { connection: server.connection, giveBack: () => server.stop() };
  }
  const socket = connect(path);
  const lines = createInterface({ input: socket });
  const [line] = await Promise.race([
    once(lines, 'line'),
    once(lines, 'close').then(() => Promise.reject(new Error('There is no database for this test.'))),
  ]);
  // The database exists while this process is connected; the connection must not keep the process alive.
  socket.unref();
  return {
    connection: JSON.parse(String(line)),
    giveBack: async () => {
      socket.ref();
      const closed = once(socket, 'close');
      socket.end();
      await closed;
    },
  };
}
