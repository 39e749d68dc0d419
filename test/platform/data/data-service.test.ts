import { afterEach, describe, expect, it, vi } from 'vitest';
import type { LoadResponse } from '../../../src/contract/data.js';
import type { CacheMode, LoadRequest, Query } from '../../../src/contract/query.js';
import type { SecurityContext } from '../../../src/platform/auth/principal.js';
import { RequestTrace } from '../../../src/platform/data/answers/query-event.js';
import { createDataService, type DataServiceOptions } from '../../../src/platform/data/data-service.js';
import type { Statement } from '../../../src/platform/data/semantic-model.js';
import { LoggableError, PlatformError } from '../../../src/platform/errors.js';
import { eventually } from '../../eventually.js';
import { caller, tenantCaller } from './callers.js';
import { fakeEngine, fakeModel } from './fakes.js';

const requestId = 'r1';
const query = { dimensions: ['t.name'], measures: ['t.count'] };

afterEach(() => {
  vi.useRealTimers();
});

function start(options: Partial<DataServiceOptions> = {}) {
  const { engine, runs } = fakeEngine();
  const live = { current: fakeModel };
  const service = createDataService({ engine, model: live, ...options });
  const send = async (request: LoadRequest, context: SecurityContext = caller(), signal?: AbortSignal) => {
    const trace = new RequestTrace('load', requestId);
    const body = await service.load(request, context, { requestId, trace, ...(signal && { signal }) });
    const answer: unknown = await new Response(body).json();
    return { answer, event: trace.event(200, 'ok') };
  };
  const load = async (
    request: Query,
    context?: SecurityContext,
    options: { cache?: CacheMode; signal?: AbortSignal } = {},
  ) => {
    const { cache, signal } = options;
    const { answer } = await send({ query: request, ...(cache && { cache }) }, context, signal);
    return answer as LoadResponse;
  };
  return { service, engine, runs, live, send, load };
}

