import type { DuckDBConnection, Json } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Filter, Query, TimeDimension } from '../../../../src/contract/query.js';
import type { ResponseQuery } from '../../../../src/platform/data/planner/plan-query.js';
import type { QueryPlan, SemanticModel } from '../../../../src/platform/data/semantic-model.js';
import { PlatformError } from '../../../../src/platform/errors.js';
import { caller, tenantCaller } from '../callers.js';
import { compile, openDatabase, rowsOf } from '../model/fixture.js';
import { allRowsPolicy } from '../model/model-yaml.js';
import { shop } from '../model/shop.js';

let database: DuckDBConnection;
let model: SemanticModel;
beforeAll(async () => {
  database = await openDatabase();
  model = await compile(shop, () => new Date('2001-02-15T12:00:00Z'));
});

const tenant = (name: string) => tenantCaller(name, 'finance', 'sales');
const plan = (query: Query): QueryPlan => model.plan(query, tenant('a'));
const rows = (query: Query, name = 'a'): Promise<Json[][]> => rowsOf(database, model, query, tenant(name));

function refusal(query: Query): string {
  try {
    plan(query);
  } catch (error) {
    if (error instanceof PlatformError && error.status === 400) return error.message;
    throw error;
  }
  return 'planned';
}

const withFilter = (...filters: Filter[]): Query => ({ measures: ['orders.count'], filters });
const withTime = (timeDimension: Omit<TimeDimension, 'dimension'>, timezone = 'UTC'): Query => ({
  measures: ['orders.count'],
  timeDimensions: [{ dimension: 'orders.created', ...timeDimension }],
  timezone,
});

