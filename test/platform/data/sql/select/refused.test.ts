import { beforeAll, describe, expect, it } from 'vitest';
import { openShop, type SqlShop } from '../sql-fixture.js';

let shop: SqlShop;

beforeAll(async () => {
  shop = await openShop();
});

/** This many distinct values. */
function numbered(length: number, before: string): string {
  return Array.from({ length }, (_, index) => `${before} ${index}`).join();
}

describe('unsupported statements are rejected with a location', () => {
  it.each([
    ['SELECT id INTO x FROM orders', 'INTO is not supported (line 1, column 8).'],
    ['SELECT id FROM orders FOR UPDATE', 'FOR UPDATE is not supported (line 1, column 8).'],
    ['VALUES (1)', 'VALUES is not supported (line 1, column 9).'],
    ['SELECT * FROM (VALUES (1)) v', 'VALUES is not supported (line 1, column 24).'],
    ['WITH RECURSIVE a AS (SELECT 1) SELECT * FROM a', 'WITH RECURSIVE is not supported'],
    ['WITH a AS (DELETE FROM orders RETURNING 1) SELECT * FROM a', 'only SELECT can stand in WITH (line 1, column 6).'],
    ['WITH a AS (SELECT 1), a AS (SELECT 2) SELECT 1', 'a stands in WITH more than once (line 1, column 23).'],
    ['SELECT * FROM ONLY orders', 'ONLY is not supported (line 1, column 20).'],
    ['SELECT * FROM orders TABLESAMPLE SYSTEM (1)', 'TABLESAMPLE is not supported'],
    ['SELECT * FROM generate_series(1, 2)', 'a function in FROM is not supported'],
    ['SELECT * FROM orders, LATERAL (SELECT 1) x', 'LATERAL is not supported'],
    ['SELECT * FROM orders NATURAL JOIN items', 'NATURAL and USING are not supported: write ON (line 1, column 35).'],
    [
      'SELECT * FROM orders JOIN items USING (id)',
      'NATURAL and USING are not supported: write ON (line 1, column 27).',
    ],
    ['SELECT DISTINCT ON (region) id FROM orders', 'DISTINCT ON is not supported: use GROUP BY (line 1, column 21).'],
    ['SELECT region FROM orders GROUP BY ROLLUP (region)', 'GROUPING SETS, ROLLUP and CUBE are not supported'],
    ['SELECT region FROM orders GROUP BY DISTINCT region', 'GROUP BY DISTINCT is not supported'],
    ['SELECT id FROM orders ORDER BY id FETCH FIRST 1 ROWS WITH TIES', 'WITH TIES is not supported'],
    ['SELECT id FROM orders LIMIT 1 + 1', 'LIMIT takes a whole number, not below 0 (line 1, column 29).'],
    ['SELECT id FROM orders OFFSET -1', 'OFFSET takes a whole number, not below 0 (line 1, column 30).'],
    ['SELECT id FROM orders ORDER BY id USING >', 'ORDER BY … USING is not supported'],
    ['SELECT FROM orders', 'a select needs columns'],
    ['SELECT *', '* needs something in FROM (line 1, column 8).'],
  ])('%s', async (text, message) => {
    expect(await shop.refusal(text)).toContain(message);
  });
});

