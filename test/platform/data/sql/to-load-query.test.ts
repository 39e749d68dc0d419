import { beforeAll, describe, expect, it } from 'vitest';
import { ErrorCode } from '../../../../src/contract/error-code.js';
import { SqlDialect } from '../../../../src/platform/data/engines/engine.js';
import { allRowsPolicy } from '../model/model-yaml.js';
import { openShop, type SqlShop } from './sql-fixture.js';

let shop: SqlShop;

beforeAll(async () => {
  shop = await openShop();
});

describe('semantic SQL', () => {
  it('converts to a load query', async () => {
    const text = `SELECT DATE_TRUNC('month', created) AS month, region, MEASURE(revenue) AS "Revenue", COUNT(*)
      FROM orders WHERE created >= '2001-01-01' AND created < '2001-03-01' AND region <> 'x' AND (paid OR id > 1)
      GROUP BY 1, 2 HAVING COUNT(*) > 0 ORDER BY month, 3 DESC NULLS LAST LIMIT 10 OFFSET 1`;
    expect(await shop.convert(text)).toEqual({
      query: {
        measures: ['orders.revenue', 'orders.count'],
        dimensions: ['orders.region'],
        timeDimensions: [
          { dimension: 'orders.created', granularity: 'month', dateRange: ['2001-01-01', '2001-02-28'] },
        ],
        filters: [
          { member: 'orders.region', operator: 'notEquals', values: ['x'] },
          { member: 'orders.region', operator: 'set' },
          {
            or: [
              { member: 'orders.paid', operator: 'equals', values: ['true'] },
              { member: 'orders.id', operator: 'gt', values: ['1'] },
            ],
          },
          { member: 'orders.count', operator: 'gt', values: ['0'] },
        ],
        order: [
          ['orders.created.month', 'asc'],
          ['orders.revenue', 'desc'],
        ],
        limit: 10,
        offset: 1,
      },
      columns: {
        month: 'orders.created.month',
        region: 'orders.region',
        Revenue: 'orders.revenue',
        count: 'orders.count',
      },
      aliases: ['month', 'Revenue'],
    });
  });

  it('keeps explicit column names apart from member names', async () => {
    const text = 'SELECT region AS kind, paid AS paid, SUM(revenue), COUNT(*) AS n FROM orders GROUP BY 1, 2';
    expect((await shop.convert(text)).aliases).toEqual(['kind', 'n']);
  });

  it('without GROUP BY becomes ungrouped, and without LIMIT gets the maximum limit', async () => {
    expect(await shop.convert("SELECT region, created FROM orders WHERE created > '2001-01-01 08:00'")).toEqual({
      query: {
        dimensions: ['orders.region', 'orders.created'],
        filters: [{ member: 'orders.created', operator: 'afterDate', values: ['2001-01-01T08:00:00.000'] }],
        limit: 50_000,
        ungrouped: true,
      },
      columns: { region: 'orders.region', created: 'orders.created' },
      aliases: [],
    });
  });

  it.each([
    'SELECT region, MEASURE(revenue), COUNT(*) FROM orders GROUP BY region',
    'SELECT DISTINCT customer, paid FROM orders',
    'SELECT region FROM orders GROUP BY region HAVING SUM(revenue) >= 20',
    'SELECT customer, MEASURE(average) FROM orders GROUP BY 1 HAVING MEASURE(average) >= 15 ORDER BY 1',
    "SELECT id, region, amount FROM orders WHERE region ILIKE '%north%' OR amount IS NULL ORDER BY id LIMIT 2",
    "SELECT id, revenue FROM orders WHERE created BETWEEN '2001-01-31' AND '2001-02-14'",
    "SELECT DATE_TRUNC('day', created) AS d, DATE_TRUNC('year', created), COUNT(*) FROM orders GROUP BY 1, 2 ORDER BY 1 LIMIT 3",
    "SELECT DATE_TRUNC('day', created), created, COUNT(*) FROM orders WHERE created < '2001-02-01' AND created >= '2001-01-01' GROUP BY 1, 2",
    'SELECT COUNT(*) FROM orders WHERE paid IS NOT TRUE',
    'SELECT MEASURE(revenue) FROM orders WHERE id > 100',
    "SELECT customer, sum(revenue), MEASURE(items_quantity) FROM sales WHERE land = 'DE' GROUP BY 1",
    'SELECT region AS a, region AS b, count FROM orders ORDER BY b NULLS FIRST',
    'SELECT amount FROM orders ORDER BY amount DESC',
    'SELECT region, COUNT(*) AS n FROM orders GROUP BY 1 ORDER BY n DESC LIMIT 4',
  ])('returns the rows of its load query: %s', async text => {
    const sorted = (rows: readonly unknown[]) => rows.map(row => JSON.stringify(row)).sort();
    const rows = await shop.rows(text);
    expect(rows.length).toBeGreaterThan(0);
    expect(sorted(await shop.loaded(text))).toEqual(sorted(rows));
  });

  it('returns the rows of its load query in the same order', async () => {
    for (const text of [
      'SELECT id, amount FROM orders ORDER BY amount DESC NULLS LAST, id LIMIT 4',
      'SELECT region FROM orders ORDER BY region LIMIT 3',
      'SELECT id, amount FROM orders WHERE amount IS NOT NULL ORDER BY amount DESC, id LIMIT 3',
      'SELECT region, MEASURE(revenue) FROM orders GROUP BY 1 HAVING MEASURE(revenue) IS NOT NULL ORDER BY 2 DESC LIMIT 2',
    ])
      expect(await shop.loaded(text)).toEqual(await shop.rows(text));
  });

  it('can name its columns freely', async () => {
    const { columns } = await shop.convert('SELECT region AS "__proto__", paid AS constructor FROM orders');
    expect(Object.entries(columns)).toEqual([
      ['__proto__', 'orders.region'],
      ['constructor', 'orders.paid'],
    ]);
  });
});

