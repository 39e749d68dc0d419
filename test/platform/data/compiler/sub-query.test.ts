import type { DuckDBConnection, Json } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Query } from '../../../../src/contract/query.js';
import type { SecurityContext } from '../../../../src/platform/auth/principal.js';
import type { SemanticModel } from '../../../../src/platform/data/semantic-model.js';
import { PlatformError } from '../../../../src/platform/errors.js';
import { caller, tenantCaller } from '../callers.js';
import { compile, openDatabase, problemsOf, rowsOf } from '../model/fixture.js';
import { allRowsPolicy, customersCubeStart, itemsCube } from '../model/model-yaml.js';

/**
 * Customers and their orders. Tenants read their own orders, `north` reads the orders of the north, and `auditor` reads
 * those of all tenants.
 */
const model = `
cubes:
  ${customersCubeStart}
      - { name: placed, sql: "{orders.count}", type: number, sub_query: true }
      - { name: bought, sql: "{items.quantity}", type: number, sub_query: true }
      - { name: first_order, sql: "{orders.first}", type: time, sub_query: true }
      - { name: size, sql: "CASE WHEN {revenue} >= 60 THEN 'large' ELSE 'small' END", type: string }
      - { name: secret, sql: "{hidden.count}", type: number, sub_query: true }
    measures:
      - { name: count, type: count }
      - { name: average, sql: "{revenue}", type: avg }
      - { name: total, sql: "{revenue}", type: sum }
    segments:
      - { name: regular, sql: "{placed} >= 2" }
    ${allRowsPolicy}
  - name: orders
    sql_table: orders
    joins:
      - { name: items, sql: "{CUBE}.id = {items.order_id}", relationship: one_to_many }
      - { name: hidden, sql: "{CUBE}.id = {hidden.id}", relationship: one_to_one }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: tenant, sql: tenant, type: string, public: false }
      - { name: region, sql: region, type: string }
      - { name: customer_id, sql: customer_id, type: number }
      - { name: created, sql: created, type: time }
      - { name: quantity, sql: "{items.quantity}", type: number, sub_query: true }
    measures:
      - { name: count, type: count }
      - { name: revenue, sql: amount, type: sum }
      - { name: first, sql: created, type: min }
      - { name: most, sql: "{quantity}", type: max }
    segments:
      - { name: paid, sql: "{CUBE}.paid" }
    access_policy:
      - group: "*"
        row_level: { filters: [{ member: tenant, operator: equals, values: ["{ securityContext.tenant }"] } ] }
      - group: north
        member_level: { excludes: [revenue] }
        row_level: { filters: [{ member: region, operator: startsWith, values: [north] } ] }
      - group: auditor
        row_level: { allow_all: true }
  ${itemsCube}
  - name: hidden
    sql_table: orders
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
    measures:
      - { name: count, type: count }
views:
  - name: people
    cubes:
      - { join_path: customers, includes: "*" }
      - { join_path: customers.orders, includes: [region, created, { name: count, alias: all_orders } ] }
    ${allRowsPolicy}
  - name: south
    cubes:
      - { join_path: customers, includes: "*" }
      - { join_path: customers.orders, includes: [region] }
    access_policy:
      - group: "*"
        row_level: { filters: [{ or: [{ member: region, operator: equals, values: [south] }, { member: region, operator: equals, values: ['North-East'] } ] } ] }
`;

let database: DuckDBConnection;
let compiled: SemanticModel;
beforeAll(async () => {
  database = await openDatabase();
  compiled = await compile(model);
});

const rows = (query: Query, context: SecurityContext): Promise<Json[][]> => rowsOf(database, compiled, query, context);
const byCustomer = (query: Query): Query => ({
  ...query,
  dimensions: ['customers.id', ...(query.dimensions ?? [])],
  order: [['customers.id', 'asc']],
});
const dimension = (name: string) => byCustomer({ dimensions: [`customers.${name}`] });

it('nested queries do not repeat filter values without limit', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `found_${index}`);
  const how = 'sql: "{orders.revenue}", type: number, sub_query: true, propagate_filters_to_sub_query: true';
  const dimensions = names.map(name => `- { name: ${name}, ${how} }\n      `).join('');
  const wide = await compile(model.replace('- { name: placed', `${dimensions}- { name: placed`));
  const statement = (count: number) => {
    const values = Array.from({ length: 10_000 }, (_, index) => String(index));
    const query: Query = {
      measures: ['orders.count'],
      dimensions: names.slice(0, count).map(name => `customers.${name}`),
      filters: [{ member: 'orders.id', operator: 'equals', values }],
    };
    return wide.plan(query, tenantCaller('a')).statement();
  };
  expect(statement(3).parameters.length).toBeGreaterThan(40_000);
  expect(() => statement(60)).toThrow(expect.objectContaining({ status: 400 }));
});

