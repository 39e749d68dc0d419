import { type DuckDBConnection, DuckDBInstance, type Json } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SecurityContext } from '../../../src/platform/auth/principal.js';
import type { Statement } from '../../../src/platform/data/semantic-model.js';
import { SqlType } from '../../../src/platform/data/sql/sql-type.js';
import type { CubeQuery, Expression } from '../../../src/platform/data/sql/tree.js';
import { caller, tenantCaller } from './callers.js';
import {
  alone,
  type CubeModel,
  call,
  computed,
  cubeModel,
  dimension,
  grouped,
  integer,
  literal,
  measure,
  member,
  rowsOf,
  single,
  text,
  time,
} from './model/cube-fixture.js';
import { openDatabase } from './model/fixture.js';
import { shop } from './model/shop.js';
import { modelText, RowLevel, tableSelects, tenants } from './tenant-model.js';

// Queries of cubes by SQL statements must follow the same rules as load queries, for every name and row.

const bool = (name: string, ...args: Expression[]) => call(name, SqlType.boolean, ...args);
const isSet = (path: string) => bool('is_not_null', member(path));
const strangers = ['tenant_x', "' OR 1=1 --"];
const nobodies = [undefined, null, '', [], { constructor: 'tenant_a' }];
const of = (tenant: unknown): SecurityContext => caller(tenant === undefined ? {} : { tenant });

let database: DuckDBConnection;
let model: CubeModel;
beforeAll(async () => {
  database = await (await DuckDBInstance.create()).connect();
  await database.run("SET TimeZone = 'UTC'");
  for (const [table, select] of Object.entries(tableSelects(tenants)))
    await database.run(`CREATE TABLE ${table} AS ${select}`);
  model = await cubeModel(modelText(RowLevel.own));
});

const rows = (query: CubeQuery, context: SecurityContext): Promise<Json[][]> =>
  rowsOf(database, model.plan(query, context));

describe('a hidden name', () => {
  /** A query for each position of a name. */
  const places: Record<string, (path: string, kind?: 'measure') => CubeQuery> = {
    column: (path, kind) => grouped([kind === 'measure' ? measure(path) : dimension(path)]),
    'computed column': path => single([computed(call('upper', SqlType.text, member(path)))]),
    'part of a computed column': path =>
      single([computed(call('||', SqlType.text, member('orders.city'), member(path)))]),
    condition: path => grouped([measure('orders.count')], { conditions: [isSet(path)] }),
    'part of a condition': path =>
      grouped([measure('orders.count')], {
        conditions: [
          {
            kind: 'case',
            type: SqlType.boolean,
            branches: [{ when: isSet('orders.city'), value: literal(SqlType.boolean, 'true') }],
            otherwise: isSet(path),
          },
        ],
      }),
    filter: path => grouped([measure('orders.count')], { filters: [{ member: path, operator: 'set' }] }),
    'filter inside': path =>
      grouped([measure('orders.count')], { filters: [{ or: [{ and: [{ member: path, operator: 'set' }] }] }] }),
  };

  it.each(Object.entries(places))('is rejected like an unknown one, as a %s', (_, query) => {
    const messageFor = (name: string) => model.refusal(query(`orders.${name}`), of('tenant_a')).replace(name, 'NAME');
    expect(messageFor('secret')).toBe('orders.NAME is not a member of the model');
    for (const name of ['internal', 'nothing', 'constructor', '__proto__', 'toString'])
      expect(messageFor(name)).toBe(messageFor('secret'));
  });

  it('is rejected like an unknown one as a measure or segment', () => {
    const refusal = (query: CubeQuery) => model.refusal(query, of('tenant_a'));
    expect(refusal(grouped([measure('orders.leaked')]))).toBe('orders.leaked is not a member of the model');
    expect(refusal(single([computed(member('orders.leaked'))]))).toBe('orders.leaked is not a member of the model');
    expect(refusal(single([computed(member('orders.guarded', SqlType.boolean))]))).toBe(
      'orders.guarded is not a member of the model',
    );
  });

  it('is not reachable as a time, a granularity or a path', () => {
    const refusal = (query: CubeQuery) => model.refusal(query, of('tenant_a'));
    expect(refusal(grouped([time('vault.placed_at', 'day')], { entity: 'vault' }))).toContain(
      'No cube or view named "vault" is visible to you',
    );
    expect(refusal(grouped([time('vault.placed_at', 'day')]))).toContain('vault.placed_at is not a member');
    expect(refusal(grouped([time('orders.placed_at', '__proto__')]))).toContain('has no granularity __proto__');
    expect(refusal(single([computed(member('orders.placed_at.day'))]))).toContain('is not a member of the model');
    expect(refusal(single([computed(member('orders'))]))).toContain('orders is not a member of the model');
  });
});

