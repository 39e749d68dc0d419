import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlatform, type Platform } from '../../src/platform/create-platform.js';
import type { PlatformOptions } from '../../src/platform/platform-options.js';
import { eventually } from '../eventually.js';
import { takePlatformDatabase } from './db/test-database.js';

const publicUrl = 'https://platform.example';
const adminKey = 'the-admin-key-of-the-tests';

let database: Awaited<ReturnType<typeof takePlatformDatabase>>;
let platforms: Platform[];
let dataDirectory: string;

/** Two platforms on one database with limits of 20 requests per minute for embed users and 400 for API keys. */
beforeAll(async () => {
  database = await takePlatformDatabase();
  dataDirectory = await mkdtemp(join(tmpdir(), 'pa-shared-'));
  const options: PlatformOptions = { publicUrl, adminKey, ...database.options, dataDirectory, rateLimit: 20 };
  platforms = [await createPlatform(options), await createPlatform(options)];
});

afterAll(async () => {
  for (const platform of platforms) await platform.close();
  await database.stop();
  await rm(dataDirectory, { recursive: true, force: true });
});

async function send(
  index: number,
  path: string,
  credential: string,
  { body, address }: { body?: object; address?: string } = {},
) {
  const request = new Request(`${publicUrl}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${credential}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const platform = platforms[index % platforms.length];
  if (!platform) throw new Error('There is no platform.');
  const response = await platform.fetch(request, { remoteAddress: address });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

async function embedToken(externalId: string): Promise<string> {
  const grant = { deploymentId: 1, externalId, embedTenantName: `of-${externalId}` };
  const minted = await send(0, '/api/v1/embed/generate-session', adminKey, { body: grant });
  const exchanged = await send(1, '/api/v1/embed/session/token', adminKey, {
    body: { sessionId: minted.body.sessionId },
  });
  return exchanged.body.token;
}

describe('platforms on one database', () => {
  it('share the rate limit of a user, return retry-after, and do not limit other users', async () => {
    const [ann, bob] = [await embedToken('ann'), await embedToken('bob')];
    const answers = [];
    for (let index = 0; index < 60; index++) answers.push(await send(index, '/api/v1/deployments', ann));
    const good = answers.filter(({ status }) => status === 200).length;
    // Expect at least 20 requests. The second platform allows one more on credit, and a new minute can begin during the
    // test.
    expect(good).toBeGreaterThanOrEqual(20);
    expect(good).toBeLessThanOrEqual(42);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({ statusCode: 429, error: 'Too Many Requests' });
    expect(refused?.body.message).toContain('20 per minute');
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(refused?.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(await send(0, '/api/v1/deployments', bob)).toMatchObject({ status: 200 });
    expect(await send(0, '/api/v1/deployments', adminKey)).toMatchObject({ status: 200 });
  });

  it('limit failed authentications by address, but never valid credentials', async () => {
    const address = '192.0.2.7';
    const fail = async () => (await send(0, '/api/v1/deployments', 'no-such-key', { address })).status;
    const seen = new Set<number>();
    // Send twice the limit, because a new minute can begin. Send concurrently, so that the test takes less than a
    // minute.
    for (let round = 0; round < 26 && !seen.has(429); round++) {
      for (const status of await Promise.all(Array.from({ length: 50 }, fail))) seen.add(status);
    }
    expect(seen).toEqual(new Set([401, 429]));
    expect(await send(0, '/api/v1/deployments', 'no-such-key', { address: '192.0.2.8' })).toMatchObject({
      status: 401,
    });
    expect(await send(0, '/api/v1/deployments', adminKey, { address })).toMatchObject({ status: 200 });
  });

  it('run each other’s jobs: a sync without a model fails with a message', async () => {
    const started = await send(0, '/api/v1/deployments/1/xform-sync', adminKey, { body: {} });
    expect(started).toMatchObject({ status: 200 });
    const path = `/api/v1/deployments/1/xform-sync/${started.body.syncJobId}`;
    await eventually(async () => expect((await send(1, path, adminKey)).body).toMatchObject({ status: 'FAILED' }));
  });

  it('delete expired rows with one recurring job', async () => {
    const client = new pg.Client(database.connection);
    await client.connect();
    try {
      await client.query(`insert into revoked_sessions (session_key, expires_at) values ('expired', now())`);
      await client.query(`update jobs set run_at = now() where kind = 'clean-up'`);
      await client.query('notify pa_jobs');
      await eventually(async () => {
        const { rows } = await client.query(`select run_at > now() as "isScheduled" from jobs where kind = 'clean-up'`);
        expect(rows).toEqual([{ isScheduled: true }]);
      });
      const { rows } = await client.query(`select from revoked_sessions where session_key = 'expired'`);
      expect(rows).toEqual([]);
    } finally {
      await client.end();
    }
  });
});

describe('a rate limit', () => {
  it.each([-1, 1.5, Number.NaN, 10_000_001])('cannot be %s', async rateLimit => {
    await expect(createPlatform({ publicUrl, adminKey, rateLimit })).rejects.toThrow('rateLimit must be');
  });
});

describe('processes of a deployment', () => {
  it('are listed, and log what each of them compiled', async () => {
    const create = await send(0, '/build/api/v1/deployments', adminKey, { body: { name: 'logged' } });
    const { id } = create.body;
    const read = async (path: string, index = 0) =>
      (await send(index, `/api/v1/deployments/${id}/${path}`, adminKey)).body;
    const build = (path: string, body: object) =>
      send(0, `/build/api/v1/deployments/${id}/${path}`, adminKey, { body });
    const pods: { name: string }[] = (await read('pods')).items;
    expect(pods).toMatchObject([{ ready: true, containers: ['platform-server'] }, { ready: true }]);
    expect(await read('pods', 1)).toEqual(await read('pods', 0));

    await build('branches', { name: 'broken' });
    const tokenOf = async (body: object) =>
      (await send(0, `/api/v1/deployments/${id}/token`, adminKey, { body })).body.platformApiToken;
    const [token, branchToken] = [await tokenOf({}), await tokenOf({ branchName: 'broken' })];
    const meta = (index: number, credential: string) => send(index, `/deployments/${id}/data-api/v1/meta`, credential);
    for (const index of [0, 1]) expect(await meta(index, token)).toMatchObject({ status: 200 });
    expect(await meta(0, branchToken)).toMatchObject({ status: 200 });
    const lines = await eventually(async () => {
      const { items } = await read('logs');
      expect(items).toHaveLength(3);
      return items;
    });
    expect(new Set(lines.map(({ pod }: { pod: string }) => pod))).toEqual(new Set(pods.map(({ name }) => name)));
    // The lines of two processes that are written at nearly the same time can have either order.
    const branchLine = lines.find(({ branchName }: { branchName?: string }) => branchName === 'broken');
    expect(branchLine).toMatchObject({ source: 'dev', level: 'info', date: expect.any(String) });
    expect((await read('logs?source=production')).items).toHaveLength(2);
    expect((await read('logs?source=production&first=1')).items).toHaveLength(1);
    expect((await read(`logs?pod=${pods[1]?.name}&container=MAIN`)).items).toHaveLength(1);
    expect((await read('logs?container=vector')).items).toEqual([]);

    expect(await read('build-status')).toMatchObject({ branchName: 'main', mode: 'production', status: 'success' });
    expect(await read('build-status?branchName=broken')).toMatchObject({ mode: 'dev_mode', status: 'success' });
    expect(await read('build-status?branchName=missing')).toMatchObject({ statusCode: 404 });
    const [version] = (await read('versions')).items;
    expect(version).toMatchObject({ isCurrent: true, isLatestInChannel: true, releaseChannel: 'latest' });

    await platforms[1]?.close();
    expect((await read('pods')).items).toEqual([expect.objectContaining({ name: pods[0]?.name })]);
  });
});