describe('load', () => {
  it('returns rows with their annotation', async () => {
    const { load, runs } = start();
    const answer = load(query, tenantCaller('a'));
    runs[0]?.finish({
      columns: [
        ['x', null],
        ['1', '2'],
      ],
    });
    expect(await answer).toEqual({
      query: { ...query, limit: 10_000, timezone: 'UTC' },
      data: [
        { 't.name': 'x', 't.count': '1' },
        { 't.name': null, 't.count': '2' },
      ],
      annotation: { measures: {}, dimensions: {}, segments: {}, timeDimensions: {} },
      lastRefreshTime: '2001-02-03T04:05:06.000Z',
      requestId,
      dbType: 'duckdb',
      external: false,
      slowQuery: false,
    });
  });

  it.each([
    ['compact', { members: ['t.name', 't.count'], dataset: [['x', '1']] }],
    ['columnar', { members: ['t.name', 't.count'], columns: [['x'], ['1']] }],
  ] as const)('answers in the format %s', async (responseFormat, data) => {
    const { load, runs } = start();
    const answer = load({ ...query, responseFormat });
    runs[0]?.finish();
    expect((await answer).data).toEqual(data);
  });

  it('counts rows without limit on request', async () => {
    const { load, runs } = start();
    const answer = load({ ...query, total: true, limit: 1 });
    await eventually(() => expect(runs).toHaveLength(2));
    runs.find(run => run.sql.includes('name'))?.finish();
    runs.find(run => !run.sql.includes('name'))?.finish({ columns: [['1234']] });
    expect(await answer).toMatchObject({ total: 1234, data: [{ 't.name': 'x' }] });
    expect(await load({ ...query, total: true, limit: 1 })).toMatchObject({ total: 1234 });
  });

  it('runs equal queries of a tenant once, and never shares them with another tenant', async () => {
    const { load, runs } = start();
    const tenants = ['a', 'b', 'a', 'b'];
    const answers = tenants.map(tenant => load(query, tenantCaller(tenant)));
    await eventually(() => expect(runs.map(run => run.parameters)).toEqual([['a'], ['b']]));
    runs.forEach(run => {
      run.finish({ columns: [[String(run.parameters[0])], ['1']] });
    });
    const data = (await Promise.all(answers)).map(answer => answer.data);
    expect(data).toEqual(tenants.map(tenant => [{ 't.name': tenant, 't.count': '1' }]));
  });

  it('serves cache hits before generating SQL, separately per tenant', async () => {
    const { load, runs, live } = start();
    const statements = vi.fn((statement: Statement) => statement);
    live.current = {
      ...fakeModel,
      plan: (request, context) => {
        const plan = fakeModel.plan(request, context);
        return { ...plan, statement: () => statements(plan.statement()) };
      },
    };
    for (const tenant of ['a', 'b', 'a', 'b', 'a']) {
      const answer = load(query, tenantCaller(tenant));
      runs.at(-1)?.finish({ columns: [[tenant], ['1']] });
      expect((await answer).data).toEqual([{ 't.name': tenant, 't.count': '1' }]);
    }
    expect(statements).toHaveBeenCalledTimes(2);
    expect(runs).toHaveLength(2);
  });

  it('shares rows between response formats', async () => {
    const { load, runs } = start();
    for (const responseFormat of ['default', 'compact', 'columnar'] as const) {
      const answer = load({ ...query, responseFormat });
      runs[0]?.finish();
      await answer;
    }
    expect(runs).toHaveLength(1);
  });

  it('caches a result until the data or the model changes', async () => {
    const { load, engine, runs, live } = start();
    const ask = async () => {
      const answer = load(query, tenantCaller('a'));
      runs.at(-1)?.finish();
      return answer;
    };
    await ask();
    await ask();
    expect(runs).toHaveLength(1);
    engine.dataVersion = 'v2';
    await ask();
    expect(runs).toHaveLength(2);
    live.current = { ...fakeModel, version: 'm2' };
    await ask();
    await ask();
    expect(runs).toHaveLength(3);
  });

  it('does not cache errors', async () => {
    const { load, runs } = start();
    const failing = load(query);
    runs[0]?.fail(new Error('broken'));
    await expect(failing).rejects.toThrow('broken');
    const again = load(query);
    runs[1]?.finish();
    expect((await again).data).toHaveLength(1);
  });

  it('interrupts the engine when the last caller leaves', async () => {
    const { load, runs } = start();
    const controllers = [new AbortController(), new AbortController()];
    const answers = controllers.map(({ signal }) => load(query, caller(), { signal }));
    controllers[0]?.abort();
    await expect(answers[0]).rejects.toMatchObject({ status: 499 });
    expect(runs[0]?.signal?.aborted).toBe(false);
    controllers[1]?.abort();
    await expect(answers[1]).rejects.toMatchObject({ status: 499 });
    expect(runs[0]?.signal?.aborted).toBe(true);
  });

  it('rejects queries beyond the queue limit', async () => {
    const { load, runs } = start({ concurrency: 1, queueLimit: 1 });
    const answers = ['a', 'b'].map(tenant => load(query, tenantCaller(tenant)));
    await expect(load(query, tenantCaller('c'))).rejects.toMatchObject({ status: 503 });
    runs[0]?.finish();
    await answers[0];
    await eventually(() => expect(runs).toHaveLength(2));
    runs[1]?.finish();
    await answers[1];
  });

  it('rejects with the error of the model', async () => {
    const { load } = start();
    const response = load({ measures: ['t.hidden'] });
    await expect(response).rejects.toMatchObject({ status: 400, message: 'unknown member t.hidden' });
  });

  it('streams large results without caching them', async () => {
    const { service, runs, load } = start({ cacheBytes: 1_000_000 });
    const names = Array.from({ length: 40_000 }, (_, index) => `name ${index}`);
    const trace = new RequestTrace('load', requestId);
    const ended = vi.fn();
    const response = service.load({ query }, caller(), { requestId, trace, onEnd: ended });
    runs[0]?.finish({ columns: [names, names] });
    const body = await response;
    expect(body).toBeInstanceOf(ReadableStream);
    expect(ended).not.toHaveBeenCalled();
    const { data } = await new Response(body).json();
    expect(data.map((row: Record<string, string>) => row['t.name'])).toEqual(names);
    expect(ended).toHaveBeenCalledExactlyOnceWith(true);
    void load(query).catch(() => undefined);
    expect(runs).toHaveLength(2);
  });
});