describe('a cube without a decision', () => {
  it('is as unknown as a missing one, also through a view, a join or a nested query', () => {
    const refusal = (query: CubeQuery) => model.refusal(query, of('tenant_a'));
    for (const entity of ['vault', 'vault_view', 'nothing', '__proto__'])
      expect(refusal(grouped([measure(`${entity}.count`)], { entity }))).toBe(
        `No cube or view named "${entity}" is visible to you`,
      );
    expect(refusal(single([dimension('orders.hoard')]))).toContain('orders.hoard is not a member');
    expect(refusal(single([computed(member('sales.hoard'))], { entity: 'sales' }))).toContain(
      'sales.hoard is not a member',
    );
  });

  it('is hidden from callers without the attribute of its policy', () => {
    for (const tenant of nobodies) {
      expect(model.refusal(grouped([measure('orders.count')]), of(tenant))).toContain(
        'No cube or view named "orders" is visible to you',
      );
      expect(model.refusal(single([computed(integer(1))]), of(tenant))).toContain(
        'No cube or view named "orders" is visible to you',
      );
    }
  });
});

describe('rows', () => {
  const city = call('||', SqlType.text, member('orders.city'), text('!'));
  const queries: Record<string, CubeQuery> = {
    'of a cube': single([dimension('orders.city'), computed(city)]),
    grouped: grouped([computed(city), measure('orders.count')]),
    'of a view': single([dimension('sales.city'), dimension('sales.name')], { entity: 'sales' }),
    'with a sub-query': single([dimension('orders.city'), dimension('orders.quantity')], {
      conditions: [bool('>', member('orders.quantity', SqlType.numeric), integer(0))],
    }),
    'whose conditions are always true': single([dimension('orders.city')], {
      conditions: [bool('or', bool('=', integer(1), integer(1)), isSet('orders.city'))],
    }),
    'of rolling windows': grouped([computed(city), measure('orders.running')]),
    'without a member': single([computed(integer(1))]),
  };

  it.each(Object.entries(queries))('%s belong to the caller', async (_, query) => {
    for (const tenant of tenants) {
      const found = await rows(query, of(tenant));
      expect(found.length).toBeGreaterThan(0);
      for (const value of found.flat())
        if (typeof value === 'string' && value.startsWith('tenant')) expect(value.startsWith(tenant)).toBe(true);
    }
    const [a, b] = tenants.map(tenant => model.plan(query, of(tenant)));
    expect(a?.key).not.toBe(b?.key);
    for (const stranger of strangers) expect(await rows(query, of(stranger))).toEqual([]);
  });

  it('of two tenants with equal queries are counted separately', async () => {
    const query = grouped([measure('orders.count')], { conditions: [isSet('orders.city')] });
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await rows(query, of('tenant_a'))).toEqual([['120']]);
      expect(await rows(query, of('tenant_b'))).toEqual([['140']]);
      expect(await rows(query, of('tenant_x'))).toEqual([['0']]);
    }
  });
});

describe('policies for combinations of members', () => {
  const context = (...groups: string[]) => tenantCaller('a', ...groups);
  const policies = `
cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: region, sql: region, type: string }
      - { name: amount, sql: amount, type: number }
      - { name: double, sql: "{amount} * 2", type: number }
    measures:
      - { name: count, type: count }
      - { name: revenue, sql: amount, type: sum }
    access_policy:
      - group: names
        member_level: { excludes: [amount, revenue, double] }
        row_level: { allow_all: true }
      - group: money
        row_level: { filters: [{ member: region, operator: startsWith, values: [north] } ] }
`;
  let data: DuckDBConnection;
  let own: CubeModel;
  beforeAll(async () => {
    data = await openDatabase();
    own = await cubeModel(policies);
  });
  const ids = async (query: CubeQuery) =>
    (await rowsOf(data, own.plan(query, context('names', 'money')))).map(([id]) => id);
  const amount = member('orders.amount', SqlType.numeric);

  it.each<[string, Partial<CubeQuery>, readonly CubeQuery['columns'][number][]]>([
    ['a computed column', {}, [computed(bool('>', amount, integer(0)))]],
    ['a condition', { conditions: [bool('or', bool('is_null', amount), isSet('orders.id'))] }, []],
    [
      'a filter',
      {
        filters: [
          {
            or: [
              { member: 'orders.amount', operator: 'gt', values: ['0'] },
              { member: 'orders.amount', operator: 'notSet' },
            ],
          },
        ],
      },
      [],
    ],
    ['a value of a measure', { conditions: [bool('>', member('orders.revenue', SqlType.numeric), integer(0))] }, []],
    ['a measure built from it', { conditions: [bool('>', member('orders.double', SqlType.numeric), integer(0))] }, []],
  ])('in %s restrict rows to those granted for all of them', async (_, rest, columns) => {
    expect(await ids(single([dimension('orders.id')]))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await ids(single([dimension('orders.id'), ...columns], rest))).toEqual([1, 2, 6]);
    expect(own.refusal(single([dimension('orders.id'), ...columns], rest), context('names'))).toContain(
      'is not a member',
    );
  });
});

