import { describe, expect, it, vi } from 'vitest';
import { eventually } from '../../eventually.js';
import { dashboard, deferred, type FakeService, json, loadAnswer, publicId, query } from '../fake-service.js';
import {
  dashboardRoute,
  eachWithSession,
  exchangeRoute,
  failure,
  loadRoute,
  mintRoute,
  type SessionHarness,
  settle,
} from './session-harness.js';

let harness: SessionHarness;
let service: FakeService;

eachWithSession(fresh => {
  harness = fresh;
  service = fresh.service;
});

describe('a rejected token', () => {
  it('is replaced by one new session for all requests, which are repeated once', async () => {
    const source = harness.open();
    await source.start();
    await settle();
    let latest = '';
    let refusals = 0;
    service.routes.set(exchangeRoute, () => {
      latest = service.nextToken();
      return json({ token: latest });
    });
    for (const id of [publicId, 'Other0000001']) {
      service.routes.set(`GET /api/v1/embed/dashboard/${id}`, ({ authorization }) => {
        if (authorization === `Bearer ${latest}`) return json({ ...dashboard, publicId: id });
        refusals += 1;
        return json({ message: 'expired' }, 401);
      });
    }
    const dashboards = await Promise.all([source.getDashboard(publicId, {}), source.getDashboard('Other0000001', {})]);
    expect(dashboards.map(each => each.publicId)).toEqual([publicId, 'Other0000001']);
    expect(refusals).toBe(2);
    expect(service.mints).toBe(2);
    expect(harness.statuses()).toEqual(['starting', 'ready']);
  });

  it('is retried only once', async () => {
    service.routes.set(dashboardRoute, () => json({ message: 'Not known.' }, 401));
    const source = harness.open();
    const error = await failure(source.getDashboard(publicId, {}));
    expect(error).toMatchObject({ code: 'not_authenticated', status: 401 });
    expect(service.to(`/api/v1/embed/dashboard/${publicId}`)).toHaveLength(2);
    expect(service.mints).toBe(2);
  });

  it('expires the session if the host returns no new one', async () => {
    const source = harness.open();
    await source.start();
    service.routes.set(dashboardRoute, () => json({}, 401));
    service.routes.set(mintRoute, () => json({}, 401));
    await failure(source.getDashboard(publicId, {}));
    expect(source.status).toBe('expired');
    expect(service.mints).toBe(2);
  });

  it.each([
    ['401', () => json({ error: 'no' }, 401)],
    ['403 Invalid token', () => json({ error: 'Invalid token' }, 403)],
  ])('is replaced by one new data token for all queries if the Data API returns %s', async (_what, refuse) => {
    const source = harness.open();
    await source.load(query, {});
    const [first] = service.to('/data-api/v1/load');
    service.routes.set(loadRoute, seen =>
      seen.authorization === first?.authorization ? refuse() : json(loadAnswer([])),
    );
    const queries = [10, 20, 30].map(limit => source.load({ ...query, limit }, {}));
    await expect(Promise.all(queries)).resolves.toHaveLength(3);
    expect(service.to('/api/v1/deployments/1/token')).toHaveLength(2);
    expect(service.mints).toBe(1);
    expect(service.loads).toBe(1 + 3 + 3);
  });

  it('is replaced for SQL, whose identical requests in flight are shared', async () => {
    const lines = '{"schema":[{"name":"n","column_type":"Int64"}]}\n{"data":[["3"]]}\n';
    const tokens: (string | null)[] = [];
    service.routes.set('POST /data-api/v1/sql', ({ authorization }) => {
      tokens.push(authorization);
      return tokens.length === 1 ? json({ error: 'Invalid token' }, 403) : new Response(lines);
    });
    const source = harness.open();
    await source.start();
    const [one, other] = await Promise.all([source.sql('select 1', {}), source.sql('select 1', {})]);
    expect(one.rows).toEqual([{ n: '3' }]);
    expect(other).toBe(one);
    expect(tokens).toHaveLength(2);
    expect(tokens[1]).not.toBe(tokens[0]);
  });

  it('is retried only once for the Data API', async () => {
    service.routes.set(loadRoute, () => json({ error: 'Invalid token' }, 403));
    const source = harness.open();
    expect((await failure(source.load(query, {}))).code).toBe('not_authenticated');
    expect(service.loads).toBe(2);
  });

  it('does not include any other 403', async () => {
    service.routes.set(loadRoute, () => json({ error: 'You may not see this' }, 403));
    service.routes.set(dashboardRoute, () => json({ message: 'Embedding is off.' }, 403));
    const source = harness.open();
    expect(await failure(source.load(query, {}))).toMatchObject({
      code: 'not_allowed',
      message: 'You may not see this',
    });
    expect((await failure(source.getDashboard(publicId, {}))).status).toBe(403);
    expect(service.loads).toBe(1);
    expect(service.mints).toBe(1);
    expect(source.status).toBe('ready');
  });
});

