import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createApiKeyFinder } from '../../../src/platform/auth/api-key-store.js';
import { openDatabase } from '../../../src/platform/db/database.js';
import {
  type PostgresServer,
  startPostgresServer,
} from '../../../src/platform/db/embedded-postgres/postgres-server.js';
import { agents, apiKeys, deployments, groups, Role, users } from '../../../src/platform/db/schema.js';
import { accountName } from '../../../src/platform/embed/tenant-store.js';
import { seed } from '../../../src/platform/seed.js';
import { eventually } from '../../eventually.js';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgresServer();
});
afterEach(() => vi.useRealTimers());
afterAll(() => server.stop());

describe('openDatabase and seed', () => {
  test('platforms that start concurrently on an empty database create its tables and content once', async () => {
    const start = async () => {
      const database = await openDatabase(server.connection);
      await seed(database.db, { adminKeyHash: 'hash', groups: ['sales'] });
      return database;
    };
    const started = await Promise.all([start(), start(), start(), start()]);
    const [{ db }] = started;
    expect(await accountName(db)).toBe('local');
    expect(await db.select().from(deployments)).toMatchObject([{ id: 1, creationStep: 'ready' }]);
    expect(await db.select().from(agents)).toMatchObject([{ id: 1, deploymentId: 1 }]);
    expect((await db.select().from(groups)).map(group => `${group.kind} ${group.name}`).sort()).toEqual([
      'account sales',
      'sharing system:embed-users',
    ]);
    await Promise.all(started.map(database => database.close()));
  });

  test('a new admin key replaces the old one', async () => {
    const { db, close } = await openDatabase(server.connection);
    await seed(db, { adminKeyHash: 'old', groups: [] });
    await seed(db, { adminKeyHash: 'new', groups: [] });
    expect(await createApiKeyFinder(db)('new')).toMatchObject({ userId: 1, role: 'admin' });
    expect(await createApiKeyFinder(db)('old')).toBeNull();
    expect(await db.$count(apiKeys)).toBe(1);
    await close();
  });

  test.each(['', 'x'.repeat(101), 'system:mine'])('rejects the group name "%s"', async name => {
    const { db, close } = await openDatabase(server.connection);
    await expect(seed(db, { adminKeyHash: 'hash', groups: [name] })).rejects.toThrow('The group name');
    await close();
  });

  test('upgrades names that differ only in the case of ASCII letters, as Turkish rules allowed', async () => {
    const { db, close } = await openDatabase(server.connection);
    const undo = new Error('Roll back.');
    const upgrade = db.transaction(async tx => {
      const name = '0025_ascii_user_names.sql';
      const migration = await readFile(new URL(`../../../src/platform/db/migrations/${name}`, import.meta.url), 'utf8');
      await tx.execute(sql`drop index users_username_lower`);
      await tx.execute(sql`drop index users_email_lower`);
      await tx.execute(sql`create index users_username_lower on users (username)`);
      await tx.execute(sql`create index users_email_lower on users (email)`);
      const named = { role: Role.user } as const;
      await tx.insert(users).values([
        { ...named, username: 'INES', email: 'INES@acme.example' },
        { ...named, username: 'ines', email: 'ines@acme.example' },
      ]);
      for (const statement of migration.split('--> statement-breakpoint')) await tx.execute(sql.raw(statement));
      const found = await tx.select().from(users).where(sql`lower(username) like 'ines%'`).orderBy(users.id);
      expect(found.map(({ username, email }) => [username, email])).toEqual([
        ['INES', 'INES@acme.example'],
        [`ines (${found[1]?.id})`, null],
      ]);
      throw undo;
    });
    await expect(upgrade).rejects.toThrow(undo);
    await close();
  });

  test('recovers when the server drops an idle connection', async () => {
    const name = 'to-be-dropped';
    const { isReady, close } = await openDatabase({ ...server.connection, application_name: name });
    expect(await isReady()).toBe(true);
    const client = new pg.Client(server.connection);
    await client.connect();
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [name]);
    await client.end();
    await expect.poll(isReady).toBe(true);
    await close();
  });

  test('recovers when the server drops a connection inside a transaction', async () => {
    const { db, isReady, close } = await openDatabase(server.connection);
    const client = new pg.Client(server.connection);
    await client.connect();
    const broken = db.transaction(async tx => {
      const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      expect((await client.query('select pg_terminate_backend($1, 25000) as gone', [rows[0]?.pid])).rows).toEqual([
        { gone: true },
      ]);
      // When this response arrives, the server's message on the other connection has arrived too.
      await client.query('select 1');
      await tx.execute(sql`select 1`);
    });
    await expect(broken).rejects.toThrow();
    await client.end();
    await expect.poll(isReady).toBe(true);
    await close();
  });

  test('waits for a database that accepts a connection late', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const connections: Socket[] = [];
    const proxy = createServer(socket => connections.push(socket)).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    const opening = openDatabase({ ...server.connection, host: '127.0.0.1', port });
    for (let attempts = 1; attempts <= 3; attempts += 1) {
      await eventually(() => expect(connections).toHaveLength(attempts));
      if (attempts < 3) vi.advanceTimersByTime(10_000);
    }
    const [, , last] = connections;
    const toServer = connect(`${server.connection.host}/.s.PGSQL.${server.connection.port}`);
    last?.pipe(toServer).pipe(last);
    const database = await opening;
    // The connection of the migrations serves the first statements, with the limits of the pool.
    const { rows } = await database.db.execute(sql`show statement_timeout`);
    expect(rows).toEqual([{ statement_timeout: '30s' }]);
    const locks = sql`select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`;
    expect((await database.db.execute(locks)).rows).toEqual([]);
    expect(connections).toHaveLength(3);
    await database.close();
    for (const connection of connections) connection.destroy();
    proxy.close();
  });

  test('fails if the database is unreachable', async () => {
    await expect(openDatabase({ ...server.connection, database: 'nowhere' })).rejects.toThrow('nowhere');
  });
});