describe('a sub-query dimension', () => {
  it('aggregates only rows that the caller may read', async () => {
    expect(await rows(dimension('revenue'), tenantCaller('a'))).toEqual([
      [1, '30.00'],
      [2, '30.00'],
      [3, null],
    ]);
    expect(await rows(dimension('revenue'), tenantCaller('b'))).toEqual([
      [1, '70.00'],
      [2, null],
      [3, '110.00'],
    ]);
    expect(await rows(dimension('revenue'), tenantCaller('c'))).toEqual([
      [1, null],
      [2, null],
      [3, null],
    ]);
  });

  it('combines the rows of several policies', async () => {
    // Own rows, and rows of the north without revenue: order 6 belongs to the other tenant.
    expect(await rows(dimension('placed'), tenantCaller('a', 'north'))).toEqual([
      [1, '2'],
      [2, '2'],
      [3, '1'],
    ]);
    expect(await rows(dimension('revenue'), tenantCaller('a', 'north'))).toEqual([
      [1, '30.00'],
      [2, '30.00'],
      [3, null],
    ]);
    expect(await rows(dimension('placed'), tenantCaller('a', 'auditor'))).toEqual([
      [1, '3'],
      [2, '2'],
      [3, '2'],
    ]);
  });

  it('counts each row once, however many rows are joined to it', async () => {
    const query = byCustomer({ dimensions: ['customers.revenue', 'orders.id'], measures: ['items.quantity'] });
    expect(await rows({ ...query, order: [['orders.id', 'asc']] }, tenantCaller('a'))).toEqual([
      [1, '30.00', 1, '3'],
      [1, '30.00', 2, '3'],
      [2, '30.00', 3, null],
      [2, '30.00', 4, null],
      [3, null, null, null],
    ]);
  });

  it('works across an intermediate cube', async () => {
    expect(await rows(dimension('bought'), tenantCaller('a'))).toEqual([
      [1, '6'],
      [2, null],
      [3, null],
    ]);
  });

  it('supports times, grouped by a granularity in the query’s time zone', async () => {
    const query: Query = {
      measures: ['customers.count'],
      timeDimensions: [{ dimension: 'customers.first_order', granularity: 'month' }],
    };
    expect(await rows(query, tenantCaller('a'))).toEqual([
      ['2001-01-01 00:00:00', '1'],
      ['2001-02-01 00:00:00', '1'],
      [null, '1'],
    ]);
    expect(await rows({ ...query, timezone: 'America/New_York' }, tenantCaller('a'))).toEqual([
      ['2000-12-01 00:00:00', '1'],
      ['2001-01-01 00:00:00', '1'],
      [null, '1'],
    ]);
  });

  it('can be filtered by, grouped by, and referenced by other members', async () => {
    const large: Query = {
      dimensions: ['customers.name'],
      filters: [{ member: 'customers.revenue', operator: 'gte', values: ['70'] }],
    };
    expect(await rows(large, tenantCaller('a'))).toEqual([]);
    expect(await rows(large, tenantCaller('b'))).toEqual([['Ada'], ['Cleo']]);
    const sizes: Query = { dimensions: ['customers.size'], measures: ['customers.count'] };
    expect(await rows(sizes, tenantCaller('a'))).toEqual([['small', '3']]);
    expect(await rows(sizes, tenantCaller('b'))).toEqual([
      ['large', '2'],
      ['small', '1'],
    ]);
    const regular: Query = { dimensions: ['customers.name'], segments: ['customers.regular'] };
    expect(await rows(regular, tenantCaller('a'))).toEqual([['Ada'], ['Bob']]);
    expect(await rows(regular, tenantCaller('b'))).toEqual([['Cleo']]);
  });

  it('can be aggregated, alone and if joins repeat the rows', async () => {
    const query: Query = { measures: ['customers.average', 'customers.total'] };
    expect(await rows(query, tenantCaller('a'))).toEqual([[30, '60.00']]);
    expect(await rows(query, tenantCaller('b'))).toEqual([[90, '180.00']]);
    const multiplied: Query = { measures: ['customers.total', 'orders.count'] };
    expect(await rows(multiplied, tenantCaller('a'))).toEqual([['60.00', '4']]);
    expect(await rows({ measures: ['orders.most'] }, tenantCaller('a'))).toEqual([['3']]);
    expect(await rows({ measures: ['orders.most'] }, tenantCaller('b'))).toEqual([['15']]);
  });

  it('works in a view', async () => {
    const query: Query = {
      dimensions: ['people.name', 'people.revenue'],
      measures: ['people.all_orders'],
      order: [['people.name', 'asc']],
    };
    expect(await rows(query, tenantCaller('a'))).toEqual([
      ['Ada', '30.00', '2'],
      ['Bob', '30.00', '2'],
      ['Cleo', null, '0'],
    ]);
    expect(await rows({ measures: ['people.total'] }, tenantCaller('b'))).toEqual([['180.00']]);
  });

  it('aggregates no rows that its view hides', async () => {
    const query = (name: string): Query => ({
      dimensions: ['south.name', `south.${name}`],
      order: [['south.name', 'asc']],
    });
    for (const name of ['revenue', 'found']) {
      expect(await rows(query(name), tenantCaller('a', 'auditor'))).toEqual([
        ['Ada', '20.00'],
        ['Cleo', '50.00'],
      ]);
      expect(await rows(query(name), tenantCaller('b'))).toEqual([['Cleo', '50.00']]);
    }
    expect(await rows({ measures: ['south.total'] }, tenantCaller('a', 'auditor'))).toEqual([['70.00']]);
  });

  it('is hidden if one of its cubes is hidden', () => {
    const plan = (member: string) => () => compiled.plan({ dimensions: [member] }, tenantCaller('a', 'auditor'));
    expect(plan('customers.secret')).toThrow(PlatformError);
    expect(plan('people.secret')).toThrow('people.secret is not a member of the model');
    expect(JSON.stringify(compiled.meta(tenantCaller('a', 'auditor')))).not.toMatch(/secret|hidden/);
  });

  it("may read a measure that the caller can't query", async () => {
    const north = caller({}, ['north']);
    const hidden = () => compiled.plan({ measures: ['orders.revenue'] }, north);
    expect(hidden).toThrow('orders.revenue is not a member of the model');
    expect(await rows(dimension('revenue'), north)).toEqual([
      [1, '30.00'],
      [2, null],
      [3, '60.00'],
    ]);
  });
});

