import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlatform, type Platform } from '../../../../src/platform/create-platform.js';
import type { QueryEvent } from '../../../../src/platform/data/answers/query-event.js';
import { openUpstreamApi } from '../../../../src/platform/data/upstream/open-upstream-api.js';
import { readUpstream } from '../../../../src/platform/data/upstream/upstream-options.js';
import type { PlatformOptions } from '../../../../src/platform/platform-options.js';
import { openEmbedSession } from '../../embed/open-embed-session.js';
import { caller, tenantCaller } from '../callers.js';
import { writeParquet } from '../engines/duckdb/parquet.js';
import { modelText, RowLevel, tableSelects, tenants } from '../tenant-model.js';
import { json, query, startFakeCluster } from './fake-cluster.js';
import { startSecondPlatform } from './second-platform.js';

const publicUrl = 'http://127.0.0.1:4100';
const adminKey = 'the-admin-key-of-tests';
const orders = { dimensions: ['orders.city', 'orders.tenant'], measures: ['orders.count'] };

let folder: string;
let second: Awaited<ReturnType<typeof startSecondPlatform>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'upstream-'));
  const [modelDirectory, sourcesDirectory] = [join(folder, 'model'), join(folder, 'sources')];
  await Promise.all([mkdir(modelDirectory), mkdir(sourcesDirectory)]);
  await writeFile(join(modelDirectory, 'model.yml'), modelText(RowLevel.own));
  for (const [table, select] of Object.entries(tableSelects(tenants))) {
    await writeParquet(join(sourcesDirectory, `${table}.parquet`), select);
  }
  second = await startSecondPlatform({ modelDirectory, sourcesDirectory });
});

