import { beforeAll, describe, expect, it } from 'vitest';
import { MetaResponse } from '../../../../src/contract/meta.js';
import type { SecurityContext } from '../../../../src/platform/auth/principal.js';
import type { SemanticModel } from '../../../../src/platform/data/semantic-model.js';
import { caller } from '../callers.js';
import { compile, problemsOf } from './fixture.js';
import { allRowsPolicy } from './model-yaml.js';

/** Orders and their customers. Only `sales` sees regions and customers; guests don't. */
const model = `
cubes:
  - name: customers
    sql_table: customers
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: name, sql: name, type: string, key: id, order: desc, suggest_filter_values: false }
      - { name: country, sql: country, type: string }
    measures:
      - { name: count, type: count }
    hierarchies:
      - { name: who, title: Customers, levels: [country, name] }
    access_policy: [{ group: sales, row_level: { allow_all: true } } ]
  - name: orders
    title: All orders
    sql_table: orders
    joins:
      - { name: customers, sql: "{CUBE}.customer_id = {customers.id}", relationship: many_to_one }
      - { name: items, sql: "{CUBE}.id = {items.order_id}", relationship: one_to_many }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: tenant, sql: tenant, type: string, title: Client }
      - { name: region, sql: region, type: string }
      - { name: secret, sql: region, type: string, public: false }
      - name: created
        sql: created
        type: time
        granularities: [{ name: fortnight, interval: 2 weeks, origin: "2001-01-01" } ]
      - { name: amount, sql: amount, type: number, format: currency, currency: eur }
    measures:
      - { name: count, type: count, drill_members: [id, region, revenue, customers.name] }
      - { name: revenue, sql: amount, type: sum, format: percent_1 }
      - { name: running, sql: amount, type: sum, rolling_window: { trailing: unbounded } }
      - { name: last, sql: "max({CUBE}.created)", type: time }
    segments:
      - { name: paid, sql: "{CUBE}.paid", description: Paid ones }
    hierarchies:
      - { name: place, levels: [tenant, region, "{CUBE.secret}"] }
      - { name: buyers, levels: [customers.country, customers.name] }
      - { name: unseen, public: false, levels: [tenant] }
      - { name: regions, levels: [region] }
    access_policy:
      - group: "*"
        member_level: { excludes: [region] }
        row_level: { allow_all: true }
      - group: sales
        row_level: { allow_all: true }
  - name: items
    sql_table: items
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: order_id, sql: order_id, type: number }
    ${allRowsPolicy}
  - name: lonely
    sql_table: items
    measures: [{ name: count, type: count } ]
    ${allRowsPolicy}
views:
  - name: sales
    cubes:
      - { join_path: orders, includes: "*" }
      - { join_path: orders.customers, prefix: true, includes: [who, { name: count, alias: number } ] }
    folders:
      - name: Basics
        includes: [count, tenant, { name: Money, includes: [amount, revenue, { name: Deep, includes: [region] } ] }, region]
      - { name: People, includes: [{ join_path: orders.customers } ] }
      - { name: All, includes: "*" }
    ${allRowsPolicy}
  - name: plain
    cubes:
      - { join_path: orders, includes: [{ name: place, alias: where, title: Places }, count], excludes: [region] }
    ${allRowsPolicy}
`;

let compiled: SemanticModel;
beforeAll(async () => {
  compiled = await compile(model);
});

const guest = caller();
const sales = caller({}, ['sales']);
const cube = (name: string, context: SecurityContext = sales) =>
  compiled.meta(context).cubes.find(found => found.name === name);
const member = (path: string, context: SecurityContext = sales) => {
  const found = cube(path.slice(0, path.indexOf('.')), context);
  return [...(found?.measures ?? []), ...(found?.dimensions ?? []), ...(found?.segments ?? [])].find(
    ({ name }) => name === path,
  );
};

