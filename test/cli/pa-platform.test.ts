import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { main } from '../../src/cli/main.js';
import { startPostgresServer } from '../../src/platform/db/embedded-postgres/postgres-server.js';
import { writeParquet } from '../platform/data/engines/duckdb/parquet.js';
import { takePlatformDatabase } from '../platform/db/test-database.js';
import { cliCommand } from './cli-command.js';
import { selfSigned } from './server/self-signed.js';

const adminKey = 'the-admin-key-of-tests';
const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

function run(args: readonly string[], environment: Record<string, string> = { PA_ADMIN_KEY: adminKey }) {
  const child = spawn(process.execPath, [...cliCommand, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
  });
  cleanUps.push(() => child.kill('SIGKILL'));
  const output = { out: '', err: '' };
  child.stdout.on('data', chunk => {
    output.out += chunk;
  });
  child.stderr.on('data', chunk => {
    output.err += chunk;
  });
  const exit = once(child, 'close').then(([code]) => ({ code, ...output }));
  return { child, exit, output };
}

/** Runs a command in this process, for tests of its output. Starting a process takes most of the time of a command. */
async function runHere(args: readonly string[], environment: Record<string, string> = { PA_ADMIN_KEY: adminKey }) {
  const output = { out: '', err: '' };
  const log = vi.spyOn(console, 'log').mockImplementation(line => {
    output.out += `${line}\n`;
  });
  const error = vi.spyOn(console, 'error').mockImplementation(line => {
    output.err += `${line}\n`;
  });
  const { env } = process;
  process.env = { PATH: env.PATH, HOME: env.HOME, TMPDIR: env.TMPDIR, ...environment };
  try {
    return { code: await main(args), ...output };
  } finally {
    process.env = env;
    log.mockRestore();
    error.mockRestore();
  }
}

/**
 * Returns the environment of a platform on the Postgres server of all tests, which saves the start of an embedded one.
 */
async function onTestDatabase(): Promise<Record<string, string>> {
  const { options, stop: giveBack } = await takePlatformDatabase();
  cleanUps.push(giveBack);
  return { PA_ADMIN_KEY: adminKey, PA_DATABASE_URL: options.databaseUrl, PA_SECRET_KEY: options.secretKey };
}

async function serve(args: readonly string[], environment?: Record<string, string>) {
  const running = run(['serve', '--port', '0', ...args], environment);
  const ended = running.exit.then(({ err }) => {
    throw new Error(err);
  });
  const [line] = await Promise.race([once(createInterface({ input: running.child.stdout }), 'line'), ended]);
  ended.catch(() => undefined);
  return { ...running, url: /^pa-platform listening on (https?:\/\/\S+)$/.exec(line)?.[1] ?? '' };
}

const unfinishedRequest = (url: string) =>
  `POST /api/v1/embed/session/token HTTP/1.1\r\nhost: ${new URL(url).host}\r\ncontent-length: 9\r\nexpect: 100-continue\r\n\r\n`;

/** Uses Node's client: `fetch` sets the host itself and does not accept a custom certificate authority. */
async function statusAt(url: string, { headers, ...options }: { headers: Record<string, string>; ca?: string }) {
  const get = url.startsWith('https:') ? httpsRequest : httpRequest;
  const all = { authorization: `Bearer ${adminKey}`, ...headers };
  const [response] = await once(
    get(`${url}/api/v1/deployments`, { servername: 'localhost', ...options, headers: all }).end(),
    'response',
  );
  response.resume();
  return response.statusCode;
}

const statusOf = async (url: string, headers: Record<string, string> = { authorization: `Bearer ${adminKey}` }) =>
  (await fetch(url, { headers })).status;

async function stop(child: ChildProcess, signal: NodeJS.Signals) {
  child.kill(signal);
  await once(child, 'close');
  return child.exitCode;
}

