import { describe, expect, it, vi } from 'vitest';
import { createDataService, type DataServiceOptions } from '../../../src/platform/data/data-service.js';
import { caller, fakeEngine, fakeModel } from './fakes.js';

const requestId = 'r1';
const query = { dimensions: ['t.name'], measures: ['t.count'] };

function start(options: Partial<DataServiceOptions> = {}) {
  const { engine, runs } = fakeEngine();
  return { service: createDataService({ engine, model: { current: fakeModel }, ...options }), engine, runs };
}

describe('load', () => {
  it('answers rows with what a client needs to read them', async () => {
    const { service, runs } = start();
    const answer = service.load(query, caller({ tenant: 'a' }), { requestId });
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
      slowQuery: false,
    });
  });

  it.each([
    ['compact', { members: ['t.name', 't.count'], dataset: [['x', '1']] }],
    ['columnar', { members: ['t.name', 't.count'], columns: [['x'], ['1']] }],
  ] as const)('answers in the format %s', async (responseFormat, data) => {
    const { service, runs } = start();
    const answer = service.load({ ...query, responseFormat }, caller(), { requestId });
    runs[0]?.finish();
    expect((await answer).data).toEqual(data);
  });

  it('repeats no names by the megabyte, but names them once', async () => {
    const { service, runs } = start();
    const size = 3_000_000;
    const columns = [new Array<string>(size).fill('x'), new Array<string>(size).fill('1')];
    const rows = service.load(query, caller(), { requestId });
    const columnar = service.load({ ...query, responseFormat: 'columnar' }, caller(), { requestId });
    runs[0]?.finish({ columns });
    await expect(rows).rejects.toMatchObject({ status: 400, message: expect.stringContaining('"columnar"') });
    expect((await columnar).data).toEqual({ members: ['t.name', 't.count'], columns });
  });

  it('answers no rows as an empty list', async () => {
    const { service, runs } = start();
    const answer = service.load(query, caller(), { requestId });
    runs[0]?.finish({ columns: [[], []] });
    expect((await answer).data).toEqual([]);
  });

  it('runs equal queries of one tenant once, and never shares them with another', async () => {
    const { service, runs } = start();
    const tenants = ['a', 'b', 'a', 'b'];
    const answers = tenants.map(tenant => service.load(query, caller({ tenant }), { requestId }));
    expect(runs.map(run => run.parameters)).toEqual([['a'], ['b']]);
    runs.forEach(run => {
      run.finish({ columns: [[String(run.parameters[0])], ['1']] });
    });
    const data = (await Promise.all(answers)).map(answer => answer.data);
    expect(data).toEqual(tenants.map(tenant => [{ 't.name': tenant, 't.count': '1' }]));
  });

  it('gives a result out again until the data changes', async () => {
    const { service, engine, runs } = start();
    const ask = async () => {
      const answer = service.load(query, caller({ tenant: 'a' }), { requestId });
      runs.at(-1)?.finish();
      return answer;
    };
    await ask();
    await ask();
    expect(runs).toHaveLength(1);
    engine.dataVersion = 'v2';
    await ask();
    expect(runs).toHaveLength(2);
  });

  it.each([
    ['renewQuery', { ...query, renewQuery: true }, {}],
    ['cache: no-cache', query, { cache: 'no-cache' as const }],
  ])('runs a query anew for %s', async (_name, fresh, how) => {
    const { service, runs } = start();
    for (const asked of [query, fresh]) {
      const answer = service.load(asked, caller(), { requestId, ...how });
      runs.at(-1)?.finish();
      await answer;
    }
    expect(runs).toHaveLength(2);
  });

  it('keeps no failure', async () => {
    const { service, runs } = start();
    const failing = service.load(query, caller(), { requestId });
    runs[0]?.fail(new Error('broken'));
    await expect(failing).rejects.toThrow('broken');
    const again = service.load(query, caller(), { requestId });
    runs[1]?.finish();
    expect((await again).data).toHaveLength(1);
  });

  it('interrupts the engine when the last who asked has left', async () => {
    const { service, runs } = start();
    const controllers = [new AbortController(), new AbortController()];
    const answers = controllers.map(({ signal }) => service.load(query, caller(), { requestId, signal }));
    controllers[0]?.abort();
    await expect(answers[0]).rejects.toMatchObject({ status: 499 });
    expect(runs[0]?.signal?.aborted).toBe(false);
    controllers[1]?.abort();
    await expect(answers[1]).rejects.toMatchObject({ status: 499 });
    expect(runs[0]?.signal?.aborted).toBe(true);
  });

  it('refuses more queries than it may hold', async () => {
    const { service, runs } = start({ concurrency: 1, queueLimit: 1 });
    const answers = ['a', 'b'].map(tenant => service.load(query, caller({ tenant }), { requestId }));
    await expect(service.load(query, caller({ tenant: 'c' }), { requestId })).rejects.toMatchObject({ status: 503 });
    runs[0]?.finish();
    await answers[0];
    await vi.waitFor(() => expect(runs).toHaveLength(2));
    runs[1]?.finish();
    await answers[1];
  });

  it('throws what the model says of the query', async () => {
    const { service } = start();
    const asked = service.load({ measures: ['t.hidden'] }, caller(), { requestId });
    await expect(asked).rejects.toMatchObject({ status: 400, message: 'unknown member t.hidden' });
  });
});

describe('warm', () => {
  it('runs what the model rehearses, one after another', async () => {
    const { service, runs } = start();
    const warm = service.warm();
    await vi.waitFor(() => expect(runs).toHaveLength(1));
    runs[0]?.finish();
    await vi.waitFor(() => expect(runs).toHaveLength(2));
    runs[1]?.finish();
    await warm;
    expect(runs.map(run => run.parameters)).toEqual([['cube'], ['view']]);
  });

  it('never throws', async () => {
    const { service, runs } = start();
    const warm = service.warm();
    await vi.waitFor(() => expect(runs).toHaveLength(1));
    runs[0]?.fail(new Error('broken'));
    await expect(warm).resolves.toBeUndefined();
  });
});
