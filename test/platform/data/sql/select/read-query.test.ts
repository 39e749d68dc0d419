import { beforeAll, describe, expect, it } from 'vitest';
import { tenantCaller } from '../../callers.js';
import { allRowsPolicy } from '../../model/model-yaml.js';
import { openShop, type SqlShop } from '../sql-fixture.js';

let shop: SqlShop;

beforeAll(async () => {
  shop = await openShop();
});

describe('names', () => {
  it.each([
    ['SELECT "region" FROM orders', [['north']]],
    ['SELECT O.Region FROM orders AS o', [['north']]],
    ['SELECT orders.region FROM orders', [['north']]],
    ['SELECT x."B" FROM (SELECT region AS "B" FROM orders) x', [['north']]],
    ['SELECT y FROM (SELECT id, region FROM orders) AS x(z, y) ORDER BY z', [['north']]],
    ['SELECT b FROM (SELECT region AS b FROM orders)', [['north']]],
    ['WITH a(b) AS (SELECT region, id FROM orders) SELECT a.b FROM a ORDER BY a.id', [['north']]],
    ['WITH a AS (SELECT region FROM orders), b AS (SELECT * FROM a) SELECT x.region FROM b x', [['north']]],
  ])('are resolved: %s', async (text, rows) => {
    expect(await shop.rows(`SELECT * FROM (${text}) z LIMIT 1`)).toEqual(rows);
  });

  it('of tables in WITH take precedence over cubes, but not inside the table itself', async () => {
    expect(
      await shop.rows('WITH orders AS (SELECT region AS r FROM orders WHERE id = 1) SELECT * FROM orders'),
    ).toEqual([['north']]);
    expect(await shop.rows('WITH salaries AS (SELECT 1 AS id) SELECT * FROM salaries')).toEqual([[1]]);
    expect(await shop.refusal('WITH orders AS (SELECT 1 AS id) SELECT region FROM orders')).toContain(
      'Column "region" does not exist in the FROM clause',
    );
  });

  it('with capitals need no quotes, but may be quoted', async () => {
    const capitals = await openShop(`
cubes:
  - name: Sold
    sql_table: orders
    dimensions:
      - { name: Region, sql: region, type: string }
      - { name: region, sql: "upper({CUBE}.region)", type: string }
      - { name: Paid, sql: paid, type: boolean }
    measures: [{ name: Count, type: count }]
    ${allRowsPolicy}
`);
    expect(await capitals.rows('SELECT region, "Region" FROM sold WHERE paid LIMIT 1')).toEqual([['NORTH', 'north']]);
    expect(await capitals.rows('SELECT "Paid" FROM "Sold" LIMIT 1')).toEqual([[true]]);
    expect(await capitals.refusal('SELECT "PAID" FROM sold')).toContain(
      'Column "PAID" does not exist in the FROM clause: did you mean "Paid"?',
    );
  });

  it('of columns are derived as in Postgres', async () => {
    const { columns } = await shop.plan(
      `SELECT region, upper(region), count(*), 1, 'x', id::text, 1::bigint, CASE WHEN paid THEN 1 END, CASE WHEN paid THEN 1 ELSE id END,
        COALESCE(region, ''), GREATEST(1, 2), NULLIF(1, 2), EXISTS (SELECT 1), (SELECT 2 AS two), region IS NULL, NOT paid, id + 1,
        EXTRACT(year FROM created), DATE_TRUNC('month', created), CURRENT_DATE, region AS "A b"
        FROM orders GROUP BY region, id, paid, created`,
    );
    expect(columns.map(({ name }) => name)).toEqual([
      ...[
        'region',
        'upper',
        'count',
        '?column?',
        '?column?',
        'id',
        'int8',
        'case',
        'id',
        'coalesce',
        'greatest',
        'nullif',
      ],
      ...['exists', 'two', '?column?', '?column?', '?column?', 'extract', 'date_trunc', 'current_date', 'A b'],
    ]);
  });

  it('of measures are preserved', async () => {
    const { columns } = await shop.plan('SELECT MEASURE(count), MEASURE(orders.revenue) FROM orders');
    expect(columns.map(({ name }) => name)).toEqual(['count', 'revenue']);
  });

  it('from * exclude hidden members and measures without a value per row', async () => {
    const { columns } = await shop.plan('SELECT * FROM orders', { context: tenantCaller('a') });
    expect(columns.map(({ name }) => name)).toEqual([
      ...['id', 'region', 'created', 'paid', 'code'],
      ...['count', 'regions', 'regions_about', 'paid_revenue'],
    ]);
  });
});

