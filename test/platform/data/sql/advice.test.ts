import { beforeAll, describe, expect, it } from 'vitest';
import { caller } from '../model/fixture.js';
import { openShop, type SqlShop } from './sql-fixture.js';

let shop: SqlShop;

beforeAll(async () => {
  shop = await openShop();
});

describe('a rejected statement gets advice', () => {
  it.each([
    ['SELECT MEASURE(reveneu) FROM orders', 'did you mean revenue? (line 1, column 8).'],
    ['SELECT o.regoin FROM orders o', 'o.regoin is not a column of what stands in FROM: did you mean o.region? (line'],
    ['SELECT "Region" FROM orders', 'Region is not a column of what stands in FROM: did you mean region? (line'],
    ['SELECT id FROM ordres', 'ordres is neither a cube nor a view that is there: did you mean orders? (line 1'],
    ['WITH totals AS (SELECT 1 AS a) SELECT a FROM total', 'did you mean totals? (line'],
    ['SELECT x.c FROM (SELECT 1 AS amount) x WHERE x.amout > 1', 'x.c is not a column of what stands in FROM (line'],
    ['SELECT 1 FROM (SELECT 1 AS amount) x WHERE amout > 1', 'did you mean amount?'],
    ['SELECT COALESC(id, 1) FROM orders', 'The function coalesc() is not supported (line'],
    ['SELECT UPER(region) FROM orders', 'The function uper() is not supported: did you mean upper()? (line'],
    [
      'SELECT id FROM orders WHERE region = "west"',
      'west is not a column of what stands in FROM: text stands in single',
    ],
    ['SELECT id FROM orders WHERE region = west', 'west is not a column of what stands in FROM (line 1, column 38).'],
    ['SELECT amount * 2 AS twice FROM orders WHERE twice > 1', 'twice is an alias of the select list: repeat the exp'],
    ['SELECT MEASURE(revenue) AS total FROM orders HAVING total > 1', 'total is an alias of the select list: repeat'],
    ['SELECT 1 AS a FROM orders WHERE id IN (SELECT a FROM items)', 'a is not a column of what stands in FROM (line'],
    [
      'SELECT DATE_TRUNC(month, created) FROM orders',
      "date_trunc() takes its unit as text: write 'month' in quotes (line",
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
    ['SELECT `id` FROM orders', 'names stand in double quotes (line'],
    ['SELECT [id] FROM orders', 'names stand in double quotes (line'],
    ['SELECT YEAR(created) FROM orders', 'write EXTRACT(YEAR FROM …)'],
    ['SELECT MEDIAN(amount) FROM orders', 'write percentile_cont(0.5) WITHIN GROUP'],
    ['SELECT ISNULL(amount, 0) FROM orders', 'write COALESCE(…)'],
    ['SELECT GETDATE()', 'write now()'],
    ["SELECT TO_CHAR(created, 'YYYY-MM') FROM orders", 'group by DATE_TRUNC'],
    ["SELECT STRING_AGG(region, ',') FROM orders", 'The function string_agg() is not supported: select the values'],
    ['SELECT STRING_AGG(region) OVER () FROM orders', 'The function string_agg() is not supported: select the values'],
    ['SELECT generate_series(1, 3)', 'all rows are of cubes and views'],
    ['SELECT * FROM generate_series(1, 3)', 'is not supported: select from cubes, views'],
    ['SELECT MEASURE(count), MAX(id) FROM orders', 'ask for it in a sub-select of its own, and join that (line'],
    [
      'SELECT 1 FROM orders o FULL JOIN items i ON o.id IS NOT DISTINCT FROM i.order_id',
      'FULL JOIN needs an equality of both',
    ],
    [
      'SELECT 1 FROM orders o FULL JOIN items i ON o.id < i.order_id',
      'FULL JOIN needs an equality of both sides in ON (line',
    ],
    ['SELECT 1 FROM orders o FULL JOIN items i ON o.id = 1', 'FULL JOIN needs an equality'],
    [
      'SELECT 1 FROM orders o FULL JOIN items i ON o.id = i.order_id OR o.id = i.order_id',
      'FULL JOIN needs an equality',
    ],
    [
      'SELECT id, created - created AS took FROM orders',
      'column 2 is an interval, which can not travel: write EXTRACT',
    ],
    ['SELECT id, created - created AS took FROM orders', '(line 1, column 12).'],
    ['SELECT 1 UNION ALL SELECT 2 ORDER BY 3', 'ORDER BY: there is no column 3'],
    ['SELECT x.* FROM (SELECT id, created - created FROM orders) x', '(line 1, column 8).'],
    ["SELECT id FROM orders WHERE region = ANY('{a,b}')", 'write x IN (…)'],
    ["SELECT id FROM orders WHERE region = ANY('{a,b}'::text[])", 'write x IN (…)'],
    ["SELECT id FROM orders WHERE amount = ANY(ARRAY['1'])", "can't stand together"],
  ])('%s', async (text, message) => {
    expect(await shop.refusal(text)).toContain(message);
  });
});

describe('hidden names', () => {
  const sales = { context: caller({}, ['sales'], { tenant: 'a' }) };
  const hidden = 'is not a column of what stands in FROM (line 1, column 8).';

  it.each([
    ['SELECT revenu FROM orders', `revenu ${hidden}`],
    ['SELECT amout FROM orders', `amout ${hidden}`],
    ['SELECT larg FROM orders', `larg ${hidden}`],
    ['SELECT tennant FROM orders', `tennant ${hidden}`],
  ])('are never suggested: %s', async (text, message) => {
    expect(await shop.refusal(text, sales)).toBe(message);
  });

  it('are never suggested as cubes', async () => {
    const nobody = { context: caller({}, [], { tenant: 'a' }) };
    expect(await shop.refusal('SELECT id FROM customer', nobody)).toMatch(/is there \(line 1, column 16\)\.$/);
    expect(await shop.refusal('SELECT id FROM customer', sales)).toContain('did you mean customers?');
  });
});
