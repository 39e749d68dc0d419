import type { DuckDBConnection, Json } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Query } from '../../../../src/contract/query.js';
import type { SemanticModel } from '../../../../src/platform/data/semantic-model.js';
import { caller } from '../callers.js';
import { compile, openDatabase, rowsOf } from '../model/fixture.js';
import { allRowsPolicy } from '../model/model-yaml.js';

const model = `
cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: tenant, sql: tenant, type: string }
      - name: created
        sql: "{CUBE}.created"
        type: time
        granularities:
          - { name: school_year, interval: 1 year, origin: "2000-08-15" }
          - { name: mid_month, interval: 1 month, origin: "2001-01-15" }
          - { name: third, interval: 4 months, origin: "2001-02-10" }
          - { name: sunday_week, interval: 1 week, origin: "2000-12-31" }
          - { name: late_month, interval: 1 month, offset: 14 days }
          - { name: ten_days, interval: 10 days, origin: "2001-01-01" }
    measures:
      - { name: count, type: count }
    ${allRowsPolicy}
`;

let database: DuckDBConnection;
let compiled: SemanticModel;
beforeAll(async () => {
  database = await openDatabase();
  compiled = await compile(model);
});

const rows = (query: Query): Promise<Json[][]> => rowsOf(database, compiled, query, caller());

describe('an order', () => {
  const timeDimensions = [{ dimension: 'orders.created', granularity: 'month' }];
  const query: Query = { dimensions: ['orders.tenant'], measures: ['orders.count'], timeDimensions };
  const months = async (order?: Query['order']) =>
    (await rows({ ...query, ...(order && { order }) })).flatMap(([, month]) => month ?? []);

  it('by time holds if other dimensions are listed first', async () => {
    const found = await months([['orders.created', 'desc']]);
    expect(found).toEqual([...found].sort().reverse());
    expect(found[0]).toBe('2001-12-01 00:00:00');
    const byDefault = await months();
    expect(byDefault).toEqual([...byDefault].sort());
  });
});

describe('NULL', () => {
  it('sorts last in both directions', async () => {
    const timeDimensions = [{ dimension: 'orders.created', granularity: 'year' }];
    const years = async (direction: 'asc' | 'desc') =>
      (await rows({ timeDimensions, order: { 'orders.created': direction } })).map(([year]) => year);
    expect(await years('asc')).toEqual(['2001-01-01 00:00:00', null]);
    expect(await years('desc')).toEqual(['2001-01-01 00:00:00', null]);
  });
});

describe('long names', () => {
  it('stay distinct even if they differ only at the end', async () => {
    const name = (end: string) => `a_dimension_with_a_name_that_says_more_than_an_engine_cares_to_keep_${end}`;
    const dimension = (end: string, sql: string) => `- { name: ${name(end)}, sql: ${sql}, type: string }`;
    const long = await compile(`
cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      ${dimension('tenant', 'tenant')}
      ${dimension('region', 'region')}
    measures:
      - { name: ${name('count')}, type: count }
      - { name: ${name('distinct')}, sql: tenant, type: count_distinct }
    ${allRowsPolicy}
`);
    const query: Query = {
      dimensions: ['orders.id', `orders.${name('tenant')}`, `orders.${name('region')}`],
      measures: [`orders.${name('count')}`, `orders.${name('distinct')}`],
      filters: [{ member: `orders.${name('count')}`, operator: 'gt', values: ['0'] }],
      order: { 'orders.id': 'asc' },
      limit: 1,
    };
    expect(await rowsOf(database, long, query, caller())).toEqual([[1, 'a', 'north', '1', '1']]);
  });
});

describe('pages of rows with equal sort keys', () => {
  const all: Query = { measures: ['orders.count'], dimensions: ['orders.id', 'orders.tenant'], limit: 5000 };
  let many: DuckDBConnection;
  beforeAll(async () => {
    many = await openDatabase();
    await many.run(`INSERT INTO orders SELECT range + 100, 'c', NULL, 1, 1, NULL, true FROM range(4000)`);
  });
  const pageOf = (query: Query) => rowsOf(many, compiled, query, caller());

  it.each<[string, Query]>([
    ['by default', all],
    ['by a dimension', { ...all, order: { 'orders.tenant': 'desc' } }],
    ['ungrouped', { ...all, ungrouped: true, order: { 'orders.tenant': 'asc' } }],
  ])('contain each row once: %s', async (_name, query) => {
    const pages: Json[][] = [];
    for (let offset = 0; offset < 4008; offset += 501) pages.push(...(await pageOf({ ...query, offset, limit: 501 })));
    expect(pages).toEqual(await pageOf(query));
    expect(new Set(pages.map(([id]) => id)).size).toBe(4008);
  });

  it('are returned in the requested order', () => {
    expect(compiled.plan(all, caller()).query.order).toEqual([{ id: 'orders.count', desc: true }]);
    const order: Query['order'] = [{ id: 'orders.tenant', desc: true }];
    expect(compiled.plan({ ...all, order }, caller()).query.order).toEqual(order);
  });

  it('have no order by default', () => {
    expect(compiled.plan({ ...all, order: [] }, caller()).statement().sql).not.toContain('ORDER BY');
  });
});

describe('a custom granularity', () => {
  it.each([
    ['school_year', { 1: '2000-08-15', 8: '2001-08-15' }],
    [
      'mid_month',
      { 1: '2000-12-15', 2: '2001-01-15', 4: '2001-01-15', 5: '2001-01-15', 6: '2001-03-15', 8: '2001-12-15' },
    ],
    ['third', { 1: '2000-10-10', 4: '2001-02-10', 6: '2001-02-10', 8: '2001-10-10' }],
    ['sunday_week', { 1: '2000-12-31', 2: '2001-01-28', 8: '2001-12-30' }],
    ['late_month', { 1: '2000-12-15', 2: '2001-01-15', 6: '2001-03-15' }],
    ['ten_days', { 1: '2001-01-01', 2: '2001-01-31', 5: '2001-01-11' }],
  ])('%s starts at its origin or offset', async (granularity, starts) => {
    const query: Query = {
      dimensions: ['orders.id'],
      timeDimensions: [{ dimension: 'orders.created', granularity }],
    };
    const found = new Map((await rows(query)).map(([id, start]) => [String(id), start]));
    for (const [id, start] of Object.entries(starts)) expect(found.get(id)).toBe(`${start} 00:00:00`);
  });
});