afterAll(async () => {
  await second?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('a platform with an upstream Data API', () => {
  let platform: Platform;
  const events: QueryEvent[] = [];
  const failures: string[] = [];
  beforeAll(async () => {
    platform = await createPlatform({
      publicUrl,
      adminKey,
      metrics: true,
      dataApiUpstream: second.upstream,
      onQuery: event => events.push(event),
      onFailure: failure => failures.push(failure),
    });
  });
  afterAll(() => platform?.close());

  const call = (path: string, authorization: string, body?: object) =>
    platform.fetch(
      new Request(`${publicUrl}${path}`, {
        headers: { authorization, 'content-type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      }),
    );

  /** Returns the data token of a tenant and its session. */
  async function signIn(tenant: string): Promise<{ readonly token: string; readonly sessionId: string }> {
    const access = { url: publicUrl, adminKey, fetch: platform.fetch };
    const grant = { externalId: tenant, securityContext: { tenant } };
    const { platformApiToken, sessionId } = await openEmbedSession(access, grant);
    return { token: platformApiToken, sessionId };
  }

  it('returns each tenant its own rows under concurrent requests', async () => {
    const tokens = await Promise.all(tenants.map(signIn));
    const requests = Array.from({ length: 20 }, (_, index) => index % tenants.length);
    const answers = await Promise.all(
      requests.map(async which => {
        const response = await call('/data-api/v1/load', tokens[which]?.token ?? '', { query: orders });
        return { tenant: tenants[which], body: await response.json() };
      }),
    );
    for (const { tenant, body } of answers) {
      expect(body.data.length).toBeGreaterThan(1);
      expect(new Set(body.data.map((row: Record<string, string>) => row['orders.tenant']))).toEqual(new Set([tenant]));
    }
    expect(events).toHaveLength(requests.length);
    expect(failures).toEqual([]);
  });

  it('streams SQL results to each tenant, with its own rows only', async () => {
    const text = 'SELECT tenant, city, MEASURE(count) AS n FROM orders GROUP BY 1, 2';
    for (const tenant of tenants) {
      const response = await call('/data-api/v1/sql', (await signIn(tenant)).token, { query: text });
      expect(response.status).toBe(200);
      const [schema, ...lines] = (await response.text())
        .trim()
        .split('\n')
        .map(line => JSON.parse(line));
      expect(schema.schema.map(({ name }: { name: string }) => name)).toEqual(['tenant', 'city', 'n']);
      const rows: string[][] = lines.flatMap(({ data }) => data);
      expect(rows).toHaveLength(4);
      expect(new Set(rows.map(([of]) => of))).toEqual(new Set([tenant]));
    }
  });

  it('returns SQL errors with their location', async () => {
    const { token } = await signIn('tenant_a');
    const response = await call('/data-api/v1/sql', token, { query: 'SELECT nothing FROM orders' });
    expect([response.status, (await response.json()).error]).toEqual([400, expect.stringMatching(/nothing.*line 1/s)]);
    const hidden = await call('/data-api/v1/sql', token, { query: 'SELECT id FROM vault' });
    const unknown = await call('/data-api/v1/sql', token, { query: 'SELECT id FROM valut' });
    expect((await hidden.json()).error).toBe((await unknown.json()).error.replaceAll('valut', 'vault'));
  });

  it('returns the SQL of a query only for an API key, not to tenants', async () => {
    const { token } = await signIn('tenant_a');
    expect((await call('/data-api/v1/sql', token, { query: orders })).status).toBe(403);
    const minted = await call('/api/v1/deployments/1/token', `Bearer ${adminKey}`, {});
    const { platformApiToken } = await minted.json();
    // The key belongs to no tenant, so the cluster, which received the request, knows none of the cubes.
    const response = await call('/data-api/v1/sql', platformApiToken, { query: orders });
    expect([response.status, (await response.json()).error]).toEqual([400, expect.stringContaining('orders')]);
  });

  it.each(tenants)('chats with %s about its own rows only', async tenant => {
    const path = '/api/v1/public/local/agents/1/chat/stream-chat-state';
    const sessionSettings = { externalId: tenant, securityContext: { tenant } };
    const response = await call(path, `Api-Key ${adminKey}`, { input: 'orders count by city', sessionSettings });
    const text = await response.text();
    const [own, other] = tenant === tenants[0] ? tenants : [...tenants].reverse();
    expect(text).toContain(`${own} Rom`);
    expect(text).not.toContain(other);
  });

  it('rejects callers that it would reject without an upstream', async () => {
    const before = second.requests();
    for (const [token, error] of [
      ['', "Authorization header isn't set"],
      ['eyJhbGciOiJIUzI1NiJ9.e30.x', 'Invalid token'],
      [adminKey, 'Invalid token'],
    ] as const) {
      const response = await call('/data-api/v1/load', token, { query: orders });
      expect([response.status, (await response.json()).error]).toEqual([403, error]);
    }
    const elsewhere = new Request('http://elsewhere.example/data-api/v1/meta');
    expect((await platform.fetch(elsewhere)).status).toBe(421);
    expect(second.requests()).toBe(before);
  });

  it('forwards nothing for a revoked session', async () => {
    const { token, sessionId } = await signIn('tenant_a');
    await call('/api/v1/embed/session/revoke', `Bearer ${adminKey}`, { sessionId });
    const before = second.requests();
    const response = await call('/data-api/v1/load', token, { query: orders });
    expect([response.status, (await response.json()).error]).toEqual([403, 'Invalid token']);
    expect(second.requests()).toBe(before);
  });

  it('reports hidden members like unknown ones', async () => {
    const { token } = await signIn('tenant_a');
    const errorOf = async (member: string) => {
      const response = await call('/data-api/v1/load', token, { query: { measures: [member] } });
      return [response.status, (await response.json()).error.replace(member, 'it')];
    };
    expect(await errorOf('vault.count')).toEqual(await errorOf('nothing.count'));
  });

  it('counts forwarded requests, without a model', async () => {
    const text = await (await platform.ops(new Request('http://ops/metrics'))).text();
    expect(text).toMatch(/pa_queries_total\{operation="load",outcome="ok",cache="upstream"\} \d+/);
    expect(text).not.toContain('pa_model_info{');
  });
});

describe('caller data from a cluster', () => {
  const open = (upstream = second.upstream) =>
    openUpstreamApi({ upstream: readUpstream(upstream), limits: {}, onProblem: () => {} });
  const { signal } = new AbortController();

  it.each(tenants)('contains only rows of %s, and their total', async tenant => {
    const data = open();
    const { rowSet, totalRows } =
      (await data.dataOf(tenantCaller(tenant))?.load({ ...orders, limit: 2 }, { signal })) ?? {};
    expect(rowSet?.columns.map(({ member, kind }) => [member, kind])).toEqual([
      ['orders.city', 'dimension'],
      ['orders.tenant', 'dimension'],
      ['orders.count', 'measure'],
    ]);
    expect(rowSet?.rows.map(row => row['orders.tenant'])).toEqual([tenant, tenant]);
    expect(totalRows).toBe(4);
    expect(rowSet?.truncated).toBe(true);
    await data.close();
  });

  it('uses the model visible to the caller', async () => {
    const data = open();
    const seen = await data.dataOf(tenantCaller('tenant_a'))?.meta();
    expect(seen?.cubes.map(({ name }) => name)).toContain('orders');
    expect(JSON.stringify(seen)).not.toContain('vault');
    expect((await data.dataOf(caller())?.meta())?.cubes).toEqual([]);
    await data.close();
  });

  it('waits while the cluster returns Continue wait', async () => {
    const answer = {
      query: { ...query, limit: 10 },
      data: { members: ['t.count'], dataset: [['45']] },
      annotation: { measures: {}, dimensions: {}, segments: {}, timeDimensions: {} },
      total: 1,
    };
    const cluster = await startFakeCluster((response, socket, seen) =>
      json(cluster.requests.length < 3 ? { error: 'Continue wait' } : answer)(response, socket, seen),
    );
    const data = open({ ...second.upstream, url: `http://127.0.0.1:${cluster.port}` });
    const loaded = await data.dataOf(caller())?.load(query, { signal });
    expect(loaded?.rowSet.rows).toEqual([{ 't.count': '45' }]);
    expect(cluster.requests).toHaveLength(3);
    expect(new Set(cluster.requests.map(({ body }) => body)).size).toBe(1);
    expect(JSON.parse(cluster.requests[0]?.body ?? '').query).toMatchObject({ responseFormat: 'compact', total: true });
    await data.close();
    await cluster.stop();
  });

  it('fails if the cluster fails', async () => {
    const cluster = await startFakeCluster(json({ error: 'Error: secret' }, 500));
    const data = open({ ...second.upstream, url: `http://127.0.0.1:${cluster.port}` });
    await expect(data.dataOf(caller())?.load(query, { signal })).rejects.toMatchObject({
      status: 500,
      message: 'The data service failed to run this query.',
    });
    await data.close();
    await cluster.stop();
  });
});

describe('a platform with an unreachable cluster', () => {
  it('starts, is ready, and fails only data requests', async () => {
    const failures: string[] = [];
    const away = { ...second.upstream, url: 'http://127.0.0.1:1' };
    const platform = await createPlatform({
      publicUrl,
      adminKey,
      dataApiUpstream: away,
      onFailure: failure => failures.push(failure),
    });
    expect((await platform.ops(new Request('http://ops/readyz'))).status).toBe(200);
    const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
    const ask = (path: string, init: RequestInit) => platform.fetch(new Request(`${publicUrl}${path}`, init));
    const minted = await ask('/api/v1/deployments/1/token', { method: 'POST', headers, body: '{}' });
    const { platformApiToken: authorization } = await minted.json();
    const response = await ask('/data-api/v1/meta', { headers: { authorization } });
    expect(response.status).toBe(502);
    expect((await response.json()).error).toBe("The data service can't be reached. Try again in a moment.");
    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatch(/^\S+ The upstream of the Data API can't be reached \(\w+\)\.$/);
    await platform.close();
  });

  it.each<[Partial<PlatformOptions>, string]>([
    [{ modelDirectory: 'm', sourcesDirectory: 's' }, 'Set either --model or --data-api-upstream'],
    [{ dataApiUpstream: { url: 'http://cluster.example', secret: 'x'.repeat(16) } }, 'must start with https:'],
    [{ dataApiUpstream: { url: 'https://cluster.example', secret: 'x' } }, 'PA_DATA_API_UPSTREAM_SECRET must be'],
  ])('does not start with options that have no effect: %j', async (options, why) => {
    const started = createPlatform({ publicUrl, adminKey, dataApiUpstream: second.upstream, ...options });
    await expect(started).rejects.toThrow(why);
  });
});