describe('pa-platform', () => {
  test('prints its commands and options with --help', async () => {
    const all = await run(['--help']).exit;
    const one = await runHere(['serve', '--help']);
    const other = await runHere(['check', '--help']);
    expect(all).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/ serve .*\n +check /) });
    expect(other).toMatchObject({ code: 0, err: '', out: expect.stringContaining('--sources') });
    expect(one).toMatchObject({ code: 0, err: '', out: expect.stringContaining('--allow-origin') });
    const applying = await runHere(['apply', '--help']);
    const exporting = await runHere(['export', '--help']);
    expect(applying).toMatchObject({ code: 0, err: '', out: expect.stringContaining('reports/<publicId>.yml') });
    expect(exporting).toMatchObject({ code: 0, err: '', out: expect.stringContaining('--key-file') });
    expect(one?.out).toMatch(/PA_LLM_BASE_URL.*PA_LLM_MODEL.*PA_LLM_API_KEY/s);
  });

  test('prints usage errors in one line and exits with 2', async () => {
    const results = [await run(['fly']).exit, await runHere([]), await runHere(['serve', '--nope'])];
    for (const { code, out, err } of results) {
      expect(code).toBe(2);
      expect(out).toBe('');
      expect(err.trim().split('\n')).toHaveLength(1);
    }
  });

  test('prints startup errors in one line and exits with 1', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    cleanUps.push(() => blocker.close());
    const address = blocker.address();
    const port = String(typeof address === 'object' ? address?.port : '');
    const keyless = await run(['serve', '--port', '0'], {}).exit;
    const busy = await runHere(['serve', '--port', port]);
    const openToAll = await runHere(['serve', '--port', '0', '--allow-origin', '*']);
    expect(busy).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(/^Port \d+ on 127\.0\.0\.1 is already in use.*\n$/),
    });
    expect(keyless).toEqual({ code: 1, out: '', err: expect.stringMatching(/^Set PA_ADMIN_KEY.*\n$/) });
    expect(openToAll).toEqual({ code: 1, out: '', err: expect.stringMatching(/^"\*" is not a valid origin.*\n$/) });
  });
});

describe('pa-platform apply', () => {
  test('reads its key from the environment or a file, never from an argument, and prints errors in one line', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pa-cli-'));
    cleanUps.push(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, 'folders.yml'), 'folders: []');
    const keyless = await runHere(['apply', folder], {});
    const keyed = await runHere(['apply', folder, '--key', adminKey]);
    const nameless = await runHere(['apply']);
    const empty = await runHere(['apply', join(folder, 'none')]);
    expect(keyless).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(/^Missing API key: set PA_ADMIN_KEY.*\n$/),
    });
    expect(keyed).toEqual({ code: 2, out: '', err: expect.stringMatching(/^Unknown option '--key'.*\n$/) });
    expect(keyed.err).not.toContain(adminKey);
    expect(nameless).toEqual({ code: 2, out: '', err: expect.stringMatching(/^Missing folder\. .*\n$/) });
    expect(empty).toEqual({ code: 1, out: '', err: expect.stringMatching(/^Could not read the folder .*\n$/) });
  });
});

describe('pa-platform check', () => {
  test('exits with 0 for a valid model, and with 1 and the location of problems for an invalid one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pa-cli-'));
    cleanUps.push(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, 'flights.yml'), 'cubes:\n  - name: flights\n    nope: 1\n');
    const sound = await runHere(['check', '--model', 'demo/model']);
    const broken = await runHere(['check', '--model', folder]);
    expect(sound).toEqual({ code: 0, out: expect.stringMatching(/^ok: \d+ cubes?, \d+ views?\n$/), err: '' });
    expect(broken).toMatchObject({ code: 1, out: '' });
    expect(broken.err.split('\n')).toContain(`${folder}/flights.yml:3: Unknown key "nope"`);
  });
});

