import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SqlDialect } from '../../../src/platform/data/engines/engine.js';
import { SqlType } from '../../../src/platform/data/sql/sql-type.js';
import type { CubeQuery } from '../../../src/platform/data/sql/tree.js';
import {
  type PostgresServer,
  startPostgresServer,
} from '../../../src/platform/db/embedded-postgres/postgres-server.js';
import { tenantCaller } from './callers.js';
import {
  alone,
  type CubeModel,
  call,
  cubeModel,
  dimension,
  grouped,
  integer,
  measure,
  member,
  single,
} from './model/cube-fixture.js';
import { allRowsPolicy } from './model/model-yaml.js';

// Postgres merges the conditions of nested selects and evaluates the cheapest first. Without a fence, a caller's
// condition runs on rows of other tenants, and an overflow or a division by zero reveals their values.

const source = `
cubes:
  - name: orders
    sql_table: orders
    joins:
      - { name: customers, sql: "{CUBE}.customer_id = {customers.id}", relationship: many_to_one }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: amount, sql: amount, type: number }
      - { name: tenant, sql: tenant, type: string }
    measures:
      - { name: count, type: count }
    access_policy:
      - { group: "*", row_level: { filters: [{ member: tenant, operator: contains, values: ["{ securityContext.tenant }"] } ] } }
  - name: customers
    sql_table: customers
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: country, sql: country, type: string }
    ${allRowsPolicy}
views:
  - name: abroad
    cubes: [{ join_path: orders, includes: "*" }, { join_path: orders.customers, includes: [country] } ]
    access_policy:
      - { group: "*", row_level: { filters: [{ member: country, operator: notContains, values: [DE] } ] } }
`;

let server: PostgresServer;
let client: pg.Client;
let model: CubeModel;
beforeAll(async () => {
  server = await startPostgresServer();
  client = new pg.Client(server.connection);
  await client.connect();
  await client.query(`
    CREATE TABLE customers AS SELECT * FROM (VALUES (1, 'DE'), (2, 'US')) AS t (id, country);
    CREATE TABLE orders AS SELECT g AS id, CASE g % 2 WHEN 0 THEN 'a' ELSE 'b' END AS tenant,
      1 + g / 2 % 2 AS customer_id, CASE g WHEN 61 THEN 1000 WHEN 60 THEN 100 ELSE g % 10 END AS amount FROM generate_series(1, 5000) AS g;
    ANALYZE orders; ANALYZE customers;`);
  model = await cubeModel(source, SqlDialect.postgres);
});
afterAll(async () => {
  await client.end();
  await server.stop();
});

const run = (query: CubeQuery, around = (sql: string) => sql) => {
  const { sql, parameters } = model.plan(query, tenantCaller('a')).statement(alone());
  return client.query(around(sql), [...parameters]);
};
/** Returns a factor that makes an amount overflow. */
const factor = (amount: number) => Math.ceil(2 ** 31 / amount);

/** Positions of a caller's condition. */
const positions: Record<string, (entity: string, amount: number) => Promise<unknown>> = {
  condition(entity, amount) {
    const value = member(`${entity}.amount`, SqlType.integer);
    const product = call('*', SqlType.integer, value, integer(factor(amount)));
    const conditions = [call('>=', SqlType.boolean, product, integer(-1))];
    return run(grouped([measure(`${entity}.count`)], { entity, conditions }));
  },
  'select around rows': (entity, amount) =>
    run(
      single([dimension(`${entity}.amount`)], { entity }),
      sql => `SELECT count(*) FROM (${sql}) AS t WHERE c0 * ${factor(amount)} >= -1`,
    ),
  'select around groups': (entity, amount) =>
    run(
      grouped([dimension(`${entity}.amount`), measure(`${entity}.count`)], { entity }),
      sql => `SELECT count(*) FROM (${sql}) AS t WHERE c0 * ${factor(amount)} >= -1`,
    ),
};

describe.each(Object.entries(positions))('an error in a %s', (_, ask) => {
  // The amount of 1000 belongs to the other tenant; that of 100 to the caller, but the view excludes it.
  it.each([
    ['orders', 1000, 100],
    ['abroad', 100, 8],
  ])('reveals no rows hidden by %s', async (entity, unreadable, readable) => {
    await expect(ask(entity, unreadable)).resolves.toBeDefined();
    await expect(ask(entity, readable)).rejects.toThrow('out of range');
  });
});

it('does not evaluate a pattern of a caller on statistics of Postgres', async () => {
  const text = (value: string) => ({ kind: 'literal', type: SqlType.text, value }) as const;
  // A pattern with a trailing escape fails on the first value. The caller's own condition selects no row.
  const pattern = call('||', SqlType.text, text('%'), text('\\'));
  const like = call('like', SqlType.boolean, member('orders.tenant', SqlType.text), pattern, text('\\'));
  const none = call('<', SqlType.boolean, member('orders.id', SqlType.integer), integer(0));
  const { rows } = await run(grouped([measure('orders.count')], { conditions: [none, like] }));
  expect(rows).toEqual([{ c0: '0' }]);
});

describe('on DuckDB', () => {
  const fenced = async (filter: string) => {
    const { plan } = await cubeModel(`
cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - { name: tenant, sql: "{CUBE}.tenant", type: string }
      - { name: short, sql: "left({CUBE}.tenant, 2)", type: string }
    measures: [{ name: count, type: count }]
    access_policy: [{ group: "*", row_level: { filters: [${filter}] } }]
`);
    return plan(grouped([measure('orders.count')]), tenantCaller('a'))
      .statement(alone())
      .sql.includes('OFFSET 0');
  };

  it.each([
    ['{ member: tenant, operator: contains, values: [a] }'],
    ['{ member: tenant, operator: equals, values: [a, b] }'],
    ['{ member: tenant, operator: notEquals, values: [b] }'],
    ['{ member: short, operator: equals, values: [a] }'],
    ['{ member: tenant, operator: equals, values: ["{ securityContext.tenant }"] }'],
  ])('adds a fence around %s', async filter => {
    expect(await fenced(filter)).toBe(true);
  });
});
