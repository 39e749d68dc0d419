import '../../../src/contract/messages.js';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { DataPrincipal } from '../../../src/platform/auth/authenticate.js';
import type { QueryEvent } from '../../../src/platform/data/answers/query-event.js';
import { dataRoutes } from '../../../src/platform/data/data-routes.js';
import { createDataService, type DataServiceOptions } from '../../../src/platform/data/data-service.js';
import type { Engine } from '../../../src/platform/data/engines/engine.js';
import { PlatformError } from '../../../src/platform/errors.js';
import { caller, tenantCaller } from './callers.js';
import { fakeEngine, fakeModel } from './fakes.js';

const query = { measures: ['t.count'] };

afterEach(() => vi.useRealTimers());

const answersAtOnce: Partial<Engine> = { run: async () => ({ columns: [['x'], ['1']] }) };

/** Creates data routes over a fake engine, which returns one row immediately by default. */
function start(behaviour: Partial<Engine> = answersAtOnce, options: Partial<DataServiceOptions> = {}) {
  const { engine, runs } = fakeEngine();
  const onFailure = vi.fn();
  const events: QueryEvent[] = [];
  const authenticate = async (request: Request) => {
    const token = request.headers.get('authorization');
    if (!token) throw new PlatformError(403, `Authorization header isn't set`);
    if (token === 'bad') throw new PlatformError(403, 'Invalid token');
    return { securityContext: caller({ tenant: token }) };
  };
  const service = createDataService({ engine: { ...engine, ...behaviour }, model: { current: fakeModel }, ...options });
  const app = dataRoutes({ service, authenticate, onFailure, onQuery: event => events.push(event) });
  return { app, runs, onFailure, events };
}

function post(body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal): RequestInit {
  return {
    method: 'POST',
    headers: { authorization: 'a', 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal && { signal }),
  };
}

const rows = [{ 't.name': 'x', 't.count': '1' }];

