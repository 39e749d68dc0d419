import { beforeAll, describe, expect, it } from 'vitest';
import { openShop, type SqlShop } from './sql-fixture.js';

let shop: SqlShop;
beforeAll(async () => {
  shop = await openShop();
});

const long = `'${'a'.repeat(20_000)}'`;
const nested = (times: number, inner: string) => `${'upper('.repeat(times)}${inner}${')'.repeat(times)}`;
const several = (count: number, one: (index: number) => string) => Array.from({ length: count }, (_, i) => one(i));
const tooMuch = 'The statement builds too much text per row: use fewer functions, or shorter constants.';

describe('a statement that creates too much text per row', () => {
  it.each([
    ['by a function of a long text', `SELECT ${nested(5, `region || ${long}`)} FROM orders`],
    [
      'by many long texts',
      `SELECT region FROM orders WHERE ${several(3, () => `region || ${long} > 'b'`).join(' OR ')}`,
    ],
    [
      'by many small texts',
      `SELECT id FROM orders WHERE region IN (${several(2000, i => `region || ${i}`).join(', ')})`,
    ],
    ['by a column of a subquery', `SELECT x || x || x FROM (SELECT region || ${long} AS x FROM orders) t`],
    [
      'by a column of WITH',
      `WITH t AS (SELECT region || ${long} AS x FROM orders) SELECT a.x || b.x || a.x FROM t a, t b`,
    ],
    [
      'by repeated doubling',
      `WITH t0 AS (SELECT region AS a FROM orders)${several(12, i => `, t${i + 1} AS (SELECT a || a AS a FROM t${i})`).join('')} SELECT a FROM t12`,
    ],
    ['by replace()', `SELECT replace(region, 'o', ${long}) || replace(region, 'e', ${long}) FROM orders`],
    ['by concat_ws()', `SELECT concat_ws(region || ${long}, region, region, region, region) FROM orders`],
    [
      'in a condition of a join',
      `SELECT a.id FROM orders a JOIN orders b ON a.region || ${long} || ${long} < b.region || ${long}`,
    ],
    ['in an aggregate', `SELECT max(region || ${long} || ${long} || ${long}) FROM (SELECT region FROM orders) x`],
    ['in an order', `SELECT id FROM orders ORDER BY upper(region || ${long}), lower(region || ${long})`],
    [
      'in a subquery',
      `SELECT id FROM orders WHERE EXISTS (SELECT 1 FROM orders x WHERE ${nested(4, `x.region || ${long}`)} > 'a')`,
    ],
  ])('%s is rejected', async (_, text) => {
    expect(await shop.refusal(text)).toBe(tooMuch);
  });
});

describe('a statement below the limit', () => {
  it.each([
    `SELECT region || ${long} FROM orders`,
    `SELECT ${several(50, i => `concat(region, ' ', id, ' ', ${i}) AS c${i}`).join(', ')} FROM orders`,
    `SELECT ${several(5, () => 'replace(').join('')}region, '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;'), $$'$$, '&#39;') FROM orders`,
  ])('is planned: %.60s', async text => {
    await expect(shop.plan(text)).resolves.toBeDefined();
  });
});

describe('complex patterns', () => {
  const pattern = (index: number) => `region ~ '[a-z]{20}${index}'`;

  it('are limited in number', async () => {
    const where = (count: number) => `SELECT id FROM orders WHERE ${several(count, pattern).join(' OR ')}`;
    await expect(shop.plan(where(10))).resolves.toBeDefined();
    expect(await shop.refusal(where(11))).toContain(
      'The statement exceeds the limit of 10 complex patterns: use fewer wildcards or repetitions.',
    );
  });

  it.each([
    `LIKE '${'a'.repeat(1001)}'`,
    `ILIKE '${'%_'.repeat(600)}'`,
    `~ '${'a'.repeat(1001)}'`,
    "~ '([a-z]{100}){20}'",
  ])('are limited in length: %.20s', async pattern => {
    expect(await shop.refusal(`SELECT id FROM orders WHERE region ${pattern}`)).toContain(
      'The pattern exceeds the limit of 1000 characters, with its repetitions expanded',
    );
  });
});
