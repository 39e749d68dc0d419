import type { DuckDBConnection } from '@duckdb/node-api';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { columnTypes, sqlTypeOf } from '../../../../src/platform/data/engines/duckdb/row-stream.js';
import { engineProblem } from '../../../../src/platform/data/engines/duckdb/session.js';
import { MemberTypeReader } from '../../../../src/platform/data/planner/member-types.js';
import type { ColumnDescriber } from '../../../../src/platform/data/semantic-model.js';
import { LoggableError } from '../../../../src/platform/errors.js';
import { type CubeModel, cubeModel } from '../model/cube-fixture.js';
import { openDatabase } from '../model/fixture.js';
import { allRowsPolicy, itemsCube } from '../model/model-yaml.js';

const source = `
cubes:
  - name: orders
    sql_table: orders
    joins:
      - { name: items, sql: "{CUBE}.id = {items.order_id}", relationship: one_to_many }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: tenant, sql: tenant, type: string, public: false }
      - { name: code, sql: "{CUBE}.id", type: string }
      - { name: created, sql: "CAST({CUBE}.created AS DATE)", type: time }
      - { name: paid, sql: paid, type: boolean }
      - { name: amount, sql: amount, type: number }
      - { name: ratio, sql: "{CUBE}.amount / 3", type: number }
      - { name: broken, sql: no_such_column, type: number }
      - { name: quantity, sql: "{items.quantity}", type: number, sub_query: true }
    measures:
      - { name: count, type: count }
      - { name: ids, sql: "{CUBE}.id", type: sum }
      - { name: revenue, sql: amount, type: sum }
      - { name: mean, sql: "{CUBE}.id", type: avg }
      - { name: mean_ratio, sql: "{ratio}", type: avg }
      - { name: first, sql: created, type: min }
      - { name: regions, sql: region, type: count_distinct }
      - { name: each, sql: "{revenue} / {count}", type: number }
      - { name: last_region, sql: "max({CUBE}.region)", type: string }
      - { name: running, sql: "{CUBE}.id", type: sum, rolling_window: { trailing: unbounded } }
    segments:
      - { name: large, sql: "{CUBE}.amount > 50" }
    ${allRowsPolicy}
  ${itemsCube}
views:
  - name: sales
    cubes: [{ join_path: orders, includes: "*" }, { join_path: orders.items, includes: [quantity], prefix: true } ]
    access_policy: [{ group: "*", row_level: { filters: [{ member: paid, operator: set } ] } } ]
`;

let database: DuckDBConnection;
let model: CubeModel;
beforeAll(async () => {
  database = await openDatabase();
  model = await cubeModel(source);
});

let statements: string[];
let types: MemberTypeReader;
beforeEach(() => {
  statements = [];
  const { planner, rowLevel, access } = model;
  types = new MemberTypeReader({ planner, rowLevel, access: access.ofPublic() });
});

const engine = (dataVersion = 'v1'): ColumnDescriber => ({
  dataVersion,
  async describe(sql, parameters) {
    statements.push(sql);
    const found = await columnTypes(database, sql, parameters).catch((error: unknown) => {
      throw engineProblem(error);
    });
    return found.map(({ typeId }) => sqlTypeOf(typeId));
  },
});

async function typesOf(entity: string, ...names: string[]): Promise<Record<string, readonly unknown[]>> {
  const found = await types.typesOf(
    names.map(name => `${entity}.${name}`),
    engine(),
  );
  return Object.fromEntries(
    names.map(name => {
      const { row, group } = found.get(`${entity}.${name}`) ?? {};
      return [name, [row, group]];
    }),
  );
}

describe.each(['orders', 'sales'])('in %s the type', entity => {
  it('of a dimension is that of its column; text and times follow the model', async () => {
    expect(await typesOf(entity, 'id', 'code', 'created', 'paid', 'amount', 'ratio', 'quantity')).toEqual({
      id: ['integer', null],
      code: ['text', null],
      created: ['timestamp', null],
      paid: ['boolean', null],
      amount: ['numeric', null],
      ratio: ['double', null],
      quantity: ['numeric', null],
    });
  });

  it('of a measure follows from its argument, as in Postgres', async () => {
    expect(await typesOf(entity, 'count', 'ids', 'revenue', 'mean', 'mean_ratio', 'first', 'regions')).toEqual({
      count: ['integer', 'bigint'],
      ids: ['integer', 'bigint'],
      revenue: ['numeric', 'numeric'],
      mean: ['integer', 'ratio'],
      mean_ratio: ['double', 'double'],
      first: ['timestamp', 'timestamp'],
      regions: ['integer', 'bigint'],
    });
  });

  it('of any other measure comes from the engine', async () => {
    expect(await typesOf(entity, 'each', 'last_region', 'running')).toEqual({
      each: ['double', 'double'],
      last_region: [null, 'text'],
      running: [null, 'numeric'],
    });
  });
});

it('describes many members with one statement for rows and one for groups, once per data version', async () => {
  const paths = ['id', 'paid', 'amount', 'each', 'running', 'count'].map(name => `orders.${name}`);
  await types.typesOf(paths, engine());
  expect(statements).toHaveLength(2);
  await types.typesOf(paths.slice(2), engine());
  expect(statements).toHaveLength(2);
  await types.typesOf(['orders.paid'], engine('v2'));
  expect(statements).toHaveLength(3);
});

it('does not describe members whose type follows from the model', async () => {
  await types.typesOf(['orders.code', 'orders.created', 'orders.count', 'sales.last_region'], engine());
  expect(statements).toEqual([]);
});

it('reads no rows', async () => {
  await types.typesOf(['orders.id', 'sales.amount'], engine());
  expect(statements).toHaveLength(2);
  for (const sql of statements) expect(sql).toContain('WHERE 1 = 0');
});

it("describes members one by one if they can't be combined, and names the member that the engine rejects", async () => {
  const paths = ['orders.id', 'orders.broken', 'orders.amount'];
  const refused = await types.typesOf(paths, engine()).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(LoggableError);
  expect(String(refused)).toContain('orders.broken cannot be queried: The engine rejected a statement');
  expect((await types.typesOf(['orders.id', 'orders.amount'], engine())).get('orders.id')?.row).toBe('integer');
});

it('returns no types of hidden members and segments', async () => {
  const found = await types.typesOf(['orders.tenant', 'orders.large', 'orders.nothing'], engine());
  expect(found.size).toBe(0);
});
