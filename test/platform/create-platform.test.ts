import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPlatform, type Platform } from '../../src/platform/create-platform.js';
import type { QueryEvent } from '../../src/platform/data/answers/query-event.js';
import type { QueryLimits } from '../../src/platform/data/query-limits.js';
import { startPostgresServer } from '../../src/platform/db/embedded-postgres/postgres-server.js';
import type { PlatformOptions } from '../../src/platform/platform-options.js';
import { eventually } from '../eventually.js';
import { writeParquet } from './data/engines/duckdb/parquet.js';
import { startDataSource } from './data/engines/postgres/data-source.js';
import { takePlatformDatabase } from './db/test-database.js';
import { openEmbedSession } from './embed/open-embed-session.js';

const adminKey = 'the-admin-key-of-tests';
const publicUrl = 'http://localhost:4100';
const model = `
cubes:
  - name: flights
    sql_table: flights
    dimensions:
      - { name: origin, sql: origin, type: string }
    measures:
      - { name: count, type: count }
    access_policy:
      - group: "*"
        row_level: { filters: [{ member: origin, operator: equals, values: ["{ securityContext.airport }"] }] }
`;

let folder: string;
const databases: (() => Promise<void>)[] = [];
const open: Platform[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'create-platform-'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const platform of open.splice(0)) await platform.close();
  for (const stop of databases.splice(0)) await stop();
  await rm(folder, { recursive: true, force: true });
});

/** Creates a database on the server that all tests share. It is released when the test ends. */
async function newDatabase(): Promise<Pick<PlatformOptions, 'databaseUrl' | 'secretKey'>> {
  const { options, stop } = await takePlatformDatabase();
  databases.push(stop);
  return options;
}

async function start(options: Partial<PlatformOptions> = {}): Promise<Platform> {
  const platform = await createPlatform({ publicUrl, adminKey, ...options });
  open.push(platform);
  return platform;
}

async function writeModel() {
  const [modelDirectory, sourcesDirectory] = [join(folder, 'model'), join(folder, 'sources')];
  await Promise.all([mkdir(modelDirectory), mkdir(sourcesDirectory)]);
  await writeFile(join(modelDirectory, 'flights.yml'), model);
  await writeParquet(join(sourcesDirectory, 'flights.parquet'), "SELECT unnest(['ATL', 'ATL', 'ORD']) AS origin");
  // The wait is long, because these tests do not retry on `Continue wait`.
  return { modelDirectory, sourcesDirectory, limits: { continueWaitMs: 120_000 } };
}