describe('unknown and ambiguous names are rejected with a location', () => {
  it.each([
    ['SELECT nothing FROM orders', 'nothing is not a column of what stands in FROM (line 1, column 8).'],
    ['SELECT o.nothing FROM orders o', 'o.nothing is not a column'],
    ['SELECT orders.id FROM orders o', 'orders.id is not a column'],
    ['SELECT public.orders.id FROM orders', 'public.orders.id is not a column'],
    ['SELECT orders FROM orders', 'orders is not a column'],
    ['SELECT "Region" FROM orders', 'Region is not a column'],
    ['SELECT\n  x.*\nFROM orders', 'x does not stand in FROM (line 2, column 3).'],
    ['SELECT id FROM elsewhere', 'elsewhere is neither a cube nor a view that is there (line 1, column 16).'],
    ['SELECT id FROM public.orders', 'public.orders is neither a cube nor a view'],
    ['SELECT id FROM nobody', 'nobody is neither a cube nor a view'],
    ['SELECT id FROM "ORDERS"', 'ORDERS is neither a cube nor a view'],
    ['SELECT id FROM pg_catalog.pg_class', 'pg_catalog.pg_class is neither a cube nor a view'],
    ['SELECT id FROM "/etc/passwd"', '"/etc/passwd" is neither a cube nor a view'],
    ['SELECT count FROM orders, items', 'count is ambiguous: write the table before it (line 1, column 8).'],
    ['SELECT 1 FROM orders, orders', 'orders stands in FROM more than once: give it an alias'],
    ['SELECT x.c FROM (SELECT 1 AS a) x(b, c)', 'x has 1 columns, not 2 (line 1, column 25).'],
    ['SELECT 1 FROM orders o(a, b)', 'columns of orders can not be renamed in FROM'],
    ['SELECT b FROM (WITH a AS (SELECT 1 AS b) SELECT b FROM a) x, a', 'a is neither a cube nor a view'],
    ['WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a', 'b is neither a cube nor a view'],
    ['SELECT o.id FROM orders o JOIN items i ON x.id = i.id JOIN customers x ON true', 'x.id is not a column'],
    ['SELECT id AS a, region AS a FROM orders ORDER BY a', 'a is ambiguous'],
    ['SELECT id FROM orders ORDER BY 2', 'ORDER BY: there is no column 2 in the select list (line 1, column 32).'],
    ['SELECT id FROM orders GROUP BY 0', 'GROUP BY: there is no column 0'],
    ["SELECT id FROM orders ORDER BY 'id'", 'ORDER BY takes names, values and places, but no constants'],
    ['SELECT SUM(id) OVER w FROM orders', 'w is not a window of the WINDOW clause'],
    ['SELECT 1 FROM orders WINDOW w AS (), w AS ()', 'the window w is defined more than once'],
  ])('%s', async (text, message) => {
    expect(await shop.refusal(text)).toContain(message);
  });
});

