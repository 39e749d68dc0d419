import { beforeAll, describe, expect, it } from 'vitest';
import { tenantCaller } from '../callers.js';
import { openShop, type SqlShop } from './sql-fixture.js';

let shop: SqlShop;

beforeAll(async () => {
  shop = await openShop();
});

describe('a rejected statement gets advice', () => {
  it.each([
    [
      'SELECT MEASURE(reveneu) FROM orders',
      'Measure "reveneu" does not exist in the FROM clause: did you mean "revenue"? (line 1, column 8).',
    ],
    [
      'SELECT o.regoin FROM orders o',
      'Column "o.regoin" does not exist in the FROM clause: did you mean "o.region"? (line',
    ],
    ['SELECT "Region" FROM orders', 'Column "Region" does not exist in the FROM clause: did you mean "region"? (line'],
    ['SELECT id FROM ordres', 'No cube or view named "ordres" is visible to you: did you mean "orders"? (line 1'],
    [
      'WITH totals AS (SELECT 1 AS a) SELECT a FROM total',
      'No cube or view named "total" is visible to you: did you mean "totals"? (line',
    ],
    [
      'SELECT x.c FROM (SELECT 1 AS amount) x WHERE x.amout > 1',
      'Column "x.c" does not exist in the FROM clause (line',
    ],
    [
      'SELECT 1 FROM (SELECT 1 AS amount) x WHERE amout > 1',
      'Column "amout" does not exist in the FROM clause: did you mean "amount"?',
    ],
    ['SELECT COALESC(id, 1) FROM orders', 'The function coalesc() is not supported (line'],
    ['SELECT UPER(region) FROM orders', 'The function uper() is not supported: did you mean upper()? (line'],
    [
      'SELECT id FROM orders WHERE region = "west"',
      'Column "west" does not exist in the FROM clause: use single quotes for text',
    ],
    [
      'SELECT id FROM orders WHERE region = west',
      'Column "west" does not exist in the FROM clause (line 1, column 38).',
    ],
    [
      'SELECT amount * 2 AS twice FROM orders WHERE twice > 1',
      '"twice" is an alias of the select list: repeat its expression',
    ],
    [
      'SELECT MEASURE(revenue) AS total FROM orders HAVING total > 1',
      '"total" is an alias of the select list: repeat its expression',
    ],
    [
      'SELECT 1 AS a FROM orders WHERE id IN (SELECT a FROM items)',
      'Column "a" does not exist in the FROM clause (line',
    ],
    [
      'SELECT DATE_TRUNC(month, created) FROM orders',
      "date_trunc() requires its unit as text: write 'month' in quotes (line",
    ],
    [
      'SELECT DATEADD(day, 1, created) FROM orders',
      'The function dateadd() is not supported: add an interval, as in x + ',
    ],
    ['SELECT EXTRACT(foo FROM created) FROM orders', 'microseconds, epoch (line'],
    ["SELECT DATE_PART('foo', created) FROM orders", 'microseconds, epoch, in quotes (line'],
    ['SELECT CONVERT(int, id) FROM orders', 'write CAST(x AS type) (line'],
    ['SELECT CONVERT(varchar(10), id) FROM orders', 'write CAST(x AS type) (line'],
    ['SELECT TOP 10 id FROM orders', 'write LIMIT at the end (line 1, column 12).'],
    ['SELECT created + INTERVAL 1 DAY FROM orders', "write INTERVAL '1 day' (line"],
    ['SELECT `id` FROM orders', 'syntax error at or near "FROM": write names in double quotes (line'],
    ['SELECT [id] FROM orders', 'syntax error at or near "[": write names in double quotes (line'],
    ['SELECT YEAR(created) FROM orders', 'write EXTRACT(YEAR FROM …)'],
    ['SELECT MEDIAN(amount) FROM orders', 'write percentile_cont(0.5) WITHIN GROUP'],
    ['SELECT ISNULL(amount, 0) FROM orders', 'write COALESCE(…)'],
    ['SELECT GETDATE()', 'write now()'],
    ["SELECT TO_CHAR(created, 'YYYY-MM') FROM orders", 'group by DATE_TRUNC'],
    ["SELECT STRING_AGG(region, ',') FROM orders", 'The function string_agg() is not supported: select the values'],
    ['SELECT STRING_AGG(region) OVER () FROM orders', 'The function string_agg() is not supported: select the values'],
    [
      'SELECT generate_series(1, 3)',
      'The function generate_series() is not supported: select rows from cubes and views',
    ],
    ['SELECT * FROM generate_series(1, 3)', 'is not supported: select from cubes, views'],
    [
      'SELECT MEASURE(count), MAX(id) FROM orders',
      'Aggregates over rows cannot be combined with measures: compute them in a subquery and join it (line',
    ],
    [
      'SELECT 1 FROM orders o FULL JOIN items i ON o.id IS NOT DISTINCT FROM i.order_id',
      'FULL JOIN requires an equality condition between the two tables in ON',
    ],
    [
      'SELECT 1 FROM orders o FULL JOIN items i ON o.id < i.order_id',
      'FULL JOIN requires an equality condition between the two tables in ON (line',
    ],
    [
      'SELECT 1 FROM orders o FULL JOIN items i ON o.id = 1',
      'FULL JOIN requires an equality condition between the two tables in ON',
    ],
    [
      'SELECT 1 FROM orders o FULL JOIN items i ON o.id = i.order_id OR o.id = i.order_id',
      'FULL JOIN requires an equality condition between the two tables in ON',
    ],
    [
      'SELECT id, created - created AS took FROM orders',
      'Column 2 has the type interval, which cannot be returned: write EXTRACT(EPOCH FROM …)',
    ],
    ['SELECT id, created - created AS took FROM orders', '(line 1, column 12).'],
    ['SELECT 1 UNION ALL SELECT 2 ORDER BY 3', 'ORDER BY position 3 is not in the select list'],
    ['SELECT x.* FROM (SELECT id, created - created FROM orders) x', '(line 1, column 8).'],
    ["SELECT id FROM orders WHERE region = ANY('{a,b}')", 'write x IN (…)'],
    ["SELECT id FROM orders WHERE region = ANY('{a,b}'::text[])", 'write x IN (…)'],
    [
      "SELECT id FROM orders WHERE amount = ANY(ARRAY['1'])",
      'Types numeric and text cannot be matched: cast one of them',
    ],
  ])('%s', async (text, message) => {
    expect(await shop.refusal(text)).toContain(message);
  });
});

describe('hidden names', () => {
  const sales = { context: tenantCaller('a', 'sales') };
  const hidden = (name: string) => `Column "${name}" does not exist in the FROM clause (line 1, column 8).`;

  it.each([
    ['SELECT revenu FROM orders', hidden('revenu')],
    ['SELECT amout FROM orders', hidden('amout')],
    ['SELECT larg FROM orders', hidden('larg')],
    ['SELECT tennant FROM orders', hidden('tennant')],
  ])('are never suggested: %s', async (text, message) => {
    expect(await shop.refusal(text, sales)).toBe(message);
  });

  it('are never suggested as cubes', async () => {
    const nobody = { context: tenantCaller('a') };
    expect(await shop.refusal('SELECT id FROM customer', nobody)).toBe(
      'No cube or view named "customer" is visible to you (line 1, column 16).',
    );
    expect(await shop.refusal('SELECT id FROM customer', sales)).toContain('did you mean "customers"?');
  });
});
