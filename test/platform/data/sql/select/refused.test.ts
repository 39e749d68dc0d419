import { beforeAll, describe, expect, it } from 'vitest';
import { openShop, type SqlShop } from '../sql-fixture.js';

let shop: SqlShop;

beforeAll(async () => {
  shop = await openShop();
});

/** Returns `length` distinct values that start with `before`. */
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
    [
      'WITH a AS (DELETE FROM orders RETURNING 1) SELECT * FROM a',
      'A query in WITH must be a SELECT (line 1, column 6).',
    ],
    [
      'WITH a AS (SELECT 1), a AS (SELECT 2) SELECT 1',
      'WITH query name "a" is specified more than once (line 1, column 23).',
    ],
    ['SELECT * FROM ONLY orders', 'ONLY is not supported (line 1, column 20).'],
    ['SELECT * FROM orders TABLESAMPLE SYSTEM (1)', 'TABLESAMPLE is not supported'],
    [
      'SELECT * FROM generate_series(1, 2)',
      'A function in FROM is not supported: select from cubes, views and subqueries',
    ],
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
    ['SELECT id FROM orders LIMIT 1 + 1', 'LIMIT must be a whole number, 0 or greater (line 1, column 29).'],
    ['SELECT id FROM orders OFFSET -1', 'OFFSET must be a whole number, 0 or greater (line 1, column 30).'],
    ['SELECT id FROM orders ORDER BY id USING >', 'ORDER BY … USING is not supported'],
    ['SELECT FROM orders', 'A SELECT requires columns.'],
    ['SELECT *', '* requires a FROM clause (line 1, column 8).'],
  ])('%s', async (text, message) => {
    expect(await shop.refusal(text)).toContain(message);
  });
});

describe('unknown and ambiguous names are rejected with a location', () => {
  it.each([
    ['SELECT nothing FROM orders', 'Column "nothing" does not exist in the FROM clause (line 1, column 8).'],
    ['SELECT o.nothing FROM orders o', 'Column "o.nothing" does not exist in the FROM clause'],
    ['SELECT orders.id FROM orders o', 'Column "orders.id" does not exist in the FROM clause'],
    ['SELECT public.orders.id FROM orders', 'Column "public.orders.id" does not exist in the FROM clause'],
    ['SELECT orders FROM orders', 'Column "orders" does not exist in the FROM clause'],
    ['SELECT "Region" FROM orders', 'Column "Region" does not exist in the FROM clause: did you mean "region"?'],
    ['SELECT\n  x.*\nFROM orders', 'Table "x" is not in the FROM clause (line 2, column 3).'],
    ['SELECT id FROM elsewhere', 'No cube or view named "elsewhere" is visible to you (line 1, column 16).'],
    ['SELECT id FROM public.orders', 'No cube or view named "public.orders" is visible to you'],
    ['SELECT id FROM nobody', 'No cube or view named "nobody" is visible to you'],
    ['SELECT id FROM "ORDERS"', 'No cube or view named "ORDERS" is visible to you: did you mean "orders"?'],
    ['SELECT id FROM pg_catalog.pg_class', 'No cube or view named "pg_catalog.pg_class" is visible to you'],
    ['SELECT id FROM "/etc/passwd"', 'No cube or view named "/etc/passwd" is visible to you'],
    [
      'SELECT count FROM orders, items',
      'Name "count" is ambiguous: qualify it with the table name (line 1, column 8).',
    ],
    ['SELECT 1 FROM orders, orders', 'Table name "orders" is specified more than once in FROM: set an alias'],
    [
      'SELECT x.c FROM (SELECT 1 AS a) x(b, c)',
      'Table "x" has 1 columns available but 2 columns specified (line 1, column 25).',
    ],
    ['SELECT 1 FROM orders o(a, b)', 'Columns of "orders" cannot be renamed in FROM: rename them in the select list'],
    ['SELECT b FROM (WITH a AS (SELECT 1 AS b) SELECT b FROM a) x, a', 'No cube or view named "a" is visible to you'],
    ['WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a', 'No cube or view named "b" is visible to you'],
    [
      'SELECT o.id FROM orders o JOIN items i ON x.id = i.id JOIN customers x ON true',
      'Column "x.id" does not exist in the FROM clause',
    ],
    [
      'SELECT id AS a, region AS a FROM orders ORDER BY a',
      'Column "a" is ambiguous: several columns of the select list have this name',
    ],
    ['SELECT id FROM orders ORDER BY 2', 'ORDER BY position 2 is not in the select list (line 1, column 32).'],
    ['SELECT id FROM orders GROUP BY 0', 'GROUP BY position 0 is not in the select list'],
    [
      "SELECT id FROM orders ORDER BY 'id'",
      'ORDER BY does not support constants: use a column name, an expression or a position',
    ],
    ['SELECT SUM(id) OVER w FROM orders', 'Window "w" does not exist'],
    ['SELECT 1 FROM orders WINDOW w AS (), w AS ()', 'Window "w" is defined more than once'],
  ])('%s', async (text, message) => {
    expect(await shop.refusal(text)).toContain(message);
  });
});

