import '../../../src/contract/messages.js';
import { describe, expect, it, vi } from 'vitest';
import type { QueryEvent } from '../../../src/platform/data/answers/query-event.js';
import { dataRoutes } from '../../../src/platform/data/data-routes.js';
import { createDataService, type DataServiceOptions } from '../../../src/platform/data/data-service.js';
import type { Engine } from '../../../src/platform/data/engines/engine.js';
import type { SemanticModel } from '../../../src/platform/data/semantic-model.js';
import { PlatformError } from '../../../src/platform/errors.js';
import { caller } from './callers.js';
import { fakeEngine, fakeModel } from './fakes.js';

const query = { measures: ['t.count'] };
const answersAtOnce: Partial<Engine> = { run: async () => ({ columns: [['x'], ['1']] }) };

/** A model whose statements differ by limit, so that queries do not share a run. */
const model: SemanticModel = {
  ...fakeModel,
  plan(planned, context) {
    const plan = fakeModel.plan(planned, context);
    return { ...plan, statement: () => ({ sql: `SELECT ${planned.limit}`, parameters: [String(context.tenant)] }) };
  },
};

/** Data routes over a fake engine. The token names the tenant; the session of `revoked` is rejected late. */
function start(behaviour: Partial<Engine> = answersAtOnce, options: Partial<DataServiceOptions> = {}) {
  const { engine, runs } = fakeEngine();
  const onFailure = vi.fn();
  const events: QueryEvent[] = [];
  const authenticate = async (
    request: Request,
    begin?: (known: { securityContext: ReturnType<typeof caller> }) => void,
  ) => {
    const token = request.headers.get('authorization') ?? '';
    if (token === 'bad') throw new PlatformError(403, 'Invalid token');
    const known = { securityContext: caller({ tenant: token }) };
    begin?.(known);
    await new Promise(setImmediate);
    if (token === 'revoked') throw new PlatformError(403, 'Invalid token');
    return known;
  };
  const service = createDataService({ engine: { ...engine, ...behaviour }, model: { current: model }, ...options });
  const app = dataRoutes({ service, authenticate, onFailure, onQuery: event => events.push(event) });
  const send = (body: unknown, { token = 'a', signal }: { token?: string; signal?: AbortSignal } = {}) =>
    app.request('/v1/load-batch', {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json', 'x-request-id': 'r1' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(signal && { signal }),
    });
  const sendAlone = (body: unknown) =>
    app.request('/v1/load', {
      method: 'POST',
      headers: { authorization: 'a', 'content-type': 'application/json', 'x-request-id': 'r1' },
      body: JSON.stringify(body),
    });
  return { send, sendAlone, runs, events, onFailure };
}

interface Line {
  readonly index: number;
  readonly status: number;
  readonly retryAfter?: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into JSON of any shape, and a wrong path fails the test.
  readonly body: any;
}

/** Returns the lines in the order of the requests. */
async function linesOf(response: Response): Promise<Line[]> {
  const lines: Line[] = (await response.text())
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line));
  return lines.sort((a, b) => a.index - b.index);
}

