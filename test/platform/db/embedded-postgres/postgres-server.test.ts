import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type PostgresConnection,
  startPostgresServer,
} from '../../../../src/platform/db/embedded-postgres/postgres-server.js';
import { eventually } from '../../../eventually.js';
import { programCommand } from '../../../program.js';

let directory: string;
const cleanUps: (() => unknown)[] = [];

// One database for all tests, because creating one is slow. Other users cannot read folders that `mkdtemp` creates.
beforeAll(async () => {
  directory = join(await mkdtemp(join(tmpdir(), 'pg-test-')), 'data');
});

afterAll(async () => {
  await (await startPostgresServer({ directory })).stop();
  await rm(join(directory, '..'), { recursive: true, force: true });
});

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function start(where?: string) {
  const server = await startPostgresServer(where === undefined ? {} : { directory: where });
  cleanUps.push(() => server.stop().catch(() => undefined));
  return server;
}

const program = programCommand(fileURLToPath(new URL('platform-process.ts', import.meta.url)));

/** Starts another process that shares the server. */
async function startProcess(where?: string) {
  const child = spawn(process.execPath, [...program, ...(where === undefined ? [] : [where])], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  cleanUps.push(() => child.kill('SIGKILL'));
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const connection: PostgresConnection = JSON.parse(line);
  return { child, connection };
}

async function ask<T>(connection: PostgresConnection, sql: string): Promise<T | undefined> {
  const client = new pg.Client({ ...connection });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(sql)).rows[0];
  } finally {
    await client.end();
  }
}

async function serverPid(): Promise<number> {
  return Number.parseInt(await readFile(join(directory, 'cluster', 'postmaster.pid'), 'utf8'), 10);
}

const lives = (connection: PostgresConnection) =>
  ask(connection, 'SELECT 1').then(
    () => true,
    () => false,
  );

describe('the embedded Postgres', () => {
  test('retains data across a restart', async () => {
    const first = await start(directory);
    await ask(first.connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    expect(await lives(first.connection)).toBe(false);
    expect(await readdir(join(directory, 'cluster'))).not.toContain('postmaster.pid');

    const second = await start(directory);
    expect(await ask(second.connection, 'SELECT answer FROM kept')).toEqual({ answer: 42 });
  });

  test('does not listen on the network, and its folders are closed to other users', async () => {
    const { connection } = await start(directory);
    expect(await ask(connection, 'SHOW listen_addresses')).toEqual({ listen_addresses: '' });
    for (const folder of [connection.host, directory, join(directory, 'cluster')]) {
      expect((await stat(folder)).mode & 0o077).toBe(0);
    }
    expect(connection.host.length).toBeLessThan(60);
  });

  test('is restarted if it is killed under a running platform', async () => {
    const { connection } = await start(directory);
    await ask(connection, 'CREATE TABLE safe AS SELECT 42 AS answer');
    const killed = await serverPid();
    process.kill(killed, 'SIGKILL');
    await eventually(async () => {
      expect(await ask(connection, 'SELECT answer FROM safe')).toEqual({ answer: 42 });
      expect(await serverPid()).not.toBe(killed);
    });
  });

  test('is adopted if the platform that started it was killed, and then stopped', async () => {
    const { child } = await startProcess(directory);
    const pid = await serverPid();
    child.kill('SIGKILL');
    await once(child, 'exit');

    const server = await start(directory);
    expect(await serverPid()).toBe(pid);
    expect(await lives(server.connection)).toBe(true);
    await server.stop();
    expect(await lives(server.connection)).toBe(false);
  });

  test('is restarted if platform and server were killed', async () => {
    const { child } = await startProcess(directory);
    process.kill(await serverPid(), 'SIGKILL');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await lives((await start(directory)).connection)).toBe(true);
  });

  test('ignores a lock file with the process ID of another program', async () => {
    await (await start(directory)).stop();
    await writeFile(join(directory, 'cluster', 'postmaster.pid'), `${process.pid}\n${directory}\n1\n5432\n/tmp\n\n`);
    expect(await lives((await start(directory)).connection)).toBe(true);
  });

  test('is shared by platforms on one folder; the last one stops it', async () => {
    const [one, two] = await Promise.all([start(directory), start(directory)]);
    const { child } = await startProcess(directory);
    await one.stop();
    expect(await lives(two.connection)).toBe(true);
    await two.stop();
    expect(await lives(two.connection)).toBe(true);
    child.stdin.end();
    await once(child, 'exit');
    expect(await lives(two.connection)).toBe(false);
  });

  test('serves new clients while others disconnect', async () => {
    for (let round = 0; round < 3; round++) {
      const leaving = await start(directory);
      const [one, other] = await Promise.all([start(directory), start(directory), leaving.stop()]);
      expect(await lives(one.connection)).toBe(true);
      const [coming] = await Promise.all([start(directory), one.stop(), other.stop()]);
      expect(await lives(coming.connection)).toBe(true);
      await coming.stop();
      expect(await lives(coming.connection)).toBe(false);
    }
  });
});

describe('a temporary database', () => {
  test('is removed on stop', async () => {
    const server = await start();
    expect(await ask(server.connection, 'SHOW fsync')).toEqual({ fsync: 'off' });
    await server.stop();
    await expect(stat(server.connection.host)).rejects.toThrow('ENOENT');
  });

  test('is removed after the platform was killed', async () => {
    const { child, connection } = await startProcess();
    expect(await lives(connection)).toBe(true);
    child.kill('SIGKILL');
    await eventually(() => expect(stat(connection.host)).rejects.toThrow('ENOENT'));
  });
});

test("fails if the folder can't be created", async () => {
  await expect(start('/dev/null/data')).rejects.toThrow(/ENOTDIR/);
});
