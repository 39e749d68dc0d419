import type { DuckDBConnection, Json } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Filter, Query } from '../../../../src/contract/query.js';
import type { SemanticModel } from '../../../../src/platform/data/semantic-model.js';
import { caller, tenantCaller } from '../callers.js';
import { compile, openDatabase, rowsOf, statementRows } from '../model/fixture.js';
import { allRowsPolicy } from '../model/model-yaml.js';
import { shop } from '../model/shop.js';

let database: DuckDBConnection;
let model: SemanticModel;
beforeAll(async () => {
  database = await openDatabase();
  model = await compile(shop, () => new Date('2001-02-15T12:00:00Z'));
});

const tenant = (name: string) => tenantCaller(name, 'finance', 'sales');
const rows = (query: Query, name = 'a'): Promise<Json[][]> => rowsOf(database, model, query, tenant(name));

async function total(query: Query, name = 'a'): Promise<Json[][]> {
  return statementRows(database, model.plan({ ...query, total: true }, tenant(name)).totalStatement());
}

describe('ungrouped rows', () => {
  it('match those of the table, with the argument of each measure', async () => {
    const query: Query = {
      ungrouped: true,
      dimensions: ['orders.id'],
      measures: ['count', 'revenue', 'average', 'regions', 'regions_about', 'paid_revenue'].map(
        name => `orders.${name}`,
      ),
      order: { 'orders.id': 'asc' },
    };
    expect(await rows(query)).toEqual([
      [1, 1, '10.00', 10, 1, 1, '10.00'],
      [2, 1, '20.00', 20, 1, 1, null],
      [3, 1, '30.00', 30, null, null, null],
      [4, 1, null, null, 1, 1, null],
    ]);
  });

  it('include duplicates', async () => {
    const query: Query = { dimensions: ['orders.customer'], order: { 'orders.customer': 'asc' } };
    expect(await rows(query)).toEqual([['Ada'], ['Bob']]);
    expect(await rows({ ...query, ungrouped: true })).toEqual([['Ada'], ['Ada'], ['Bob'], ['Bob']]);
    expect(await rows({ ...query, ungrouped: true, offset: 1, limit: 2 })).toEqual([['Ada'], ['Bob']]);
  });

  it('match those of the join', async () => {
    const query: Query = {
      ungrouped: true,
      dimensions: ['orders.id'],
      measures: ['orders.revenue', 'items.quantity'],
      order: { 'orders.id': 'asc' },
    };
    expect((await rows(query)).map(row => JSON.stringify(row)).sort()).toEqual([
      '[1,"10.00",1]',
      '[1,"10.00",2]',
      '[2,"20.00",3]',
      '[3,"30.00",null]',
      '[4,null,null]',
    ]);
  });

  it('of two cubes are joined, including repeated rows', async () => {
    const both: Query = { ungrouped: true, measures: ['orders.revenue', 'items.quantity'] };
    expect((await rows(both)).map(row => JSON.stringify(row)).sort()).toEqual([
      '["10.00",1]',
      '["10.00",2]',
      '["20.00",3]',
      '["30.00",null]',
      '[null,null]',
    ]);
  });

  it('belong to the caller, in cubes and views', async () => {
    const ids = async (query: Query, name: string) =>
      (await rows({ ...query, ungrouped: true }, name)).map(([id]) => id);
    expect(await ids({ dimensions: ['orders.id'], order: { 'orders.id': 'asc' } }, 'b')).toEqual([5, 6, 7, 8]);
    expect(await ids({ dimensions: ['north.id'], order: { 'north.id': 'asc' } }, 'a')).toEqual([1, 2, 3]);
    expect(await ids({ dimensions: ['north.id'], order: { 'north.id': 'asc' } }, 'b')).toEqual([6]);
    expect(await ids({ dimensions: ['sales.id'], segments: ['sales.large'] }, 'a')).toEqual([]);
  });

  it('omit measures that aggregate, directly or through others', async () => {
    const texts = await compile(`
cubes:
  - name: orders
    sql_table: orders
    dimensions: [{ name: id, sql: id, type: number, primary_key: true }]
    measures:
      - { name: count, type: count }
      - { name: sum_by_hand, sql: "SUM({CUBE}.amount)", type: number }
      - { name: through, sql: "{sum_by_hand} / 2", type: number }
      - { name: half, sql: "CAST(ROUND({count} * 1.0 / NULLIF(2, 0), 1) AS FLOAT8)", type: number }
      - { name: so_far, sql: amount, type: sum, rolling_window: { trailing: unbounded } }
      - { name: windowed, sql: "rank() OVER (ORDER BY {count})", type: number }
    ${allRowsPolicy}
`);
    const plan = (name: string) => texts.plan({ measures: [`orders.${name}`], ungrouped: true, limit: 1 }, caller());
    for (const name of ['sum_by_hand', 'through', 'windowed', 'so_far'])
      expect(() => plan(name)).toThrow('has no value per row');
    expect(await rowsOf(database, texts, { measures: ['orders.half'], ungrouped: true, limit: 1 }, caller())).toEqual([
      [0.5],
    ]);
  });
});

