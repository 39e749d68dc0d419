import type { DuckDBConnection } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Query } from '../../../../src/contract/query.js';
import type { SecurityContext } from '../../../../src/platform/auth/principal.js';
import type { SemanticModel } from '../../../../src/platform/data/semantic-model.js';
import { PlatformError } from '../../../../src/platform/errors.js';
import { caller, tenantCaller } from '../callers.js';
import { compile, openDatabase, rowsOf } from './fixture.js';
import { allRowsPolicy } from './model-yaml.js';
import { shop } from './shop.js';

let database: DuckDBConnection;
let model: SemanticModel;
beforeAll(async () => {
  database = await openDatabase();
  model = await compile(shop);
});

const rows = (query: Query, context: SecurityContext) => rowsOf(database, model, query, context);

function refusal(query: Query, context: SecurityContext): string {
  try {
    model.plan(query, context).statement();
  } catch (error) {
    if (error instanceof PlatformError && error.status === 400) return error.message;
    throw error;
  }
  return 'planned';
}

describe('a hidden member', () => {
  const places: [string, (member: string) => Query][] = [
    ['measures', member => ({ measures: [member] })],
    ['dimensions', member => ({ dimensions: [member] })],
    ['segments', member => ({ measures: ['orders.count'], segments: [member] })],
    ['filters', member => ({ measures: ['orders.count'], filters: [{ member, operator: 'set' }] })],
    [
      'nested filters',
      member => ({ measures: ['orders.count'], filters: [{ or: [{ and: [{ member, operator: 'set' }] }] }] }),
    ],
    ['order', member => ({ measures: ['orders.count'], order: { [member]: 'asc' } })],
    ['pairs of order', member => ({ measures: ['orders.count'], order: [[member, 'desc']] })],
    [
      'time dimensions',
      member => ({ measures: ['orders.count'], timeDimensions: [{ dimension: member, granularity: 'day' }] }),
    ],
    [
      'date ranges',
      member => ({ measures: ['orders.count'], timeDimensions: [{ dimension: member, dateRange: '2001-01-01' }] }),
    ],
    ['dimensions by granularity', member => ({ dimensions: [`${member}.day`] })],
  ];

  it.each(places)('is rejected in %s like an unknown one', (_, query) => {
    for (const hidden of [
      'orders.amount', // excluded by member level
      'orders.revenue',
      'orders.large',
      'orders.tenant', // public: false
      'items.id', // a key
      'customers.name', // a private cube, without a policy for the caller
      'orders.customer', // reads customers
      'sales.name', // a view's name for a member of customers
      'sales.revenue', // a view's name for a member that the cube hides
      'nobody.count', // a view without a policy
    ]) {
      const unknown = hidden.replace(/\w+$/, 'nope');
      expect(refusal(query(hidden), tenantCaller('a'))).toBe(
        refusal(query(unknown), tenantCaller('a')).replace(unknown, hidden),
      );
      expect(refusal(query(hidden), tenantCaller('a'))).toContain('is not a member of the model');
    }
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    '%s is not a member, cube or granularity',
    name => {
      expect(refusal({ dimensions: [`orders.${name}`] }, tenantCaller('a'))).toContain('is not a member');
      expect(refusal({ dimensions: [`${name}.id`] }, tenantCaller('a'))).toContain('is not a member');
      expect(
        refusal({ timeDimensions: [{ dimension: 'orders.created', granularity: name }] }, tenantCaller('a')),
      ).toContain('has no granularity');
      expect(refusal({ dimensions: [`orders.created.${name}`] }, tenantCaller('a'))).toContain('has no granularity');
      expect(refusal({ measures: ['orders.count'], joinHints: [['orders', name]] }, tenantCaller('a'))).toContain(
        'is not a cube',
      );
      expect(refusal({ measures: ['orders.count'] }, tenantCaller('a'))).toBe('planned');
    },
  );

  it('is visible to callers of another policy that grants it', async () => {
    expect(await rows({ measures: ['orders.revenue', 'sales.revenue'] }, tenantCaller('a', 'finance'))).toEqual([
      ['60.00', '60.00'],
    ]);
  });

  it('is absent from meta, with all references to it', () => {
    const seen = JSON.stringify(model.meta(tenantCaller('a')));
    for (const hidden of ['amount', '"orders.revenue', 'average', 'large', 'tenant', 'customer', 'nobody', 'land'])
      expect(seen).not.toMatch(new RegExp(hidden, 'i'));
    const finance = JSON.stringify(model.meta(tenantCaller('a', 'finance', 'sales')));
    for (const shown of ['orders.amount', 'orders.revenue', 'sales.land', 'orders.customer'])
      expect(finance).toContain(shown);
    expect(finance).not.toContain('orders.tenant');
  });

  it('is absent from drill members', () => {
    const drilled = (context: SecurityContext) =>
      model.plan({ measures: ['orders.count'] }, context).annotation.measures['orders.count']?.drillMembers;
    expect(drilled(tenantCaller('a'))).toEqual(['orders.id']);
    expect(drilled(tenantCaller('a', 'sales', 'finance'))).toEqual(['orders.id', 'orders.customer', 'orders.amount']);
  });
});

describe('rows', () => {
  it('belong to the caller, through a cube, a view and a join', async () => {
    for (const member of ['orders.count', 'sales.count', 'items.count']) {
      const query = { measures: [member], dimensions: ['orders.id'] };
      const ids = (await rows(query, tenantCaller('b'))).map(row => Number(row[0]));
      expect(ids.sort()).toEqual([5, 6, 7, 8]);
    }
  });

  it('must pass the filters of every cube that is read', async () => {
    const query: Query = { dimensions: ['orders.customer', 'orders.id'], order: [['orders.id', 'asc']] };
    // The policy of customers requires a country, which Cleo lacks: her orders are visible, but her customer record is
    // not.
    expect(await rows(query, tenantCaller('b', 'sales'))).toEqual([
      [null, 5],
      [null, 6],
      ['Ada', 7],
      [null, 8],
    ]);
  });

  it('of a view must pass the filters of the view and of its cubes', async () => {
    const ids = async (name: string) =>
      (await rows({ dimensions: ['north.id'], order: { 'north.id': 'asc' } }, tenantCaller(name))).map(row => row[0]);
    expect(await ids('a')).toEqual([1, 2, 3]);
    expect(await ids('b')).toEqual([6]);
  });

  it('of a view are filtered in every part of a query with repeated rows', async () => {
    const query: Query = { measures: ['north.revenue', 'north.count', 'north.items_quantity', 'north.items_count'] };
    expect(await rows(query, tenantCaller('a', 'finance'))).toEqual([['60.00', '3', '6', '3']]);
    expect(await rows(query, tenantCaller('b', 'finance'))).toEqual([['60.00', '1', null, '0']]);
    expect(await rows({ measures: ['north.items_count'] }, tenantCaller('b'))).toEqual([['0']]);
  });

  it('of a view are filtered if only a filter, a segment or a date range uses it', async () => {
    const count = async (query: Query) =>
      (await rows({ measures: ['orders.count'], ...query }, tenantCaller('a', 'finance')))[0];
    expect(await count({})).toEqual(['4']);
    expect(await count({ filters: [{ member: 'north.id', operator: 'set' }] })).toEqual(['3']);
    expect(
      await count({ timeDimensions: [{ dimension: 'north.created', dateRange: ['2001-01-01', '2001-12-31'] }] }),
    ).toEqual(['3']);
    expect(await rows({ measures: ['orders.count'], segments: ['north.large'] }, tenantCaller('b', 'finance'))).toEqual(
      [['1']],
    );
  });

  it('of a cube without an access policy are never read for a join', () => {
    expect(refusal({ measures: ['orders.count'], dimensions: ['customers.country'] }, tenantCaller('a'))).toContain(
      'is not a member',
    );
    expect(refusal({ measures: ['orders.count'], joinHints: [['orders', 'customers']] }, tenantCaller('a'))).toContain(
      'is not a cube',
    );
  });

  it('are not reachable through a hidden cube between two visible ones', async () => {
    const text = `
cubes:
  - name: customers
    sql_table: customers
    dimensions: [{ name: id, sql: id, type: number, primary_key: true, public: true } ]
    joins: [{ name: orders, sql: "{CUBE}.id = {orders.customer_id}", relationship: one_to_many } ]
    ${allRowsPolicy}
  - name: orders
    sql_table: orders
    dimensions: [{ name: id, sql: id, type: number, primary_key: true }, { name: customer_id, sql: customer_id, type: number } ]
    joins: [{ name: items, sql: "{CUBE}.id = {items}.order_id", relationship: one_to_many } ]
    access_policy: [{ group: staff, row_level: { allow_all: true } } ]
  - name: items
    sql_table: items
    dimensions: [{ name: id, sql: id, type: number, primary_key: true } ]
    measures: [{ name: count, type: count } ]
    ${allRowsPolicy}
  - name: alone
    sql_table: items
    measures: [{ name: count, type: count } ]
    ${allRowsPolicy}
`;
    const chained = await compile(text);
    const through: Query = { measures: ['items.count'], dimensions: ['customers.id'] };
    const nowhere: Query = { measures: ['alone.count'], dimensions: ['customers.id'] };
    const refusal = (query: Query, ...groups: string[]) => {
      try {
        chained.plan(query, caller({}, groups)).statement();
      } catch (error) {
        return error instanceof Error ? error.message : error;
      }
    };
    expect(refusal(through)).toBe('No join path between items and customers');
    expect(refusal(nowhere)).toBe('No join path between alone and customers');
    expect(refusal(nowhere, 'staff')).toBe('No join path between alone and customers');
    expect(await rowsOf(database, chained, through, caller({}, ['staff']))).toEqual([
      [1, '3'],
      [3, '3'],
      [2, '0'],
    ]);
  });
});

describe('two policies of one cube', () => {
  // All callers can count every order. The group `sales` also sees amounts, but only those of its own tenant.
  const twoPolicies = `
cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - {name: id, sql: "{CUBE}.id", type: number, primary_key: true, public: true}
      - {name: tenant, sql: "{CUBE}.tenant", type: string}
      - {name: region, sql: "{CUBE}.region", type: string}
    measures:
      - {name: count, type: count}
      - {name: amount, sql: "{CUBE}.amount", type: sum}
    access_policy:
      - group: "*"
        member_level: {excludes: [amount]}
        row_level: {allow_all: true}
      - group: sales
        row_level:
          filters:
            - {member: tenant, operator: equals, values: ["{ securityContext.tenant }"]}
views:
  - name: business
    cubes:
      - {join_path: orders, includes: [count, amount, tenant]}
    access_policy:
      - group: "*"
        row_level: {allow_all: true}
`;
  const sales = tenantCaller('a', 'sales');

  it('never combine the members of one with the rows of the other', async () => {
    const shared = await compile(twoPolicies);
    const ask = (query: Query, context = sales) => rowsOf(database, shared, query, context);
    expect(await ask({ measures: ['orders.count'] })).toEqual([['8']]);
    expect(Number((await ask({ measures: ['orders.amount'] }))[0]?.[0])).toBe(60);
    expect(await ask({ measures: ['orders.amount'], dimensions: ['orders.tenant'] })).toEqual([
      ['a', expect.anything()],
    ]);
    expect(await ask({ dimensions: ['orders.tenant'], order: [] })).toHaveLength(2);
    expect(Number((await ask({ measures: ['business.amount'] }))[0]?.[0])).toBe(60);
    expect(await ask({ measures: ['business.count'] })).toEqual([['8']]);
  });

  it('don’t let a filter access what only one of them grants', async () => {
    const shared = await compile(twoPolicies);
    const query: Query = {
      dimensions: ['orders.tenant'],
      measures: ['orders.count'],
      filters: [{ member: 'orders.amount', operator: 'gt', values: ['25'] }],
    };
    expect(await rowsOf(database, shared, query, sales)).toEqual([['a', '4']]);
  });

  it('apply to members built from others, joined or computed by a sub-query', async () => {
    const model = await compile(`
cubes:
  - name: customers
    sql_table: customers
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: name, sql: name, type: string }
      - { name: country, sql: country, type: string }
      - { name: hidden, sql: "upper({CUBE}.name)", type: string, public: false }
    measures:
      - { name: count, type: count }
      - { name: last, sql: name, type: max }
    access_policy:
      - { group: "*", member_level: { includes: [id, count] }, row_level: { allow_all: true } }
      - group: "*"
        member_level: { includes: [name, last, country] }
        row_level: { filters: [{ member: country, operator: equals, values: ["{ securityContext.country }"] }] }
  - name: orders
    sql_table: orders
    joins:
      - { name: customers, sql: "{CUBE}.customer_id = {customers.id}", relationship: many_to_one }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: buyer, sql: "{customers.name}", type: string }
      - { name: greeting, sql: "'Dear ' || {buyer}", type: string }
      - { name: last_buyer, sql: "{customers.last}", type: string, sub_query: true }
      - { name: shout, sql: "{customers.hidden}", type: string }
    ${allRowsPolicy}
`);
    const german = caller({ country: 'DE' });
    const values = async (member: string) =>
      (await rowsOf(database, model, { dimensions: [member], order: { [member]: 'asc' } }, german)).flat();
    expect(await values('customers.name')).toEqual(['Ada']);
    expect(await values('orders.buyer')).toEqual(['Ada', null]);
    expect(await values('orders.greeting')).toEqual(['Dear Ada', null]);
    expect(await values('orders.last_buyer')).toEqual(['Ada', null]);
    // SQL of the model can use a member that no policy grants. It then reads the rows of all policies.
    expect(await values('orders.shout')).toEqual(['ADA', 'BOB', 'CLEO', null]);
  });
});