describe('query validation', () => {
  it.each<[string, Query, string]>([
    ['without members', {}, 'A query requires measures, dimensions or time dimensions with a granularity'],
    [
      'with filters alone',
      { filters: [{ member: 'orders.id', operator: 'set' }], segments: ['orders.large'] },
      'A query requires measures, dimensions or time dimensions with a granularity',
    ],
    [
      'with a date range alone',
      { timeDimensions: [{ dimension: 'orders.created', dateRange: '2001-01-01' }] },
      'A query requires measures, dimensions or time dimensions with a granularity',
    ],
    ['with a dimension as a measure', { measures: ['orders.region'] }, 'orders.region is not a measure'],
    ['with a measure as a dimension', { dimensions: ['orders.count'] }, 'orders.count is not a dimension'],
    [
      'with a measure as a segment',
      { measures: ['orders.count'], segments: ['orders.count'] },
      'orders.count is not a segment',
    ],
    [
      'with a text dimension as a time dimension',
      { timeDimensions: [{ dimension: 'orders.region', granularity: 'day' }] },
      'orders.region is not a time dimension',
    ],
    ['with an unknown granularity', withTime({ granularity: 'decade' }), 'orders.created has no granularity decade'],
    ['in an unknown time zone', withTime({ granularity: 'day' }, 'Mars/Olympus'), 'timezone must be an IANA name'],
    ['with SQL as a time zone', withTime({ granularity: 'day' }, "UTC') OR ('1"), 'timezone must be an IANA name'],
    ['with a phrase that is not a date', withTime({ dateRange: 'soon' }), 'dateRange of orders.created: send a date'],
    [
      'with a phrase of more than 100 characters',
      withTime({ dateRange: `today${' '.repeat(96)}` }),
      'dateRange of orders.created: send a date',
    ],
    [
      'with a day that does not exist',
      withTime({ dateRange: '2001-02-30' }),
      'dateRange of orders.created: send a date',
    ],
    [
      'with equals and a relative date',
      withFilter({ member: 'orders.created', operator: 'equals', values: ['today'] }),
      'filter of orders.created: equals requires dates such as 2001-01-31 or 2001-01-31T08:00:00',
    ],
    [
      'with a phrase in a filter that is not a date',
      withFilter({ member: 'orders.created', operator: 'inDateRange', values: ['soon'] }),
      'filter of orders.created: inDateRange requires dates such as 2001-01-31 or 2001-01-31T08:00:00, or phrases such as last 7 days',
    ],
    [
      'with compareDateRange',
      withTime({ compareDateRange: ['2001-01-01'] }),
      'compareDateRange of orders.created is not supported here: send a query for each range',
    ],
    ...(['measures', 'dimensions', 'segments'] as const).map((key): [string, Query, string] => [
      `with ${key} without end`,
      { [key]: Array.from({ length: 101 }, () => 'orders.count') },
      'A query can have at most 100 members',
    ]),
    [
      'with too many time dimensions',
      { timeDimensions: Array.from({ length: 101 }, () => ({ dimension: 'orders.created', dateRange: 'today' })) },
      'A query can have at most 100 members',
    ],
    [
      'with too many order keys',
      { dimensions: ['orders.id'], order: Array.from({ length: 101 }, () => ({ id: 'orders.id', desc: true })) },
      'A query can have at most 100 members',
    ],
    ['with too high a limit', { measures: ['orders.count'], limit: 50_001 }, 'limit must not exceed 50000'],
    [
      'with a calculated aggregate measure and ungrouped rows',
      { measures: ['orders.last'], ungrouped: true },
      'orders.last has no value per row: remove "ungrouped"',
    ],
    [
      'with a measure filter and ungrouped rows',
      { ...withFilter({ member: 'orders.count', operator: 'gt', values: ['1'] }), ungrouped: true },
      'An ungrouped query cannot filter by measures',
    ],
    [
      'with a measureFilter on a dimension',
      withFilter({ member: 'orders.id', operator: 'measureFilter' }),
      'measureFilter requires a measure: orders.id is not a measure',
    ],
    [
      'with a measureFilter inside a group',
      withFilter({ or: [{ member: 'orders.count', operator: 'measureFilter' }] }),
      'measureFilter is not supported inside "and" or "or"',
    ],
    [
      'with a measureFilter and values',
      withFilter({ member: 'orders.count', operator: 'measureFilter', values: ['1'] }),
      'filter of orders.count: measureFilter does not support values',
    ],
    [
      'with an order by a member that it lacks',
      { measures: ['orders.count'], order: { 'orders.id': 'asc' } },
      'order: orders.id is not a member of the query',
    ],
    [
      'with a segment as a filter',
      withFilter({ member: 'orders.large', operator: 'set' }),
      'orders.large is a segment',
    ],
    ['with an empty group', withFilter({ or: [] }), 'A filter with "and" or "or" requires at least one condition'],
    [
      'without values',
      withFilter({ member: 'orders.region', operator: 'equals' }),
      'filter of orders.region: equals requires values',
    ],
    [
      'with text instead of a number',
      withFilter({ member: 'orders.id', operator: 'equals', values: ['1 OR 1=1'] }),
      'filter of orders.id: equals requires numbers',
    ],
    [
      'with text instead of a time',
      withFilter({ member: 'orders.created', operator: 'afterDate', values: ['soon'] }),
      'filter of orders.created: afterDate requires dates such as 2001-01-31 or 2001-01-31T08:00:00, or phrases such as last 7 days',
    ],
    [
      'with text instead of a boolean',
      withFilter({ member: 'orders.paid', operator: 'equals', values: ['yes'] }),
      'filter of orders.paid: equals requires true or false',
    ],
    [
      'with two values to compare with',
      withFilter({ member: 'orders.id', operator: 'gt', values: ['1', '2'] }),
      'filter of orders.id: gt requires one value',
    ],
    [
      'with an operator of another type',
      withFilter({ member: 'orders.id', operator: 'contains', values: ['1'] }),
      'filter of orders.id: contains cannot be used with a number member',
    ],
    [
      'with measures and dimensions in one group',
      withFilter({
        or: [
          { member: 'orders.count', operator: 'gt', values: [1] },
          { and: [{ member: 'orders.id', operator: 'set' }] },
        ],
      }),
      'Measures and dimensions cannot be combined in one "and" or "or" filter',
    ],
    [
      'with too many filters',
      withFilter(...Array.from({ length: 201 }, () => ({ member: 'orders.id', operator: 'set' }) as const)),
      '200 filters',
    ],
    [
      'with too many values',
      withFilter({ member: 'orders.region', operator: 'equals', values: Array.from({ length: 10_001 }, String) }),
      '10000 values',
    ],
    [
      'with too many text searches',
      withFilter({ member: 'orders.region', operator: 'contains', values: Array.from({ length: 501 }, String) }),
      'Filters can have at most 500 values of text operators such as contains',
    ],
  ])('%s is rejected', (_, query, message) => {
    expect(refusal(query)).toContain(message);
  });

  it('rejects properties that the contract does not allow', () => {
    const query = { measures: ['orders.count'], subqueryJoins: [] };
    expect(refusal(query)).toBe('subqueryJoins is not supported');
  });

  it('allows 100 members, but not more', async () => {
    const names = Array.from({ length: 101 }, (_, index) => `d${index}`);
    const wide = await compile(`
cubes:
  - name: orders
    sql_table: orders
    ${allRowsPolicy}
    dimensions:
${names.map(name => `      - { name: ${name}, sql: id, type: number }`).join('\n')}
`);
    const paths = names.map(name => `orders.${name}`);
    expect(() => wide.plan({ dimensions: paths }, caller())).toThrow('A query can have at most 100 members');
    expect(wide.plan({ dimensions: paths.slice(1) }, caller()).columns).toHaveLength(100);
  });

  it('allows filters nested 20 levels deep, but not deeper', () => {
    const nested = (depth: number): Filter =>
      depth === 1 ? { member: 'orders.id', operator: 'set' } : { and: [nested(depth - 1)] };
    expect(refusal(withFilter(nested(20)))).toBe('planned');
    expect(refusal(withFilter(nested(21)))).toContain('Filters can be nested at most 20 levels deep');
  });
});

