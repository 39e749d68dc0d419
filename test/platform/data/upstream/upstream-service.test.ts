import '../../../../src/contract/messages.js';
import { decodeJwt } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import { type FakeCluster, json, query, raw, startFakeCluster } from './fake-cluster.js';

let cluster: FakeCluster;
afterEach(() => cluster?.stop());

const start = async (body: unknown = { data: [] }) => {
  cluster = await startFakeCluster(json(body));
  return cluster;
};

describe('a forwarded request', () => {
  it('contains the parsed query and a token for the caller', async () => {
    const { send, requests } = await start();
    const body = {
      query: { ...query, filters: [{ dimension: 't.a', operator: 'equals', values: ['x'] }] },
      queryType: 'multi',
    };
    await send('/v1/load', { ...body, cache: 'no-cache' });
    const [seen] = requests;
    expect([seen?.method, seen?.url]).toEqual(['POST', '/base/v1/load']);
    expect(JSON.parse(seen?.body ?? '')).toEqual({
      query: { ...query, filters: [{ member: 't.a', operator: 'equals', values: ['x'] }] },
      queryType: 'multi',
      cache: 'no-cache',
    });
    expect(decodeJwt(seen?.headers.authorization ?? '')).toEqual({
      tenant: 'a',
      platform: { groups: [], userAttributes: {} },
      iat: expect.any(Number),
      exp: expect.any(Number),
    });
  });

  it('contains no header of the caller except the request ID', async () => {
    const { send, requests, port } = await start();
    const headers = {
      cookie: 'a=b',
      'x-forwarded-for': '1.2.3.4',
      origin: 'https://x',
      'user-agent': 'y',
      'x-request-id': 'id-span-1',
    };
    await send('/v1/load', { query }, { headers: { ...headers, 'accept-language': 'de' } });
    const { authorization: _, 'content-length': length, ...sent } = requests[0]?.headers ?? {};
    expect(sent).toEqual({
      accept: 'application/json',
      'accept-encoding': 'identity',
      connection: 'keep-alive',
      'content-type': 'application/json',
      host: `127.0.0.1:${port}`,
      'x-request-id': 'id-span-1',
    });
    expect(Number(length)).toBe(Buffer.byteLength(requests[0]?.body ?? ''));
  });

  it('reuses the token of a caller, but not for another caller', async () => {
    const { load, requests } = await start();
    for (const authorization of ['a', 'a', 'b']) await (await load({ headers: { authorization } })).text();
    const tokens = requests.map(({ headers }) => headers.authorization);
    expect(tokens[0]).toBe(tokens[1]);
    expect(tokens.map(token => decodeJwt(token ?? '').tenant)).toEqual(['a', 'a', 'b']);
  });

  it.each([
    ['load', 'load'],
    // A client repeats the request. For the cluster, each request is a new query.
    ['subscribe', 'load'],
    ['dry-run', 'dry-run'],
  ])('uses POST for GET %s', async (operation, path) => {
    const { send, requests } = await start();
    const parameters = new URLSearchParams({ query: JSON.stringify(query) });
    expect((await send(`/v1/${operation}?${parameters}`)).status).toBe(200);
    expect(requests).toMatchObject([{ method: 'POST', url: `/base/v1/${path}`, body: JSON.stringify({ query }) }]);
  });

  it('sends SQL under a name that no cluster interprets otherwise', async () => {
    const { send, requests } = await start('{"schema":[]}\n{"data":[]}\n');
    const request = { query: 'SELECT 1 FROM t', timezone: 'UTC', cache: 'no-cache' };
    for (const path of ['/v1/sql', '/v1/cubesql']) {
      expect(await (await send(path, request)).text()).toBe('{"schema":[]}\n{"data":[]}\n');
    }
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(Array(2).fill('POST /base/v1/cubesql'));
    for (const { body } of requests) expect(JSON.parse(body)).toEqual({ ...request, throwContinueWait: true });
  });

  it('sends SQL that is to be converted to a load query', async () => {
    const { send, requests } = await start({ status: 'ok', query, extra: 1 });
    const body = { input: 'sql', output: 'rest', query: 'SELECT 1 FROM t' };
    expect(await (await send('/v1/convert-query', body)).json()).toEqual({ status: 'ok', query });
    expect(requests).toMatchObject([{ url: '/base/v1/convert-query', body: JSON.stringify(body) }]);
  });

  it.each([query, [query, query]])('sends queries whose SQL a developer requests: %j', async requested => {
    const generated = { sql: { sql: ['SELECT 1', []] } };
    const { send, requests } = await start(Array.isArray(requested) ? [generated, generated] : generated);
    const developer = { headers: { authorization: 'developer' } };
    const parameters = new URLSearchParams({ query: JSON.stringify(requested) });
    for (const response of [
      await send('/v1/sql', { query: requested }, developer),
      await send(`/v1/sql?${parameters}`, undefined, developer),
    ]) {
      expect(await response.json()).toEqual(Array.isArray(requested) ? [generated, generated] : generated);
    }
    for (const seen of requests)
      expect(seen).toMatchObject({ method: 'POST', url: '/base/v1/sql', body: JSON.stringify({ query: requested }) });
  });

  it.each([
    ['/v1/meta', '/base/v1/meta'],
    ['/v1/meta?onlyViews=true', '/base/v1/meta?onlyViews=true'],
    ['/v1/meta?extended=true', '/base/v1/meta'],
  ])('forwards %s as %s', async (path, sent) => {
    const { send, requests } = await start({ cubes: [], compilerId: 'c1' });
    expect(await (await send(path)).json()).toEqual({ cubes: [], compilerId: 'c1' });
    expect(requests).toMatchObject([{ method: 'GET', url: sent, body: '' }]);
  });
});