describe('several queries in a request', () => {
  const compared = {
    ...query,
    timeDimensions: [{ dimension: 't.at', compareDateRange: ['2001-01-01', '2001-02-01'] }],
  };

  it('have separate results, and the pivot query', async () => {
    const { send, runs } = start();
    const sent = send({ query: compared, queryType: 'multi' });
    await eventually(() => expect(runs).toHaveLength(1));
    runs[0]?.finish();
    const { answer, event } = await sent;
    expect(answer).toMatchObject({
      queryType: 'compareDateRangeQuery',
      results: [
        { query: { timeDimensions: [{ dateRange: '2001-01-01' }] }, data: [{ compareDateRange: '2001-01-01' }] },
        { query: { timeDimensions: [{ dateRange: '2001-02-01' }] }, data: [{ compareDateRange: '2001-02-01' }] },
      ],
      pivotQuery: { queryType: 'compareDateRangeQuery', dimensions: ['compareDateRange', 't.name'] },
      slowQuery: false,
    });
    expect(event).toMatchObject({ rows: 2, cache: 'miss' });
  });

  it('are rejected if the client expects one result', async () => {
    const { send } = start();
    await expect(send({ query: compared })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('queryType "multi"'),
    });
  });

  it('fail together, with the error instead of Continue wait', async () => {
    const { send, runs } = start({ continueWaitMs: 0 });
    const sent = send({ query: [query, { measures: ['t.hidden'] }], queryType: 'multi' });
    await expect(sent).rejects.toMatchObject({ status: 400 });
    expect(runs).toHaveLength(0);
  });
});

describe('many queries in a request', () => {
  const ranges = Array.from({ length: 24 }, (_, index) => `2001-01-${String(index + 1).padStart(2, '0')}`);
  const many = {
    ...query,
    total: true,
    timeDimensions: [{ dimension: 't.at', granularity: 'day', compareDateRange: ranges }],
  };

  it('yield to other tasks between plans and between compiled statements', async () => {
    const { service, live } = start();
    let turn = 0;
    let immediate = setImmediate(function count() {
      turn += 1;
      immediate = setImmediate(count);
    });
    const turns: number[] = [];
    const worked = <T>(result: T): T => {
      turns.push(turn);
      return result;
    };
    live.current = {
      ...fakeModel,
      plan: (request, context) => {
        const plan = worked(fakeModel.plan(request, context));
        return {
          ...plan,
          statement: () => worked(plan.statement()),
          totalStatement: () => worked(plan.totalStatement()),
        };
      },
    };
    const leaving = new AbortController();
    const options = { requestId, trace: new RequestTrace('load', requestId), signal: leaving.signal };
    const response = service.load({ query: many, queryType: 'multi' }, caller(), options);
    await eventually(() => expect(turns).toHaveLength(24 + 48));
    leaving.abort();
    await expect(response).rejects.toMatchObject({ status: 499 });
    expect(new Set(turns).size).toBe(24 + 48);
    turns.length = 0;
    await service.dryRun(many, caller(), options);
    clearImmediate(immediate);
    // Each turn of the event loop handles a single query.
    expect(turns).toHaveLength(48);
    expect(new Set(turns).size).toBe(24);
  });

  it('are abandoned when the client leaves', async () => {
    const { service, live, runs } = start();
    const plan = vi.fn(fakeModel.plan);
    live.current = { ...fakeModel, plan };
    const leaving = new AbortController();
    const options = { requestId, trace: new RequestTrace('load', requestId), signal: leaving.signal };
    const response = service.load({ query: many, queryType: 'multi' }, caller(), options);
    leaving.abort();
    await expect(response).rejects.toMatchObject({ status: 499 });
    expect(plan).toHaveBeenCalledTimes(1);
    expect(runs).toHaveLength(0);
  });

  it('cause no leak warning', async () => {
    const warned = vi.fn();
    process.on('warning', warned);
    const { service, live, runs } = start();
    live.current = {
      ...fakeModel,
      plan: (request, context) => {
        const plan = fakeModel.plan(request, context);
        const parameters = [JSON.stringify(request.timeDimensions)];
        return {
          ...plan,
          statement: () => ({ sql: 'rows', parameters }),
          totalStatement: () => ({ sql: 'total', parameters }),
        };
      },
    };
    const leaving = new AbortController();
    const options = { requestId, trace: new RequestTrace('load', requestId), signal: leaving.signal };
    const response = service.load({ query: many, queryType: 'multi' }, caller(), options);
    await eventually(() => expect(service.stats().waiting + runs.length).toBe(48));
    leaving.abort();
    await expect(response).rejects.toMatchObject({ status: 499 });
    process.off('warning', warned);
    expect(warned).not.toHaveBeenCalled();
  });

  it('are rejected if their combined results are too large', async () => {
    const names: string[] = Array(100_000).fill('x'.repeat(200));
    const { service, engine, runs } = start({ cacheBytes: 0 });
    engine.run = async sql => ({ columns: [sql.includes('name') ? names : ['1'], names] });
    const load = (request: Query) =>
      service.load({ query: request, queryType: 'multi' }, caller(), {
        requestId,
        trace: new RequestTrace('load', requestId),
      });
    const { total, ...merged } = many;
    await expect(load(merged)).rejects.toMatchObject({
      status: 413,
      message: expect.stringContaining('fewer queries'),
    });
    const alone = await load(query);
    if (alone instanceof ReadableStream) await alone.cancel();
    expect(runs).toHaveLength(0);
  });
});

