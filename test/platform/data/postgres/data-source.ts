import pg from 'pg';
import { startPostgresServer } from '../../../../src/platform/store/postgres-server.js';

/** A Postgres of its own that plays a customer's database. */
export interface DataSource {
  /** Of a role that may read the schema `public`, and nothing else. */
  readonly url: string;
  /** URL of another role. */
  urlOf(role: string): string;
  /** Runs statements as the owner of everything. */
  run(statements: string): Promise<pg.QueryResult>;
  /** A connection as the owner, closed with the data source. */
  connect(): Promise<pg.Client>;
  stop(): Promise<void>;
}

/** Starts a server with nothing in it but a role to read by. */
export async function startDataSource(): Promise<DataSource> {
  const server = await startPostgresServer();
  const clients: pg.Client[] = [];
  const connect = async () => {
    const client = new pg.Client(server.connection);
    client.on('error', () => {});
    await client.connect();
    clients.push(client);
    return client;
  };
  const owner = await connect();
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
    connect,
    async stop() {
      await Promise.all(clients.map(client => client.end()));
      await server.stop();
    },
  };
}
