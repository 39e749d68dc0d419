import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { backup } from '../../src/cli/backup.js';
import { backupHelp, readBackupOptions, readRestoreOptions, restoreHelp } from '../../src/cli/database-options.js';
import { main } from '../../src/cli/main.js';
import { restore } from '../../src/cli/restore.js';
import { createPlatform } from '../../src/platform/create-platform.js';
import { startPostgresServer } from '../../src/platform/db/embedded-postgres/postgres-server.js';

const adminKey = 'the-admin-key-of-tests';
const secretKey = 'the-secret-key-of-tests';
const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pa-cli-'));
  cleanUps.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function terminal(environment: Record<string, string> = {}) {
  const notes: string[] = [];
  const print = () => undefined;
  const note = (text: string) => notes.push(text);
  return { notes, context: { environment, signal: new AbortController().signal, print, note } };
}

async function start(place: { dataDirectory: string } | { databaseUrl: string }) {
  return createPlatform({ publicUrl: 'http://localhost:4100', adminKey, secretKey, ...place });
}

const call = (platform: Awaited<ReturnType<typeof start>>, method: string, path: string, body?: object) =>
  platform.fetch(
    new Request(`http://localhost:4100${path}`, {
      method,
      headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );

describe('pa-platform backup and restore', () => {
  test('copy a running platform from its folder to a Postgres server', async () => {
    const folder = await newFolder();
    const data = join(folder, 'data');
    const file = join(folder, 'backup');
    const platform = await start({ dataDirectory: data });
    const made = await call(platform, 'PUT', '/api/v1/deployments/1/workbooks/by-slug/saved', { name: 'Saved' });
    expect(made.status).toBe(200);
    const saving = terminal();
    expect(await backup({ file, store: { dataDirectory: data, databaseUrl: undefined } }, saving.context)).toBe(0);
    await platform.close();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(saving.notes).toContain('workbooks: 1');
    expect(saving.notes.at(-1)).toMatch(
      /^Backed up \d+ rows of \d+ tables to \S+ \(\d+ bytes\)\. .* requires the secret key/,
    );

    const server = await startPostgresServer();
    cleanUps.push(() => server.stop());
    const { host, port, user, database } = server.connection;
    const databaseUrl = `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`;
    const loading = terminal({ PA_DATABASE_URL: databaseUrl });
    const nowhere = { dataDirectory: undefined, databaseUrl: undefined };
    expect(await restore({ file, store: nowhere, replace: false }, loading.context)).toBe(0);
    expect(loading.notes.at(-1)).toMatch(/^Restored \d+ rows in \d+ tables\. Start the platform with the secret key/);
    const restored = await start({ databaseUrl });
    cleanUps.push(() => restored.close());
    const list = await (await call(restored, 'GET', '/api/v1/deployments/1/workbooks')).json();
    expect(list.items).toMatchObject([{ name: 'Saved', slug: 'saved' }]);
    await expect(restore({ file, store: nowhere, replace: false }, loading.context)).rejects.toThrow('--replace');
    // The output contains no part of the connection parameters.
    expect([...saving.notes, ...loading.notes].join()).not.toContain(host);
  });

  test('restore into a folder that does not exist yet', async () => {
    const folder = await newFolder();
    const server = await startPostgresServer();
    const config = server.connection;
    const databaseUrl = `postgres://${config.user}@${encodeURIComponent(config.host)}:${config.port}/${config.database}`;
    await (await start({ databaseUrl })).close();
    const file = join(folder, 'backup');
    await backup({ file, store: { dataDirectory: undefined, databaseUrl } }, terminal().context);
    await server.stop();
    const data = join(folder, 'new');
    const store = { dataDirectory: data, databaseUrl: undefined };
    await restore({ file, store, replace: false }, terminal().context);
    const embedded = await startPostgresServer({ directory: join(data, 'postgres') });
    const client = new pg.Client(embedded.connection);
    await client.connect();
    expect((await client.query('SELECT name FROM accounts')).rows).toEqual([{ name: 'local' }]);
    await client.end();
    await embedded.stop();
  });

  test('require a database, and backup does not create one', async () => {
    const folder = await newFolder();
    const file = join(folder, 'backup');
    const store = { dataDirectory: undefined, databaseUrl: undefined };
    await expect(backup({ file, store }, terminal().context)).rejects.toThrow(
      'Missing database: set --data DIR, --database-url URL or PA_DATABASE_URL.',
    );
    const empty = { dataDirectory: join(folder, 'none'), databaseUrl: undefined };
    await expect(backup({ file, store: empty }, terminal().context)).rejects.toThrow(
      'There is no platform database in',
    );
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('options of backup and restore', () => {
  test('are parsed', () => {
    expect(readBackupOptions(['f', '--data', 'd'])).toEqual({
      file: 'f',
      store: { dataDirectory: 'd', databaseUrl: undefined },
    });
    expect(readRestoreOptions(['f', '--database-url', 'postgres://h/d', '--replace'])).toEqual({
      file: 'f',
      store: { dataDirectory: undefined, databaseUrl: 'postgres://h/d' },
      replace: true,
    });
    expect(readBackupOptions(['--help'])).toBeNull();
    expect(readRestoreOptions(['f', '--help'])).toBeNull();
  });

  test.each([
    [[], /^Missing file\. Usage:/],
    [['--data', 'd'], /^Missing file\. Usage:/],
    [['f', 'g'], /^Unexpected argument 'g'/],
    [['f', '--data', 'd', '--database-url', 'postgres://h/d'], /^--data and --database-url are mutually exclusive/],
    [['f', '--database-url', 'mysql://user:hush@h'], /^--database-url must be the URL of a Postgres server/],
  ])('%j is rejected', (args, message) => {
    expect(() => readBackupOptions(args)).toThrow(message);
    expect(() => readBackupOptions(args)).not.toThrow('hush');
  });

  test('are printed by --help', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    expect(await main(['backup', '--help'])).toBe(0);
    expect(await main(['restore', '--help'])).toBe(0);
    expect(log.mock.calls.flat()).toEqual([backupHelp, restoreHelp]);
    log.mockRestore();
    expect(backupHelp).toContain('PA_SECRET_KEY');
    expect(restoreHelp).toContain('--replace');
  });
});