describe('/v1/load', () => {
  it.each(['/v1/load', '/v1/load/'])('responds to POST %s', async path => {
    const response = await start().app.request(path, post({ query }));
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ data: rows, query, slowQuery: false });
  });

  it('accepts a query parameter with GET', async () => {
    const { app } = start();
    const url = `/v1/load?query=${encodeURIComponent(JSON.stringify(query))}`;
    const response = await app.request(url, { headers: { authorization: 'a' } });
    expect(await response.json()).toMatchObject({ data: rows, query });
  });

  it('returns the format for several queries to clients that support it', async () => {
    const { app } = start();
    const url = `/v1/load?query=${encodeURIComponent(JSON.stringify(query))}&queryType=multi`;
    const get = await (await app.request(url, { headers: { authorization: 'a' } })).json();
    expect(get).toMatchObject({
      queryType: 'regularQuery',
      results: [{ data: rows, query }],
      pivotQuery: { ...query, queryType: 'regularQuery' },
      slowQuery: false,
    });
    const posted = await (await app.request('/v1/load', post({ query, queryType: 'multi' }))).json();
    expect(posted).toMatchObject({ queryType: 'regularQuery', results: [{ data: rows }] });
  });

  it('returns a valid request ID, and generates one otherwise', async () => {
    const { app } = start();
    const id = '3f2b8c1e-0000-4000-8000-000000000000-span-1';
    const echoed = await app.request('/v1/load', post({ query }, { 'x-request-id': id }));
    expect(echoed.headers.get('x-request-id')).toBe(id);
    expect(await echoed.json()).toMatchObject({ requestId: id });
    for (const invalidId of ['<script>', 'x'.repeat(200), '']) {
      const generated = await app.request('/v1/load', post({ query }, { 'x-request-id': invalidId }));
      expect(generated.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it.each([
    ['an invalid field', post({ query: { limit: 0 } }), 400, /^body\.query\.limit/],
    ['no JSON', post('{'), 400, /^body: not valid JSON/],
    ['an unknown member', post({ query: { measures: ['t.hidden'] } }), 400, /^unknown member t\.hidden$/],
    ['another query type', post({ query, queryType: 'blending' }), 400, /^queryType: /],
    [
      'a body that is too large',
      post({ query, queryType: 'x'.repeat(300_000) }),
      413,
      /^The body is too large\. The limit is 256 KB/,
    ],
    ['no token', post({ query }, { authorization: '' }), 403, /^Authorization header isn't set$/],
    ['an invalid token', post('{', { authorization: 'bad' }), 403, /^Invalid token$/],
  ])('returns an error body for %s', async (_name, init, status, message) => {
    const { app, onFailure } = start();
    const response = await app.request('/v1/load', init);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({
      error: expect.stringMatching(message),
      requestId: response.headers.get('x-request-id'),
    });
    expect(onFailure).not.toHaveBeenCalled();
  });

  it('reports an internal error without revealing it', async () => {
    const { app, onFailure } = start();
    const response = await app.request(
      '/v1/load',
      post({ query: { measures: ['t.broken'] } }, { 'x-request-id': 'r1' }),
    );
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ error: 'Internal error.', requestId: 'r1' });
    expect(onFailure).toHaveBeenCalledWith(new TypeError('secret detail'), 'r1');
  });

  it('stops the engine when the request is aborted', async () => {
    const { app, runs } = start({});
    const controller = new AbortController();
    const response = app.request('/v1/load', post({ query }, {}, controller.signal));
    await expect.poll(() => runs).toHaveLength(1);
    controller.abort();
    await expect.poll(() => runs[0]?.signal?.aborted).toBe(true);
    expect((await response).status).toBe(499);
  });
});

it('stops the engine when a client disconnects', async () => {
  const { app, runs } = start({});
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const controller = new AbortController();
  const left = fetch(`http://127.0.0.1:${port}/v1/load`, post({ query }, {}, controller.signal)).catch(() => 'left');
  await expect.poll(() => runs).toHaveLength(1);
  controller.abort();
  expect(await left).toBe('left');
  await expect.poll(() => runs[0]?.signal?.aborted).toBe(true);
  server.close();
  if ('closeAllConnections' in server) server.closeAllConnections();
  await once(server, 'close');
});

describe('while the session of a caller is checked', () => {
  /** Routes whose access checks are controlled by the test. */
  function startUndecided(behaviour: Partial<Engine> = {}) {
    const { engine, runs } = fakeEngine();
    let letIn = () => {};
    let refuse = () => {};
    const decided = new Promise<DataPrincipal>((resolve, reject) => {
      letIn = () => resolve({ securityContext: tenantCaller('a') });
      refuse = () => reject(new PlatformError(403, 'Invalid token'));
    });
    const service = createDataService({ engine: { ...engine, ...behaviour }, model: { current: fakeModel } });
    const authenticate = (_request: Request, begin?: (caller: DataPrincipal) => void) => {
      begin?.({ securityContext: tenantCaller('a') });
      return decided;
    };
    return { app: dataRoutes({ service, authenticate }), runs, letIn, refuse };
  }

  it('the query starts, and its response waits', async () => {
    const { app, runs, letIn } = startUndecided();
    let isAnswered = false;
    const answer = Promise.resolve(app.request('/v1/load', post({ query }))).finally(() => {
      isAnswered = true;
    });
    await expect.poll(() => runs).toHaveLength(1);
    runs[0]?.finish();
    await new Promise(resolve => setImmediate(resolve));
    expect(isAnswered).toBe(false);
    letIn();
    expect(await (await answer).json()).toMatchObject({ data: rows });
    expect(runs).toHaveLength(1);
  });

  it('the query is stopped in the engine if access is denied', async () => {
    const { app, runs, refuse } = startUndecided();
    const answer = app.request('/v1/load', post({ query }));
    await expect.poll(() => runs).toHaveLength(1);
    refuse();
    expect((await answer).status).toBe(403);
    await expect.poll(() => runs[0]?.signal?.aborted).toBe(true);
  });

  it.each([
    ['rows', { query }],
    ['errors', { query: { measures: ['t.hidden'] } }],
  ])('its %s is not revealed if access is denied', async (_name, body) => {
    const { app, refuse } = startUndecided(answersAtOnce);
    const answer = app.request('/v1/load', post(body));
    refuse();
    const response = await answer;
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: 'Invalid token' });
  });
});

describe('/v1/subscribe', () => {
  it('responds like load, for polling clients', async () => {
    const { app } = start();
    const response = await app.request('/v1/subscribe', post({ query, queryType: 'multi' }));
    expect(await response.json()).toMatchObject({ results: [{ data: rows }] });
  });
});