describe('requests', () => {
  it('are shared if identical and in flight, and each caller can leave', async () => {
    const answer = deferred<Response>();
    service.routes.set(loadRoute, () => answer.promise);
    const source = harness.open();
    await source.start();
    const leaver = new AbortController();
    const left = failure(source.load(query, { signal: leaver.signal }));
    const kept = source.load({ dimensions: query.dimensions, measures: query.measures }, {});
    await settle();
    leaver.abort();
    expect((await left).code).toBe('aborted');
    answer.resolve(json(loadAnswer([{ 'flights.origin': 'ORD', 'flights.count': '3' }])));
    await expect(kept).resolves.toMatchObject({ rows: [{ 'flights.origin': 'ORD', 'flights.count': '3' }] });
    expect(service.loads).toBe(1);
  });

  it('are aborted when the last caller has left', async () => {
    service.routes.set(loadRoute, () => new Promise(() => {}));
    const source = harness.open();
    await source.start();
    const leaver = new AbortController();
    const left = failure(source.load(query, { signal: leaver.signal }));
    await settle();
    leaver.abort();
    await left;
    expect(service.to('/data-api/v1/load')[0]?.init.signal?.aborted).toBe(true);
  });

  it('wait for the first query, until its response or 60 ms', async () => {
    service.routes.set(loadRoute, () => new Promise(() => {}));
    const source = harness.open();
    await source.start();
    await settle();
    const queries = [1, 2, 3].map(limit => failure(source.load({ ...query, limit }, {})));
    await settle();
    expect(service.loads).toBe(1);
    await vi.advanceTimersByTimeAsync(60);
    expect(service.loads).toBe(3);
    source.end();
    await Promise.all(queries);
  });

  it('read a dashboard again after a minute, and immediately after a failure', async () => {
    const source = harness.open();
    const works = service.routes.get(dashboardRoute);
    service.routes.set(dashboardRoute, () => json({}, 500));
    await failure(source.getDashboard(publicId, {}));
    if (works) service.routes.set(dashboardRoute, works);
    await source.getDashboard(publicId, {});
    await source.getDashboard(publicId, {});
    expect(service.to(`/api/v1/embed/dashboard/${publicId}`)).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(60_000);
    await source.getDashboard(publicId, {});
    expect(service.to(`/api/v1/embed/dashboard/${publicId}`)).toHaveLength(3);
  });

  it('read a dashboard again that was just published', async () => {
    const source = harness.open();
    await source.getDashboard(publicId, {});
    await source.getDashboard(publicId, { isFresh: true });
    await source.getDashboard(publicId, {});
    expect(service.to(`/api/v1/embed/dashboard/${publicId}`)).toHaveLength(2);
  });

  it('fetch the deployment and the data token again after a failure', async () => {
    const works = service.routes.get('POST /api/v1/deployments/1/token');
    service.routes.set('POST /api/v1/deployments/1/token', () => json({}, 500));
    const source = harness.open();
    expect((await failure(source.load(query, {}))).status).toBe(500);
    if (works) service.routes.set('POST /api/v1/deployments/1/token', works);
    await expect(source.load(query, {})).resolves.toBeDefined();
    expect(service.to('/api/v1/deployments/1')).toHaveLength(1);
  });
});