describe('groups', () => {
  it.each([
    [
      'SELECT region AS id, COUNT(*) FROM orders GROUP BY id',
      'Column "region" must appear in the GROUP BY clause or be used in an aggregate function',
    ],
    ["SELECT DATE_TRUNC('year', created) AS created, COUNT(*) FROM orders GROUP BY created ORDER BY 1", 'not rejected'],
    ['SELECT upper(region) AS name, COUNT(*) FROM orders GROUP BY name', 'not rejected'],
    ['SELECT upper(region) || 1, COUNT(*) FROM orders GROUP BY (upper(region), paid)', 'not rejected'],
  ])('refer to columns first: %s', async (text, refusal) => {
    expect(await shop.refusal(text)).toContain(refusal);
  });

  it.each([
    [
      'SELECT customer, SUM(revenue) + 1, COUNT(*) * 2 FROM orders GROUP BY 1 ORDER BY customer',
      [
        ['Ada', '31.00', '4'],
        ['Bob', '31.00', '4'],
      ],
    ],
    ["SELECT customer FROM orders GROUP BY 1 HAVING SUM(paid_revenue) IS NOT NULL AND customer > 'A'", [['Ada']]],
    [
      "SELECT DATE_TRUNC('month', created) AS m, COUNT(*) FROM orders GROUP BY m ORDER BY m DESC LIMIT 1",
      [['2001-02-01 00:00:00', '2']],
    ],
    ['SELECT MEASURE(count) FROM orders WHERE id > 100', [['0']]],
    ['SELECT region, MEASURE(count) FROM orders WHERE id > 100 GROUP BY region', []],
    [
      "SELECT CASE WHEN amount >= 20 THEN 'big' ELSE 'small' END AS size, COUNT(*) FROM orders GROUP BY size ORDER BY 2, 1",
      [
        ['big', '2'],
        ['small', '2'],
      ],
    ],
    [
      'SELECT customer, COUNT(*), RANK() OVER (ORDER BY COUNT(*) DESC, customer) FROM orders GROUP BY customer ORDER BY 3',
      [
        ['Ada', '2', '1'],
        ['Bob', '2', '2'],
      ],
    ],
    [
      'SELECT customer, SUM(COUNT(*)) OVER w FROM orders GROUP BY customer WINDOW w AS (ORDER BY customer) ORDER BY 1',
      [
        ['Ada', '2'],
        ['Bob', '4'],
      ],
    ],
    ['SELECT DISTINCT customer FROM orders ORDER BY customer DESC', [['Bob'], ['Ada']]],
    ['SELECT DISTINCT COUNT(*) AS n FROM orders GROUP BY customer ORDER BY n', [['2']]],
    ['SELECT COUNT(*) FROM (SELECT customer FROM orders GROUP BY customer) x', [['2']]],
    [
      'SELECT x.c, MAX(x.n) FROM (SELECT customer AS c, id AS n FROM orders) x GROUP BY x.c HAVING COUNT(*) > 1 ORDER BY x.c',
      [
        ['Ada', 2],
        ['Bob', 4],
      ],
    ],
    [
      'SELECT n % 2 AS odd, SUM(n) FROM (SELECT id AS n FROM orders) x GROUP BY n % 2 ORDER BY odd',
      [
        [0, '6'],
        [1, '4'],
      ],
    ],
    ['SELECT 1 FROM (SELECT id FROM orders) x HAVING COUNT(*) = 4', [[1]]],
    [
      'SELECT customer, (SELECT MAX(name) FROM customers c WHERE c.name <= orders.customer) FROM orders GROUP BY customer ORDER BY 1',
      [
        ['Ada', 'Ada'],
        ['Bob', 'Bob'],
      ],
    ],
    [
      "SELECT customer, MEASURE(count) FROM orders WHERE customer IN (SELECT name FROM customers WHERE country = 'DE') GROUP BY 1",
      [['Ada', '2']],
    ],
    [
      "SELECT customer IN (SELECT name FROM customers WHERE country = 'DE') AS german, COUNT(*) FROM orders GROUP BY 1 ORDER BY 1",
      [
        [false, '2'],
        [true, '2'],
      ],
    ],
    ["SELECT 'x' AS x, COUNT(*) FROM orders GROUP BY x", [['x', '4']]],
  ])('%s', async (text, rows) => {
    expect(await shop.rows(text)).toEqual(rows);
  });
});