describe('a total', () => {
  it('counts rows without limit and offset', async () => {
    const query: Query = { measures: ['orders.count'], dimensions: ['orders.region'], limit: 1, offset: 3 };
    expect(await total(query)).toEqual([['4']]);
    expect(await total({ ...query, ungrouped: true })).toEqual([['4']]);
    expect(await total({ measures: ['orders.count'] })).toEqual([['1']]);
    expect(await total({ dimensions: ['orders.customer'] })).toEqual([['2']]);
  });

  it('applies filters, including those on measures', async () => {
    const query: Query = { measures: ['orders.revenue', 'items.quantity'], dimensions: ['orders.id'] };
    expect(await total(query)).toEqual([['4']]);
    const filters: Filter[] = [{ member: 'orders.revenue', operator: 'gte', values: ['20'] }];
    expect(await total({ ...query, filters })).toEqual([['2']]);
    expect(await total({ ...query, filters }, 'b')).toEqual([['4']]);
    expect(await total({ dimensions: ['north.id'] }, 'b')).toEqual([['1']]);
  });
});

describe('a measure filter', () => {
  it('finds rows that a measure counts', async () => {
    const ids = (member: string, name: string) =>
      rows({ dimensions: [`${member.split('.')[0]}.id`], filters: [{ member, operator: 'measureFilter' }] }, name);
    expect(await ids('orders.paid_revenue', 'a')).toEqual([[1], [4]]);
    expect(await ids('orders.paid_revenue', 'b')).toEqual([[5], [7], [8]]);
    expect(await ids('orders.count', 'a')).toEqual([[1], [2], [3], [4]]);
    expect(await ids('sales.paid_revenue', 'a')).toEqual([[1], [4]]);
  });

  it('can be combined with other filters', async () => {
    const filters: Filter[] = [
      { member: 'orders.paid_revenue', operator: 'measureFilter' },
      { member: 'orders.count', operator: 'gt', values: ['0'] },
      { member: 'orders.id', operator: 'lt', values: ['4'] },
    ];
    expect(await rows({ dimensions: ['orders.id'], filters })).toEqual([[1]]);
  });
});