describe('a query', () => {
  it('is normalized with defaults and padded dates', () => {
    const { query } = plan(
      withTime({ granularity: 'month', dateRange: ['2001-01-01', '2001-01-31'] }, 'europe/berlin'),
    );
    expect(query).toEqual({
      measures: ['orders.count'],
      dimensions: [],
      segments: [],
      filters: [],
      timeDimensions: [
        {
          dimension: 'orders.created',
          granularity: 'month',
          dateRange: ['2001-01-01T00:00:00.000', '2001-01-31T23:59:59.999'],
        },
      ],
      order: [{ id: 'orders.created', desc: false }],
      limit: 10_000,
      rowLimit: 10_000,
      timezone: 'Europe/Berlin',
    });
  });

  it('is normalized with absolute dates', () => {
    const filters: Filter[] = [
      { member: 'orders.created', operator: 'inDateRange', values: ['last 7 days'] },
      { member: 'orders.created', operator: 'inDateRange', values: ['2001-01-01', 'yesterday'] },
      { or: [{ member: 'orders.created', operator: 'beforeDate', values: ['today'] }] },
      { member: 'orders.created', operator: 'afterDate', values: ['today'] },
      { member: 'orders.id', operator: 'equals', values: [1, null] },
    ];
    const { query } = plan({ ...withTime({ dateRange: 'last month' }), filters });
    expect(query.timeDimensions).toEqual([
      { dimension: 'orders.created', dateRange: ['2001-01-01T00:00:00.000', '2001-01-31T23:59:59.999'] },
    ]);
    expect(query.filters).toEqual([
      {
        member: 'orders.created',
        operator: 'inDateRange',
        values: ['2001-02-08T00:00:00.000', '2001-02-14T23:59:59.999'],
      },
      {
        member: 'orders.created',
        operator: 'inDateRange',
        values: ['2001-01-01T00:00:00.000', '2001-02-14T23:59:59.999'],
      },
      { or: [{ member: 'orders.created', operator: 'beforeDate', values: ['2001-02-15T00:00:00.000'] }] },
      { member: 'orders.created', operator: 'afterDate', values: ['2001-02-15T23:59:59.999'] },
      { member: 'orders.id', operator: 'equals', values: ['1', null] },
    ]);
  });

  it('is normalized with time dimensions moved out of the dimensions', () => {
    const { query } = plan({
      dimensions: ['orders.created.month', 'orders.region', 'orders.created.month'],
      measures: ['orders.count'],
    });
    expect(query.dimensions).toEqual(['orders.region']);
    expect(query.timeDimensions).toEqual([{ dimension: 'orders.created', granularity: 'month' }]);
  });

  it('is normalized to itself', () => {
    const { rowLimit, ...query } = plan({
      ...withTime({ granularity: 'week', dateRange: 'last 7 days' }),
      filters: [{ member: 'orders.created', operator: 'beforeOrOnDate', values: ['yesterday'] }],
      dimensions: ['orders.region'],
    }).query as ResponseQuery;
    expect(plan(query).query).toEqual({ ...query, rowLimit });
  });
});