describe('a batch', () => {
  /** Rows in the given number of bytes, formatted in lines. */
  const rows = (bytes: number) => `{\n  "data": [{ "t.a": "${'x'.repeat(bytes)}" }]\n}\n`;
  const batchOf = (count: number) => ({ requests: Array.from({ length: count }, () => ({ query })) });
  const linesOf = (text: string) =>
    text
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line));

  it.each([10, 10_000, 1_000_000])(
    'with more requests than connections returns each response of %i bytes in one line',
    async bytes => {
      cluster = await startFakeCluster(json(rows(bytes)), { concurrency: 2, queueLimit: 100 });
      const response = await cluster.send('/v1/load-batch', batchOf(5));
      const lines = linesOf(await response.text());
      expect(lines.map(({ index }) => index).sort()).toEqual([0, 1, 2, 3, 4]);
      for (const { status, body } of lines) expect([status, body]).toEqual([200, JSON.parse(rows(bytes))]);
      for (const seen of cluster.requests)
        expect([seen.url, seen.body]).toEqual(['/base/v1/load', JSON.stringify({ query })]);
      expect(cluster.events.map(({ operation, status }) => [operation, status])).toContainEqual(['load', 200]);
    },
  );

  it('returns a response while the cluster still runs another query', async () => {
    let finish = (): void => {};
    cluster = await startFakeCluster(async (response, socket, seen) => {
      if (cluster.requests.length === 1) await new Promise<void>(resolve => (finish = resolve));
      await json(rows(10_000))(response, socket, seen);
    });
    const { body } = await cluster.send('/v1/load-batch', batchOf(2));
    const reader = body?.getReader();
    // The body starts with an empty chunk, which starts the queries.
    await reader?.read();
    const first = await reader?.read();
    expect(linesOf(new TextDecoder().decode(first?.value))).toMatchObject([{ status: 200 }]);
    finish();
    await reader?.cancel();
  });

  it('returns the error of a response that ends early, and the other responses', async () => {
    cluster = await startFakeCluster(async (response, socket, seen) => {
      if (cluster.requests.length > 1) return json(rows(10))(response, socket, seen);
      const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 90000\r\n\r\n';
      return raw([head, '{"data":['], 'reset')(response, socket, seen);
    });
    const response = await cluster.send('/v1/load-batch', batchOf(2));
    const lines = linesOf(await response.text());
    expect(lines.map(({ status }) => status).sort()).toEqual([200, 502]);
  });
});