describe('a time dimension', () => {
  it('can have several granularities', async () => {
    const query: Query = {
      measures: ['orders.count'],
      dimensions: ['orders.created.fiscal_year'],
      timeDimensions: [
        { dimension: 'orders.created', granularity: 'month' },
        { dimension: 'orders.created', granularity: 'quarter', dateRange: 'this year' },
      ],
      order: [
        ['orders.created.quarter', 'asc'],
        ['orders.created.month', 'desc'],
      ],
    };
    expect(await rows(query)).toEqual([
      ['2000-04-01 00:00:00', '2001-02-01 00:00:00', '2001-01-01 00:00:00', '2'],
      ['2000-04-01 00:00:00', '2001-01-01 00:00:00', '2001-01-01 00:00:00', '2'],
    ]);
  });

  it('sorts by its exact value if it is also grouped', async () => {
    const query: Query = {
      dimensions: ['orders.region', 'orders.created'],
      timeDimensions: [{ dimension: 'orders.created', granularity: 'year' }],
    };
    const created = async (order: Query['order']) => (await rows({ ...query, order })).map(row => row[1]);
    const [first, second, third, fourth] = await created({ 'orders.created': 'asc' });
    expect([first, fourth]).toEqual(['2001-01-01 00:30:00', '2001-02-14 12:00:00']);
    expect(await created({ 'orders.created': 'desc' })).toEqual([fourth, third, second, first]);
    expect(await created({ 'orders.created.year': 'asc', 'orders.created': 'desc' })).toEqual([
      fourth,
      third,
      second,
      first,
    ]);
    const regions = (await rows({ ...query, order: { 'orders.created.year': 'asc', 'orders.region': 'asc' } })).map(
      ([region]) => region,
    );
    expect(regions).toEqual(['50%_off\\', 'North-East', 'north', null]);
  });

  it.each<[string | string[], string, number[]]>([
    ['today', 'UTC', []],
    ['yesterday', 'UTC', [4]],
    ['last 14 days', 'UTC', [3, 4]],
    ['last month', 'UTC', [1, 2]],
    ['last month', 'America/New_York', [2, 3]],
    ['from 2001-01-31 to now', 'UTC', [2, 3, 4]],
    [['2001-01-31', 'yesterday'], 'UTC', [2, 3, 4]],
  ])('is filtered by %j in %s', async (dateRange, timezone, ids) => {
    const timeDimensions = [{ dimension: 'orders.created', dateRange }];
    const query: Query = { dimensions: ['orders.id'], timeDimensions, timezone };
    expect(await rows(query)).toEqual(ids.map(id => [id]));
    const values = [dateRange].flat();
    const filters: Filter[] = [{ member: 'orders.created', operator: 'inDateRange', values }];
    expect(await rows({ dimensions: ['orders.id'], filters, timezone })).toEqual(ids.map(id => [id]));
  });

  it.each<[Filter, number[]]>([
    [{ member: 'orders.created', operator: 'beforeDate', values: ['this month'] }, [1, 2]],
    [{ member: 'orders.created', operator: 'beforeOrOnDate', values: ['14 days ago'] }, [1, 2, 3]],
    [{ member: 'orders.created', operator: 'afterDate', values: ['14 days ago'] }, [4]],
    [{ member: 'orders.created', operator: 'afterOrOnDate', values: ['14 days ago'] }, [3, 4]],
    [{ member: 'orders.created', operator: 'notInDateRange', values: ['last month'] }, [3, 4]],
  ])('is filtered by %j', async (filter, ids) => {
    expect(await rows({ dimensions: ['orders.id'], filters: [filter] })).toEqual(ids.map(id => [id]));
  });

  it("is returned in the query's time zone, grouped or not, and is filtered once", async () => {
    const query: Query = {
      dimensions: ['orders.id', 'orders.created'],
      filters: [{ member: 'orders.created', operator: 'afterOrOnDate', values: ['2001-02-14'] }],
    };
    expect(await rows({ ...query, timezone: 'Asia/Tokyo' })).toEqual([[4, '2001-02-14 21:00:00']]);
    expect(await rows({ ...query, timezone: 'Asia/Tokyo', ungrouped: true })).toEqual([[4, '2001-02-14 21:00:00']]);
    expect(await rows({ ...query, timezone: 'UTC' })).toEqual([[4, '2001-02-14 12:00:00']]);
    const view = { dimensions: ['sales.created'], filters: [{ member: 'sales.id', operator: 'equals', values: [4] }] };
    expect(await rows({ ...view, timezone: 'Asia/Tokyo' } as Query)).toEqual([['2001-02-14 21:00:00']]);
  });

  it('supports the first and last year in every time zone', async () => {
    const timeDimensions = [{ dimension: 'orders.created', dateRange: ['1000-01-01', '9999-12-31'] }];
    for (const timezone of ['Pacific/Kiritimati', 'UTC', 'Pacific/Pago_Pago']) {
      expect(await rows({ measures: ['orders.count'], timeDimensions, timezone })).toEqual([['4']]);
    }
  });
});

describe('a filter', () => {
  it('supports text operators for booleans', async () => {
    const ids = (operator: 'contains' | 'notStartsWith' | 'endsWith', ...values: string[]) =>
      rows({ dimensions: ['orders.id'], filters: [{ member: 'orders.paid', operator, values }] });
    expect(await ids('contains', 'TRU')).toEqual([[1], [4]]);
    expect(await ids('notStartsWith', 't')).toEqual([[2], [3]]);
    expect(await ids('endsWith', 'e')).toEqual([[1], [2], [4]]);
  });
});