async function send(
  platform: Platform,
  path: string,
  authorization: string | null,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
) {
  const response = await platform.fetch(
    new Request(`${publicUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(authorization !== null && { authorization }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
  return { status: response.status, body: response.status === 204 ? null : await response.json() };
}

const openSession = ({ fetch }: Platform, airport: string, key = adminKey) =>
  openEmbedSession({ url: publicUrl, adminKey: key, fetch }, { externalId: airport, securityContext: { airport } });

const metricsOf = async (platform: Platform) => (await platform.ops(new Request('http://127.0.0.1/metrics'))).text();

const filter = (value: string) => ({ member: 'flights.origin', operator: 'equals', values: [value] });

const count = { query: { measures: ['flights.count'] } };

describe('a platform', () => {
  test('returns only the rows of a grant until its session is revoked', async () => {
    const platform = await start({ ...(await writeModel()), ...(await newDatabase()) });
    const atlanta = await openSession(platform, 'ATL');
    const chicago = await openSession(platform, 'ORD');
    const rows = async (token: string) => (await send(platform, '/data-api/v1/load', token, count)).body.data;
    expect(await rows(atlanta.platformApiToken)).toEqual([{ 'flights.count': '2' }]);
    expect(await rows(chicago.platformApiToken)).toEqual([{ 'flights.count': '1' }]);

    await send(platform, '/api/v1/embed/session/revoke', `Bearer ${adminKey}`, { sessionId: atlanta.sessionId });
    expect(await send(platform, '/data-api/v1/load', atlanta.platformApiToken, count)).toMatchObject({
      status: 403,
      body: { error: 'Invalid token' },
    });
    expect((await send(platform, '/api/v1/deployments', `Bearer ${atlanta.token}`)).status).toBe(401);
    expect(await rows(chicago.platformApiToken)).toEqual([{ 'flights.count': '1' }]);
  });

  test('serves its Data API under the configured path', async () => {
    const platform = await start({ ...(await writeModel()), ...(await newDatabase()), dataApiPath: '/x/data' });
    const { platformApiToken } = await openSession(platform, 'ATL');
    expect((await send(platform, '/x/data/v1/load/', platformApiToken, count)).status).toBe(200);
    expect((await send(platform, '/data-api/v1/load', platformApiToken, count)).status).toBe(401);
  });

  test('reports a missing model to authenticated callers', async () => {
    const platform = await start(await newDatabase());
    const { platformApiToken } = await openSession(platform, 'ATL');
    expect((await send(platform, '/data-api/v1/load', null, count)).status).toBe(403);
    expect(await send(platform, '/data-api/v1/load', platformApiToken, count)).toMatchObject({
      status: 404,
      body: { error: expect.stringContaining('--model') },
    });
  });

  test('does not reveal paths to unauthenticated callers', async () => {
    const platform = await start({ ...(await writeModel()), ...(await newDatabase()) });
    for (const path of ['/', '/nothing', '/api/v1/nothing', '/build/api/v1/x', '/livez']) {
      expect((await send(platform, path, null)).status).toBe(401);
      expect((await send(platform, path, `Bearer ${adminKey}`)).status).toBe(404);
    }
    const { platformApiToken } = await openSession(platform, 'ATL');
    for (const path of ['/data-api', '/data-api/', '/data-api/v1/nothing', '/data-api/livez']) {
      expect((await send(platform, path, null)).status).toBe(403);
      expect((await send(platform, path, platformApiToken)).status).toBe(404);
    }
  });

  test('uses the same request id in header, body and both APIs', async () => {
    const platform = await start({ ...(await writeModel()), ...(await newDatabase()) });
    const response = await platform.fetch(new Request(`${publicUrl}/data-api/v1/load`));
    expect(response.status).toBe(403);
    expect(response.headers.get('x-request-id')).toBe((await response.json()).requestId);
  });

  test('serves readiness separately from its APIs', async () => {
    const platform = await start(await newDatabase());
    expect((await platform.ops(new Request('http://127.0.0.1/readyz'))).status).toBe(200);
    expect((await send(platform, '/readyz', null)).status).toBe(401);
    await platform.close();
    expect((await platform.ops(new Request('http://127.0.0.1/readyz'))).status).toBe(503);
    expect((await platform.ops(new Request('http://127.0.0.1/livez'))).status).toBe(200);
  });
});

describe('a model that changes', () => {
  const cubes = async (platform: Platform, token: string): Promise<string[]> =>
    (await send(platform, '/data-api/v1/meta', token)).body.cubes.map((cube: { name: string }) => cube.name);

  /**
   * Replaces a file atomically, because a file is empty for a moment while it is overwritten, which would count as
   * another version.
   */
  async function replace(file: string, text: string): Promise<void> {
    const draft = join(folder, 'draft');
    await writeFile(draft, text);
    await rename(draft, file);
  }

  test('is served after a change, and in its previous version while it is invalid', async () => {
    const listeners = { onNotice: vi.fn(), onFailure: vi.fn() };
    const directories = await writeModel();
    const platform = await start({ ...directories, ...(await newDatabase()), ...listeners, metrics: true });
    const { platformApiToken } = await openSession(platform, 'ATL');
    const file = join(directories.modelDirectory, 'flights.yml');

    await replace(file, model.replace('name: flights', 'name: trips'));
    await eventually(async () => expect(await cubes(platform, platformApiToken)).toEqual(['trips']));
    expect(listeners.onNotice).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(/model has changed\. Serving version \w+/),
    );

    await replace(file, `${model}      - group: [\n`);
    await eventually(async () => expect(listeners.onFailure).toHaveBeenCalled());
    expect(listeners.onFailure).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/flights\.yml:\d+: /));
    expect(await cubes(platform, platformApiToken)).toEqual(['trips']);
    expect(await metricsOf(platform)).toMatch(/^pa_model_reload_failures_total 1$/m);
  });
});

describe('query events', () => {
  const asked = {
    query: { measures: ['flights.count'], filters: [filter('ATL-secret')], dimensions: ['flights.origin'] },
  };

  test('contain no tokens, member names or values', async () => {
    const events: QueryEvent[] = [];
    const onFailure = vi.fn();
    const platform = await start({
      ...(await writeModel()),
      ...(await newDatabase()),
      metrics: true,
      onQuery: event => events.push(event),
      onFailure,
    });
    const { platformApiToken } = await openSession(platform, 'ATL');
    const unknown = { query: { measures: ['flights.secret'] } };
    for (const body of [asked, count, count, unknown, {}])
      await send(platform, '/data-api/v1/load', platformApiToken, body);
    await send(platform, '/data-api/v1/meta', platformApiToken);
    await send(platform, '/data-api/v1/load', `${platformApiToken}x`, count);
    expect(events.map(({ operation, status, outcome }) => [operation, status, outcome])).toEqual([
      ['load', 200, 'ok'],
      ['load', 200, 'ok'],
      ['load', 200, 'ok'],
      ['load', 400, 'refused'],
      ['load', 400, 'refused'],
      ['meta', 200, 'ok'],
      ['load', 403, 'refused'],
    ]);
    const lines = await metricsOf(platform);
    expect(lines).toMatch(/^pa_queries_total\{operation="load",outcome="ok",cache="miss"\} 2$/m);
    expect(lines).toMatch(/^pa_queries_total\{operation="load",outcome="ok",cache="hit"\} 1$/m);
    expect(lines).toMatch(/^pa_model_info\{version="\w+"\} 1$/m);
    const listeners = events
      .map(event => JSON.stringify(event))
      .concat(lines.split('\n').filter(line => line.startsWith('pa_')));
    for (const line of listeners) {
      for (const secret of [platformApiToken, ...platformApiToken.split('.'), 'flights', 'origin', 'secret', 'ATL']) {
        expect(line).not.toContain(secret);
      }
    }
    expect(onFailure).not.toHaveBeenCalled();
  });

  test('are counted only if metrics are enabled', async () => {
    const platform = await start(await newDatabase());
    expect((await platform.ops(new Request('http://127.0.0.1/metrics'))).status).toBe(404);
  });
});

test('usage is a separate model for administrators', async () => {
  const platform = await start({ ...(await writeModel()), ...(await newDatabase()), usageAnalytics: true });
  const admin = `Bearer ${adminKey}`;
  const { platformApiToken } = await openSession(platform, 'ATL');
  // A request without a valid token is not recorded.
  await send(platform, '/data-api/v1/load', `${platformApiToken}x`, count);
  await send(platform, '/data-api/v1/load', platformApiToken, count);
  await eventually(async () => {
    const { items } = (await send(platform, '/api/v1/query-log?minMs=0', admin)).body;
    expect(items).toMatchObject([{ operation: 'load', status: 200, rows: 1, username: null }]);
  });
  const found = async (text: string) => (await send(platform, `/api/v1/query-log?search=${text}`, admin)).body.items;
  expect([await found('atl'), await found('nobody')]).toMatchObject([[{ operation: 'load' }], []]);
  const { id } = (
    await send(platform, '/api/v1/users', admin, { username: 'ann', email: 'ann@acme.example', isAdmin: true })
  ).body;
  const { key } = (await send(platform, '/api/v1/api-keys', admin, { name: 'of ann', userId: id })).body;
  const { token, apiUrl, deploymentId } = (await send(platform, '/api/v1/usage-analytics/token', `Bearer ${key}`, {}))
    .body;
  expect({ apiUrl, deploymentId }).toEqual({ apiUrl: `${publicUrl}/usage-analytics/v1`, deploymentId: 0 });
  const queries = { query: { measures: ['queries.count'], dimensions: ['queries.operation'] } };
  const load = (credential: string) => send(platform, '/usage-analytics/v1/load', credential, queries);
  expect((await load(token)).body.data).toEqual([{ 'queries.operation': 'load', 'queries.count': '1' }]);
  // Neither token is valid for the other model.
  expect(await load(platformApiToken)).toMatchObject({ status: 403 });
  expect(await send(platform, '/data-api/v1/load', token, count)).toMatchObject({ status: 403 });
  await send(platform, `/api/v1/users/${id}`, admin, { isAdmin: false }, 'PUT');
  expect(await load(token)).toMatchObject({ status: 403 });
});

describe('limits of queries', () => {
  /** Starts a platform with measures that the engine takes seconds to compute. */
  async function startSlow(limits: QueryLimits) {
    const directories = await writeModel();
    const rows = "SELECT 'ATL' AS origin FROM range(500000)";
    await writeParquet(join(directories.sourcesDirectory, 'flights.parquet'), rows);
    const slow = '{ name: count, type: max, sql: "md5(repeat({CUBE}.origin, 1000))" }';
    const file = join(directories.modelDirectory, 'flights.yml');
    await writeFile(file, model.replace('{ name: count, type: count }', slow));
    const platform = await start({
      ...directories,
      ...(await newDatabase()),
      limits: { ...directories.limits, ...limits },
    });
    const { platformApiToken } = await openSession(platform, 'ATL');
    return send(platform, '/data-api/v1/load', platformApiToken, count);
  }

  test('cancel statements that exceed the time limit', async () => {
    expect(await startSlow({ queryTimeoutMs: 5 })).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^The query took too long/) },
    });
  });

  test('return `Continue wait` for queries that take longer than a request', async () => {
    expect(await startSlow({ continueWaitMs: 5 })).toMatchObject({ status: 200, body: { error: 'Continue wait' } });
  });

  test('limit the memory of the engine', async () => {
    await expect(startSlow({ memoryLimit: '1MB' })).rejects.toThrow(/memory/);
  });
});

test('rows of a data source are current and limited to the grant', async () => {
  const source = await startDataSource();
  try {
    await source.run("CREATE TABLE flights AS SELECT unnest(ARRAY['ATL', 'ATL', 'ORD']) AS origin");
    const { modelDirectory, limits } = await writeModel();
    const options = { modelDirectory, dataSourceUrl: source.url, ...(await newDatabase()) };
    const platform = await start({ ...options, limits: { ...limits, cacheBytes: 0 } });
    const { platformApiToken } = await openSession(platform, 'ATL');
    const load = async () => (await send(platform, '/data-api/v1/load', platformApiToken, count)).body;
    const first = await load();
    expect(first).toMatchObject({ data: [{ 'flights.count': '2' }], dbType: 'postgres' });
    await source.run("INSERT INTO flights VALUES ('ATL'), ('ORD')");
    const second = await load();
    expect(second.data).toEqual([{ 'flights.count': '3' }]);
    expect(Date.parse(second.lastRefreshTime)).toBeGreaterThan(Date.parse(first.lastRefreshTime));
    const schema = { ...options, dataSchema: 'elsewhere' };
    await expect(start(schema)).rejects.toThrow('The data source has no schema elsewhere');
  } finally {
    await Promise.all(open.splice(0).map(platform => platform.close()));
    await source.stop();
  }
});

test('a platform starts while its data source has no credential, and serves rows once there is one', async () => {
  const source = await startDataSource();
  try {
    await source.run("CREATE TABLE flights AS SELECT unnest(ARRAY['ATL', 'ORD']) AS origin");
    const { modelDirectory, limits } = await writeModel();
    const dataSourceUrl = source.urlOf("{{ env_var('DB_ROLE') }}");
    const onFailure = vi.fn<(failure: string) => void>();
    const platform = await start({ modelDirectory, dataSourceUrl, limits, onFailure, ...(await newDatabase()) });
    expect(onFailure.mock.calls.join()).toContain('DB_ROLE, which is not set');
    const { platformApiToken } = await openSession(platform, 'ATL');
    const load = () => send(platform, '/data-api/v1/load', platformApiToken, count);
    expect(await load()).toMatchObject({ status: 503 });
    const variables = { env_variables: [{ name: 'DB_ROLE', value: 'reader' }] };
    await send(platform, '/api/v1/deployments/1/env-vars', `Bearer ${adminKey}`, variables, 'PUT');
    await eventually(async () =>
      expect(await load()).toMatchObject({ status: 200, body: { data: [{ 'flights.count': '1' }] } }),
    );
  } finally {
    await Promise.all(open.splice(0).map(platform => platform.close()));
    await source.stop();
  }
});

test('requests return 503 while the database is unavailable and succeed afterwards', async () => {
  const directory = join(folder, 'postgres');
  const first = await startPostgresServer({ directory });
  const { host, user } = first.connection;
  const databaseUrl = `postgres://${user}@/postgres?host=${encodeURIComponent(host)}`;
  const platform = await start({ ...(await writeModel()), databaseUrl, secretKey: 'x'.repeat(32) });
  const { platformApiToken } = await openSession(platform, 'ATL');
  await first.stop();
  for (const [path, credential] of [
    ['/api/v1/deployments', `Bearer ${adminKey}`],
    ['/data-api/v1/meta', platformApiToken],
  ] as const) {
    const headers = { authorization: credential };
    const response = await platform.fetch(new Request(`${publicUrl}${path}`, { headers }));
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
  }
  const second = await startPostgresServer({ directory });
  expect(second.connection.host).toBe(host);
  expect((await send(platform, '/data-api/v1/meta', platformApiToken)).status).toBe(200);
  await second.stop();
});

describe('a data folder', () => {
  test('retains database, keys and tokens for the next start, unreadable for other users', async () => {
    const dataDirectory = join(folder, 'data');
    const first = await createPlatform({ publicUrl, dataDirectory, ...(await writeModel()) });
    expect(first.adminKeyPath).toBe(join(dataDirectory, 'admin-key'));
    const key = (await readFile(join(dataDirectory, 'admin-key'), 'utf8')).trim();
    const { token, platformApiToken } = await openSession(first, 'ATL', key);
    await first.close();
    expect((await stat(dataDirectory)).mode & 0o077).toBe(0);
    expect((await readdir(dataDirectory)).sort()).toEqual([
      '.gitignore',
      'admin-key',
      'duckdb',
      'postgres',
      'secret-key',
    ]);

    const second = await createPlatform({
      publicUrl,
      dataDirectory,
      modelDirectory: join(folder, 'model'),
      sourcesDirectory: join(folder, 'sources'),
    });
    open.push(second);
    expect((await send(second, '/api/v1/deployments', `Bearer ${token}`)).status).toBe(200);
    expect((await send(second, '/data-api/v1/load', platformApiToken, count)).status).toBe(200);
  });

  test("is shared by platforms that start concurrently and accept each other's sessions", async () => {
    const dataDirectory = join(folder, 'data');
    const [one, other] = await Promise.all([start({ dataDirectory }), start({ dataDirectory })]);
    const grant = { deploymentId: 1, externalId: 'a' };
    const { sessionId } = (await send(one, '/api/v1/embed/generate-session', `Bearer ${adminKey}`, grant)).body;
    const { token } = (await send(other, '/api/v1/embed/session/token', null, { sessionId })).body;
    expect((await send(one, '/api/v1/embed/session/token', null, { sessionId })).status).toBe(401);
    await one.close();
    expect((await send(other, '/api/v1/deployments', `Bearer ${token}`)).status).toBe(200);
  });
});

test('two platforms in one process are independent', async () => {
  const [one, other] = await Promise.all([start(await newDatabase()), start({ adminKey: 'another-admin-key' })]);
  expect((await send(one, '/api/v1/deployments', `Bearer ${adminKey}`)).status).toBe(200);
  expect((await send(other, '/api/v1/deployments', `Bearer ${adminKey}`)).status).toBe(401);
  const { token } = await openSession(one, 'ATL');
  expect((await send(other, '/api/v1/deployments', `Bearer ${token}`)).status).toBe(401);
});

describe('a start fails with a one-sentence error', () => {
  test.each<[string, Partial<PlatformOptions>, RegExp]>([
    ['for plain HTTP off loopback', { publicUrl: 'http://pa.example' }, /plain HTTP is served only on loopback/],
    ['for a public URL with a path', { publicUrl: 'https://pa.example/x' }, /must not have a path/],
    ['for no public URL', { publicUrl: 'pa.example' }, /must be a URL/],
    ['for an origin of everything', { allowOrigins: ['*'] }, /"\*" is not a valid origin/],
    ['for an origin with a path', { allowOrigins: ['https://a.example/x'] }, /not a valid origin/],
    ['for a Data API path below the Platform API', { dataApiPath: '/api/v1' }, /not be below \/api/],
    ['for a Data API at the root', { dataApiPath: '/' }, /must have the form \/data-api/],
    ['for a model without sources', { modelDirectory: '/nowhere' }, /--sources/],
    ['for a schema without a data source', { dataSchema: 'sales' }, /--data-schema requires PA_DATA_SOURCE_URL/],
    ['for two data locations', { dataSourceUrl: 'postgres://h/d', sourcesDirectory: '/x' }, /mutually exclusive/],
    ['for an unsupported data source', { modelDirectory: '/x', dataSourceUrl: 'mysql://h/d' }, /start with postgres:/],
    [
      'for a limit of DuckDB with a data source',
      { dataSourceUrl: 'postgres://h/d', limits: { memoryLimit: '1GB' } },
      /--memory-limit is not supported/,
    ],
    [
      'for a model in addition to an upstream',
      { modelDirectory: '/x', dataApiUpstream: { url: 'https://c.example', secret: 'x'.repeat(16) } },
      /^Set either --model or --data-api-upstream/,
    ],
    ['for a database without a secret', { databaseUrl: 'postgres://nowhere' }, /requires a secret key/],
    ['for an invalid limit', { limits: { queueLimit: 0 } }, /queueLimit must be a whole number/],
    ['for a short admin key', { adminKey: 'short' }, /PA_ADMIN_KEY must be/],
  ])('%s', async (_, options, sentence) => {
    await expect(start(options)).rejects.toThrow(sentence);
  });

  test('without an admin key and a data folder, except in demo mode', async () => {
    await expect(createPlatform({ publicUrl })).rejects.toThrow('Set PA_ADMIN_KEY');
    const demo = await createPlatform({ publicUrl, demo: true });
    open.push(demo);
    const path = demo.adminKeyPath ?? '';
    const key = (await readFile(path, 'utf8')).trim();
    expect((await send(demo, '/api/v1/deployments', `Bearer ${key}`)).status).toBe(200);
    await demo.close();
    await expect(stat(path)).rejects.toThrow('ENOENT');
  });

  test('for an invalid model, with file and line, and cleans up', async () => {
    const directories = await writeModel();
    await writeFile(join(directories.modelDirectory, 'flights.yml'), `${model}      - group: [\n`);
    // Do not use the temporary folder of the system, because other processes use it too.
    const temporary = await mkdtemp(join(folder, 'tmp-'));
    vi.stubEnv('TMPDIR', temporary);
    await expect(start({ ...directories, ...(await newDatabase()) })).rejects.toThrow(/flights\.yml:\d+/);
    expect(await readdir(temporary)).toEqual([]);
  });
});

describe('a change of the secret key (GOVERNANCE, Tokens)', () => {
  test('tokens of the previous key remain valid, and its secrets are encrypted with the new key at startup', async () => {
    const { databaseUrl } = await newDatabase();
    const [before, after] = ['the-secret-key-before', 'the-secret-key-after'];
    const keyed = (secretKey: string, ...previousSecretKeys: string[]) =>
      start({ ...(databaseUrl !== undefined && { databaseUrl }), secretKey, previousSecretKeys });
    const bearer = `Bearer ${adminKey}`;
    const first = await keyed(before);
    const [environment] = (await send(first, '/api/v1/deployments/1/environments', bearer)).body.items;
    const path = `/api/v1/deployments/1/environments/${environment.id}/tokens`;
    const { body: made } = await send(first, path, bearer, { security_context: {} });
    const grant = { deploymentId: 1, externalId: 'ann' };
    const { sessionId } = (await send(first, '/api/v1/embed/generate-session', bearer, grant)).body;
    const { token } = (await send(first, '/api/v1/embed/session/token', null, { sessionId })).body;
    const seen = async (platform: Platform) => ({
      embed: (await send(platform, '/api/v1/deployments', `Bearer ${token}`)).status,
      tokens: (await send(platform, path, bearer)).body.items,
    });
    expect(await seen(await keyed(after, before))).toEqual({ embed: 200, tokens: [made.data] });
    expect(await seen(await keyed(after))).toEqual({ embed: 401, tokens: [made.data] });
    expect((await seen(await keyed(before))).tokens).toEqual([]);
    await expect(keyed(after, 'short')).rejects.toThrow('PA_SECRET_KEY_PREVIOUS must be at least 16');
  });
});