describe('invalid measures and groups are rejected with a location', () => {
  it.each([
    [
      'SELECT region, MEASURE(count) FROM orders',
      'region must stand in GROUP BY or in an aggregate (line 1, column 8).',
    ],
    ['SELECT region, amount FROM orders GROUP BY region', 'amount must stand in GROUP BY'],
    [
      'SELECT x.id, MAX(x.amount) FROM (SELECT * FROM orders) x',
      'x.id must stand in GROUP BY or in an aggregate (line 1, column 8).',
    ],
    ['SELECT DISTINCT region FROM orders HAVING COUNT(*) > 1', 'region must stand in GROUP BY'],
    [
      'SELECT MEASURE(count), (SELECT MAX(i.order_id) FROM items i WHERE i.order_id = o.id) FROM orders o',
      'o.id must stand in GROUP BY',
    ],
    [
      'SELECT MEASURE(region) FROM orders',
      'region is not a measure of what stands in FROM: did you mean regions? (line 1, column 8).',
    ],
    ['SELECT AVG(revenue) FROM orders', 'orders.revenue is not made by this aggregate: write MEASURE(revenue)'],
    ['SELECT SUM(DISTINCT revenue) FROM orders', 'write MEASURE(revenue)'],
    ['SELECT revenue, MEASURE(count) FROM orders', 'orders.revenue is a measure: write MEASURE(revenue)'],
    ['SELECT MEASURE(count) FROM orders WHERE revenue > 1', 'orders.revenue is a measure: write MEASURE(revenue)'],
    ['SELECT last FROM orders', 'orders.last has no value of a single row: write MEASURE(last)'],
    ['SELECT MAX(amount), MEASURE(count) FROM orders', 'an aggregate over rows can not stand beside measures'],
    ['SELECT MEASURE(o.count) FROM orders o JOIN items i ON true', 'has no value over a join: select from a view'],
    ['SELECT SUM(o.revenue) FROM orders o, items i', 'has no value over a join'],
    ['SELECT region FROM orders GROUP BY COUNT(*)', "GROUP BY can't hold an aggregate"],
    ['SELECT region, COUNT(*) FROM orders GROUP BY 2', 'an aggregate can not stand in GROUP BY (line 1, column 46).'],
    [
      'SELECT ROW_NUMBER() OVER (), MEASURE(count) FROM orders GROUP BY 1',
      'a window function can not stand in GROUP BY',
    ],
    ['SELECT COUNT(*) FROM orders GROUP BY (), region HAVING id > 1', 'id must stand in GROUP BY'],
    ['SELECT DISTINCT region FROM orders ORDER BY id', 'must stand in'],
    ['SELECT DISTINCT region || code FROM orders ORDER BY region', 'must stand in'],
    [
      'SELECT id FROM orders o WHERE EXISTS (SELECT MEASURE(quantity) FROM items i WHERE i.order_id = o.id)',
      'o.id is a name of the select around: a select with measures can only use its own',
    ],
    [
      'SELECT MEASURE(count) FROM orders o WHERE EXISTS (SELECT 1 FROM items i WHERE i.order_id = o.id)',
      'o.id is a name of the select around: a sub-select in WHERE',
    ],
    [
      'SELECT (SELECT MAX(i.order_id) FROM items i WHERE i.order_id = o.id) FROM orders o GROUP BY 1',
      'o.id is a name of the select around: a sub-select by which rows are grouped can only use its own (line 1, column 64).',
    ],
    [
      'SELECT DISTINCT (SELECT MAX(i.order_id) FROM items i WHERE i.order_id = o.id) FROM orders o',
      'o.id is a name of the select around',
    ],
    [
      'SELECT DISTINCT (SELECT 1 WHERE EXISTS (SELECT 1 FROM items i WHERE i.order_id = o.id)) FROM orders o',
      'o.id is a name of the select around',
    ],
    ['SELECT (SELECT MAX(o.id) FROM items i) FROM orders o', 'an aggregate can only hold names of its own select'],
    ['SELECT 1 FROM orders o JOIN items i ON EXISTS (SELECT 1)', 'a sub-select can not stand in JOIN … ON'],
    [
      'SELECT id FROM orders UNION SELECT id, id FROM orders',
      'each side of UNION must have the same number of columns',
    ],
    ['SELECT id FROM orders UNION SELECT region FROM orders', "can't stand together"],
    [
      'SELECT id FROM orders UNION SELECT order_id FROM items ORDER BY id + 1',
      'ORDER BY of a set operation takes names or places',
    ],
    ['SELECT created - created FROM orders', 'column 1 is an interval'],
    [`SELECT ${'*,'.repeat(200)}* FROM orders`, 'a select may have 1600 columns'],
    [`SELECT id FROM orders GROUP BY ${numbered(101, 'id +')}`, 'GROUP BY may have 100 keys (line 1,'],
    [`SELECT id FROM orders GROUP BY (id, (${numbered(101, 'id +')}))`, 'GROUP BY may have 100 keys (line 1,'],
    [`SELECT id FROM orders ORDER BY ${numbered(101, 'id +')}`, 'ORDER BY may have 100 keys (line 1,'],
    [`SELECT 1 UNION SELECT 2 ORDER BY ${numbered(101, '1 +')}`, 'ORDER BY may have 100 keys (line 1,'],
    [`SELECT DISTINCT ${numbered(201, 'id +')} FROM orders`, 'DISTINCT or GROUP BY may have 200 columns (line 1,'],
    [`SELECT DISTINCT ${'*,'.repeat(100)}* FROM orders`, 'DISTINCT or GROUP BY may have 200 columns (line 1,'],
    [`SELECT ${numbered(201, 'id +')} FROM orders GROUP BY id`, 'DISTINCT or GROUP BY may have 200 columns (line 1,'],
    [
      `SELECT ${Array.from({ length: 201 }, (_, index) => `MAX(id + ${index})`).join()} FROM orders`,
      'a select may have 200 aggregates (line 1,',
    ],
    [
      `SELECT 1 FROM ${Array.from({ length: 201 }, (_, index) => `orders o${index}`).join()}`,
      'a statement may hold 200 tables',
    ],
    [
      `WITH ${Array.from({ length: 30 }, (_, index) => (index === 0 ? 'a0 AS (SELECT * FROM orders)' : `a${index} AS (SELECT * FROM a${index - 1} x, a${index - 1} y)`)).join()} SELECT 1`,
      'a select may have 1600 columns',
    ],
  ])('%s', async (text, message) => {
    expect(await shop.refusal(text)).toContain(message);
  });
});