describe('filters of the caller', () => {
  const filtered = (query: Query): Query =>
    byCustomer({ dimensions: ['customers.revenue', 'customers.found'], ...query });
  const north: Query = { filters: [{ member: 'orders.region', operator: 'startsWith', values: ['north'] }] };

  it('apply to a sub-query only if the model propagates them', async () => {
    expect(await rows(filtered(north), tenantCaller('b'))).toEqual([[3, '110.00', '60.00']]);
  });

  it('are propagated with their groups, segments and date ranges', async () => {
    const either: Query = {
      filters: [
        {
          or: [
            { member: 'orders.region', operator: 'equals', values: ['south'] },
            { and: [{ member: 'orders.id', operator: 'gt', values: ['7'] }] },
          ],
        },
      ],
    };
    expect(await rows(filtered(either), tenantCaller('b'))).toEqual([[3, '110.00', '50.00']]);
    expect(await rows(filtered({ segments: ['orders.paid'] }), tenantCaller('b'))).toEqual([
      [1, '70.00', '70.00'],
      [3, '110.00', '50.00'],
    ]);
    const march: Query = {
      timeDimensions: [{ dimension: 'orders.created', dateRange: ['2001-03-01', '2001-03-31'] }],
    };
    expect(await rows(filtered(march), tenantCaller('b'))).toEqual([[3, '110.00', '60.00']]);
  });

  it('are not propagated if they use a sub-query or a measure', async () => {
    const query: Query = {
      filters: [
        { member: 'customers.placed', operator: 'gte', values: ['2'] },
        { member: 'customers.count', operator: 'gt', values: ['0'] },
      ],
    };
    expect(await rows(filtered({ ...query, measures: ['customers.count'] }), tenantCaller('b'))).toEqual([
      [3, '110.00', '110.00', '1'],
    ]);
  });

  it('can use a sub-query together with measures of repeated rows', async () => {
    const query: Query = {
      measures: ['items.quantity', 'customers.count'],
      filters: [{ member: 'orders.quantity', operator: 'gte', values: ['3'] }],
    };
    expect(await rows(query, tenantCaller('b'))).toEqual([['15', '1']]);
    expect(await rows(query, tenantCaller('a'))).toEqual([['6', '1']]);
  });

  it('are propagated in a view', async () => {
    const query: Query = {
      dimensions: ['people.name', 'people.found'],
      filters: [{ member: 'people.region', operator: 'equals', values: ['south'] }],
    };
    expect(await rows(query, tenantCaller('b'))).toEqual([['Cleo', '50.00']]);
  });
});

