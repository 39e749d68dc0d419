import type { DuckDBConnection, Json } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Query } from '../../../../src/contract/query.js';
import type { SemanticModel } from '../../../../src/platform/data/semantic-model.js';
import { SqlType } from '../../../../src/platform/data/sql/sql-type.js';
import type { CubeQuery, Expression, SelectStatement } from '../../../../src/platform/data/sql/tree.js';
import { tenantCaller } from '../callers.js';
import * as cube from '../model/cube-fixture.js';
import {
  call,
  computed,
  dimension,
  grouped,
  integer,
  literal,
  measure,
  member,
  single,
  text,
  time,
} from '../model/cube-fixture.js';
import { compile, openDatabase, rowsOf } from '../model/fixture.js';
import { allRowsPolicy, customersCubeStart, itemsCube, tenantRowsPolicy } from '../model/model-yaml.js';

const source = `
cubes:
  ${customersCubeStart}
    measures:
      - { name: count, type: count }
    ${allRowsPolicy}
  - name: orders
    sql_table: orders
    joins:
      - { name: items, sql: "{CUBE}.id = {items.order_id}", relationship: one_to_many }
      - { name: lines, sql: "{CUBE}.id = {lines.order_id}", relationship: one_to_many }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: tenant, sql: tenant, type: string, public: false }
      - { name: region, sql: region, type: string }
      - { name: number_text, sql: "{CUBE}.id", type: string }
      - { name: customer_id, sql: customer_id, type: number }
      - { name: amount, sql: amount, type: number }
      - { name: created, sql: "{CUBE}.created", type: time }
      - { name: items_in_it, sql: "{items.count}", type: number, sub_query: true }
      - { name: item_quantity, sql: "{items.quantity_of_it}", type: number }
    measures:
      - { name: count, type: count }
      - { name: revenue, sql: amount, type: sum }
      - { name: last, sql: "max({created})", type: time }
      - { name: running, sql: amount, type: sum, rolling_window: { trailing: unbounded } }
      - { name: week, sql: amount, type: avg, rolling_window: { trailing: 7 days } }
    segments:
      - { name: early, sql: "{created} < TIMESTAMP '2001-01-01 01:00:00'" }
    ${tenantRowsPolicy}
  ${itemsCube}
  - name: lines
    sql_table: items
    dimensions:
      - { name: order_id, sql: order_id, type: number }
      - { name: quantity, sql: quantity, type: number }
    measures:
      - { name: count, type: count }
      - { name: most, sql: quantity, type: max }
    ${allRowsPolicy}
views:
  - name: sales
    cubes:
      - { join_path: orders, includes: "*" }
      - { join_path: orders.items, includes: [quantity, quantity_of_it] }
    access_policy: [{ group: "*", row_level: { filters: [{ member: region, operator: set } ] } } ]
`;

let database: DuckDBConnection;
let model: cube.CubeModel;
let loaded: SemanticModel;
beforeAll(async () => {
  database = await openDatabase();
  model = await cube.cubeModel(source);
  loaded = await compile(source, () => new Date('2001-02-15T12:00:00Z'));
});

const rows = (query: CubeQuery, timezone?: string, name = 'a'): Promise<Json[][]> =>
  cube.rowsOf(database, model.plan(query, tenantCaller(name), timezone));
const loadRows = (query: Query, name = 'a'): Promise<Json[][]> => rowsOf(database, loaded, query, tenantCaller(name));
const sorted = (list: Json[][]) => list.map(row => JSON.stringify(row)).sort();

const region = member('orders.region');
const amount = member('orders.amount', SqlType.numeric);
const created = member('orders.created', SqlType.timestamp);
const bool = (name: string, ...args: Expression[]) => call(name, SqlType.boolean, ...args);
const timestamp = (value: string) => literal(SqlType.timestamp, value);
const shout = call('||', SqlType.text, region, text('!'));
const day = (value: Expression) => call('date_trunc', SqlType.timestamp, text('day'), value);
const all = (entity: string) => measure(`${entity}.count`);