describe('order, limit and members of a query', () => {
  it.each<[Query, unknown]>([
    [{ measures: ['orders.count'] }, []],
    [{ measures: ['orders.count', 'orders.revenue'], dimensions: ['orders.region'] }, ['-orders.count']],
    [{ dimensions: ['orders.region', 'orders.id'] }, ['orders.region']],
    [{ dimensions: ['orders.region', 'orders.id'], ungrouped: true }, []],
    [{ measures: ['orders.count'], dimensions: ['orders.created.day'] }, ['orders.created']],
    [{ dimensions: ['orders.region'], order: [] }, []],
    [{ dimensions: ['orders.region'], order: { 'orders.region': 'desc' } }, ['-orders.region']],
    [{ dimensions: ['orders.region', 'orders.id'], order: [['orders.id', 'asc']] }, ['orders.id']],
    [{ dimensions: ['orders.region'], order: [{ id: 'orders.region', desc: true }] }, ['-orders.region']],
    [{ ...withTime({ granularity: 'day' }), order: { 'orders.created': 'desc' } }, ['-orders.created']],
    [{ ...withTime({ granularity: 'day' }), order: { 'orders.created.day': 'asc' } }, ['orders.created.day']],
  ])('%j is ordered by %j', (query, order) => {
    const { order: items } = plan(query).query as ResponseQuery;
    expect((items as { id: string; desc: boolean }[]).map(({ id, desc }) => `${desc ? '-' : ''}${id}`)).toEqual(order);
  });

  it('supports limit and offset', async () => {
    const query: Query = { dimensions: ['orders.id'], limit: 2, offset: 1 };
    expect(await rows(query)).toEqual([[2], [3]]);
    expect(plan(query).query.limit).toBe(2);
    expect(plan({ dimensions: ['orders.id'], limit: null }).query.limit).toBe(10_000);
  });

  it('removes duplicate members', async () => {
    const query: Query = {
      measures: ['orders.count', 'orders.count'],
      dimensions: ['orders.paid', 'orders.created.year', 'orders.paid'],
      timeDimensions: [{ dimension: 'orders.created', granularity: 'year' }],
    };
    expect(plan(query).columns).toEqual([
      { member: 'orders.paid', kind: 'dimension' },
      { member: 'orders.created.year', kind: 'timeDimension' },
      { member: 'orders.count', kind: 'measure' },
    ]);
    expect((await rows(query))[0]).toHaveLength(3);
  });
});