describe('SQL without an equivalent load query is rejected', () => {
  it.each([
    ['SELECT upper(region) FROM orders', 'No member is equivalent to column 1, "upper".'],
    ['SELECT COUNT(*) + 1 FROM orders', 'No member is equivalent to column 1, "?column?".'],
    ["SELECT region FROM orders WHERE region LIKE 'n%'", 'this part of WHERE (line 1, column 33).'],
    ["SELECT COUNT(*) FROM orders WHERE paid AND region LIKE 'n%'", 'this part of WHERE (line 1, column 44).'],
    ['SELECT region FROM orders GROUP BY 1 HAVING SUM(revenue) + 1 > 1', 'this part of HAVING'],
    [
      'SELECT COUNT(*) FROM orders GROUP BY region',
      'A load query returns all GROUP BY keys: add them to the select list.',
    ],
    [
      'SELECT region, COUNT(*) FROM orders GROUP BY 1 ORDER BY MEASURE(revenue)',
      'A load query is sorted by its columns: add the ORDER BY keys to the select list.',
    ],
    [
      'SELECT region FROM orders ORDER BY upper(region)',
      'A load query is sorted by its columns: add the ORDER BY keys to the select list.',
    ],
    ['SELECT amount FROM orders ORDER BY amount DESC LIMIT 1', 'A load query sorts NULLs last here: write NULLS LAST.'],
    [
      'SELECT amount FROM orders ORDER BY amount NULLS FIRST LIMIT 1',
      'A load query sorts NULLs last here: write NULLS LAST.',
    ],
    ['SELECT region FROM orders LIMIT 50001', 'LIMIT of a load query must be a number from 1 to 50000.'],
    ['SELECT region FROM orders LIMIT 0', 'LIMIT of a load query must be a number from 1 to 50000.'],
    ['SELECT region AS a, paid AS a FROM orders', 'Two columns have the name "a": set an alias for one of them.'],
    ['SELECT 1', 'A load query reads one cube or view: joins, subqueries and aggregates over rows are not supported.'],
    [
      'SELECT MAX(amount) FROM orders',
      'A load query reads one cube or view: joins, subqueries and aggregates over rows are not supported.',
    ],
    [
      'SELECT * FROM (SELECT region FROM orders) x',
      'A load query reads one cube or view: joins, subqueries and aggregates over rows are not supported.',
    ],
    [
      'SELECT o.id FROM orders o JOIN items i ON true',
      'A load query reads one cube or view: joins, subqueries and aggregates over rows are not supported.',
    ],
    [
      'WITH a AS (SELECT 1) SELECT region FROM orders',
      'A load query is a single SELECT: WITH and subqueries are not supported.',
    ],
    ['SELECT region FROM orders UNION SELECT region FROM orders', 'UNION, INTERSECT and EXCEPT are not'],
    ['SELECT DISTINCT revenue FROM orders', 'A load query supports DISTINCT only for dimensions.'],
  ])('%s', async (text, message) => {
    expect(await shop.refusal(text)).toBe('not rejected');
    expect(await shop.noQuery(text)).toContain(message);
    await expect(shop.convert(text)).rejects.toMatchObject({ status: 400, code: ErrorCode.noLoadQuery });
  });

  it('if a limited order puts NULLs first, with every engine', async () => {
    const text = 'SELECT amount FROM orders ORDER BY amount DESC LIMIT 1';
    const options = { dialect: SqlDialect.postgres };
    expect(await shop.noQuery(text, options)).toContain('A load query sorts NULLs last here: write NULLS LAST.');
    expect((await shop.convert(text.replace('DESC', 'DESC NULLS LAST'), options)).query.limit).toBe(1);
  });

  it('if the filter and the row would have different values', async () => {
    const zoned = await openShop(`
cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: created, sql: "{CUBE}.created", type: time }
      - { name: year, sql: "EXTRACT(year FROM {created})", type: number }
    measures: [{ name: count, type: count }]
    ${allRowsPolicy}
`);
    const text = 'SELECT year, COUNT(*) FROM orders WHERE year = 2001 GROUP BY 1';
    expect(await zoned.rows(text)).toEqual([['2001', '7']]);
    expect(await zoned.noQuery(text)).toContain(
      'A load query cannot filter by orders.year: it is computed from a time, so their time zones may differ.',
    );
  });

  it('with a different error from invalid SQL', async () => {
    for (const text of ['SELECT nothing FROM orders', 'SELECT', 'SELECT region, COUNT(*) FROM orders']) {
      expect(await shop.noQuery(text)).toBe(await shop.refusal(text));
      await expect(shop.convert(text)).rejects.toMatchObject({ status: 400, code: undefined });
    }
  });
});
