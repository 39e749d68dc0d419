import { expect, test, vi } from 'vitest';
import type { Query } from '../../../src/contract/query.js';
import type { CallerData } from '../../../src/platform/data/caller-data.js';
import { restrictViews } from '../../../src/platform/data/restrict-views.js';

const cube = (name: string, joins: string[] = []) => ({
  name,
  title: name,
  type: 'cube',
  measures: [],
  dimensions: [],
  segments: [],
  joins: joins.map(joined => ({ name: joined, relationship: 'belongsTo' })),
});

function restricted() {
  const load = vi.fn<CallerData['load']>(() => Promise.reject(new Error('The query was run.')));
  const meta = { cubes: [cube('orders', ['users', 'items']), cube('users'), cube('items')] };
  return { load, data: restrictViews({ meta: () => meta, load }, ['orders', 'items']) };
}

const run = (data: CallerData, query: Query) => data.load(query, { signal: new AbortController().signal });

test('shows only its cubes and the joins between them', async () => {
  const { cubes } = await restricted().data.meta();
  expect(cubes.map(({ name, joins }) => [name, (joins ?? []).map(join => join.name)])).toEqual([
    ['orders', ['items']],
    ['items', []],
  ]);
});

const hidden = 'users.city';
const equals = { member: hidden, operator: 'equals', values: ['x'] } as const;
test.each<[string, Query]>([
  ['measures', { measures: ['orders.count', hidden] }],
  ['dimensions', { dimensions: [hidden] }],
  ['segments', { segments: [hidden] }],
  ['time dimensions', { timeDimensions: [{ dimension: hidden, granularity: 'day' }] }],
  ['filters', { measures: ['orders.count'], filters: [{ ...equals, values: [...equals.values] }] }],
  ['nested filters', { filters: [{ and: [{ or: [{ ...equals, values: [] }] }] }] }],
  ['an order', { order: { [hidden]: 'asc' } }],
  ['an order as pairs', { order: [[hidden, 'asc']] }],
  ['an order as objects', { order: [{ id: hidden, desc: true }] }],
])('rejects %s of another cube like unknown members', async (_name, query) => {
  const { data, load } = restricted();
  await expect(run(data, query)).rejects.toMatchObject({
    status: 400,
    message: 'users.city is not a member of the model',
  });
  expect(load).not.toHaveBeenCalled();
});

test('rejects joins through another cube, and runs other queries unchanged', async () => {
  const { data, load } = restricted();
  await expect(run(data, { joinHints: [['orders', 'users']] })).rejects.toMatchObject({ status: 400 });
  const query: Query = { measures: ['orders.count'], dimensions: ['items.name'], order: [['items.name', 'asc']] };
  await expect(run(data, query)).rejects.toThrow('The query was run.');
  expect(load.mock.lastCall?.[0]).toBe(query);
});
