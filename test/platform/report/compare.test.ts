import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cell } from '../../../src/contract/data.js';
import type { Query } from '../../../src/contract/query.js';
import { groupKey } from '../../../src/report/query/report-data.js';
import { loadReport, openShop, type Shop, snapshotOf } from './shop.js';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const offset = { amount: 1, unit: 'year' };
const timeDimension = 'orders.placed_at';
const compareAll = ['orders.count', 'orders.average'].map(measure => ({
  measure,
  timeDimension,
  offset,
  outputs: ['value'],
}));

async function rowsOf(sql: string): Promise<Record<string, Cell>[]> {
  return (await shop.database.runAndReadAll(sql)).getRowObjectsJson() as Record<string, Cell>[];
}

describe('comparisons', () => {
  it('contain values of the earlier period, by group and in the totals', async () => {
    const query: Query = {
      measures: ['orders.count', 'orders.average'],
      dimensions: ['orders.state'],
      timeDimensions: [{ dimension: timeDimension, granularity: 'month', dateRange: ['2024-02-01', '2024-07-31'] }],
    };
    const pivotItems = {
      rows: ['orders.state'],
      columns: [timeDimension],
      measures: [],
      filters: [],
      showColumnTotals: true,
    };
    const data = await loadReport(shop, snapshotOf(query, { periodComparisons: compareAll, spec: { pivotItems } }));
    const expected = await rowsOf(`
      SELECT state, strftime(date_trunc('month', placed_at) + INTERVAL 1 YEAR, '%Y-%m-%dT%H:%M:%S.000') AS month,
        count(*)::VARCHAR AS n, avg(amount) AS average FROM orders WHERE year(placed_at) = 2023 GROUP BY ALL`);
    const key = (state: Cell | undefined, month: Cell | undefined) => JSON.stringify([state ?? null, month]);
    const before = new Map(expected.map(row => [key(row.state, row.month), row]));
    expect(data.rowSet.rows.length).toBeGreaterThan(20);
    for (const row of data.rowSet.rows) {
      const earlier = before.get(key(row['orders.state'], row['orders.placed_at.month']));
      expect(row['orders.count_1_year_ago']).toBe(earlier?.n ?? null);
      expect(Number(row['orders.average_1_year_ago'])).toBeCloseTo(Number(earlier?.average ?? 0), 9);
    }
    expect(data.rowSet.rows.filter(row => row['orders.count_1_year_ago'] === null).length).toBeGreaterThan(0);
    const totals = await rowsOf(`
      SELECT strftime(date_trunc('month', placed_at) + INTERVAL 1 YEAR, '%Y-%m-%dT%H:%M:%S.000') AS month, count(*)::VARCHAR AS n
      FROM orders WHERE placed_at >= '2023-02-01' AND placed_at < '2023-08-01' GROUP BY ALL`);
    const shown = data.totals.get(groupKey(['orders.placed_at.month']))?.rows ?? [];
    expect(new Map(shown.map(row => [row['orders.placed_at.month'], row['orders.count_1_year_ago']]))).toEqual(
      new Map(totals.map(row => [row.month, row.n])),
    );
  });

  it('interpret relative date ranges like the service', async () => {
    const years = new Date().getUTCFullYear() - 2024;
    const query: Query = {
      measures: ['orders.count'],
      timeDimensions: [
        { dimension: timeDimension, granularity: 'year', dateRange: `from ${years + 1} years ago to now` },
      ],
    };
    shop.sent.length = 0;
    const data = await loadReport(shop, snapshotOf(query, { periodComparisons: compareAll.slice(0, 1) }));
    expect(shop.sent).toHaveLength(2);
    const [of2023] = await rowsOf(`SELECT count(*)::VARCHAR AS n FROM orders WHERE year(placed_at) = 2023`);
    const row = data.rowSet.rows.find(({ 'orders.placed_at.year': year }) => year === '2024-01-01T00:00:00.000');
    expect(row?.['orders.count_1_year_ago']).toBe(of2023?.n);
  });

  it('compare weeks with whole weeks and days with the same day', async () => {
    const of = async (granularity: string, unit: string, range: string[]) => {
      const query: Query = {
        measures: ['orders.count'],
        timeDimensions: [{ dimension: timeDimension, granularity, dateRange: range }],
      };
      const periodComparisons = [
        { measure: 'orders.count', timeDimension, offset: { amount: 1, unit }, outputs: ['value'] },
      ];
      const { rowSet } = await loadReport(shop, snapshotOf(query, { periodComparisons }));
      return rowSet.rows.map(row => [row[`${timeDimension}.${granularity}`], row[`orders.count_1_${unit}_ago`]]);
    };
    const weeks = await rowsOf(`
      SELECT strftime(date_trunc('week', placed_at) + INTERVAL 364 DAY, '%Y-%m-%dT%H:%M:%S.000') AS t, count(*)::VARCHAR AS n
      FROM orders WHERE placed_at >= '2023-03-06' AND placed_at < '2023-04-03' GROUP BY ALL ORDER BY ALL`);
    expect(await of('week', 'year', ['2024-03-04', '2024-03-31'])).toEqual(weeks.map(({ t, n }) => [t, n]));
    const days = await rowsOf(`
      SELECT strftime(m.d, '%Y-%m-%dT%H:%M:%S.000') AS t, before.n FROM
        (SELECT DISTINCT date_trunc('day', placed_at) AS d FROM orders WHERE placed_at >= '2024-03-20' AND placed_at < '2024-04-01') AS m
        LEFT JOIN (SELECT date_trunc('day', placed_at) AS d, count(*)::VARCHAR AS n FROM orders GROUP BY ALL) AS before
        ON month(before.d) = 2 AND year(before.d) = 2024 AND day(before.d) = day(m.d) ORDER BY ALL`);
    const found = await of('day', 'month', ['2024-03-20', '2024-03-31']);
    expect(found).toEqual(days.map(({ t, n }) => [t, n]));
    expect(found.filter(([, n]) => n === null).length).toBeGreaterThan(0);
  });
});