describe('/v1/dry-run', () => {
  it.each(['POST', 'GET'])('returns by %s how a query is normalized', async method => {
    const { app, runs } = start({});
    const parameters = new URLSearchParams({ query: JSON.stringify(query) });
    const response =
      method === 'POST'
        ? await app.request('/v1/dry-run', post({ query }))
        : await app.request(`/v1/dry-run?${parameters}`, { headers: { authorization: 'a' } });
    expect(await response.json()).toMatchObject({ queryType: 'regularQuery', normalizedQueries: [query] });
    expect(runs).toHaveLength(0);
  });

  it('rejects what load rejects', async () => {
    const response = await start().app.request('/v1/dry-run', post({ query: { measures: ['t.hidden'] } }));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'unknown member t.hidden' });
  });
});

describe('a long query', () => {
  it('returns Continue wait with progress, and the rows when it is ready', async () => {
    // Results are retained for seconds. Use fake time, so that they do not expire on a slow machine.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const { app, runs, events } = start({}, { continueWaitMs: 10 });
    const pending = app.request('/v1/load', post({ query }));
    await expect.poll(() => runs).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(10);
    const wait = await pending;
    expect(wait.status).toBe(200);
    expect(await wait.json()).toEqual({
      error: 'Continue wait',
      stage: 'Executing the query',
      timeElapsed: expect.any(Number),
    });
    runs[0]?.finish();
    const answer = await app.request('/v1/load', post({ query }));
    expect(await answer.json()).toMatchObject({ data: rows });
    expect(events.map(({ outcome }) => outcome)).toEqual(['continue-wait', 'ok']);
    expect(runs).toHaveLength(1);
  });
});

describe('query events', () => {
  it('contain duration and source of rows, but not the query', async () => {
    const { app, events } = start();
    for (let count = 0; count < 2; count++) {
      await app.request('/v1/load', post({ query }, { authorization: 'token-of-a', 'x-request-id': 'r1' }));
    }
    const times = Object.fromEntries(
      ['queueMs', 'compileMs', 'engineMs', 'serializeMs', 'totalMs'].map(name => [name, expect.any(Number)]),
    );
    const shared = { event: 'query', time: expect.any(String), requestId: 'r1', operation: 'load', status: 200 };
    expect(events).toEqual([
      { ...shared, ...times, outcome: 'ok', cache: 'miss', rows: 1 },
      { ...shared, ...times, outcome: 'ok', cache: 'hit', rows: 1 },
    ]);
    expect(JSON.stringify(events)).not.toMatch(/token-of-a|t\.count|t\.name/);
  });

  it.each([
    ['refused', 400, post({ query: { measures: ['t.hidden'] } })],
    ['refused', 403, post({ query }, { authorization: 'bad' })],
    ['refused', 413, post({ query, queryType: 'x'.repeat(300_000) })],
    ['failed', 500, post({ query: { measures: ['t.broken'] } })],
  ])('contain the outcome %s (%i)', async (outcome, status, init) => {
    const { app, events } = start();
    await app.request('/v1/load', init);
    expect(events).toMatchObject([{ outcome, status, cache: null, rows: 0 }]);
  });

  it('contain a streamed response when it was read', async () => {
    const many = Array.from({ length: 60_000 }, (_, index) => `name ${index}`);
    const { app, events } = start({ run: async () => ({ columns: [many, many] }) });
    const response = await app.request('/v1/load', post({ query }));
    expect(events).toEqual([]);
    await response.text();
    expect(events).toMatchObject([{ outcome: 'ok', rows: 60_000 }]);
    const left = await app.request('/v1/load', post({ query: { ...query, limit: 50_000 } }));
    await left.body?.cancel();
    expect(events[1]).toMatchObject({ outcome: 'aborted' });
  });
});

describe('/v1/meta', () => {
  it('returns the model to a caller with a token', async () => {
    const { app } = start();
    const response = await app.request('/v1/meta/', { headers: { authorization: 'a' } });
    expect(await response.json()).toMatchObject({ cubes: [{ name: 't' }, { name: 'empty' }] });
    expect((await app.request('/v1/meta')).status).toBe(403);
  });
});

it.each([
  ['GET', '/v1/nope', 404, 'The Data API has no such path.'],
  ['DELETE', '/v1/load', 404, 'The Data API has no such path.'],
  ['POST', '/v1/load', 400, 'body: not valid JSON.'],
])('responds to %s %s with its own errors if another service mounts it', async (method, path, status, error) => {
  const host = new Hono().route('/data-api', start().app);
  host.onError((_error, context) => context.text('of the host', 500));
  const response = await host.request(`/data-api${path}`, { method, headers: { authorization: 'a' } });
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ error, requestId: response.headers.get('x-request-id') });
});
