import { beforeAll, describe, expect, it } from 'vitest';
import { openShop, type SqlShop } from '../sql-fixture.js';

let shop: SqlShop;

beforeAll(async () => {
  shop = await openShop();
});

/** Returns the queries of cubes in short form: `groups` or `rows`, and the columns. */
async function queriesOf(text: string): Promise<string> {
  const queries = await shop.queries(text);
  return queries
    .map(({ grouped, columns }) => {
      const names = columns.map(column => {
        if (column.kind === 'computed') return 'computed';
        return column.kind === 'time' ? `${column.path}.${column.granularity}` : column.path;
      });
      return `${grouped ? 'groups' : 'rows'} ${names.map(name => name.replace('orders.', '')).join(' ')}`;
    })
    .join(', ');
}

describe('queries groups for', () => {
  it.each([
    ['SELECT MEASURE(revenue) FROM orders', 'groups revenue'],
    ['SELECT SUM(revenue) FROM orders', 'groups revenue'],
    ['SELECT COUNT(orders.count), COUNT(DISTINCT regions) FROM orders', 'groups count regions'],
    ['SELECT COUNT(*) FROM orders', 'groups count'],
    ['SELECT COUNT(*) AS revenue FROM orders ORDER BY revenue', 'groups count'],
    ['SELECT region, COUNT(*) FROM orders GROUP BY region', 'groups region count'],
    ['SELECT region FROM orders GROUP BY region', 'groups region'],
    ['SELECT DISTINCT region, paid FROM orders', 'groups region paid'],
    ["SELECT DATE_TRUNC('month', created), MEASURE(count) FROM orders GROUP BY 1", 'groups created.month count'],
    ["SELECT DATE_TRUNC('decade', created), MEASURE(count) FROM orders GROUP BY 1", 'groups computed count'],
    ['SELECT upper(region), MEASURE(count) FROM orders GROUP BY upper(region)', 'groups computed count'],
    [
      'SELECT region FROM orders GROUP BY 1 HAVING COUNT(*) > 1 ORDER BY MEASURE(revenue)',
      'groups region count revenue',
    ],
    ['SELECT SUM(COUNT(*)) OVER () FROM orders', 'groups count'],
  ])('%s', async (text, queries) => {
    expect(await queriesOf(text)).toBe(queries);
  });
});

describe('queries rows for', () => {
  it.each([
    ['SELECT region FROM orders', 'rows region'],
    ['SELECT revenue FROM orders', 'rows revenue'],
    ['SELECT MAX(amount), COUNT(*) FROM orders', 'rows amount'],
    ['SELECT region, AVG(amount) FROM orders GROUP BY region', 'rows region amount'],
    ['SELECT COUNT(DISTINCT region) FROM orders', 'rows region'],
    ['SELECT COUNT(*) FILTER (WHERE paid) FROM orders', 'rows paid'],
    ['SELECT COUNT(*) OVER () FROM orders', 'rows id'],
    ['SELECT DISTINCT revenue FROM orders', 'rows revenue'],
    ['SELECT DISTINCT region, ROW_NUMBER() OVER (ORDER BY id) FROM orders', 'rows region id'],
    ["SELECT region FROM orders WHERE created > '2001-01-01'", 'rows region'],
    ['SELECT region FROM orders WHERE amount > id', 'rows region amount id'],
    [
      'SELECT o.id, i.quantity FROM orders o JOIN items i ON i.order_id = o.id',
      'rows id, rows items.order_id items.quantity',
    ],
    ['SELECT (SELECT COUNT(*) FROM items i WHERE i.order_id = o.id) FROM orders o', 'rows items.order_id, rows id'],
  ])('%s', async (text, queries) => {
    const [first = '', ...rest] = (await queriesOf(text)).split(', ');
    expect([first, ...rest].sort()).toEqual(queries.split(', ').sort());
  });
});
