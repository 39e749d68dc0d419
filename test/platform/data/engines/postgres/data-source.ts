import pg from 'pg';
import { startPostgresServer } from '../../../../../src/platform/db/embedded-postgres/postgres-server.js';
import { CopyIn } from './copy-tables.js';

/** A Postgres server as a customer's database. */
export interface DataSource {
  /** URL of a role with read access to schema `public` only. */
  readonly url: string;
  /** URL of another role. */
  urlOf(role: string): string;
  /** Runs statements as the owner. */
  run(statements: string): Promise<pg.QueryResult>;
  /** Runs `COPY … FROM STDIN` as the owner. */
  copyIn(statement: string, lines: AsyncIterable<string>): Promise<void>;
  stop(): Promise<void>;
}

/** Starts an empty server with a read-only role. */
export async function startDataSource(): Promise<DataSource> {
  const server = await startPostgresServer();
  const owner = new pg.Client(server.connection);
  await owner.connect();
  await owner.query(`
    CREATE ROLE reader LOGIN;
    GRANT USAGE ON SCHEMA public TO reader;
    ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO reader`);
  const { host, port, database } = server.connection;
  const urlOf = (role: string) => `postgres://${role}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
  return {
    url: urlOf('reader'),
    urlOf,
    run: statements => owner.query(statements),
    copyIn: (statement, lines) => owner.query(new CopyIn(statement, lines)).done,
    async stop() {
      await owner.end();
      await server.stop();
    },
  };
}