describe('columns', () => {
  it('keep the requested order, including duplicates', async () => {
    const columns = [all('orders'), dimension('orders.region'), computed(shout), all('orders'), computed(shout)];
    expect(await rows(grouped(columns))).toEqual([
      ['1', '50%_off\\', '50%_off\\!', '1', '50%_off\\!'],
      ['1', 'North-East', 'North-East!', '1', 'North-East!'],
      ['1', 'north', 'north!', '1', 'north!'],
      ['1', null, null, '1', null],
    ]);
  });

  it('are named by position', () => {
    const { sql } = model
      .plan(grouped([all('orders'), dimension('orders.id')]), tenantCaller('a'))
      .statement(cube.alone());
    expect(sql).toMatch(/^SELECT "k1" AS "c0", "k0" AS "c1" FROM \(/);
  });

  it('that are computed group rows, even if they differ only in constants', async () => {
    const size = (limit: number) => computed(bool('>=', amount, integer(limit)));
    expect(await rows(grouped([size(20), all('orders'), size(30)]))).toEqual([
      [false, '1', false],
      [null, '1', null],
      [true, '1', false],
      [true, '1', true],
    ]);
  });

  it('without measures return each combination once if grouped', async () => {
    expect(await rows(grouped([dimension('orders.customer_id')]))).toEqual([[1], [2]]);
    expect(await rows(single([dimension('orders.customer_id')]))).toEqual([[1], [1], [2], [2]]);
  });

  it('of type string are text, regardless of the column type', async () => {
    const length = call('length', SqlType.integer, member('orders.number_text'));
    expect(await rows(single([dimension('orders.number_text'), computed(length)]))).toEqual(
      ['1', '2', '3', '4'].map(id => [id, 1]),
    );
  });

  it('return every row even without members', async () => {
    expect(await rows(single([computed(integer(7))]))).toEqual([[7], [7], [7], [7]]);
    expect(await rows(grouped([computed(integer(7))]))).toEqual([[7]]);
    expect(await rows(single([computed(integer(7))], { entity: 'sales' }))).toEqual([[7], [7], [7]]);
  });

  it('of a segment return whether its condition is true, in its own time zone', async () => {
    const early = computed(member('orders.early', SqlType.boolean));
    expect(await rows(grouped([early, all('orders')]), 'America/Los_Angeles')).toEqual([
      [false, '3'],
      [true, '1'],
    ]);
  });

  it('of a row-level measure return its value per row if ungrouped', async () => {
    const value = member('orders.revenue', SqlType.numeric);
    const more = computed(call('+', SqlType.numeric, value, literal(SqlType.numeric, '1')));
    const query = single([dimension('orders.id'), measure('orders.revenue'), more], {
      conditions: [bool('>', value, integer(15))],
    });
    expect(await rows(query)).toEqual([
      [2, '20.00', '21.00'],
      [3, '30.00', '31.00'],
    ]);
  });
});

describe('conditions', () => {
  it('treat NULL as SQL does', async () => {
    const not = (condition: Expression) => bool('not', condition);
    const isNorth = bool('=', region, text('north'));
    const count = (condition: Expression) => rows(grouped([all('orders')], { conditions: [condition] }));
    expect(await count(isNorth)).toEqual([['1']]);
    expect(await count(not(isNorth))).toEqual([['2']]);
    expect(await count(bool('is_null', region))).toEqual([['1']]);
  });

  it('apply in addition to all filters', async () => {
    const conditions = [bool('>', amount, integer(10)), bool('<', amount, integer(30))];
    const filters: CubeQuery['filters'] = [{ member: 'orders.region', operator: 'contains', values: ['north'] }];
    expect(await rows(single([dimension('orders.id')], { conditions, filters }))).toEqual([[2]]);
  });

  it('on repeated rows count each row once', async () => {
    const view = (name: string, type: SqlType = SqlType.integer) => member(`sales.${name}`, type);
    const condition = bool('>=', view('quantity_of_it'), integer(2));
    const columns = [measure('sales.revenue'), measure('sales.quantity')];
    expect(await rows(grouped(columns, { entity: 'sales', conditions: [condition] }))).toEqual([['30.00', '5']]);
    const both = [computed(call('||', SqlType.text, view('region', SqlType.text), text('?'))), ...columns];
    expect(await rows(grouped(both, { entity: 'sales', conditions: [condition] }))).toEqual([
      ['North-East?', '20.00', '3'],
      ['north?', '10.00', '2'],
    ]);
  });

  it('apply inside a sub-query only if the model propagates filters', async () => {
    const columns = ['id', 'found', 'revenue'].map(name => dimension(`customers.${name}`));
    const conditions = [bool('<>', member('customers.name'), text('Ada'))];
    const bob = [[2, '30.00', '30.00']];
    expect(await rows(single(columns, { entity: 'customers', conditions }), 'UTC', 'a')).toEqual([
      ...bob,
      [3, null, null],
    ]);
  });

  it('can use sub-query dimensions, and so can columns', async () => {
    const count = member('orders.items_in_it', SqlType.bigint);
    const more = computed(call('+', SqlType.bigint, count, literal(SqlType.bigint, 100)));
    const query = single([dimension('orders.id'), more], { conditions: [bool('>', count, integer(1))] });
    expect(await rows(query)).toEqual([[1, '102']]);
    // Without that dimension, the query reads no other table.
    const plain = single([
      dimension('orders.id'),
      computed(call('+', SqlType.numeric, amount, literal(SqlType.numeric, '100'))),
    ]);
    expect(model.plan(plain, tenantCaller('a')).statement(cube.alone()).sql).not.toContain('"items"');
    expect(await rows(query)).toEqual([[1, '102']]);
  });

  it('of a cube without a key are rejected if sums would be wrong', async () => {
    const condition = bool('>', member('lines.quantity', SqlType.integer), integer(4));
    const own = grouped([all('lines')], { entity: 'lines', conditions: [condition] });
    expect(await rows(own)).toEqual([['2']]);
  });
});

describe('times', () => {
  it.each(['UTC', 'Europe/Berlin', 'America/Los_Angeles'])('in %s equal those of a load query', async timezone => {
    const dimensions = [{ dimension: 'orders.created', granularity: 'day' }];
    const expected = await loadRows({ measures: ['orders.count'], timeDimensions: dimensions, timezone });
    expect(await rows(grouped([time('orders.created', 'day'), all('orders')]), timezone)).toEqual(expected);
    expect(await rows(grouped([computed(day(created)), all('orders')]), timezone)).toEqual(expected);
    const [[first]] = expected as [[string]];
    const since = bool('=', day(created), timestamp(first));
    expect(await rows(grouped([all('orders')], { conditions: [since] }), timezone)).toEqual([[expected[0]?.[1]]]);
    const raw = single([dimension('orders.created')], { conditions: [since] });
    const loads: Query = { dimensions: ['orders.created'], ungrouped: true, timezone };
    const onThatDay = (await loadRows(loads)).filter(([at]) => String(at).slice(0, 10) === first.slice(0, 10));
    expect(sorted(await rows(raw, timezone))).toEqual(sorted(onThatDay));
  });

  it.each(['running', 'week'])('of the rolling window %s read rows before a date range', async name => {
    const dateRange: [string, string] = ['2001-01-30', '2001-02-02'];
    const load: Query = {
      measures: [`orders.${name}`],
      timeDimensions: [{ dimension: 'orders.created', granularity: 'day', dateRange }],
    };
    const filters: CubeQuery['filters'] = [{ member: 'orders.created', operator: 'inDateRange', values: dateRange }];
    const columns = [time('orders.created', 'day'), measure(`orders.${name}`)];
    const expected = await loadRows(load);
    expect(expected.length).toBe(4);
    expect(await rows(grouped(columns, { filters }))).toEqual(expected);
    const conditions = [bool('<>', region, text('north'))];
    const without = { member: 'orders.region', operator: 'notEquals' as const, values: ['north', null] };
    expect(await rows(grouped(columns, { filters, conditions }))).toEqual(
      await loadRows({ ...load, filters: [without] }),
    );
  });
});

describe('a statement', () => {
  it('numbers its parameters from the given number', () => {
    const plan = model.plan(grouped([computed(shout), all('orders')]), tenantCaller('a'));
    const first = plan.statement(cube.alone(1));
    const fifth = plan.statement(cube.alone(5));
    expect(first.parameters).toEqual(fifth.parameters);
    expect(fifth.sql).toBe(first.sql.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + 4}`));
    expect(plan.statement(cube.alone(1)).sql).toBe(first.sql);
  });

  it('is compiled again if a value, a member or a row filter differs', async () => {
    const ask = (value: Expression, name = 'a') => {
      const plan = model.plan(grouped([computed(value), all('orders')]), tenantCaller(name));
      return { key: plan.key, ...plan.statement(cube.alone()) };
    };
    const plans = [
      ask(bool('=', region, text('north'))),
      ask(bool('=', region, text('south'))),
      ask(bool('=', member('orders.number_text'), text('north'))),
      ask(bool('<>', region, text('north'))),
      ask(bool('=', region, text('north')), 'b'),
    ];
    expect(new Set(plans.map(({ key }) => key)).size).toBe(plans.length);
    expect(new Set(plans.map(({ sql, parameters }) => JSON.stringify([sql, parameters]))).size).toBe(plans.length);
    expect(ask(bool('=', region, text('north')))).toEqual(plans[0]);
  });

  it('contains inner selects as rendered by the outer statement, never those of another', () => {
    const select: SelectStatement = {
      with: [],
      body: { kind: 'select', distinct: false, from: null, columns: [text('x')], where: null, grouped: false },
      order: [],
      limit: null,
      offset: 0,
      columns: [{ name: 'x', type: SqlType.text }],
    };
    const condition: Expression = { kind: 'subquery', type: SqlType.boolean, form: 'in', operand: region, select };
    const plan = model.plan(grouped([all('orders')], { conditions: [condition] }), tenantCaller('a'));
    const written = (sql: string) => plan.statement({ firstParameter: 1, subquery: () => sql }).sql;
    expect(written('SELECT x FROM "t1"')).toContain('IN (SELECT x FROM "t1")');
    expect(written('SELECT x FROM "t2"')).toContain('IN (SELECT x FROM "t2")');
  });

  it('does not reuse values of a previous query', async () => {
    for (let index = 0; index < 50; index += 1) {
      const value = text(`north ${index}`);
      const plan = model.plan(grouped([computed(bool('=', region, value)), all('orders')]), tenantCaller('a'));
      expect(plan.statement(cube.alone()).parameters).toContain(`north ${index}`);
    }
  });
});

describe('rejects a query that', () => {
  const id = member('orders.id', SqlType.integer);
  it.each<[string, CubeQuery, string]>([
    ['has no columns', grouped([]), 'A query of orders requires a column'],
    [
      'uses an unknown cube',
      grouped([all('orders')], { entity: 'nothing' }),
      'No cube or view named "nothing" is visible to you',
    ],
    ['uses a member of another cube', grouped([all('items')]), 'items.count is not a member of orders'],
    [
      'computes with a member of another cube',
      single([computed(member('items.id', SqlType.integer))]),
      'items.id is not a member of the model',
    ],
    [
      'filters by a member of another cube',
      grouped([all('orders')], { filters: [{ member: 'items.order_id', operator: 'set' }] }),
      'items.order_id is not a member of orders',
    ],
    ['uses a measure as a dimension', grouped([dimension('orders.count')]), 'orders.count is not a dimension'],
    ['uses a dimension as a measure', grouped([measure('orders.id')]), 'orders.id is not a measure'],
    [
      'truncates a non-time dimension',
      grouped([time('orders.region', 'day')]),
      'orders.region is not a time dimension',
    ],
    [
      'uses an unknown granularity',
      grouped([time('orders.created', 'moon')]),
      'orders.created has no granularity moon',
    ],
    [
      'groups by a measure',
      grouped([computed(member('orders.revenue', SqlType.numeric)), all('orders')]),
      'orders.revenue has no value per row: do not group by it',
    ],
    [
      'uses an aggregate measure per row',
      single([measure('orders.running')]),
      'orders.running has no value per row: remove "ungrouped"',
    ],
    [
      'computes with such a measure',
      single([dimension('orders.id')], { conditions: [bool('is_null', member('orders.last', SqlType.timestamp))] }),
      'orders.last has no value per row: remove "ungrouped"',
    ],
    [
      'filters ungrouped rows by a measure',
      single([dimension('orders.id')], { filters: [{ member: 'orders.revenue', operator: 'gt', values: ['1'] }] }),
      'An ungrouped query cannot filter by measures',
    ],
    [
      'has too many columns',
      grouped(Array.from({ length: 101 }, (_, index) => computed(integer(index)))),
      'A statement can use at most 100 members of one cube or view',
    ],
    [
      'has too many conditions',
      grouped([all('orders')], { conditions: Array.from({ length: 101 }, () => bool('=', id, id)) }),
      'A statement can use at most 100 members of one cube or view',
    ],
    [
      'uses a window without a date range',
      grouped([time('orders.created', 'day'), measure('orders.running')]),
      'A rolling window requires a dateRange of orders.created',
    ],
  ])('%s', (_, query, message) => {
    expect(model.refusal(query, tenantCaller('a'))).toContain(message);
  });

  it('rejects an unknown time zone', () => {
    expect(() => model.plan(grouped([all('orders')]), tenantCaller('a'), "UTC') OR ('1")).toThrow('timezone must be');
  });
});
