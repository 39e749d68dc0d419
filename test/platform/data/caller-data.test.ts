import { afterEach, describe, expect, it, vi } from 'vitest';
import { createCallerData } from '../../../src/platform/data/caller-data.js';
import { createDataService, type DataService } from '../../../src/platform/data/data-service.js';
import { eventually } from '../../eventually.js';
import { caller, tenantCaller } from './callers.js';
import { fakeEngine, fakeModel } from './fakes.js';

const query = { dimensions: ['t.name'], measures: ['t.count'], limit: 2 };
const { signal } = new AbortController();

afterEach(() => {
  vi.useRealTimers();
});

function start(continueWaitMs = 5000) {
  const { engine, runs } = fakeEngine();
  const service = createDataService({ engine, model: { current: fakeModel }, continueWaitMs });
  /** Resolves a statement of the engine with these rows, or with a total. */
  const finish = async (columns: readonly (readonly (string | null)[])[], total: string) => {
    await eventually(() => expect(runs.length % 2).toBe(0));
    for (const run of runs.slice(-2)) run.finish({ columns: run.sql.includes('name,') ? columns : [[total]] });
  };
  return { data: createCallerData(service, tenantCaller('a')), service, runs, finish };
}

describe('CallerData', () => {
  it('returns rows with their columns in order, and the total', async () => {
    const { data, finish, runs } = start();
    const answer = data.load(query, { signal });
    await finish(
      [
        ['x', null],
        ['1', '2'],
      ],
      '1234',
    );
    expect(await answer).toEqual({
      totalRows: 1234,
      rowSet: {
        columns: [
          { member: 't.name', kind: 'dimension', annotation: expect.objectContaining({ title: 't.name' }) },
          { member: 't.count', kind: 'dimension', annotation: expect.objectContaining({ title: 't.count' }) },
        ],
        rows: [
          { 't.name': 'x', 't.count': '1' },
          { 't.name': null, 't.count': '2' },
        ],
        truncated: false,
        lastRefreshTime: '2001-02-03T04:05:06.000Z',
      },
    });
    expect(runs.map(run => run.parameters)).toEqual([['a'], ['a']]);
  });

  it('identifies measures, dimensions and time dimensions from the annotation', async () => {
    const described = (title: string) => ({ title, shortTitle: title, type: 'string' });
    const answer = {
      query: { limit: 1 },
      data: { members: ['t.name', 't.at.month', 't.count'], dataset: [['x', '2024-01-01T00:00:00.000', '1']] },
      annotation: {
        measures: { 't.count': described('Count') },
        dimensions: { 't.name': described('Name') },
        segments: {},
        timeDimensions: { 't.at.month': described('At'), 't.at': described('At') },
      },
      total: 1,
    };
    const { service } = start();
    const telling: DataService = { ...service, load: async () => Buffer.from(JSON.stringify(answer)) };
    const { rowSet } = await createCallerData(telling, caller()).load(query, { signal });
    expect(rowSet.columns.map(({ kind, annotation }) => [kind, annotation.title])).toEqual([
      ['dimension', 'Name'],
      ['timeDimension', 'At'],
      ['measure', 'Count'],
    ]);
    expect(rowSet.truncated).toBe(true);
  });

  it('keeps waiting for a query that exceeds the wait limit of a request', async () => {
    vi.useFakeTimers();
    const { data, runs, finish } = start(5000);
    const answer = data.load(query, { signal });
    await vi.advanceTimersByTimeAsync(17_000);
    expect(runs).toHaveLength(2);
    await finish([['x'], ['1']], '1');
    await vi.advanceTimersByTimeAsync(0);
    expect((await answer).totalRows).toBe(1);
    expect(runs).toHaveLength(2);
  });

  it('releases the query as soon as the signal aborts', async () => {
    const { data, runs } = start();
    const controller = new AbortController();
    const answer = data.load(query, { signal: controller.signal });
    await eventually(() => expect(runs).toHaveLength(2));
    controller.abort();
    await expect(answer).rejects.toMatchObject({ status: 499 });
    await eventually(() => expect(runs.every(run => run.signal?.aborted)).toBe(true));
  });

  it('passes on the error of a rejected query', async () => {
    const { data } = start();
    const refused = { status: 400, message: 'unknown member t.hidden' };
    await expect(data.load({ measures: ['t.hidden'] }, { signal })).rejects.toMatchObject(refused);
  });

  it('rejects rows that do not match the columns', async () => {
    const annotation = { measures: {}, dimensions: {}, segments: {}, timeDimensions: {} };
    const { service } = start();
    for (const row of [['x', '1', '2'], [{}, '1'], 'x1', null]) {
      const answer = { query: {}, data: { members: ['t.name', 't.count'], dataset: [row] }, annotation, total: 1 };
      const broken: DataService = { ...service, load: async () => Buffer.from(JSON.stringify(answer)) };
      await expect(createCallerData(broken, caller()).load(query, { signal })).rejects.toThrow('does not match');
    }
  });

  it('returns the model visible to the caller', async () => {
    const { cubes } = await start().data.meta();
    expect(cubes.map(({ name }) => name)).toEqual(['t', 'empty']);
  });
});