describe('meta', () => {
  it('matches the contract', () => {
    for (const context of [guest, sales])
      expect(MetaResponse.parse(compiled.meta(context))).toEqual(compiled.meta(context));
  });

  it('lists only views on request', () => {
    const names = (onlyViews: boolean) => compiled.meta(sales, { onlyViews }).cubes.map(({ name }) => name);
    expect(names(false)).toEqual(['customers', 'orders', 'items', 'lonely', 'sales', 'plain']);
    expect(names(true)).toEqual(['sales', 'plain']);
  });

  it('describes measures', () => {
    expect(member('orders.revenue')).toEqual({
      name: 'orders.revenue',
      title: 'All orders Revenue',
      shortTitle: 'Revenue',
      type: 'number',
      aggType: 'sum',
      format: { type: 'custom-numeric', value: '.1~%', alias: 'percent_1' },
      formatDescription: { name: 'percent_1', specifier: '.1~%' },
      drillMembers: [],
      drillMembersGrouped: { measures: [], dimensions: [] },
      cumulative: false,
      cumulativeTotal: false,
      isVisible: true,
      public: true,
    });
    expect(member('orders.running')).toMatchObject({ cumulative: true, cumulativeTotal: true });
    expect(member('sales.running')).toMatchObject({ cumulative: true, aliasMember: 'orders.running' });
    expect(member('orders.last')).not.toHaveProperty('formatDescription');
  });

  it('describes dimensions and segments', () => {
    expect(member('customers.name')).toMatchObject({
      key: 'customers.id',
      order: 'desc',
      suggestFilterValues: false,
      primaryKey: false,
    });
    expect(member('orders.amount')).toMatchObject({
      suggestFilterValues: true,
      format: 'currency',
      currency: 'EUR',
      formatDescription: { name: 'currency', specifier: '$,.2~f', currency: 'EUR' },
    });
    expect(member('orders.created')).toMatchObject({
      granularities: [{ name: 'fortnight', title: 'Fortnight', interval: '2 weeks', origin: '2001-01-01' }],
    });
    expect(member('orders.paid')).toMatchObject({ description: 'Paid ones', public: true });
    expect(member('sales.customers_name')).toMatchObject({ aliasMember: 'customers.name' });
    expect(member('sales.customers_name')).not.toHaveProperty('key');
  });

  it('groups drill members that the caller may see', () => {
    expect(member('orders.count')).toMatchObject({
      drillMembers: ['orders.id', 'orders.region', 'orders.revenue', 'customers.name'],
      drillMembersGrouped: {
        measures: ['orders.revenue'],
        dimensions: ['orders.id', 'orders.region', 'customers.name'],
      },
    });
    expect(member('orders.count', guest)).toMatchObject({
      drillMembersGrouped: { measures: ['orders.revenue'], dimensions: ['orders.id'] },
    });
  });

  it('lists joins to visible cubes, and numbers connected cubes', () => {
    expect(cube('orders')?.joins).toEqual([
      { name: 'customers', relationship: 'belongsTo' },
      { name: 'items', relationship: 'hasMany' },
    ]);
    expect(cube('orders', guest)?.joins).toEqual([{ name: 'items', relationship: 'hasMany' }]);
    const components = (context: SecurityContext) =>
      compiled.meta(context).cubes.map(({ name, connectedComponent }) => [name, connectedComponent]);
    expect(components(sales)).toEqual([
      ['customers', 1],
      ['orders', 1],
      ['items', 1],
      ['lonely', 2],
      ['sales', undefined],
      ['plain', undefined],
    ]);
    expect(components(guest).slice(0, 3)).toEqual([
      ['orders', 1],
      ['items', 1],
      ['lonely', 2],
    ]);
  });

  it('lists hierarchies with their visible levels', () => {
    expect(cube('orders')?.hierarchies).toEqual([
      { name: 'orders.place', title: 'Place', public: true, levels: ['orders.tenant', 'orders.region'] },
      { name: 'orders.buyers', title: 'Buyers', public: true, levels: ['customers.country', 'customers.name'] },
      { name: 'orders.regions', title: 'Regions', public: true, levels: ['orders.region'] },
    ]);
    expect(cube('orders', guest)?.hierarchies).toEqual([
      { name: 'orders.place', title: 'Place', public: true, levels: ['orders.tenant'] },
    ]);
  });

  it('lists hierarchies of views with their names in the view', () => {
    expect(cube('sales')?.hierarchies).toEqual([
      {
        name: 'sales.place',
        title: 'Place',
        public: true,
        levels: ['sales.tenant', 'sales.region'],
        aliasMember: 'orders.place',
      },
      {
        name: 'sales.buyers',
        title: 'Buyers',
        public: true,
        levels: ['sales.customers_country', 'sales.customers_name'],
        aliasMember: 'orders.buyers',
      },
      {
        name: 'sales.regions',
        title: 'Regions',
        public: true,
        levels: ['sales.region'],
        aliasMember: 'orders.regions',
      },
      {
        name: 'sales.customers_who',
        title: 'Customers',
        public: true,
        levels: ['sales.customers_country', 'sales.customers_name'],
        aliasMember: 'customers.who',
      },
    ]);
    expect(cube('sales', guest)?.hierarchies?.map(({ name }) => name)).toEqual(['sales.place']);
    expect(cube('plain')?.hierarchies).toEqual([
      {
        name: 'plain.where',
        title: 'Places',
        public: true,
        levels: ['plain.tenant'],
        aliasMember: 'orders.place',
      },
    ]);
  });

  it('lists folders, flat and nested', () => {
    const [basics, people, all] = cube('sales')?.nestedFolders ?? [];
    expect(basics).toEqual({
      name: 'Basics',
      members: [
        'sales.count',
        'sales.tenant',
        { name: 'Money', members: ['sales.amount', 'sales.revenue', { name: 'Deep', members: ['sales.region'] }] },
        'sales.region',
      ],
    });
    expect(people?.members).toEqual(['sales.customers_number', 'sales.customers_country', 'sales.customers_name']);
    expect(all?.members.length).toBe(13);
    expect(cube('sales')?.folders?.[0]).toEqual({
      name: 'Basics',
      members: ['sales.count', 'sales.tenant', 'sales.amount', 'sales.revenue', 'sales.region'],
    });
  });

  it('omits folders without visible members', () => {
    expect(cube('sales', guest)?.nestedFolders?.slice(0, 2)).toEqual([
      {
        name: 'Basics',
        members: ['sales.count', 'sales.tenant', { name: 'Money', members: ['sales.amount', 'sales.revenue'] }],
      },
      { name: 'All', members: expect.not.arrayContaining(['sales.region', 'sales.customers_name']) },
    ]);
    expect(cube('sales', guest)?.folders?.map(({ name }) => name)).toEqual(['Basics', 'All']);
  });

  it('contains nothing hidden', () => {
    expect(JSON.stringify(compiled.meta(guest))).not.toMatch(/customers|region|secret|who|buyers|unseen|Deep|People/);
    expect(JSON.stringify(compiled.meta(sales))).not.toMatch(/secret|unseen/);
  });
});