describe('missing rows', () => {
  it('contain zero for counts and sums, and no value for other measures', async () => {
    const query: Query = {
      measures: ['orders.count', 'orders.amount', 'orders.customers', 'orders.average', 'orders.most', 'orders.share'],
      dimensions: ['orders.state'],
      timeDimensions: [{ dimension: timeDimension, granularity: 'month', dateRange: ['2023-06-01', '2023-08-31'] }],
      filters: [{ member: 'orders.state', operator: 'equals', values: ['TX'] }],
    };
    const { rowSet } = await loadReport(shop, snapshotOf(query, { fillMissingRows: { member: timeDimension } }));
    expect(rowSet.rows.map(row => row['orders.placed_at.month'])).toEqual([
      '2023-06-01T00:00:00.000',
      '2023-07-01T00:00:00.000',
      '2023-08-01T00:00:00.000',
    ]);
    expect(rowSet.rows[1]).toEqual({
      'orders.state': 'TX',
      'orders.placed_at.month': '2023-07-01T00:00:00.000',
      'orders.count': '0',
      'orders.amount': '0',
      'orders.customers': '0',
      'orders.average': null,
      'orders.most': null,
      'orders.share': null,
    });
  });

  it('cover the date range of the report and are compared with the earlier period', async () => {
    const query: Query = {
      measures: ['orders.count'],
      timeDimensions: [{ dimension: timeDimension, granularity: 'year', dateRange: 'this year' }],
    };
    const years = new Date().getUTCFullYear() - 2024;
    const periodComparisons = [{ measure: 'orders.count', timeDimension, offset: { amount: years, unit: 'year' } }];
    const { rowSet } = await loadReport(
      shop,
      snapshotOf(query, { fillMissingRows: { member: timeDimension }, periodComparisons }),
    );
    const [of2024] = await rowsOf(`SELECT count(*)::VARCHAR AS n FROM orders WHERE year(placed_at) = 2024`);
    expect(rowSet.rows).toHaveLength(1);
    expect(rowSet.rows[0]).toMatchObject({
      'orders.count': '0',
      [`orders.count_${years}_year_ago`]: of2024?.n,
      [`orders.count_${years}_year_change`]: `-${of2024?.n}`,
      [`orders.count_${years}_year_change_percent`]: '-1',
    });
  });
});