describe("a view's row filter", () => {
  let data: DuckDBConnection;
  let own: CubeModel;
  beforeAll(async () => {
    data = await openDatabase();
    own = await cubeModel(shop);
  });
  const finance = tenantCaller('a', 'finance');
  const north = (rest: Partial<CubeQuery> = {}) => single([dimension('north.id')], { entity: 'north', ...rest });
  const ids = async (query: CubeQuery) => (await rowsOf(data, own.plan(query, finance))).map(([id]) => id);

  it('applies to all members, and in addition to every condition', async () => {
    expect(await ids(north())).toEqual([1, 2, 3]);
    const always = bool('or', isSet('north.id'), bool('is_null', member('north.id')));
    expect(await ids(north({ conditions: [always] }))).toEqual([1, 2, 3]);
    expect(await ids(north({ conditions: [bool('=', member('north.region'), text('50%_off\\'))] }))).toEqual([]);
    expect(await rowsOf(data, own.plan(single([computed(integer(1))], { entity: 'north' }), finance))).toHaveLength(3);
    const counted = grouped([measure('north.count'), measure('north.items_quantity')], {
      entity: 'north',
      conditions: [always],
    });
    expect(await rowsOf(data, own.plan(counted, finance))).toEqual([['3', '6']]);
  });

  it('hides the view from callers without a policy', () => {
    expect(own.refusal(single([computed(integer(1))], { entity: 'nobody' }), finance)).toContain(
      'No cube or view named "nobody" is visible to you',
    );
  });
});

describe('an error', () => {
  /** A view with a row filter on a joined cube. */
  const abroad = `
  - name: abroad
    cubes:
      - { join_path: orders, includes: "*" }
      - { join_path: orders.customers, includes: [country] }
    access_policy:
      - group: "*"
        row_level: { filters: [{ or: [{ member: country, operator: equals, values: [US] }, { member: country, operator: notSet } ] } ] }
`;
  let data: DuckDBConnection;
  let own: CubeModel;
  beforeAll(async () => {
    data = await openDatabase();
    await data.run(`INSERT INTO orders SELECT 100 + range, 'a', 'north', 2, 10, NULL, true FROM range(20000)`);
    own = await cubeModel(`${shop}${abroad}`);
  });
  const context = (tenant: string) => tenantCaller(tenant, 'finance', 'sales');
  const run = ({ sql, parameters }: Statement, around = (inner: string) => inner) =>
    data.runAndReadAll(around(sql), [...parameters]);
  /** Creates a condition that fails on one order. */
  const fails = (entity: string, id: number) => {
    const distance = call('-', SqlType.integer, member(`${entity}.id`, SqlType.integer), integer(id));
    return bool('>=', call('/', SqlType.integer, integer(1), distance), integer(-5));
  };
  /**
   * For each cube or view, an order that is hidden from the first tenant: it belongs to another tenant, or the view
   * excludes it.
   */
  const unreadable: readonly (readonly [entity: string, id: number])[] = [
    ['orders', 6],
    ['north', 4],
    ['abroad', 1],
  ];

  it.each(unreadable)('in a condition reveals no hidden rows of %s', async (entity, id) => {
    const columns = [measure(`${entity}.count`)];
    const ask = (one: number, tenant: string) =>
      own.plan(grouped(columns, { entity, conditions: [fails(entity, one)] }), context(tenant)).statement(alone());
    await expect(run(ask(id, 'a'))).resolves.toBeDefined();
    await expect(run(ask(3, 'a'))).rejects.toThrow('divides by zero');
  });

  it.each(unreadable)('around a statement reveals no hidden rows of %s', async (entity, id) => {
    const queries = [
      single([dimension(`${entity}.id`), dimension(`${entity}.region`)], { entity }),
      grouped([dimension(`${entity}.id`), measure(`${entity}.count`)], { entity }),
    ];
    const around = (one: number) => (sql: string) =>
      `SELECT count(*) FROM (${sql}) AS t WHERE CASE WHEN "c0" = ${one} THEN error('seen') END IS NULL`;
    for (const query of queries) {
      const statement = own.plan(query, context('a')).statement(alone());
      await expect(run(statement, around(id))).resolves.toBeDefined();
      await expect(run(statement, around(3))).rejects.toThrow('seen');
    }
  });
});