describe('cache modes', () => {
  const maxAge = 60_000;

  /** Returns a service with an outdated cached result. */
  async function withOldRows() {
    vi.useFakeTimers();
    const started = start({ continueWaitMs: 1000 });
    const first = started.load(query);
    started.runs[0]?.finish({ columns: [['old'], ['1']] });
    await first;
    await vi.advanceTimersByTimeAsync(maxAge);
    return started;
  }

  it.each([
    ['renewQuery', { ...query, renewQuery: true }, {}],
    ['no-cache', query, { cache: 'no-cache' as const }],
  ])('%s ignores the cache', async (_name, request, options) => {
    const { load, runs } = start();
    for (const one of [query, request]) {
      const answer = load(one, caller(), options);
      runs.at(-1)?.finish();
      await answer;
    }
    expect(runs).toHaveLength(2);
  });

  it.each(['stale-if-slow', 'must-revalidate', undefined] as const)('%s waits for new rows', async cache => {
    const { load, runs } = await withOldRows();
    const answer = load(query, caller(), cache && { cache });
    await vi.advanceTimersByTimeAsync(999);
    runs[1]?.finish({ columns: [['new'], ['1']] });
    expect(await answer).toMatchObject({ data: [{ 't.name': 'new' }], slowQuery: false });
  });

  it('stale-if-slow serves stale rows if new ones take too long, and marks them', async () => {
    const { load, runs } = await withOldRows();
    const answer = load(query);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await answer).toMatchObject({ data: [{ 't.name': 'old' }], slowQuery: true });
    runs[1]?.finish({ columns: [['new'], ['1']] });
    await vi.advanceTimersByTimeAsync(1);
    expect(await load(query)).toMatchObject({ data: [{ 't.name': 'new' }], slowQuery: false });
    expect(runs).toHaveLength(2);
  });

  it('must-revalidate returns Continue wait instead of stale rows', async () => {
    const { load } = await withOldRows();
    const answer = load(query, caller(), { cache: 'must-revalidate' });
    const expectation = expect(answer).rejects.toMatchObject({ message: 'Continue wait' });
    await vi.advanceTimersByTimeAsync(1000);
    await expectation;
  });

  it('stale-while-revalidate serves stale rows immediately, and new ones next time', async () => {
    const { load, runs } = await withOldRows();
    const options = { cache: 'stale-while-revalidate' as const };
    expect(await load(query, caller(), options)).toMatchObject({ data: [{ 't.name': 'old' }], slowQuery: false });
    expect(runs).toHaveLength(2);
    expect(runs[1]?.signal?.aborted).toBe(false);
    runs[1]?.finish({ columns: [['new'], ['1']] });
    await vi.advanceTimersByTimeAsync(1);
    expect(await load(query, caller(), options)).toMatchObject({ data: [{ 't.name': 'new' }] });
    expect(runs).toHaveLength(2);
  });
});

