import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SqlRequest } from '../../../../src/contract/sql.js';
import type { SecurityContext } from '../../../../src/platform/auth/principal.js';
import type { AnswerBody } from '../../../../src/platform/data/answers/answer-body.js';
import type { LoadOptions } from '../../../../src/platform/data/answers/load-requests.js';
import { RequestTrace } from '../../../../src/platform/data/answers/query-event.js';
import { createDataService, type DataServiceOptions } from '../../../../src/platform/data/data-service.js';
import { LoggableError, PlatformError } from '../../../../src/platform/errors.js';
import { eventually } from '../../../eventually.js';
import { tenantCaller } from '../callers.js';
import { fakeEngine, fakeModel } from '../fakes.js';

afterEach(() => {
  vi.useRealTimers();
});

const query = 'SELECT name, MEASURE(count) FROM t GROUP BY 1';
const a = tenantCaller('a');

/** Returns a row with this number of characters. A single row of more than 64 KB exceeds the head of a response. */
const row = (name: string, characters = 1) => `["${name}","${'1'.repeat(characters)}"]`;
const large = (name: string) => row(name, 70_000);

function start(options: Partial<DataServiceOptions> = {}) {
  const { engine, runs, streams } = fakeEngine();
  const live = { current: fakeModel };
  const service = createDataService({ engine, model: live, ...options });
  const ask = (request: Partial<SqlRequest> = {}, context: SecurityContext = a, options: Partial<LoadOptions> = {}) => {
    const trace = new RequestTrace('sql', 'r1');
    const answer = service.sql({ query, ...request }, context, { requestId: 'r1', trace, ...options });
    answer.catch(() => undefined);
    return { answer, trace, event: () => trace.event(200, 'ok') };
  };
  /** Returns the stream with this index, after it has started. */
  const stream = (index: number) =>
    eventually(() => {
      const found = streams[index];
      if (!found) throw new Error(`no stream ${index}`);
      return found;
    });
  return { service, engine, runs, streams, live, ask, stream };
}

async function linesOf(body: AnswerBody | Promise<AnswerBody>): Promise<unknown[]> {
  const text = await new Response(await body).text();
  expect(text.endsWith('\n')).toBe(true);
  return text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
}

const schema = {
  schema: [
    { name: 'name', column_type: 'String' },
    { name: 'count', column_type: 'Int64', format: 'number' },
  ],
  lastRefreshTime: '2001-02-03T04:05:06.000Z',
};

const reader = (body: AnswerBody) => {
  expect(body).toBeInstanceOf(ReadableStream);
  return (body as ReadableStream<Uint8Array>).getReader();
};

