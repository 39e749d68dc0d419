import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import type { PostgresServer } from '../../../../src/platform/db/embedded-postgres/postgres-server.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Socket on which `openTestDatabase` gets a database; without it, a new server is started. */
    databases?: string;
  }
}

const template = 'with_tables';

/**
 * Provides a shared Postgres server for all test files that need only a database. Starting a server and creating the
 * tables takes seconds; copying a template database takes a tenth of one. The server starts on demand.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'pa-one-postgres-'));
  const databases = new Databases();
  const listener = createServer(socket => void databases.serve(socket).catch(() => socket.destroy()));
  const path = join(folder, 'databases');
  listener.listen(path);
  await once(listener, 'listening');
  project.provide('databases', path);
  return async () => {
    listener.close();
    await databases.close();
    await rm(folder, { recursive: true, force: true });
  };
}

class Databases {
  readonly #sockets = new Set<Socket>();
  readonly #leaving = new Set<Promise<unknown>>();
  #server: Promise<PostgresServer> | undefined;
  #made = 0;

  /** Sends a client the address of a new database, and drops the database when the client disconnects. */
  async serve(socket: Socket): Promise<void> {
    this.#sockets.add(socket);
    const left = once(socket.resume(), 'close').catch(() => undefined);
    this.#server ??= startWithTemplate();
    const { connection } = await this.#server;
    const database = `test_${++this.#made}`;
    await administer(connection, `CREATE DATABASE ${database} TEMPLATE ${template} STRATEGY file_copy`);
    socket.write(`${JSON.stringify({ ...connection, database })}\n`);
    const dropped = left.then(() => administer(connection, `DROP DATABASE ${database} WITH (FORCE)`));
    this.#leaving.add(dropped);
    await dropped.finally(() => this.#sockets.delete(socket));
    this.#leaving.delete(dropped);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await Promise.allSettled(this.#leaving);
    await (await this.#server)?.stop();
  }
}

/** Starts a server with a template database that has the platform's tables. */
async function startWithTemplate(): Promise<PostgresServer> {
  const { startPostgresServer } = await import('../../../../src/platform/db/embedded-postgres/postgres-server.js');
  const { openDatabase } = await import('../../../../src/platform/db/database.js');
  const server = await startPostgresServer();
  // Autovacuum would start workers constantly, because there are hundreds of small databases.
  await administer(server.connection, 'ALTER SYSTEM SET autovacuum = off');
  await administer(server.connection, 'SELECT pg_reload_conf()');
  await administer(server.connection, `CREATE DATABASE ${template}`);
  await (await openDatabase({ ...server.connection, database: template })).close();
  return server;
}

async function administer(connection: pg.ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