describe('the key of a plan', () => {
  const key = (query: Query, name = 'a') => model.plan(query, tenant(name)).key;
  const query: Query = { measures: ['orders.count'], dimensions: ['orders.region'] };

  it('is equal for equal queries, however they are written', () => {
    expect(key({ ...query, limit: 10_000, timezone: 'UTC', offset: 0 })).toBe(key(query));
    expect(key({ ...query, order: [['orders.count', 'desc']] })).toBe(key(query));
    expect(key({ ...query, timeDimensions: [{ dimension: 'orders.created', dateRange: 'yesterday' }] })).toBe(
      key({ ...query, timeDimensions: [{ dimension: 'orders.created', dateRange: '2001-02-14' }] }),
    );
  });

  it('differs by caller, filter, limit, order, time zone or format of rows', () => {
    const others: Query[] = [
      { ...query, limit: 9 },
      { ...query, offset: 1 },
      { ...query, order: [] },
      { ...query, ungrouped: true },
      { ...query, timezone: 'Europe/Berlin' },
      { ...query, segments: ['orders.large'] },
      { ...query, joinHints: [['orders', 'items']] },
      { ...query, filters: [{ member: 'orders.id', operator: 'gt', values: ['1'] }] },
      { ...query, filters: [{ member: 'orders.id', operator: 'gt', values: ['2'] }] },
    ];
    expect(new Set([key(query), key(query, 'b'), ...others.map(one => key(one))]).size).toBe(others.length + 2);
  });

  it("contains the caller's row filters, except those of cubes out of reach", async () => {
    // Cubes that are joined in a chain (one, two, three, four), and a cube without joins (five).
    const names = ['one', 'two', 'three', 'four', 'five'];
    const next = (index: number) => (index < 3 ? names[index + 1] : undefined);
    const cube = (name: string, index: number) => `  - name: ${name}
    sql_table: orders
    joins: [${next(index) ? `{ name: ${next(index)}, sql: "{CUBE}.id = {${next(index)}.id}", relationship: one_to_one }` : ''}]
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: tenant, sql: "{CUBE}.tenant", type: string }
    measures: [{ name: count, type: count }]
    access_policy:
      - group: "*"
        row_level: { filters: [{ member: tenant, operator: equals, values: ["{ securityContext.${name} }"] }] }`;
    const chain = await compile(`
cubes:
${names.map(cube).join('\n')}
views:
  - name: ends
    cubes: [{ join_path: one, includes: [count] }, { join_path: one.two.three, includes: [id] }]
    ${allRowsPolicy}
  - name: filtered
    cubes: [{ join_path: one, includes: [count] }, { join_path: one.two, includes: [id] }]
    access_policy: [{ group: "*", row_level: { filters: [{ member: id, operator: set }] } }]
`);
    const own = Object.fromEntries(names.map(name => [name, `rows of ${name}`]));
    const readBy = (query: Query) => {
      const { key } = chain.plan(query, caller(own));
      return names.filter(name => key.includes(`rows of ${name}`));
    };
    expect(readBy({ measures: ['two.count'] })).toEqual(['two']);
    expect(readBy({ measures: ['five.count'], filters: [{ member: 'five.id', operator: 'set' }] })).toEqual(['five']);
    expect(readBy({ measures: ['one.count'], dimensions: ['three.id'] })).toEqual(['one', 'two', 'three']);
    expect(readBy({ measures: ['one.count'], filters: [{ member: 'three.id', operator: 'set' }] })).toEqual([
      'one',
      'two',
      'three',
    ]);
    expect(readBy({ measures: ['one.count'], joinHints: [['four']] })).toEqual(['one', 'two', 'three', 'four']);
    expect(readBy({ measures: ['ends.count'], dimensions: ['ends.id'] })).toEqual(['one', 'two', 'three']);
    expect(readBy({ measures: ['ends.count'] })).toContain('one');
    expect(readBy({ measures: ['filtered.count'] })).toEqual(['one', 'two']);
    const joined = chain.plan({ measures: ['one.count'], dimensions: ['three.id'] }, caller(own)).statement();
    expect(joined.parameters).toEqual(['rows of one', 'rows of two', 'rows of three']);
  });
});