describe('semantic SQL', () => {
  it('returns a line with the schema and lines of rows, with the row filter bound', async () => {
    const { ask, stream } = start();
    const { answer, event } = ask();
    const { sql, parameters, begin } = await stream(0);
    begin([`${row('x')},${row('y')}`]);
    expect(await linesOf(answer)).toEqual([
      schema,
      {
        data: [
          ['x', '1'],
          ['y', '1'],
        ],
      },
    ]);
    expect([sql, parameters]).toEqual([`${query} WHERE tenant = ?`, ['a']]);
    expect(event()).toMatchObject({ operation: 'sql', cache: 'miss', rows: 2 });
  });

  it('returns a line without rows for an empty result', async () => {
    const { ask, stream } = start();
    const { answer } = ask();
    (await stream(0)).begin([]);
    expect(await linesOf(answer)).toEqual([schema, { data: [] }]);
  });

  it('returns the types of columns', async () => {
    const types = [
      'integer',
      'bigint',
      'numeric',
      'ratio',
      'double',
      'text',
      'boolean',
      'date',
      'timestamp',
      'interval',
    ] as const;
    const { ask, stream, live } = start();
    const planSql: typeof fakeModel.planSql = async (...args) => ({
      ...(await fakeModel.planSql(...args)),
      columns: types.map(type => ({ name: type, type })),
    });
    live.current = { ...fakeModel, planSql };
    const { answer } = ask();
    (await stream(0)).begin([]);
    expect((await linesOf(answer))[0]).toMatchObject({
      schema: ['Int64', 'Int64', 'Double', 'Double', 'Double', 'String', 'Boolean', 'Date', 'Timestamp', 'String'].map(
        (column_type, index) => ({ name: types[index], column_type }),
      ),
    });
  });

  it('returns the time of reading if the engine has no refresh time', async () => {
    const { ask, stream, engine } = start();
    Object.assign(engine, { lastRefreshTime: null });
    const before = new Date().toISOString();
    const { answer } = ask();
    (await stream(0)).begin([row('x')]);
    const [first] = await linesOf(answer);
    expect(first).toMatchObject({ lastRefreshTime: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(Object(first).lastRefreshTime >= before).toBe(true);
  });

  it('accepts a time zone', async () => {
    const { ask, stream } = start();
    for (const timezone of ['Asia/Tokyo', 'UTC']) ask({ timezone });
    await stream(1);
  });

  it.each([
    ['hidden', new PlatformError(400, 'unknown column hidden (line 1, column 8).')],
    ['broken', new TypeError('secret detail')],
  ])('is rejected with syntax errors: %s', async (text, error) => {
    const { ask, streams } = start();
    await expect(ask({ query: text }).answer).rejects.toEqual(error);
    expect(streams).toHaveLength(0);
  });

  it('is rejected with errors of the engine', async () => {
    const { ask, stream } = start();
    const { answer } = ask();
    (await stream(0)).fail(new PlatformError(400, 'The query took too long.'));
    await expect(answer).rejects.toMatchObject({ status: 400 });
    const again = ask();
    (await stream(1)).begin([row('x')]);
    expect(await linesOf(again.answer)).toHaveLength(2);
  });
});

describe('a large result', () => {
  it('is produced on demand', async () => {
    const { ask, stream } = start();
    const { answer, event } = ask();
    const live = await stream(0);
    live.begin(['1', '2', '3', '4'].map(large));
    const lines = reader(await answer);
    expect(live.requested).toBe(1);
    await lines.read();
    await new Promise(resolve => setImmediate(resolve));
    expect(live.requested).toBe(1);
    await lines.read();
    expect(live.requested).toBe(2);
    expect(live.closed).toBe(false);
    expect((await lines.read()).done).toBe(false);
    expect((await lines.read()).done).toBe(false);
    expect((await lines.read()).done).toBe(true);
    expect(live.closed).toBe(true);
    expect(event()).toMatchObject({ cache: 'miss', rows: 4 });
  });

  it('ends with an error line that contains no internal details', async () => {
    for (const [error, message] of [
      [new PlatformError(400, 'The query took too long.'), 'The query took too long.'],
      [new LoggableError('The engine failed: secret'), 'Internal error.'],
    ] as const) {
      const { ask, stream } = start();
      const [onBreak, onEnd] = [vi.fn(), vi.fn()];
      const { answer } = ask({}, a, { onBreak, onEnd });
      const live = await stream(0);
      live.begin([large('1'), error]);
      const lines = await linesOf(answer);
      expect(lines).toHaveLength(3);
      expect(lines[2]).toEqual({ error: message });
      expect(onBreak).toHaveBeenCalledExactlyOnceWith(error);
      expect(onEnd).toHaveBeenCalledExactlyOnceWith(true);
      expect(live.closed).toBe(true);
    }
  });

  it('stops when the reader stops', async () => {
    const { ask, stream } = start();
    const onEnd = vi.fn();
    const { answer } = ask({}, a, { onEnd });
    const live = await stream(0);
    live.begin(['1', '2', '3'].map(large));
    const lines = reader(await answer);
    await lines.read();
    await lines.cancel();
    expect(live.closed).toBe(true);
    expect(onEnd).toHaveBeenCalledExactlyOnceWith(false);
  });

  it('stops if it is not read for a minute', async () => {
    vi.useFakeTimers();
    const { ask, streams } = start();
    const onEnd = vi.fn();
    const { answer } = ask({}, a, { onEnd });
    await vi.advanceTimersByTimeAsync(0);
    streams[0]?.begin(['1', '2', '3'].map(large));
    const lines = reader(await answer);
    await lines.read();
    await vi.advanceTimersByTimeAsync(59_000);
    expect(streams[0]?.closed).toBe(false);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(streams[0]?.closed).toBe(true);
    expect(onEnd).toHaveBeenCalledExactlyOnceWith(false);
    await expect(lines.read()).rejects.toThrow('The client stopped reading the response.');
  });

  it('uses an engine slot only while a piece is produced', async () => {
    const { ask, stream, service, runs } = start({ concurrency: 1 });
    const first = ask();
    (await stream(0)).begin(['1', '2', '3'].map(large));
    const lines = reader(await first.answer);
    expect(service.stats()).toMatchObject({ running: 0, waiting: 0 });
    const trace = new RequestTrace('load', 'r2');
    const load = service.load({ query: { measures: ['t.count'] } }, a, { requestId: 'r2', trace });
    await eventually(() => expect(runs).toHaveLength(1));
    await lines.read();
    const second = lines.read();
    await eventually(() => expect(service.stats()).toMatchObject({ running: 1, waiting: 1 }));
    runs[0]?.finish();
    await load;
    expect((await second).done).toBe(false);
    await lines.cancel();
  });

  it('limits concurrent streams, per caller and in total', async () => {
    const { ask, stream, streams } = start({ concurrency: 100 });
    const open = async (context: SecurityContext, text: string) => {
      const { answer } = ask({ query: text }, context);
      (await stream(streams.length)).begin(['1', '2'].map(large));
      return reader(await answer);
    };
    const readers = [];
    for (let index = 0; index < 10; index += 1) readers.push(await open(a, `SELECT ${index}`));
    await expect(ask({ query: 'SELECT 10' }).answer).rejects.toMatchObject({ status: 503 });
    for (const tenant of ['b', 'c', 'd']) {
      for (let index = 0; index < 10; index += 1) await open(tenantCaller(tenant), `SELECT ${index}`);
    }
    await expect(ask({}, tenantCaller('e')).answer).rejects.toMatchObject({ status: 503 });
    await readers[0]?.cancel();
    await eventually(() => expect(streams[0]?.closed).toBe(true));
    await open(a, 'SELECT 11');
  });
});

describe('concurrent equal statements', () => {
  it('share a run if the result is small', async () => {
    const { ask, stream, streams } = start();
    const [first, second] = [ask(), ask()];
    (await stream(0)).begin([row('x')]);
    expect(await linesOf(second.answer)).toEqual(await linesOf(first.answer));
    expect(streams).toHaveLength(1);
    expect(second.event()).toMatchObject({ cache: 'shared', rows: 1 });
  });

  it('run separately if the result is large', async () => {
    const { ask, stream } = start({ concurrency: 5 });
    const bodies = [ask(), ask(), ask()];
    const pieces = ['1', '2'].map(large);
    (await stream(0)).begin(pieces);
    (await stream(1)).begin(pieces);
    (await stream(2)).begin(pieces);
    for (const { answer } of bodies) expect(await linesOf(answer)).toHaveLength(3);
  });

  it('of callers with different rows share nothing', async () => {
    const { ask, stream } = start();
    const [first, second] = [ask(), ask({}, tenantCaller('b'))];
    await stream(1);
    (await stream(0)).begin([row('of a')]);
    (await stream(1)).begin([row('of b')]);
    expect((await linesOf(first.answer))[1]).toEqual({ data: [['of a', '1']] });
    expect((await linesOf(second.answer))[1]).toEqual({ data: [['of b', '1']] });
  });

  it('continue for the others when one caller aborts, and stop when all have', async () => {
    const { ask, stream } = start();
    const controllers = [new AbortController(), new AbortController()];
    const bodies = controllers.map(({ signal }) => ask({}, a, { signal }));
    const { signal } = await stream(0);
    controllers[0]?.abort();
    await expect(bodies[0]?.answer).rejects.toMatchObject({ status: 499 });
    expect(signal?.aborted).toBe(false);
    controllers[1]?.abort();
    await expect(bodies[1]?.answer).rejects.toMatchObject({ status: 499 });
    expect(signal?.aborted).toBe(true);
  });
});

describe('caching of small results', () => {
  async function askOnce(world: ReturnType<typeof start>, name: string, request: Partial<SqlRequest> = {}) {
    const { answer } = world.ask(request);
    (await world.stream(world.streams.length)).begin([row(name)]);
    return linesOf(answer);
  }

  it('serves fresh results to callers with the same rows, data and model', async () => {
    const world = start();
    const lines = await askOnce(world, 'x');
    const again = world.ask();
    expect(await linesOf(again.answer)).toEqual(lines);
    expect(again.event()).toMatchObject({ cache: 'hit', rows: 1 });
    expect(world.service.stats().cacheEntries).toBe(1);
    world.ask({}, tenantCaller('b'));
    await world.stream(1);
    world.engine.dataVersion = 'v2';
    world.ask();
    await world.stream(2);
    world.live.current = { ...fakeModel, version: 'm2' };
    world.ask();
    await world.stream(3);
  });

  it('includes results of up to a megabyte after they were read completely', async () => {
    const world = start();
    const { answer } = world.ask();
    (await world.stream(0)).begin(['1', '2', '3'].map(large));
    const lines = await linesOf(answer);
    const again = world.ask();
    expect(await linesOf(again.answer)).toEqual(lines);
    expect(again.event()).toMatchObject({ cache: 'hit', rows: 3 });
    const other = world.ask({ query: 'SELECT 2' });
    (await world.stream(1)).begin(Array.from({ length: 20 }, (_, index) => large(String(index))));
    expect(await linesOf(other.answer)).toHaveLength(21);
    world.ask({ query: 'SELECT 2' });
    await world.stream(2);
  });

  it('excludes results that failed or were not read completely', async () => {
    const world = start();
    const { answer } = world.ask();
    (await world.stream(0)).begin([large('1'), new PlatformError(400, 'too long')]);
    await linesOf(answer);
    const left = world.ask();
    (await world.stream(1)).begin(['1', '2'].map(large));
    await reader(await left.answer).cancel();
    world.ask();
    await world.stream(2);
  });

  it('serves stale results while fetching new ones: stale-while-revalidate', async () => {
    const world = start({ cacheMaxAgeMs: 0 });
    const cache = 'stale-while-revalidate';
    await askOnce(world, 'old', { cache });
    const stale = world.ask({ cache });
    expect((await linesOf(stale.answer))[1]).toEqual({ data: [['old', '1']] });
    expect(stale.event()).toMatchObject({ cache: 'stale' });
    (await world.stream(1)).begin([row('new')]);
    await eventually(async () => {
      expect((await linesOf(world.ask({ cache }).answer))[1]).toEqual({ data: [['new', '1']] });
    });
  });

  it('serves stale results if new ones take too long: stale-if-slow', async () => {
    const world = start({ cacheMaxAgeMs: 0, continueWaitMs: 10 });
    await askOnce(world, 'old');
    for (const throwContinueWait of [true, false]) {
      const slow = world.ask({ throwContinueWait });
      expect((await linesOf(slow.answer))[1]).toEqual({ data: [['old', '1']] });
      expect(slow.event()).toMatchObject({ cache: 'stale' });
    }
    expect(world.streams).toHaveLength(2);
    world.streams[1]?.begin([row('new')]);
    await eventually(async () => {
      expect((await linesOf(world.ask().answer))[1]).toEqual({ data: [['new', '1']] });
    });
  });

  it('serves no stale or cached results if the request forbids it', async () => {
    const world = start({ cacheMaxAgeMs: 0 });
    await askOnce(world, 'old');
    expect((await askOnce(world, 'new', { cache: 'must-revalidate' }))[1]).toEqual({ data: [['new', '1']] });
    const young = start();
    await askOnce(young, 'old');
    expect((await askOnce(young, 'new', { cache: 'no-cache' }))[1]).toEqual({ data: [['new', '1']] });
  });
});

describe('a slow statement', () => {
  it('is awaited', async () => {
    const { ask, stream } = start({ continueWaitMs: 1 });
    const { answer } = ask();
    const live = await stream(0);
    await expect(Promise.race([answer, new Promise(resolve => setTimeout(resolve, 30, 'waits'))])).resolves.toBe(
      'waits',
    );
    live.begin([row('x')]);
    expect(await linesOf(answer)).toHaveLength(2);
  });

  it.each([
    ['few', [row('x')]],
    ['many', ['1', '2'].map(large)],
  ])('continues after Continue wait: %s rows', async (_name, pieces) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const { ask, streams } = start({ continueWaitMs: 5_000, cacheBytes: 0 });
    for (let round = 0; round < 3; round += 1) {
      const { answer } = ask({ throwContinueWait: true });
      await vi.advanceTimersByTimeAsync(5_000);
      await expect(answer).rejects.toMatchObject({ name: 'ContinueWait', stage: 'Executing the query' });
    }
    streams[0]?.begin(pieces);
    await new Promise(resolve => setImmediate(resolve));
    const { answer, event } = ask({ throwContinueWait: true });
    expect(await linesOf(answer)).toHaveLength(pieces.length + 1);
    expect(event()).toMatchObject({ cache: 'shared', rows: pieces.length });
    expect(streams).toHaveLength(1);
  });

  it('is stopped if the caller does not return, before and after the first rows', async () => {
    vi.useFakeTimers();
    const { ask, streams } = start({ continueWaitMs: 5, concurrency: 5 });
    for (const [index, text] of ['SELECT 1', 'SELECT 2'].entries()) {
      const { answer } = ask({ query: text, throwContinueWait: true });
      await vi.advanceTimersByTimeAsync(10);
      await expect(answer).rejects.toMatchObject({ name: 'ContinueWait' });
      if (index === 1) streams[1]?.begin(['1', '2'].map(large));
    }
    await vi.advanceTimersByTimeAsync(5_000);
    expect([streams[0]?.signal?.aborted, streams[1]?.closed]).toEqual([false, false]);
    await vi.advanceTimersByTimeAsync(6_000);
    expect([streams[0]?.signal?.aborted, streams[1]?.closed]).toEqual([true, true]);
  });
});

describe('the SQL of load queries', () => {
  const load = { measures: ['t.count'] };
  const options = () => ({ requestId: 'r1', trace: new RequestTrace('sql', 'r1') });
  const sql = { sql: ['SELECT name, count(*) FROM t WHERE tenant = ?', ['a']], status: 'ok', query_type: 'regular' };

  it('is a statement for one query, and a list for several', () => {
    const { service, streams, runs } = start();
    expect(service.generatedSql(load, a, options())).toEqual({ sql });
    const compareDateRange = [
      ['2001-01-01', '2001-01-31'],
      ['2001-02-01', '2001-02-28'],
    ];
    const compared = { ...load, timeDimensions: [{ dimension: 't.at', compareDateRange }] };
    expect(service.generatedSql(compared, a, options())).toEqual([{ sql }, { sql }]);
    const monthly = { ...load, timeDimensions: [{ dimension: 't.at', granularity: 'month' }] };
    expect(service.generatedSql([monthly, monthly, monthly], a, options())).toEqual([{ sql }, { sql }, { sql }]);
    expect([...streams, ...runs]).toEqual([]);
  });

  it('is rejected like the query', () => {
    expect(() => start().service.generatedSql({ measures: ['t.hidden'] }, a, options())).toThrow(
      'unknown member t.hidden',
    );
  });
});

describe('conversion of SQL to a load query', () => {
  const options = () => ({ requestId: 'r1', trace: new RequestTrace('convert-query', 'r1') });

  it('returns the query, or the reason why there is none', async () => {
    const { service } = start();
    expect(await service.convertSql(query, a, options())).toEqual({ status: 'ok', query: { measures: ['t.count'] } });
    expect(await service.convertSql('SELECT hidden', a, options())).toEqual({
      status: 'error',
      error: 'unknown column hidden (line 1, column 8).',
    });
  });

  it('fails if the platform fails', async () => {
    const { service, live } = start();
    live.current = { ...fakeModel, convertSql: () => Promise.reject(new TypeError('secret detail')) };
    await expect(service.convertSql(query, a, options())).rejects.toThrow(TypeError);
  });
});
