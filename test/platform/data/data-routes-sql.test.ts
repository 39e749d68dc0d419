import '../../../src/contract/messages.js';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { DataPrincipal } from '../../../src/platform/auth/authenticate.js';
import type { QueryEvent } from '../../../src/platform/data/answers/query-event.js';
import { dataRoutes } from '../../../src/platform/data/data-routes.js';
import { createDataService, type DataServiceOptions } from '../../../src/platform/data/data-service.js';
import { LoggableError, PlatformError } from '../../../src/platform/errors.js';
import { caller } from './callers.js';
import { fakeEngine, fakeModel } from './fakes.js';

const query = 'SELECT name, MEASURE(count) FROM t GROUP BY 1';
const large = (name: string) => `["${name}","${'1'.repeat(70_000)}"]`;

afterEach(() => vi.useRealTimers());

/**
 * Creates data routes on an engine whose streams are controlled by the test; the token `developer` belongs to a
 * developer.
 */
function start(options: Partial<DataServiceOptions> = {}) {
  const { engine, runs, streams } = fakeEngine();
  const onFailure = vi.fn();
  const events: QueryEvent[] = [];
  const authenticate = async (request: Request): Promise<DataPrincipal> => {
    const token = request.headers.get('authorization') ?? '';
    if (token === 'bad') throw new PlatformError(403, 'Invalid token');
    const securityContext = caller({ tenant: token });
    return token === 'developer' ? { securityContext, isDeveloper: true } : { securityContext };
  };
  const service = createDataService({ engine, model: { current: fakeModel }, ...options });
  const app = dataRoutes({ service, authenticate, onFailure, onQuery: event => events.push(event) });
  const begun = async (index = 0) => {
    await expect.poll(() => streams.length).toBeGreaterThan(index);
    const stream = streams[index];
    if (!stream) throw new Error('no stream');
    return stream;
  };
  return { app, runs, streams, begun, onFailure, events };
}

function post(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method: 'POST',
    headers: { authorization: 'a', 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

const wholeAnswer = [
  {
    schema: [
      { name: 'name', column_type: 'String' },
      { name: 'count', column_type: 'Int64', format: 'number' },
    ],
    lastRefreshTime: '2001-02-03T04:05:06.000Z',
  },
  { data: [['x', '1']] },
]
  .map(line => `${JSON.stringify(line)}\n`)
  .join('');

describe.each(['sql', 'cubesql'])('POST /v1/%s', operation => {
  const path = `/v1/${operation}`;

  it('returns lines of JSON', async () => {
    const { app, begun, events } = start();
    const answer = app.request(path, post({ query, cache: 'no-cache', timezone: 'UTC', throwContinueWait: true }));
    (await begun()).begin(['["x","1"]']);
    const response = await answer;
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.text()).toBe(wholeAnswer);
    expect(events).toMatchObject([{ operation, outcome: 'ok', status: 200, cache: 'miss', rows: 1 }]);
    expect(JSON.stringify(events)).not.toContain('SELECT');
  });

  it.each([
    ['a limit next to the query', { query, limit: 1 }, 400, /^body: .*limit/],
    ['no statement', {}, 400, /^body\.query/],
    ['a number as statement', { query: 1 }, 400, /^body\.query/],
    ['an unknown cache mode', { query, cache: 'never' }, 400, /^body\.cache/],
    ['a hidden field', `{"query":"x","__proto__":{}}`, 400, /__proto__ is not allowed/],
    ['no JSON', '{', 400, /^body: not valid JSON/],
    ['a body that is too large', { query: 'x'.repeat(300_000) }, 413, /^The body is too large\. The limit is 256 KB/],
    ['an unknown name', { query: 'SELECT hidden' }, 400, /^unknown column hidden \(line 1, column 8\)\.$/],
  ])('rejects %s', async (_name, body, status, message) => {
    const { app, onFailure, events } = start();
    const response = await app.request(path, post(body));
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({
      error: expect.stringMatching(message),
      requestId: response.headers.get('x-request-id'),
    });
    expect(onFailure).not.toHaveBeenCalled();
    expect(events).toMatchObject([{ operation, outcome: 'refused', status }]);
  });

  it('rejects unauthorized callers', async () => {
    const { app, streams } = start();
    expect((await app.request(path, post({ query }, { authorization: 'bad' }))).status).toBe(403);
    expect(streams).toHaveLength(0);
  });

  it('reports an internal error without revealing it', async () => {
    const { app, onFailure } = start();
    const response = await app.request(path, post({ query: 'broken' }, { 'x-request-id': 'r1' }));
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ error: 'Internal error.', requestId: 'r1' });
    expect(onFailure).toHaveBeenCalledWith(new TypeError('secret detail'), 'r1');
  });

  it('returns Continue wait on request, and the result to a returning caller', async () => {
    // Results are retained for seconds. Use fake time, so that they do not expire on a slow machine.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const { app, begun, events } = start({ continueWaitMs: 5 });
    const body = { query, throwContinueWait: true };
    const pending = app.request(path, post(body));
    const stream = await begun();
    await vi.advanceTimersByTimeAsync(5);
    const wait = await pending;
    expect(wait.status).toBe(200);
    expect(await wait.json()).toEqual({
      error: 'Continue wait',
      stage: 'Executing the query',
      timeElapsed: expect.any(Number),
    });
    stream.begin(['["x","1"]']);
    expect(await (await app.request(path, post(body))).text()).toBe(wholeAnswer);
    expect(events.map(({ outcome }) => outcome)).toEqual(['continue-wait', 'ok']);
  });

  it('reports large results when they were read, failed or abandoned', async () => {
    const { app, begun, events, onFailure } = start();
    const open = async (index: number, pieces: (string | Error)[]) => {
      const answer = app.request(path, post({ query, cache: 'no-cache' }, { 'x-request-id': `r${index}` }));
      (await begun(index)).begin(pieces);
      return answer;
    };
    const whole = await open(0, [large('1'), large('2')]);
    expect(events).toEqual([]);
    await whole.text();
    const failure = new LoggableError('The engine failed: secret');
    expect(await (await open(1, [large('1'), failure])).text()).toMatch(/\n\{"error":"Internal error\."\}\n$/);
    expect(onFailure).toHaveBeenCalledExactlyOnceWith(failure, 'r1');
    const tooLong = new PlatformError(400, 'The query took too long.');
    expect(await (await open(2, [large('1'), tooLong])).text()).toContain('took too long');
    await (await open(3, [large('1'), large('2')])).body?.cancel();
    expect(events.map(({ outcome, rows, status }) => [outcome, rows, status])).toEqual([
      ['ok', 2, 200],
      ['failed', 1, 200],
      ['refused', 1, 200],
      ['aborted', 1, 200],
    ]);
  });
});

