import { beforeAll, describe, expect, it } from 'vitest';
import { tenantCaller } from '../callers.js';
import { shop as model } from '../model/shop.js';
import { openShop, type SqlShop } from './sql-fixture.js';

let shop: SqlShop;

beforeAll(async () => {
  shop = await openShop(model.replace('{CUBE}.amount >= 50', '{CUBE}.amount >= 15'));
});

describe('a segment', () => {
  const large = 'SELECT id FROM orders WHERE amount >= 15 ORDER BY id';

  it.each([
    'SELECT id FROM orders WHERE large ORDER BY id',
    'SELECT id FROM orders o WHERE o.large IS TRUE ORDER BY id',
    'SELECT id FROM orders WHERE large AND paid IS NOT DISTINCT FROM paid ORDER BY id',
    'SELECT id FROM orders WHERE NOT (NOT large) ORDER BY id',
    'SELECT DISTINCT id FROM orders WHERE large ORDER BY id',
    'SELECT o.id FROM orders o LEFT JOIN items i ON false WHERE o.large ORDER BY 1',
  ])('can be a condition: %s', async text => {
    const rows = await shop.rows(text);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows).toEqual(await shop.rows(large));
  });

  it('can be a key, also with measures', async () => {
    const byValue = 'SELECT amount >= 15, COUNT(*), MEASURE(revenue) FROM orders GROUP BY 1 ORDER BY 1';
    expect(await shop.rows('SELECT large, COUNT(*), MEASURE(revenue) FROM orders GROUP BY 1 ORDER BY 1')).toEqual(
      await shop.rows(byValue),
    );
    expect(await shop.rows('SELECT MEASURE(revenue) FROM orders WHERE large')).toEqual(
      await shop.rows('SELECT MEASURE(revenue) FROM orders WHERE amount >= 15'),
    );
    expect(await shop.rows('SELECT id, large FROM orders ORDER BY id')).toEqual(
      await shop.rows('SELECT id, amount >= 15 FROM orders ORDER BY id'),
    );
  });

  it('is not included in *', async () => {
    const { columns } = await shop.plan('SELECT * FROM orders');
    expect(columns.map(({ name }) => name)).toContain('region');
    expect(columns.map(({ name }) => name)).not.toContain('large');
  });

  it.each([
    'SELECT region, COUNT(*) FROM orders WHERE large GROUP BY 1',
    'SELECT id, region FROM orders WHERE large IS TRUE',
  ])('converts to a load query: %s', async text => {
    expect((await shop.convert(text)).query).toMatchObject({ segments: ['orders.large'] });
    expect((await shop.loaded(text)).map(row => JSON.stringify(row)).sort()).toEqual(
      (await shop.rows(text)).map(row => JSON.stringify(row)).sort(),
    );
  });

  it('inside another condition does not convert to a load query', async () => {
    expect(await shop.noQuery('SELECT id FROM orders WHERE NOT large')).toContain(
      'No filter of a load query is equivalent to this part of WHERE',
    );
    expect(await shop.noQuery('SELECT large, COUNT(*) FROM orders GROUP BY 1')).toContain(
      'No member is equivalent to column 1, "large".',
    );
  });

  it('that is hidden is unknown', async () => {
    const context = tenantCaller('a', 'sales');
    expect(await shop.refusal('SELECT id FROM orders WHERE large', { context })).toBe(
      'Column "large" does not exist in the FROM clause (line 1, column 29).',
    );
  });
});