describe('the upstream service does not forward', () => {
  it.each([
    ["a path of the cluster's own API", '/v1/pre-aggregations/jobs', {}, 404],
    ['a parent path', '/v1/../../admin', {}, 404],
    ['an encoded path', '/v1/load%2f..%2fmeta', {}, 404],
    ['a query with unknown properties', '/v1/load', { query: { ...query, subqueryJoins: [] } }, 400],
    ['a measure made of SQL', '/v1/load', { query: { measures: [{ expression: ['1'] }] } }, 400],
    ['a prototype', '/v1/load', JSON.parse('{"query":{"__proto__":{}}}'), 400],
    ["a parameter of the cluster's own API", '/v1/load?query={}&contextOverride=1', undefined, 400],
    ['a request for SQL by a tenant', '/v1/sql', { query }, 403],
    ['a request for SQL by GET', `/v1/sql?query=${JSON.stringify(query)}`, undefined, 403],
    ['a request for the SQL of SQL', '/v1/sql?format=sql&query=SELECT+1', undefined, 400],
    ['SQL in a format', '/v1/sql', { query: 'SELECT 1', format: 'sql' }, 400],
    ['SQL by GET', '/v1/cubesql?query=SELECT+1', undefined, 404],
    ['a large request', '/v1/load', { query: { ...query, timezone: 'x'.repeat(300_000) } }, 413],
  ])('%s', async (_, path, body, status) => {
    const { send, requests } = await start();
    expect((await send(path, body)).status).toBe(status);
    expect(requests).toEqual([]);
  });

  it('requests of rejected callers', async () => {
    const { load, requests } = await start();
    const response = await load({ headers: { authorization: 'bad' } });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: 'Invalid token' });
    expect(requests).toEqual([]);
  });
});

describe('slow SQL', () => {
  const wait = { error: 'Continue wait' };
  const rows = '{"schema":[]}\n{"data":[["1"]]}\n';

  it('returns Continue wait to callers that accept it', async () => {
    const { send } = await start(wait);
    const response = await send('/v1/sql', { query: 'SELECT 1 FROM t', throwContinueWait: true });
    expect(await response.json()).toMatchObject(wait);
  });

  it('is awaited for all other callers', async () => {
    cluster = await startFakeCluster((response, socket, seen) =>
      json(cluster.requests.length < 3 ? wait : rows)(response, socket, seen),
    );
    expect(await (await cluster.send('/v1/sql', { query: 'SELECT 1 FROM t' })).text()).toBe(rows);
    expect(cluster.requests).toHaveLength(3);
  });
});

describe('a response that is read completely', () => {
  it.each(['dry-run', 'meta'])('is rejected if it is not a valid response to %s', async operation => {
    for (const body of ['[1]', 'not JSON']) {
      const { send, problems, stop } = await start(body);
      const response = await send(`/v1/${operation}`, operation === 'meta' ? undefined : { query });
      expect(response.status).toBe(502);
      expect(await response.json()).toMatchObject({ error: expect.stringContaining('is not available') });
      expect(problems).toEqual([expect.stringContaining(`returned an unexpected response to /v1/${operation}`)]);
      await stop();
    }
  });

  it('returns in a line why SQL has no load query', async () => {
    const { send } = await start({ status: 'error', error: 'no\n    at x (/srv/y.js:1:2)' });
    const body = { input: 'sql', output: 'rest', query: 'SELECT 1 FROM t' };
    expect(await (await send('/v1/convert-query', body)).json()).toEqual({ status: 'error', error: 'no' });
  });

  it("returns the cluster's message about a query", async () => {
    const said = { queryType: 'regularQuery', normalizedQueries: [query], pivotQuery: query, queryOrder: [], extra: 1 };
    const { send } = await start(said);
    expect(await (await send('/v1/dry-run', { query })).json()).toEqual(said);
  });
});