it('fresh rows serve another response format, even while newer ones are fetched', async () => {
  const { load, runs } = start();
  const first = load(query);
  runs[0]?.finish({ columns: [['old'], ['1']] });
  await first;
  const afresh = load(query, caller(), { cache: 'no-cache' });
  expect(await load({ ...query, responseFormat: 'compact' })).toMatchObject({ data: { dataset: [['old', '1']] } });
  runs[1]?.finish({ columns: [['new'], ['1']] });
  expect(await afresh).toMatchObject({ data: [{ 't.name': 'new' }] });
  expect(runs).toHaveLength(2);
});

describe('a long query', () => {
  it('returns Continue wait, continues, and returns its result to a returning caller', async () => {
    vi.useFakeTimers();
    const { load, runs } = start({ continueWaitMs: 1000 });
    for (const attempt of [1, 2]) {
      const waiting = load(query, caller(), { cache: 'no-cache' });
      const expectation = expect(waiting).rejects.toMatchObject({
        message: 'Continue wait',
        elapsedMs: attempt * 1000,
      });
      await vi.advanceTimersByTimeAsync(1000);
      await expectation;
    }
    expect(runs).toHaveLength(1);
    runs[0]?.finish();
    expect(await load(query, caller(), { cache: 'no-cache' })).toMatchObject({ data: [{ 't.name': 'x' }] });
    expect(runs).toHaveLength(1);
  });

  it('is never returned to another tenant', async () => {
    vi.useFakeTimers();
    const { load, runs } = start({ continueWaitMs: 1000 });
    const waiting = load(query, tenantCaller('a'));
    const expectation = expect(waiting).rejects.toMatchObject({ message: 'Continue wait' });
    await vi.advanceTimersByTimeAsync(1000);
    await expectation;
    runs[0]?.finish({ columns: [['a'], ['1']] });
    const other = load(query, tenantCaller('b'));
    await vi.advanceTimersByTimeAsync(1);
    expect(runs.map(run => run.parameters)).toEqual([['a'], ['b']]);
    runs[1]?.finish({ columns: [['b'], ['1']] });
    expect(await other).toMatchObject({ data: [{ 't.name': 'b' }] });
  });

  it('is interrupted if no caller returns', async () => {
    vi.useFakeTimers();
    const { load, runs } = start({ continueWaitMs: 1000 });
    const expectation = expect(load(query)).rejects.toMatchObject({ message: 'Continue wait' });
    await vi.advanceTimersByTimeAsync(1000);
    await expectation;
    expect(runs[0]?.signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(runs[0]?.signal?.aborted).toBe(true);
  });

  it('returns Continue wait while queued as well', async () => {
    vi.useFakeTimers();
    const { load } = start({ continueWaitMs: 1000, concurrency: 1 });
    void load(query, tenantCaller('a')).catch(() => undefined);
    const expectation = expect(load(query, tenantCaller('b'))).rejects.toMatchObject({ stage: /queue/ });
    await vi.advanceTimersByTimeAsync(1000);
    await expectation;
  });
});

describe('several long queries in a request', () => {
  const names = ['one', 'two', 'three', 'four'];
  const queries = names.map(name => ({
    ...query,
    timeDimensions: [{ dimension: 't.at', granularity: 'day' }],
    filters: [{ member: 't.name', operator: 'equals' as const, values: [name] }],
  }));
  /** Each query has different SQL. */
  const expectation = {
    ...fakeModel,
    plan: (request: Query, context: SecurityContext) => {
      const plan = fakeModel.plan(request, context);
      const sql = JSON.stringify(request.filters);
      return {
        ...plan,
        statement: () => ({ sql, parameters: [] }),
        totalStatement: () => ({ sql: `total ${sql}`, parameters: [] }),
      };
    },
  };

  it.each([
    ['each', queries],
    ['with totals', queries.slice(0, 1).map(one => ({ ...one, total: true }))],
  ])('complete with each statement run once: %s', async (_name, request) => {
    vi.useFakeTimers();
    const { send, runs, live } = start({ continueWaitMs: 1000, concurrency: 1, cacheBytes: 0 });
    live.current = expectation;
    let answer: unknown;
    const ask = () =>
      send({ query: request, queryType: 'multi', cache: 'no-cache' }).then(
        sent => {
          answer = sent.answer;
        },
        (error: Error) => {
          if (error.message !== 'Continue wait') throw error;
        },
      );
    for (let attempt = 0; attempt < 12 && answer === undefined; attempt += 1) {
      const asking = ask();
      // Each statement exceeds the wait limit of a request.
      await vi.advanceTimersByTimeAsync(500);
      if (attempt % 2 === 1) runs.at(-1)?.finish({ columns: [[runs.at(-1)?.sql ?? ''], ['1']] });
      await vi.advanceTimersByTimeAsync(600);
      await asking;
    }
    expect(runs.map(run => run.sql)).toEqual([...new Set(runs.map(run => run.sql))]);
    expect(answer).toMatchObject({ results: request.map(() => ({ data: [{}] })) });
  });
});

it('dryRun returns normalized queries without running them', async () => {
  const { service, runs } = start();
  const trace = new RequestTrace('dry-run', requestId);
  expect(await service.dryRun(query, caller(), { requestId, trace })).toMatchObject({
    queryType: 'regularQuery',
    normalizedQueries: [{ ...query, limit: 10_000 }],
    pivotQuery: query,
  });
  await expect(service.dryRun({ measures: ['t.hidden'] }, caller(), { requestId, trace })).rejects.toThrow(
    'unknown member',
  );
  expect(runs).toHaveLength(0);
});

it('stats count running, queued and cached queries', async () => {
  const { service, load, runs } = start({ concurrency: 1 });
  const answers = ['a', 'b'].map(tenant => load(query, tenantCaller(tenant)));
  expect(service.stats()).toEqual({ running: 1, waiting: 1, cacheBytes: 0, cacheEntries: 0 });
  runs[0]?.finish();
  await eventually(() => expect(runs).toHaveLength(2));
  runs[1]?.finish();
  await Promise.all(answers);
  expect(service.stats()).toMatchObject({ running: 0, waiting: 0, cacheEntries: 4 });
});

describe('warm', () => {
  it('runs the representative queries of the model sequentially', async () => {
    const { service, runs } = start();
    const warm = service.warm();
    await eventually(() => expect(runs).toHaveLength(1));
    runs[0]?.finish();
    await eventually(() => expect(runs).toHaveLength(2));
    runs[1]?.finish();
    await warm;
    expect(runs.map(run => run.parameters)).toEqual([['cube'], ['view']]);
  });

  it('reports SQL that the engine rejects, and continues', async () => {
    const onProblem = vi.fn();
    const { service, runs } = start({ onProblem });
    const warm = service.warm();
    await eventually(() => expect(runs).toHaveLength(1));
    runs[0]?.fail(new LoggableError('no column "statsu"'));
    await eventually(() => expect(runs).toHaveLength(2));
    runs[1]?.fail(new PlatformError(400, 'too large'));
    await warm;
    expect(onProblem).toHaveBeenCalledExactlyOnceWith('t cannot be queried: no column "statsu"');
  });

  it('never throws', async () => {
    const { service, runs } = start();
    const warm = service.warm();
    await eventually(() => expect(runs).toHaveLength(1));
    runs[0]?.fail(new Error('broken'));
    await eventually(() => expect(runs).toHaveLength(2));
    runs[1]?.finish();
    await expect(warm).resolves.toBeUndefined();
  });
});