describe('a model with a sub-query', () => {
  const withDimension = (dimension: string, key = 'true', policy = allRowsPolicy) => `cubes:
  - name: customers
    sql_table: customers
    joins: [{ name: orders, sql: "{CUBE}.id = {orders.customer_id}", relationship: one_to_many } ]
    dimensions:
      - { name: id, sql: id, type: number, primary_key: ${key} }
      - ${dimension}
    ${policy}
  - name: orders
    sql_table: orders
    dimensions: [{ name: id, sql: id, type: number, primary_key: true }, { name: customer_id, sql: customer_id, type: number } ]
    measures: [{ name: count, type: count }, { name: week, type: count, rolling_window: { trailing: 7 days } } ]
  - name: items
    sql_table: items
    measures: [{ name: count, type: count } ]
`;

  it.each([
    ['without a measure', '{ name: x, sql: "{orders.id}", type: number, sub_query: true }', 'requires a measure'],
    ['without a join path', '{ name: x, sql: "{items.count}", type: number, sub_query: true }', 'no join path'],
    [
      'as primary key',
      '{ name: x, sql: "{orders.count}", type: number, sub_query: true, primary_key: true }',
      'cannot be a primary key',
    ],
    [
      'that propagates filters without a sub-query',
      '{ name: x, sql: name, type: string, propagate_filters_to_sub_query: true }',
      'requires sub_query: true',
    ],
    [
      'of a rolling window',
      '{ name: x, sql: "{orders.week}", type: number, sub_query: true }',
      'does not support a measure with rolling_window',
    ],
    [
      'with the name of a joined cube',
      '{ name: orders, sql: "{orders.count}", type: number, sub_query: true }',
      'orders is the name of a cube that customers joins',
    ],
  ])('%s is rejected', async (_, source, problem) => {
    expect(await problemsOf(withDimension(source))).toEqual([expect.stringMatching(new RegExp(`^7: .*${problem}`))]);
  });

  it('is rejected in a cube without a key', async () => {
    const text = withDimension('{ name: x, sql: "{orders.count}", type: number, sub_query: true }', 'false');
    expect(await problemsOf(text)).toEqual(['7: a sub_query requires a dimension of customers with primary_key: true']);
  });

  it('is rejected in a row filter', async () => {
    const policy =
      'access_policy: [{ group: "*", row_level: { filters: [{ member: x, operator: gt, values: [1] } ] } } ]';
    const source = '{ name: x, sql: "{orders.count}", type: number, sub_query: true }';
    expect(await problemsOf(withDimension(source, 'true', policy))).toEqual([
      expect.stringMatching(/^8: customers\.x is a sub_query/),
    ]);
    const view = `${withDimension(source)}views:\n  - name: v\n    cubes: [{ join_path: customers, includes: "*" } ]\n    ${policy}\n`;
    expect(await problemsOf(view)).toEqual([expect.stringMatching(/^19: v\.x is a sub_query/)]);
  });

  it('finds the other cube through a join in the opposite direction', async () => {
    const text = `cubes:
  - name: customers
    sql_table: customers
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: placed, sql: "{orders.count}", type: number, sub_query: true }
    ${allRowsPolicy}
  - name: orders
    sql_table: orders
    joins: [{ name: customers, sql: "{CUBE}.customer_id = {customers.id}", relationship: many_to_one } ]
    dimensions: [{ name: id, sql: id, type: number, primary_key: true } ]
    measures: [{ name: count, type: count } ]
    ${allRowsPolicy}
`;
    const found = await rowsOf(database, await compile(text), dimension('placed'), caller());
    expect(found).toEqual([
      [1, '3'],
      [2, '2'],
      [3, '2'],
    ]);
  });
});