describe('a model', () => {
  const text = (cube: string, view: string) => `cubes:
  - name: orders
    sql_table: orders
    dimensions: [{ name: region, sql: region, type: string } ]
    measures: [{ name: count, type: count } ]
    ${cube}
views:
  - name: sales
    cubes: [{ join_path: orders, includes: "*" } ]
    ${view}
`;

  it.each([
    [
      'a level that is not a dimension',
      'hierarchies: [{ name: x, levels: [region, count] } ]',
      '',
      '6: count is not a dimension',
    ],
    [
      'a hierarchy without levels',
      'hierarchies: [{ name: x, levels: [] } ]',
      '',
      '6: levels: requires at least one level',
    ],
    [
      'a hierarchy with the name of a member',
      'hierarchies: [{ name: region, levels: [region] } ]',
      '',
      '6: region is already the name of another member of orders',
    ],
    [
      'a folder with an unknown member',
      '',
      'folders: [{ name: x, includes: [nope] } ]',
      '10: nope is not a member of sales',
    ],
    [
      'a folder with an unknown join path',
      '',
      'folders: [{ name: x, includes: [{ join_path: orders.nope } ] } ]',
      '10: orders.nope is not a join_path',
    ],
    [
      'two folders with the same name',
      '',
      'folders: [{ name: x, includes: [] }, { name: x, includes: [] } ]',
      '10: x is already the name of another folder',
    ],
    ['a folder of the wrong shape', '', 'folders: [{ name: x, members: [region] } ]', '10: '],
    ['folders in a cube', 'folders: []', '', '6: Unknown key "folders"'],
  ])('with %s is rejected', async (_, cube, view, problem) => {
    expect((await problemsOf(text(cube || 'segments: []', view || 'title: Sales'))).join('\n')).toContain(problem);
  });
});