describe('rows', () => {
  it.each([
    [
      'SELECT o.id, c.country FROM orders o LEFT JOIN customers c ON c.name = o.customer AND o.id > 2 ORDER BY 1',
      [
        [1, null],
        [2, null],
        [3, 'US'],
        [4, 'US'],
      ],
    ],
    ['SELECT a.id, b.id FROM orders a JOIN orders b ON b.id = a.id + 1 WHERE a.paid ORDER BY 1', [[1, 2]]],
    [
      'SELECT a.id, c.n FROM orders a JOIN (orders b JOIN (SELECT 4 AS n) c ON c.n = b.id) ON a.id + 1 = b.id',
      [[3, 4]],
    ],
    ['SELECT COUNT(*) FROM orders CROSS JOIN items', [['24']]],
    ['SELECT COUNT(*), COUNT(x.id) FROM orders FULL JOIN (SELECT 99 AS id) x ON x.id = orders.id', [['5', '1']]],
    ['SELECT id FROM orders WHERE amount = (SELECT MAX(amount) FROM orders)', [[3]]],
    [
      'SELECT id FROM orders o WHERE EXISTS (SELECT 1 FROM items i WHERE i.order_id = o.id) ORDER BY id DESC',
      [[2], [1]],
    ],
    [
      'SELECT id, (SELECT COUNT(*) FROM items i WHERE i.order_id = o.id) FROM orders o ORDER BY id',
      [
        [1, '2'],
        [2, '1'],
        [3, '0'],
        [4, '0'],
      ],
    ],
    [
      'SELECT id, revenue FROM orders ORDER BY revenue DESC',
      [
        [4, null],
        [3, '30.00'],
        [2, '20.00'],
        [1, '10.00'],
      ],
    ],
    ['SELECT id FROM orders ORDER BY amount NULLS FIRST, id LIMIT 2 OFFSET 1', [[1], [2]]],
    ['SELECT id AS n FROM orders ORDER BY -id LIMIT ALL OFFSET 3', [[1]]],
    ['SELECT 1 + 1 AS two', [[2]]],
    ['SELECT COUNT(*) FROM orders WHERE id > 1 AND amount > id', [['2']]],
    ['SELECT 1 FROM items LIMIT 2', [[1], [1]]],
  ])('%s', async (text, rows) => {
    expect(await shop.rows(text)).toEqual(rows);
  });
});