describe('rows', () => {
  it("are grouped by time in the query's time zone", async () => {
    expect(await rows(withTime({ granularity: 'month' }))).toEqual([
      ['2001-01-01 00:00:00', '2'],
      ['2001-02-01 00:00:00', '2'],
    ]);
    expect(await rows(withTime({ granularity: 'month' }, 'America/New_York'))).toEqual([
      ['2000-12-01 00:00:00', '1'],
      ['2001-01-01 00:00:00', '2'],
      ['2001-02-01 00:00:00', '1'],
    ]);
  });

  it.each([
    ['second', '2001-01-01 00:30:00'],
    ['minute', '2001-01-01 00:30:00'],
    ['hour', '2001-01-01 00:00:00'],
    ['day', '2001-01-01 00:00:00'],
    ['week', '2001-01-01 00:00:00'],
    ['quarter', '2001-01-01 00:00:00'],
    ['year', '2001-01-01 00:00:00'],
    ['fortnight', '2001-01-01 00:00:00'],
    ['fiscal_year', '2000-04-01 00:00:00'],
  ])('are grouped by %s', async (granularity, first) => {
    expect((await rows(withTime({ granularity })))[0]?.[0]).toBe(first);
  });

  it('cover whole days, to the last microsecond', async () => {
    const ids = async (dateRange: string | string[], timezone?: string) => {
      const { timeDimensions = [], ...query } = withTime({ dateRange }, timezone);
      return (await rows({ ...query, measures: [], dimensions: ['orders.id'], timeDimensions })).map(row => row[0]);
    };
    expect(await ids('2001-01-31')).toEqual([2]);
    expect(await ids(['2001-01-31'])).toEqual([2]);
    expect(await ids(['2001-01-31', '2001-02-01'])).toEqual([2, 3]);
    expect(await ids('2001-01-31', 'America/New_York')).toEqual([2, 3]);
    expect(await ids(['2001-01-31T23:59:59', '2001-01-31T23:59:59.999'])).toEqual([2]);
    expect(await ids(['2001-01-31T18:59:00-05:00', '2001-02-01T00:00:00Z'])).toEqual([2, 3]);
    expect(await ids(['2001-02-01', '2001-01-01'])).toEqual([]);
  });

  it("are filtered by time in the query's time zone", async () => {
    const ids = async (operator: 'afterDate' | 'beforeOrOnDate' | 'notInDateRange', timezone: string) => {
      const filters: Filter[] = [{ member: 'orders.created', operator, values: ['2001-01-31'] }];
      return (await rows({ dimensions: ['orders.id'], filters, timezone })).map(row => row[0]);
    };
    expect(await ids('afterDate', 'UTC')).toEqual([3, 4]);
    expect(await ids('afterDate', 'America/New_York')).toEqual([4]);
    expect(await ids('beforeOrOnDate', 'UTC')).toEqual([1, 2]);
    expect(await ids('notInDateRange', 'UTC')).toEqual([1, 3, 4]);
  });

  it('are filtered by dimensions, measures, segments and groups of filters', async () => {
    const region: Filter = { member: 'orders.region', operator: 'notEquals', values: ['north', null] };
    expect(await rows({ ...withFilter(region), dimensions: ['orders.id'], order: { 'orders.id': 'asc' } })).toEqual([
      [2, '1'],
      [4, '1'],
    ]);
    const either: Filter = { or: [region, { member: 'orders.id', operator: 'equals', values: [1] }] };
    expect(await rows(withFilter(either))).toEqual([['3']]);
    const busy: Filter = { member: 'orders.count', operator: 'gt', values: ['1'] };
    expect(await rows({ ...withFilter(busy), dimensions: ['orders.customer'] })).toEqual([
      ['Ada', '2'],
      ['Bob', '2'],
    ]);
    expect(await rows({ measures: ['orders.count'], segments: ['orders.large'] }, 'b')).toEqual([['4']]);
    expect(await rows(withFilter({ member: 'orders.paid', operator: 'equals', values: ['true'] }))).toEqual([['2']]);
  });

  it('are aggregated by the model', async () => {
    const measures = ['revenue', 'average', 'regions', 'regions_about', 'paid_revenue', 'last'].map(
      name => `orders.${name}`,
    );
    expect(await rows({ measures })).toEqual([['60.00', 15, '3', '3', '10.00', '2001-02-14 12:00:00']]);
  });

  it('keep backslashes, quotes and backticks of the model', async () => {
    expect(
      await rows({ dimensions: ['orders.code'], filters: [{ member: 'orders.id', operator: 'equals', values: [2] }] }),
    ).toEqual([['North"`$']]);
  });

  it('are counted once if a join repeats them', async () => {
    const query: Query = {
      measures: ['orders.revenue', 'orders.count', 'items.quantity'],
      dimensions: ['orders.region'],
      order: { 'orders.region': 'asc' },
    };
    expect(plan(query).columns.map(column => column.member)).toEqual([
      'orders.region',
      'orders.revenue',
      'orders.count',
      'items.quantity',
    ]);
    expect(await rows(query)).toEqual([
      ['50%_off\\', null, '1', null],
      ['North-East', '20.00', '1', '3'],
      ['north', '10.00', '1', '3'],
      [null, '30.00', '1', null],
    ]);
    const total: Query = { measures: ['sales.items_quantity', 'sales.revenue', 'sales.count', 'sales.customers'] };
    expect(await rows(total, 'b')).toEqual([['15', '260.00', '4', '1']]);
  });

  it('of a cube without a key are rejected if a join would repeat them, and counted otherwise', async () => {
    const text = (relationship: string) => `
cubes:
  - name: orders
    sql_table: orders
    measures: [{ name: count, type: count }, { name: revenue, sql: amount, type: sum } ]
    joins: [{ name: items, sql: "{CUBE}.id = {items}.order_id", relationship: ${relationship} } ]
    ${allRowsPolicy}
  - name: items
    sql_table: items
    dimensions: [{ name: quantity, sql: quantity, type: number } ]
    measures: [{ name: count, type: count } ]
    ${allRowsPolicy}
`;
    const query: Query = { measures: ['orders.revenue', 'orders.count'], dimensions: ['items.quantity'] };
    const multiplied = await compile(text('one_to_many'));
    expect(() => multiplied.plan(query, caller()).statement()).toThrow(
      'Joining orders and items would count rows more than once: set primary_key: true on a dimension of each joined cube',
    );
    expect(await rowsOf(database, multiplied, { measures: ['orders.count'] }, caller())).toEqual([['8']]);
    const single = await compile(text('many_to_one'));
    expect(await rowsOf(database, single, { ...query, limit: 1 }, caller())).toEqual([[null, '240.00', '5']]);
    expect(() => single.plan({ measures: ['orders.count', 'items.count'] }, caller()).statement()).toThrow(
      'Joining orders and items would count rows more than once: set primary_key: true on a dimension of each joined cube',
    );
  });

  it("follow the join path of the caller's hints", async () => {
    expect(refusal({ measures: ['orders.count'], joinHints: [['orders', 'items']] })).toBe('planned');
    expect(refusal({ measures: ['orders.count'], joinHints: [['orders', 'customers']] })).toBe(
      'customers is not a cube of the model',
    );
    expect(refusal({ measures: ['orders.count'], joinHints: [['orders', 'sales']] })).toBe(
      'sales is not a cube of the model',
    );
  });
});