describe('pa-platform serve', () => {
  test('logs each query as a line of JSON after the ready line, unless disabled', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pa-cli-'));
    cleanUps.push(() => rm(folder, { recursive: true, force: true }));
    await writeParquet(join(folder, 'flights.parquet'), 'SELECT 1 AS id');
    await writeFile(join(folder, 'flights.yml'), 'cubes:\n  - { name: flights, sql_table: flights }\n');
    const servers = await Promise.all(
      [[], ['--no-query-log']].map(async args =>
        serve(['--model', folder, '--sources', folder, ...args], await onTestDatabase()),
      ),
    );
    const outputs = servers.map(async ({ child, url, exit }) => {
      expect(await statusOf(`${url}/data-api/v1/meta`, { 'x-request-id': 'abc-1' })).toBe(403);
      expect(await stop(child, 'SIGTERM')).toBe(0);
      return (await exit).out.replace(`pa-platform listening on ${url}\n`, '');
    });
    const [logged, silent] = await Promise.all(outputs);
    expect(JSON.parse(logged ?? '')).toMatchObject({
      event: 'query',
      operation: 'meta',
      requestId: 'abc-1',
      status: 403,
    });
    expect(silent).toBe('');
  });

  test('serves until SIGTERM and removes its temporary files', async () => {
    const TMPDIR = await mkdtemp(join(tmpdir(), 'pa-cli-'));
    cleanUps.push(() => rm(TMPDIR, { recursive: true, force: true }));
    const { child, url, exit } = await serve(['--ops-port', '0'], { PA_ADMIN_KEY: adminKey, TMPDIR });
    expect(await statusOf(`${url}/api/v1/deployments`)).toBe(200);
    expect(await statusOf(`${url.replace('127.0.0.1', 'localhost')}/api/v1/deployments/`)).toBe(200);
    expect(await statusOf(`${url}/api/v1/deployments`, {})).toBe(401);
    expect(await stop(child, 'SIGTERM')).toBe(0);
    const { out, err } = await exit;
    expect(out).toBe(`pa-platform listening on ${url}\n`);
    expect(err).toMatch(/^pa-platform ops listening on http:\/\/127\.0\.0\.1:\d+\n$/);
    await expect(fetch(url)).rejects.toThrow();
    // The loader of the test writes its cache there.
    expect((await readdir(TMPDIR)).filter(name => name.startsWith('pa-'))).toEqual([]);
  });

  test('aborts open requests seven seconds after SIGTERM', async () => {
    const { child, url } = await serve(['--demo'], await onTestDatabase());
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    cleanUps.push(() => socket.destroy());
    socket.on('error', () => undefined);
    socket.write(unfinishedRequest(url));
    await once(socket, 'data');
    const from = performance.now();
    // Without the time limit, the process would never end. On a slow machine, closing may take longer than the
    // remaining time.
    expect([0, null]).toContain(await stop(child, 'SIGTERM'));
    expect(performance.now() - from).toBeGreaterThan(6_000);
  });

  test('serves HTTPS and trusts only the headers of configured proxies', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pa-cli-'));
    cleanUps.push(() => rm(folder, { recursive: true, force: true }));
    const { cert, key } = selfSigned('pa');
    await Promise.all([writeFile(join(folder, 'cert'), cert), writeFile(join(folder, 'key'), key)]);
    const tls = ['--tls-cert', join(folder, 'cert'), '--tls-key', join(folder, 'key')];
    const publicUrl = ['--public-url', 'https://pa.example'];
    const [direct, behind] = await Promise.all([
      serve([...tls, ...publicUrl, '--trust-proxy', '192.0.2.0/24'], await onTestDatabase()),
      serve([...publicUrl, '--trust-proxy', '127.0.0.0/8'], await onTestDatabase()),
    ]);
    const forwarded = { 'x-forwarded-host': 'pa.example', 'x-forwarded-proto': 'https', 'x-forwarded-for': '1.2.3.4' };
    const direct421 = statusAt(direct.url, { ca: cert, headers: forwarded });
    const direct200 = statusAt(direct.url, { ca: cert, headers: { host: 'pa.example' } });
    expect(await Promise.all([direct421, direct200])).toEqual([421, 200]);
    expect(await statusAt(behind.url, { headers: forwarded })).toBe(200);
    expect(await statusAt(behind.url, { headers: {} })).toBe(421);
    expect(await statusAt(behind.url, { headers: { ...forwarded, 'x-forwarded-host': 'evil.example' } })).toBe(421);
    expect(await statusAt(behind.url, { headers: { ...forwarded, 'x-forwarded-proto': 'http' } })).toBe(421);
    expect(await Promise.all([direct, behind].map(({ child }) => stop(child, 'SIGTERM')))).toEqual([0, 0]);
  });

  test('stores its data on the server of --database-url or PA_DATABASE_URL, and does not print the URL', async () => {
    const { connection, options, stop: giveBack } = await takePlatformDatabase();
    cleanUps.push(giveBack);
    const databaseUrl = options.databaseUrl.replace('@', ':hush@');
    const secrets = { PA_ADMIN_KEY: adminKey, PA_SECRET_KEY: 'the-secret-key-of-tests' };
    const first = await serve(['--group', 'persistent', '--database-url', databaseUrl], secrets);
    await stop(first.child, 'SIGTERM');
    const second = await serve([], { ...secrets, PA_DATABASE_URL: databaseUrl });
    const client = new pg.Client(connection);
    await client.connect();
    const { rows } = await client.query("SELECT name FROM groups WHERE name = 'persistent'");
    await client.end();
    expect(rows).toEqual([{ name: 'persistent' }]);
    await stop(second.child, 'SIGTERM');
    for (const { out, err } of [await first.exit, await second.exit]) expect(out + err).not.toContain('hush');
  });

  test('does not print the URL of an unusable database', async () => {
    const secrets = { PA_ADMIN_KEY: adminKey, PA_SECRET_KEY: 'the-secret-key-of-tests' };
    const away = 'postgres://user:hush@127.0.0.1:1/none';
    const failed = await runHere(['serve', '--port', '0', '--database-url', away], secrets);
    const wrong = await runHere(['serve', '--port', '0'], { ...secrets, PA_DATABASE_URL: 'mysql://user:hush@h' });
    expect([failed.code, wrong.code]).toEqual([1, 2]);
    for (const { out, err } of [failed, wrong]) expect(out + err).not.toContain('hush');
  });

  test('ends immediately on a second signal', async () => {
    const { child, url } = await serve(['--demo'], await onTestDatabase());
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    cleanUps.push(() => socket.destroy());
    socket.on('error', () => undefined);
    // A request that never ends delays the first signal.
    socket.write(unfinishedRequest(url));
    await once(socket, 'data');
    child.kill('SIGINT');
    await refusesConnections(url);
    expect(child.exitCode).toBeNull();
    await stop(child, 'SIGINT');
    expect(child.signalCode).toBe('SIGINT');
  });

  test('stores a generated key in the data folder, prints only its path, and restarts after a kill', async () => {
    const data = await mkdtemp(join(tmpdir(), 'pa-cli-'));
    cleanUps.push(async () => {
      await (await startPostgresServer({ directory: join(data, 'postgres') })).stop();
      await rm(data, { recursive: true, force: true });
    });
    const first = await serve(['--data', data], {});
    const key = (await readFile(join(data, 'admin-key'), 'utf8')).trim();
    // The key path is printed to stderr, the ready line to stdout.
    await expect.poll(() => first.output.err).toBe(`The admin API key is stored in ${join(data, 'admin-key')}\n`);
    await stop(first.child, 'SIGKILL');

    const second = await serve(['--data', data], {});
    expect(await statusOf(`${second.url}/api/v1/deployments`, { authorization: `Api-Key ${key}` })).toBe(200);
    expect(await stop(second.child, 'SIGTERM')).toBe(0);
    expect((await second.exit).out).not.toContain(key);
    expect((await second.exit).err).not.toContain(key);
  });
});

async function refusesConnections(url: string): Promise<void> {
  for (;;) {
    const refused = await fetch(url).then(
      () => false,
      () => true,
    );
    if (refused) return;
  }
}