describe('set operations', () => {
  it.each([
    ['SELECT id FROM orders UNION SELECT 9 ORDER BY id DESC LIMIT 2', [[9], [4]]],
    ['(SELECT id FROM orders ORDER BY id LIMIT 1) UNION ALL SELECT 1', [[1], [1]]],
    ['SELECT 1 AS a UNION SELECT 2 INTERSECT SELECT 2 ORDER BY a', [[1], [2]]],
    ['(SELECT 1 AS a UNION SELECT 2) INTERSECT SELECT 2', [[2]]],
    ['SELECT 1 AS a UNION ALL SELECT 2 EXCEPT SELECT 1', [[2]]],
    ["SELECT '1' AS a UNION SELECT 2 ORDER BY 1", [[1], [2]]],
    ['SELECT NULL AS a UNION ALL SELECT 2 ORDER BY a', [[2], [null]]],
    [
      'SELECT id, amount FROM orders WHERE id = 1 UNION ALL SELECT 2.5, 1',
      [
        ['1', '10.00'],
        ['2.5', '1'],
      ],
    ],
    ['WITH x AS (SELECT 1 AS a) SELECT a FROM x UNION ALL SELECT a + 1 FROM x ORDER BY 1', [[1], [2]]],
    ['SELECT MEASURE(count) FROM orders UNION ALL SELECT id FROM orders WHERE id = 1 ORDER BY 1', [['1'], ['4']]],
  ])('%s', async (text, rows) => {
    expect(
      (await shop.rows(text)).map(row => row.map(cell => (typeof cell === 'string' ? String(Number(cell)) : cell))),
    ).toEqual(rows.map(row => row.map(cell => (typeof cell === 'string' ? String(Number(cell)) : cell))));
  });
});

describe('governance', () => {
  const guest = tenantCaller('b');

  it.each([
    'SELECT amount FROM orders',
    'SELECT x.amount FROM (SELECT * FROM orders) x',
    'SELECT MEASURE(revenue) FROM orders',
    'SELECT SUM(revenue) FROM orders',
    'SELECT tenant FROM orders',
    'SELECT id FROM orders WHERE amount > 1',
    'SELECT id FROM orders ORDER BY amount',
    'SELECT COUNT(*) FROM orders GROUP BY amount',
    'SELECT COUNT(*) FROM orders HAVING MEASURE(average) > 1',
    'SELECT COUNT(*) OVER (PARTITION BY amount) FROM orders',
    'SELECT 1 FROM orders o JOIN items i ON o.amount = 1',
    'SELECT (SELECT amount) FROM orders',
    'SELECT name FROM customers',
    'SELECT 1 WHERE EXISTS (SELECT 1 FROM customers)',
    'SELECT 1 UNION SELECT COUNT(*) FROM customers',
  ])('reports hidden names like unknown ones: %s', async text => {
    const unknown = text.replaceAll(/\b(?:amount|revenue|tenant|average|customers)\b/g, 'unheard');
    const message = (await shop.refusal(text, { context: guest })).replaceAll(
      /\b(?:amount|revenue|tenant|average|customers)\b/g,
      'unheard',
    );
    expect(message).toBe(await shop.refusal(unknown, { context: guest }));
    expect(message).toMatch(
      /^(?:(?:Column|Measure) "(?:\w\.)?unheard" does not exist|No cube or view named "unheard" is visible to you)/,
    );
  });

  it.each([
    'SELECT id FROM orders',
    `SELECT id FROM orders GROUP BY ${Array.from({ length: 100 }, () => 'id').join()}`,
    `SELECT id FROM orders ORDER BY ${Array.from({ length: 100 }, () => 'id').join()}`,
    'WITH items AS (SELECT * FROM orders) SELECT id FROM items',
    'SELECT a.id FROM orders a JOIN orders b ON a.id = b.id',
    'SELECT id FROM orders UNION SELECT id FROM orders',
    "SELECT id FROM orders WHERE region <> '' OR true",
    'SELECT DISTINCT id FROM orders',
    'SELECT MAX(id) FROM orders GROUP BY id',
  ])('hides rows of other tenants: %s', async text => {
    const rows = await shop.rows(text, { context: guest });
    expect(rows.flat().sort()).toEqual([5, 6, 7, 8]);
  });
});

it('removes duplicate keys', async () => {
  const { sql } = (await shop.plan('SELECT id FROM orders ORDER BY id, 1, id DESC')).statement();
  const { sql: once } = (await shop.plan('SELECT id FROM orders ORDER BY id')).statement();
  expect(sql).toBe(once);
});
