import { beforeAll, describe, expect, it } from 'vitest';
import { tenantCaller } from '../callers.js';
import { allRowsPolicy } from '../model/model-yaml.js';
import { finance, openShop, type SqlShop } from './sql-fixture.js';

let shop: SqlShop;

beforeAll(async () => {
  shop = await openShop();
});

describe('the columns of a plan', () => {
  it('name their member', async () => {
    const { columns } = await shop.plan(
      "SELECT region, DATE_TRUNC('month', created) AS m, MEASURE(revenue) AS r, COUNT(*) + 1 AS n, upper(region) AS u FROM orders GROUP BY 1, 2, 5",
    );
    expect(columns).toEqual([
      { name: 'region', type: 'text', member: 'orders.region', title: 'Region' },
      { name: 'm', type: 'timestamp', member: 'orders.created.month', granularity: 'month' },
      { name: 'r', type: 'numeric', member: 'orders.revenue', format: 'currency' },
      { name: 'n', type: 'bigint' },
      { name: 'u', type: 'text' },
    ]);
  });

  it('name it through outer selects, but not after an operation', async () => {
    const { columns } = await shop.plan(
      `WITH a AS (SELECT customer AS c, MEASURE(revenue) AS r FROM orders GROUP BY 1)
       SELECT x.c, x.r, -x.r, MAX(x.r) OVER () FROM (SELECT * FROM a) x JOIN items i ON true`,
    );
    expect(columns.map(({ member }) => member)).toEqual(['orders.customer', 'orders.revenue', undefined, undefined]);
    const union = await shop.plan('SELECT region FROM orders UNION SELECT region FROM orders');
    expect(union.columns).toEqual([{ name: 'region', type: 'text' }]);
  });

  it('have types, even untyped literals', async () => {
    const { columns } = await shop.plan(
      "SELECT 'a', NULL, 1, 1.5, true, DATE '2001-01-01', x.y FROM (SELECT 'b' AS y) x",
    );
    expect(columns.map(({ type }) => type)).toEqual(['text', 'text', 'integer', 'numeric', 'boolean', 'date', 'text']);
  });
});

describe('the statement of a plan', () => {
  it('contains none of the text: names are generated, values are bound', async () => {
    const text = `WITH "my table" AS (SELECT region AS "my column", 'my value' AS v FROM orders "my alias" WHERE upper(region) = 'MINE')
      SELECT "my column" AS "my output", v || ' too' FROM "my table" ORDER BY 1`;
    const { sql, parameters } = (await shop.plan(text)).statement();
    expect(sql).not.toMatch(/my|mine/i);
    expect(parameters).toEqual(expect.arrayContaining(['my value', 'MINE', ' too', 'a']));
  });

  it('numbers all parameters consecutively', async () => {
    const text = `SELECT 'x' AS x, o.id, i.quantity FROM (SELECT id FROM orders WHERE region <> 'a' AND upper(region) <> 'b') o
      JOIN items i ON i.order_id = o.id AND i.quantity > 1 WHERE o.id IN (SELECT id FROM orders WHERE region = 'north') AND o.id <> 7`;
    expect(await shop.rows(text)).toEqual([['x', 1, 2]]);
    const { sql, parameters } = (await shop.plan(text)).statement();
    const numbers = [...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number));
    expect([...new Set(numbers)].sort((a, b) => a - b)).toEqual(parameters.map((_, index) => index + 1));
  });

  it('is deterministic', async () => {
    const plan = await shop.plan(
      "SELECT region, COUNT(*) FROM orders WHERE upper(region) IN (SELECT 'NORTH') GROUP BY 1",
    );
    expect(plan.statement()).toEqual(plan.statement());
  });
});

describe('a statement whose SQL becomes too long', () => {
  it('is rejected', async () => {
    const text = `SELECT id FROM orders WHERE id IN (1${',1'.repeat(30_000)})`;
    expect(await shop.refusal(text)).toContain('too complex');
  });
});

describe('the key of a plan', () => {
  const keyOf = async (text: string, options?: Parameters<SqlShop['plan']>[1]) => (await shop.plan(text, options)).key;

  it('is equal for equivalent statements', async () => {
    const one = await keyOf("SELECT region, MEASURE(count) FROM orders o WHERE o.region = 'north' GROUP BY 1");
    expect(
      await keyOf('select REGION, count(*) as "count" /* all */ from Orders where \'north\' = region group by region'),
    ).toBe(one);
  });

  it.each([
    ['another value', "SELECT region FROM orders WHERE upper(region) = 'B'", {}],
    ['another name of a column', "SELECT region AS r FROM orders WHERE upper(region) = 'A'", {}],
    ['another time zone', "SELECT region FROM orders WHERE upper(region) = 'A'", { timezone: 'Europe/Berlin' }],
    [
      'another tenant',
      "SELECT region FROM orders WHERE upper(region) = 'A'",
      { context: tenantCaller('b', 'finance') },
    ],
  ])('differs for %s', async (_, text, options) => {
    expect(await keyOf(text, options)).not.toBe(
      await keyOf("SELECT region FROM orders WHERE upper(region) = 'A'", { context: finance }),
    );
  });
});

describe('times', () => {
  it("are in the query's time zone", async () => {
    const text = "SELECT id, created FROM orders WHERE created >= '2001-02-01' ORDER BY created LIMIT 1";
    expect(await shop.rows(text)).toEqual([[3, '2001-02-01 00:00:00']]);
    expect(await shop.rows(text, { timezone: 'Europe/Berlin' })).toEqual([[2, '2001-02-01 00:59:59.9995']]);
  });

  it('current date and time are those of the request', async () => {
    expect(await shop.rows('SELECT LOCALTIMESTAMP, CURRENT_DATE', { timezone: 'Europe/Berlin' })).toEqual([
      ['2001-02-15 13:00:00', '2001-02-15'],
    ]);
  });
});

describe('a rolling measure', () => {
  let rolling: SqlShop;

  beforeAll(async () => {
    rolling = await openShop(`
cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: created, sql: "{CUBE}.created", type: time }
    measures:
      - { name: running, sql: amount, type: sum, rolling_window: { trailing: unbounded } }
    ${allRowsPolicy}
`);
  });

  it.each([
    ["created >= '2001-02-01' AND created < '2001-04-01'"],
    ["created BETWEEN '2001-02-01' AND '2001-03-31 23:00'"],
  ])('reads rows before the date range: %s', async where => {
    const text = `SELECT DATE_TRUNC('month', created), MEASURE(running) FROM orders WHERE ${where} GROUP BY 1 ORDER BY 1`;
    expect(await rolling.rows(text)).toEqual([
      ['2001-02-01 00:00:00', '110.00'],
      ['2001-03-01 00:00:00', '170.00'],
    ]);
    expect(await rolling.loaded(text)).toEqual(await rolling.rows(text));
  });

  it('requires a date range', async () => {
    expect(
      await rolling.refusal("SELECT DATE_TRUNC('month', created), MEASURE(running) FROM orders GROUP BY 1"),
    ).toContain('A rolling window requires a dateRange of orders.created');
  });
});
