import { beforeAll, describe, expect, it } from 'vitest';
import { openShop, type SqlShop } from './sql-fixture.js';

let shop: SqlShop;
beforeAll(async () => {
  shop = await openShop();
});

const sqlOf = async (text: string) => (await shop.plan(text)).statement().sql;
const fences = (sql: string) => sql.split(' OFFSET 0').length - 1;
const chain = (length: number) =>
  `WITH t0 AS (SELECT region AS a FROM orders)${Array.from({ length }, (_, i) => `, t${i + 1} AS (SELECT LEFT(a || a, 8) AS a FROM t${i})`).join('')}`;

describe('a chain of subqueries', () => {
  it('is evaluated step by step if steps use the previous one repeatedly', async () => {
    expect(fences(await sqlOf(`${chain(12)} SELECT a FROM t12`))).toBeGreaterThanOrEqual(12);
  });

  it('of ten steps returns the correct rows', async () => {
    const rows = await shop.rows(`${chain(10)} SELECT COUNT(*) FROM t10 WHERE a > '' AND a <> 'x'`);
    expect(rows).toEqual([['3']]);
  });

  it('has no fences if nothing in it is copied', async () => {
    const plain = await sqlOf('SELECT x.r FROM (SELECT region AS r FROM orders) x WHERE x.r > $$a$$');
    const computed = await sqlOf('SELECT x.r FROM (SELECT UPPER(region) AS r FROM orders) x');
    const alone = fences(await sqlOf('SELECT region FROM orders'));
    expect([fences(plain), fences(computed)]).toEqual([alone, alone]);
  });
});

describe('a table of WITH', () => {
  it('is printed inline if it is used once', async () => {
    expect(await sqlOf('WITH x AS (SELECT region AS r FROM orders) SELECT r FROM x')).not.toContain('WITH');
    const twice = 'WITH x AS (SELECT region AS r FROM orders) SELECT a.r FROM x a JOIN x b ON a.r = b.r';
    expect(await sqlOf(twice)).toMatch(/^WITH /);
  });

  it('keeps its parameters if it is used twice', async () => {
    const text =
      'WITH x AS (SELECT 1 AS a) SELECT s FROM (SELECT a AS s FROM x UNION ALL SELECT a + 1 FROM x LIMIT 9) y ORDER BY s';
    expect(await shop.rows(text)).toEqual([[1], [2]]);
  });
});