describe('/v1/load-batch', () => {
  it('returns for each request what the request gets alone', async () => {
    const requests = [
      { query },
      { query, queryType: 'multi' },
      { query: { ...query, responseFormat: 'columnar' }, cache: 'no-cache' },
      { query: { limit: 0 } },
      { query: { measures: ['t.hidden'] } },
      { query: { measures: ['t.broken'] } },
      { query, queryType: 'blending' },
      {},
      null,
      [],
      'x',
      JSON.parse('{"query": {"__proto__": {"limit": 1}}}'),
    ];
    const { send, sendAlone } = start();
    const lines = await linesOf(await send({ requests }));
    const alone = await Promise.all(
      requests.map(async (request, index) => {
        const response = await sendAlone(request);
        return { index, status: response.status, body: await response.json() };
      }),
    );
    expect(lines).toEqual(alone);
    expect(lines.map(({ status }) => status)).toEqual([200, 200, 200, 400, 400, 500, 400, 400, 400, 400, 400, 400]);
  });

  it('reports each request to the query log like a single request', async () => {
    const { send, events, onFailure } = start();
    await linesOf(
      await send({ requests: [{ query }, { query: { limit: 0 } }, { query: { measures: ['t.broken'] } }] }),
    );
    expect(events.map(({ operation, status, requestId }) => [operation, status, requestId]).sort()).toEqual([
      ['load', 200, 'r1'],
      ['load', 400, 'r1'],
      ['load', 500, 'r1'],
    ]);
    expect(onFailure).toHaveBeenCalledTimes(1);
  });

  it('writes each line as soon as its rows are ready', async () => {
    const { send, runs } = start({});
    const response = await send({ requests: [{ query }, { query: { ...query, limit: 5 } }] });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const readLine = async () => {
      let text = '';
      while (!text.endsWith('\n')) text += (await reader?.read())?.value ?? '\n';
      return JSON.parse(text);
    };
    const first = readLine();
    await expect.poll(() => runs).toHaveLength(2);
    runs[1]?.finish();
    expect(await first).toMatchObject({ index: 1, status: 200 });
    runs[0]?.finish();
    expect(await readLine()).toMatchObject({ index: 0, status: 200 });
  });

  it('streams a large result within its line', async () => {
    const columns = [
      Array.from({ length: 40_000 }, (_, row) => `row ${row} ${'x'.repeat(40)}`),
      Array(40_000).fill('1'),
    ];
    const { send, events } = start({ run: async () => ({ columns }) });
    const lines = await linesOf(await send({ requests: [{ query }, { query: { limit: 0 } }, { query }] }));
    expect(lines.map(({ status }) => status)).toEqual([200, 400, 200]);
    expect(lines[0]?.body.data).toHaveLength(40_000);
    expect(lines[2]?.body.data).toEqual(lines[0]?.body.data);
    expect(events.map(({ status }) => status).sort()).toEqual([200, 200, 400]);
  });

  it('returns Continue wait for a slow query, and the rows of the others', async () => {
    const { engine } = fakeEngine();
    const run: Engine['run'] = (sql, parameters, options) =>
      sql === 'SELECT 5' ? Promise.resolve({ columns: [['x'], ['1']] }) : engine.run(sql, parameters, options);
    const { send } = start({ run }, { continueWaitMs: 30 });
    const response = linesOf(await send({ requests: [{ query }, { query: { ...query, limit: 5 } }] }));
    expect(await response).toMatchObject([
      { status: 200, body: { error: 'Continue wait' } },
      { status: 200, body: { data: [{}] } },
    ]);
  });

  it('returns 503 with the wait for requests beyond the limit of the caller', async () => {
    const { send, runs } = start({}, { queueLimit: 4, continueWaitMs: 20 });
    const requests = Array.from({ length: 10 }, (_, index) => ({ query: { ...query, limit: index + 1 } }));
    const lines = await linesOf(await send({ requests }));
    const busy = lines.filter(({ status }) => status === 503);
    expect(busy.length).toBeGreaterThan(0);
    for (const { retryAfter } of busy) expect(retryAfter).toBe(1);
    expect(lines.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    for (const run of runs) run.finish();
  });

  it('stops all queries when the request is aborted', async () => {
    const { send, runs, events } = start({});
    const response = await send({ requests: [{ query }, { query: { ...query, limit: 5 } }] });
    const reader = response.body?.getReader();
    void reader?.read();
    const rest = reader?.read();
    await expect.poll(() => runs).toHaveLength(2);
    await reader?.cancel();
    await rest;
    await expect.poll(() => runs.map(({ signal }) => signal?.aborted)).toEqual([true, true]);
    await expect.poll(() => events.map(({ outcome }) => outcome)).toEqual(['aborted', 'aborted']);
  });

  it.each(['bad', 'revoked'])('runs nothing for the token %s', async token => {
    const { send, runs, events } = start({});
    const response = await send({ requests: [{ query }, { query }] }, { token });
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ error: 'Invalid token', requestId: 'r1' });
    expect(runs).toEqual([]);
    expect(events).toMatchObject([{ operation: 'load-batch', status: 403 }]);
  });

  it.each([
    ['no JSON', '{', 400],
    ['no object', 'null', 400],
    ['no list', { requests: { length: 3 } }, 400],
    ['an inherited list', '{"__proto__": {"requests": [{}]}}', 400],
    ['no request', { requests: [] }, 400],
    ['65 requests', { requests: Array.from({ length: 65 }, () => ({ query })) }, 400],
    ['a body that is too large', { requests: [{ query, queryType: 'x'.repeat(300_000) }] }, 413],
  ])('rejects %s', async (_name, body, status) => {
    const { send, runs } = start({});
    const response = await send(body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: expect.any(String), requestId: 'r1' });
    expect(runs).toEqual([]);
  });

  it('accepts 64 requests, and nesting that is too deep only fails its own', async () => {
    const { send } = start();
    const deep = `${'{"and":['.repeat(5_000)}${']}'.repeat(5_000)}`;
    const texts = Array.from({ length: 64 }, (_, index) =>
      index === 7 ? `{"query":{"filters":[${deep}]}}` : JSON.stringify({ query }),
    );
    const lines = await linesOf(await send(`{"requests":[${texts.join(',')}]}`));
    expect(lines.filter(({ status }) => status !== 200)).toMatchObject([{ index: 7, status: 400 }]);
  });
});
