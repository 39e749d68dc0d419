import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type pg from 'pg';
import { inject } from 'vitest';
import { openDatabase } from '../../../src/platform/db/database.js';
import { startPostgresServer } from '../../../src/platform/db/embedded-postgres/postgres-server.js';

/** Many requests at once wait for few connections: on a busy machine for longer than a platform lets anybody wait. */
const patience = {
  connectionTimeoutMillis: 60_000,
  statement_timeout: 60_000,
  idle_in_transaction_session_timeout: 60_000,
};

/** A throw-away database with its tables. Other test files have theirs on the same server: look at your own database alone. */
export async function openTestDatabase() {
  const { connection, giveBack } = await takeDatabase(inject('databases'));
  const database = await openDatabase({ ...connection, ...patience });
  return {
    connection,
    db: database.db,
    async stop() {
      await database.close();
      await giveBack();
    },
  };
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
  // The database is ours as long as we are there; that must not keep us.
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