describe('an annotation', () => {
  it('describes each column', () => {
    const { annotation } = plan({
      measures: ['orders.revenue', 'orders.count'],
      dimensions: ['orders.amount'],
      segments: ['orders.large'],
      timeDimensions: [
        { dimension: 'orders.created', granularity: 'month' },
        { dimension: 'orders.created', granularity: 'fiscal_year' },
      ],
    });
    expect(annotation).toEqual({
      measures: {
        'orders.revenue': {
          title: 'Orders Revenue',
          shortTitle: 'Revenue',
          type: 'number',
          format: 'currency',
          formatDescription: { name: 'currency', specifier: '$,.2~f' },
          meta: { unit: 'EUR' },
          drillMembers: [],
          drillMembersGrouped: { measures: [], dimensions: [] },
        },
        'orders.count': {
          title: 'Orders Orders',
          shortTitle: 'Orders',
          type: 'number',
          format: { type: 'custom-numeric', value: ',.0f', alias: 'number_0' },
          formatDescription: { name: 'number_0', specifier: ',.0f' },
          drillMembers: ['orders.id', 'orders.customer', 'orders.amount'],
          drillMembersGrouped: { measures: [], dimensions: ['orders.id', 'orders.customer', 'orders.amount'] },
        },
      },
      dimensions: {
        'orders.amount': {
          title: 'Orders Amount',
          shortTitle: 'Amount',
          type: 'number',
          format: 'currency',
          currency: 'EUR',
          formatDescription: { name: 'currency', specifier: '$,.2~f', currency: 'EUR' },
        },
      },
      segments: { 'orders.large': { title: 'Orders Large orders', shortTitle: 'Large orders', type: 'boolean' } },
      timeDimensions: {
        'orders.created': { title: 'Orders Created', shortTitle: 'Created', type: 'time' },
        'orders.created.month': {
          title: 'Orders Created',
          shortTitle: 'Created',
          type: 'time',
          granularity: { name: 'month', title: 'Month', interval: '1 month' },
        },
        'orders.created.fiscal_year': {
          title: 'Orders Created',
          shortTitle: 'Created',
          type: 'time',
          granularity: { name: 'fiscal_year', title: 'Fiscal year', interval: '1 year', offset: '3 months' },
        },
      },
    });
  });

  it('contains the origin of weeks', () => {
    const granularity = (name: string) =>
      plan(withTime({ granularity: name })).annotation.timeDimensions[`orders.created.${name}`]?.granularity;
    expect(granularity('sunday_week')).toEqual({
      name: 'sunday_week',
      title: 'Sunday Week',
      interval: '1 week',
      origin: '2000-12-31T00:00:00.000',
    });
    expect(granularity('fortnight')).toMatchObject({ origin: '2001-01-01' });
    expect(granularity('fiscal_year')).toMatchObject({ offset: '3 months' });
  });

  it('lists only visible drill members', () => {
    const { annotation } = model.plan({ measures: ['orders.count'] }, tenantCaller('a'));
    expect(annotation.measures['orders.count']).toMatchObject({
      drillMembers: ['orders.id'],
      drillMembersGrouped: { measures: [], dimensions: ['orders.id'] },
    });
  });
});