it('stops the engine when a client disconnects while reading rows', async () => {
  const { app, begun } = start();
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const controller = new AbortController();
  const request = { ...post({ query }), signal: controller.signal };
  const answer = fetch(`http://127.0.0.1:${port}/v1/sql`, request);
  const stream = await begun();
  stream.begin(endlessly());
  const reader = (await answer).body?.getReader();
  await reader?.read();
  controller.abort();
  await expect.poll(() => stream.closed).toBe(true);
  // The server reads no more pieces than the sockets buffer.
  expect(stream.requested).toBeLessThan(500);
  server.close();
  if ('closeAllConnections' in server) server.closeAllConnections();
  await once(server, 'close');
});

async function* endlessly() {
  for (let index = 0; ; index += 1) {
    yield large(String(index));
    await new Promise(resolve => setImmediate(resolve));
  }
}

describe('the SQL of load queries', () => {
  const load = { measures: ['t.count'] };
  const sql = {
    sql: {
      sql: ['SELECT name, count(*) FROM t WHERE tenant = ?', ['developer']],
      status: 'ok',
      query_type: 'regular',
    },
  };
  const sqlPath = (value: unknown) => `/v1/sql?${new URLSearchParams({ query: JSON.stringify(value) })}`;

  it('is returned to developers', async () => {
    const { app, runs, streams } = start();
    const headers = { authorization: 'developer' };
    expect(await (await app.request(sqlPath(load), { headers })).json()).toEqual(sql);
    expect(await (await app.request('/v1/sql', post({ query: load }, headers))).json()).toEqual(sql);
    const monthly = { ...load, timeDimensions: [{ dimension: 't.at', granularity: 'month' }] };
    const list = { query: [monthly, monthly] };
    expect(await (await app.request('/v1/sql', post(list, headers))).json()).toEqual([sql, sql]);
    expect([...runs, ...streams]).toEqual([]);
  });

  it.each([
    ['GET', sqlPath(load), { headers: { authorization: 'a' } }],
    ['POST', '/v1/sql', post({ query: load })],
    ['POST of a list', '/v1/sql', post({ query: [load, load] })],
    ['POST of what no query is', '/v1/sql', post({ query: [] })],
  ])('is not returned to other callers: %s', async (_name, path, init) => {
    const { app } = start();
    const response = await app.request(path, init);
    expect([400, 403]).toContain(response.status);
    expect(await response.text()).not.toMatch(/tenant|FROM/);
  });

  it('accepts the parameters of load queries, and no statement', async () => {
    const { app } = start();
    const headers = { authorization: 'developer' };
    for (const path of ['/v1/sql', sqlPath(query), sqlPath({ limit: 0 })]) {
      expect((await app.request(path, { headers })).status).toBe(400);
    }
    expect((await app.request('/v1/cubesql', post({ query: load }, headers))).status).toBe(400);
  });
});

describe('/v1/convert-query', () => {
  it('returns the equivalent load query, or the reason why there is none', async () => {
    const { app, events } = start();
    const convert = async (text: string) =>
      (await app.request('/v1/convert-query', post({ input: 'sql', output: 'rest', query: text }))).json();
    expect(await convert(query)).toEqual({ status: 'ok', query: { measures: ['t.count'] } });
    expect(await convert('SELECT hidden')).toEqual({
      status: 'error',
      error: 'unknown column hidden (line 1, column 8).',
    });
    expect(events).toMatchObject([{ operation: 'convert-query', outcome: 'ok', cache: null }, { outcome: 'ok' }]);
  });

  it.each([
    { input: 'rest', output: 'sql', query },
    { input: 'sql', output: 'rest', query: { measures: ['t.count'] } },
    { input: 'sql', output: 'rest', query, timezone: 'UTC' },
    { query },
  ])('rejects %j', async body => {
    expect((await start().app.request('/v1/convert-query', post(body))).status).toBe(400);
  });
});