describe('invalid measures and groups are rejected with a location', () => {
  it.each([
    [
      'SELECT region, MEASURE(count) FROM orders',
      'Column "region" must appear in the GROUP BY clause or be used in an aggregate function (line 1, column 8).',
    ],
    [
      'SELECT region, count FROM orders GROUP BY region',
      'count is a measure: write MEASURE(count) (line 1, column 16).',
    ],
    [
      'SELECT o.region, o.count FROM orders o, items i GROUP BY o.region',
      'o.count is a measure, which cannot be aggregated over a join: select from a view, or join two subqueries',
    ],
    ['SELECT SUM(revenue ORDER BY id) FROM orders', 'A measure does not support ORDER BY inside the aggregate'],
    ['SELECT SUM(revenue) FILTER (WHERE id > 1) FROM orders', 'A measure does not support FILTER'],
    [
      'SELECT region, amount FROM orders GROUP BY region',
      'Column "amount" must appear in the GROUP BY clause or be used in an aggregate function',
    ],
    [
      'SELECT x.id, MAX(x.amount) FROM (SELECT * FROM orders) x',
      'Column "x.id" must appear in the GROUP BY clause or be used in an aggregate function (line 1, column 8).',
    ],
    [
      'SELECT DISTINCT region FROM orders HAVING COUNT(*) > 1',
      'Column "region" must appear in the GROUP BY clause or be used in an aggregate function',
    ],
    [
      'SELECT MEASURE(count), (SELECT MAX(i.order_id) FROM items i WHERE i.order_id = o.id) FROM orders o',
      'Column "o.id" must appear in the GROUP BY clause or be used in an aggregate function',
    ],
    [
      'SELECT MEASURE(region) FROM orders',
      'Measure "region" does not exist in the FROM clause: did you mean "regions"? (line 1, column 8).',
    ],
    [
      'SELECT AVG(revenue) FROM orders',
      'This aggregate does not match the measure orders.revenue: write MEASURE(revenue)',
    ],
    ['SELECT SUM(DISTINCT revenue) FROM orders', 'write MEASURE(revenue)'],
    ['SELECT revenue, MEASURE(count) FROM orders', 'orders.revenue is a measure: write MEASURE(revenue)'],
    ['SELECT MEASURE(count) FROM orders WHERE revenue > 1', 'orders.revenue is a measure: write MEASURE(revenue)'],
    ['SELECT last FROM orders', 'orders.last has no value per row: write MEASURE(last)'],
    [
      'SELECT MAX(amount), MEASURE(count) FROM orders',
      'Aggregates over rows cannot be combined with measures: compute them in a subquery and join it',
    ],
    [
      'SELECT MEASURE(o.count) FROM orders o JOIN items i ON true',
      'Measure orders.count cannot be aggregated over a join: select from a view, or join two subqueries',
    ],
    [
      'SELECT SUM(o.revenue) FROM orders o, items i',
      'Measure orders.revenue cannot be aggregated over a join: select from a view, or join two subqueries',
    ],
    ['SELECT region FROM orders GROUP BY COUNT(*)', 'Aggregate functions are not allowed in GROUP BY'],
    [
      'SELECT region, COUNT(*) FROM orders GROUP BY 2',
      'Aggregate functions are not allowed in GROUP BY (line 1, column 46).',
    ],
    [
      'SELECT ROW_NUMBER() OVER (), MEASURE(count) FROM orders GROUP BY 1',
      'Window functions are not allowed in GROUP BY',
    ],
    [
      'SELECT COUNT(*) FROM orders GROUP BY (), region HAVING id > 1',
      'Column "id" must appear in the GROUP BY clause or be used in an aggregate function',
    ],
    [
      'SELECT DISTINCT region FROM orders ORDER BY id',
      'Column "id" must appear in the GROUP BY clause or be used in an aggregate function',
    ],
    [
      'SELECT DISTINCT region || code FROM orders ORDER BY region',
      'Column "region" must appear in the GROUP BY clause or be used in an aggregate function',
    ],
    [
      'SELECT id FROM orders o WHERE EXISTS (SELECT MEASURE(quantity) FROM items i WHERE i.order_id = o.id)',
      'Column "o.id" belongs to the outer query: a query with measures can only use its own columns',
    ],
    [
      'SELECT MEASURE(count) FROM orders o WHERE EXISTS (SELECT 1 FROM items i WHERE i.order_id = o.id)',
      'Column "o.id" belongs to the outer query: with measures, a subquery in WHERE or GROUP BY can only use its own columns',
    ],
    [
      'SELECT (SELECT MAX(i.order_id) FROM items i WHERE i.order_id = o.id) FROM orders o GROUP BY 1',
      'Column "o.id" belongs to the outer query: a subquery in GROUP BY can only use its own columns (line 1, column 64).',
    ],
    [
      'SELECT DISTINCT (SELECT MAX(i.order_id) FROM items i WHERE i.order_id = o.id) FROM orders o',
      'Column "o.id" belongs to the outer query: a subquery in GROUP BY can only use its own columns',
    ],
    [
      'SELECT DISTINCT (SELECT 1 WHERE EXISTS (SELECT 1 FROM items i WHERE i.order_id = o.id)) FROM orders o',
      'Column "o.id" belongs to the outer query: a subquery in GROUP BY can only use its own columns',
    ],
    ['SELECT (SELECT MAX(o.id) FROM items i) FROM orders o', 'An aggregate can only use columns of its own SELECT'],
    [
      'SELECT 1 FROM orders o JOIN items i ON EXISTS (SELECT 1)',
      'Subqueries are not supported in JOIN … ON: move the subquery to WHERE, or join it',
    ],
    ['SELECT id FROM orders UNION SELECT id, id FROM orders', 'Each UNION query must have the same number of columns'],
    [
      'SELECT id FROM orders UNION SELECT region FROM orders',
      'Types integer and text cannot be matched: cast one of them',
    ],
    [
      'SELECT id FROM orders UNION SELECT order_id FROM items ORDER BY id + 1',
      'ORDER BY of a set operation must use names or positions of its columns',
    ],
    [
      'SELECT created - created FROM orders',
      'Column 1 has the type interval, which cannot be returned: write EXTRACT(EPOCH FROM …)',
    ],
    [`SELECT ${'*,'.repeat(200)}* FROM orders`, 'A SELECT can have at most 1600 columns'],
    [`SELECT id FROM orders GROUP BY ${numbered(101, 'id +')}`, 'GROUP BY can have at most 100 keys (line 1,'],
    [`SELECT id FROM orders GROUP BY (id, (${numbered(101, 'id +')}))`, 'GROUP BY can have at most 100 keys (line 1,'],
    [`SELECT id FROM orders ORDER BY ${numbered(101, 'id +')}`, 'ORDER BY can have at most 100 keys (line 1,'],
    [`SELECT 1 UNION SELECT 2 ORDER BY ${numbered(101, '1 +')}`, 'ORDER BY can have at most 100 keys (line 1,'],
    [
      `SELECT DISTINCT ${numbered(201, 'id +')} FROM orders`,
      'A SELECT with DISTINCT or GROUP BY can have at most 200 columns (line 1,',
    ],
    [
      `SELECT DISTINCT ${'*,'.repeat(100)}* FROM orders`,
      'A SELECT with DISTINCT or GROUP BY can have at most 200 columns (line 1,',
    ],
    [
      `SELECT ${numbered(201, 'id +')} FROM orders GROUP BY id`,
      'A SELECT with DISTINCT or GROUP BY can have at most 200 columns (line 1,',
    ],
    [
      `SELECT ${Array.from({ length: 201 }, (_, index) => `MAX(id + ${index})`).join()} FROM orders`,
      'A SELECT can have at most 200 aggregates (line 1,',
    ],
    [
      `SELECT 1 FROM ${Array.from({ length: 201 }, (_, index) => `orders o${index}`).join()}`,
      'A statement can have at most 200 tables and queries.',
    ],
    [
      `WITH ${Array.from({ length: 30 }, (_, index) => (index === 0 ? 'a0 AS (SELECT * FROM orders)' : `a${index} AS (SELECT * FROM a${index - 1} x, a${index - 1} y)`)).join()} SELECT 1`,
      'A SELECT can have at most 1600 columns',
    ],
  ])('%s', async (text, message) => {
    expect(await shop.refusal(text)).toContain(message);
  });
});