describe('the model', () => {
  const metaRoute = 'GET /data-api/v1/meta';
  const cube = { name: 'flights', title: 'Flights', type: 'cube', measures: [], dimensions: [], segments: [] };

  it('is read once for all callers, and again after five minutes', async () => {
    service.routes.set(metaRoute, () => json({ cubes: [cube] }));
    const source = harness.open();
    const [one, other] = await Promise.all([source.meta({}), source.meta({})]);
    expect(one).toEqual({ cubes: [cube] });
    expect(other).toBe(one);
    await expect(source.meta({})).resolves.toBe(one);
    expect(service.to('/data-api/v1/meta')).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(300_000);
    await source.meta({});
    expect(service.to('/data-api/v1/meta')).toHaveLength(2);
  });

  it('is read again after a failure, and with a new data token after a rejection', async () => {
    const source = harness.open();
    service.routes.set(metaRoute, () => json({ error: 'broken' }, 500));
    expect((await failure(source.meta({}))).status).toBe(500);
    const tokens: (string | null)[] = [];
    service.routes.set(metaRoute, ({ authorization }) => {
      tokens.push(authorization);
      return tokens.length === 1 ? json({ error: 'Invalid token' }, 403) : json({ cubes: [] });
    });
    await expect(source.meta({})).resolves.toEqual({ cubes: [] });
    expect(new Set(tokens).size).toBe(2);
  });

  it('differs by identity', async () => {
    service.routes.set(metaRoute, () => json({ cubes: [cube] }));
    const source = harness.open();
    await source.meta({});
    service.user = { sub: 'sam' };
    source.suspend();
    await source.resume();
    await source.meta({});
    expect(service.to('/data-api/v1/meta')).toHaveLength(2);
  });

  it('is aborted when all callers have left', async () => {
    service.routes.set(metaRoute, () => new Promise(() => {}));
    const source = harness.open();
    await source.start();
    const leaver = new AbortController();
    const left = failure(source.meta({ signal: leaver.signal }));
    await eventually(() => expect(service.to('/data-api/v1/meta')).toHaveLength(1));
    leaver.abort();
    expect((await left).code).toBe('aborted');
    expect(service.to('/data-api/v1/meta')[0]?.init.signal?.aborted).toBe(true);
  });
});

describe("the account's configuration", () => {
  const path = '/api/v1/app-config';
  const config = { applyThemeGlobally: true, restrictDataDownload: false, sheetsAgentChatEnabled: false };

  it('is read once per session', async () => {
    service.routes.set(`GET ${path}`, () => json(config));
    const source = harness.open();
    await expect(Promise.all([source.appConfig({}), source.appConfig({})])).resolves.toEqual([config, config]);
    await source.appConfig({});
    expect(service.to(path)).toHaveLength(1);
    expect(service.to(path)[0]?.authorization).toMatch(/^Bearer /);
  });

  it.each([
    ['an error', () => json({ message: 'no such route' }, 404)],
    ['an invalid body', () => json(['not', 'a', 'configuration'])],
  ])('is null if the platform returns %s, and is read again', async (_what, answer) => {
    service.routes.set(`GET ${path}`, answer);
    const source = harness.open();
    await expect(source.appConfig({})).resolves.toBeNull();
    service.routes.set(`GET ${path}`, () => json(config));
    await expect(source.appConfig({})).resolves.toEqual(config);
  });

  it('is null after a timeout or without a session', async () => {
    service.routes.set(`GET ${path}`, () => new Promise(() => {}));
    const source = harness.open();
    await source.start();
    const late = source.appConfig({});
    await eventually(() => expect(service.to(path)).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(3_000);
    await expect(late).resolves.toBeNull();
    source.end();
    await expect(source.appConfig({})).resolves.toBeNull();
  });

  it('rejects if the caller has left', async () => {
    service.routes.set(`GET ${path}`, () => new Promise(() => {}));
    const source = harness.open();
    const leaver = new AbortController();
    const left = failure(source.appConfig({ signal: leaver.signal }));
    leaver.abort();
    expect((await left).code).toBe('aborted');
  });
});

describe('the theme of a session', () => {
  it('is that of its token, and is removed with it', async () => {
    service.user = { sub: 'rosa', embedTheme: { primaryColor: '#123456', chat: { inputColor: '#eee' } } };
    const source = harness.open();
    expect(source.embedTheme).toBeNull();
    await source.start();
    expect(source.embedTheme).toEqual({ primaryColor: '#123456', chat: { inputColor: '#eee' } });
    source.end();
    expect(source.embedTheme).toBeNull();
  });
});
