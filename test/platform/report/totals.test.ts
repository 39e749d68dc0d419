import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cell, Row } from '../../../src/contract/data.js';
import type { Query } from '../../../src/contract/query.js';
import { groupKey, type ReportData } from '../../../src/report/query/report-data.js';
import { loadReport, openShop, type Shop, snapshotOf } from './shop.js';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const sums = ['orders.count', 'orders.paid_count', 'orders.amount', 'orders.least', 'orders.most'];
const others = ['orders.average', 'orders.customers', 'orders.share'];
const month = 'orders.placed_at.month';
const pivot = { rows: ['orders.state'], columns: [month], measures: [], filters: [] };
const totals = { ...pivot, showRowTotals: true, showColumnTotals: true };
const base: Query = {
  dimensions: ['orders.state'],
  timeDimensions: [{ dimension: 'orders.placed_at', granularity: 'month', dateRange: ['2023-02-10', '2024-03-15'] }],
};
const inRange = `placed_at >= '2023-02-10' AND placed_at < '2024-03-16'`;
const figures: Readonly<Record<string, string>> = {
  'orders.count': 'count(*)',
  'orders.paid_count': 'count(*) FILTER (paid)',
  'orders.amount': 'sum(amount)',
  'orders.least': 'min(amount)',
  'orders.most': 'max(amount)',
  'orders.average': 'avg(amount)',
  'orders.customers': 'count(DISTINCT customer)',
  'orders.share': 'count(*) FILTER (paid) * 1.0 / nullif(count(*), 0)',
};

/** Computes totals in DuckDB: the rows of each grouping, by the key of a report. */
async function groupingSets(measures: readonly string[], where: string): Promise<Map<string, Row[]>> {
  const selected = measures.map(measure => `CAST(${figures[measure]} AS VARCHAR) AS "${measure}"`);
  const result = await shop.database.runAndReadAll(`
    SELECT state AS "orders.state", strftime(date_trunc('month', placed_at), '%Y-%m-%dT%H:%M:%S.000') AS "${month}",
      GROUPING(state) AS no_state, GROUPING(date_trunc('month', placed_at)) AS no_month, ${selected.join(', ')}
    FROM orders WHERE ${where} GROUP BY GROUPING SETS ((state), (date_trunc('month', placed_at)), ())`);
  const found = new Map<string, Row[]>();
  for (const cells of result.getRowObjectsJson() as Record<string, Cell>[]) {
    const by = [...(Number(cells.no_state) ? [] : ['orders.state']), ...(Number(cells.no_month) ? [] : [month])];
    const row = Object.fromEntries([...by, ...measures].map(name => [name, cells[name] ?? null]));
    found.set(groupKey(by), [...(found.get(groupKey(by)) ?? []), row]);
  }
  return found;
}

function same(actual: Cell | undefined, expected: Cell | undefined): boolean {
  if (actual === expected) return true;
  const [one, other] = [Number(actual), Number(expected)];
  if (actual === null || expected === null) return false;
  // Doubles can differ in their last digits, decimals in trailing zeros.
  return Math.abs(one - other) <= 1e-12 * Math.max(Math.abs(one), Math.abs(other));
}

function compare(data: ReportData, expected: Map<string, Row[]>, measures: readonly string[]): void {
  expect([...data.totals.keys()].sort()).toEqual([...expected.keys()].sort());
  for (const [key, rows] of expected) {
    const by: string[] = JSON.parse(key);
    const name = (row: Row) => JSON.stringify(by.map(column => row[column] ?? null));
    const actual = new Map(data.totals.get(key)?.rows.map(row => [name(row), row]));
    expect([...actual.keys()].sort()).toEqual(rows.map(name).sort());
    for (const row of rows) {
      for (const measure of measures) {
        const found = actual.get(name(row))?.[measure];
        expect(same(found, row[measure]), `${measure} by ${name(row)}: ${found}, not ${row[measure]}`).toBe(true);
      }
    }
  }
}

describe('totals', () => {
  it.each([
    ['sums, from rows alone', sums, 1],
    ['measures that cannot be summed, with further queries', others, 4],
    ['all of them', [...sums, ...others], 4],
  ])('equal those of GROUPING SETS: %s', async (_, measures, queries) => {
    shop.sent.length = 0;
    const data = await loadReport(shop, snapshotOf({ ...base, measures }, { spec: { pivotItems: totals } }));
    expect(shop.sent).toHaveLength(queries);
    compare(data, await groupingSets(measures, inRange), measures);
  });

  it('include all rows if the report shows only some', async () => {
    const measures = ['orders.count', 'orders.amount'];
    shop.sent.length = 0;
    const data = await loadReport(shop, snapshotOf({ ...base, measures, limit: 7 }, { spec: { pivotItems: totals } }));
    expect([shop.sent.length, data.rowSet.rows.length]).toEqual([4, 7]);
    compare(data, await groupingSets(measures, inRange), measures);
  });

  it('follow the filters of the report', async () => {
    const measures = ['orders.count', 'orders.customers'];
    const filters: Query['filters'] = [
      {
        or: [
          { member: 'orders.city', operator: 'notSet' },
          { member: 'orders.city', operator: 'equals', values: ['city 4'] },
        ],
      },
      { member: 'orders.paid', operator: 'equals', values: ['true'] },
    ];
    const data = await loadReport(shop, snapshotOf({ ...base, filters, measures }, { spec: { pivotItems: totals } }));
    compare(data, await groupingSets(measures, `${inRange} AND (city IS NULL OR city = 'city 4') AND paid`), measures);
  });

  it('include only groups that match a filter on measures', async () => {
    const measures = ['orders.count', 'orders.customers'];
    const filters: Query['filters'] = [{ member: 'orders.count', operator: 'gt', values: ['8'] }];
    const data = await loadReport(shop, snapshotOf({ ...base, filters, measures }, { spec: { pivotItems: totals } }));
    const grouped = `EXISTS (SELECT 1 FROM (SELECT state AS s, date_trunc('month', placed_at) AS m FROM orders WHERE ${inRange} GROUP BY ALL HAVING count(*) > 8)
      WHERE s IS NOT DISTINCT FROM state AND m = date_trunc('month', placed_at))`;
    compare(data, await groupingSets(measures, `${inRange} AND ${grouped}`), measures);
  });

  it('are available for a report in SQL under its column names', async () => {
    const measures = ['orders.count', 'orders.customers'];
    const columns = { "it's": 'orders.state', m: month, n: 'orders.count', who: 'orders.customers' };
    const pivotItems = { ...totals, rows: ["it's"], columns: ['m'] };
    const data = await loadReport(shop, snapshotOf({ ...base, measures }, { spec: { pivotItems }, meta: { columns } }));
    const [total] = data.totals.get(groupKey([]))?.rows ?? [];
    const expected = (await groupingSets(measures, inRange)).get(groupKey([]))?.[0];
    expect(total).toEqual({ n: expected?.['orders.count'], who: expected?.['orders.customers'] });
    expect(data.totals.get(groupKey(["it's"]))?.rows[0]).toHaveProperty("it's");
  });

  it('of one row are displayed below a table', async () => {
    const measures = ['orders.count', 'orders.share'];
    const data = await loadReport(shop, snapshotOf({ ...base, measures }, { spec: { showTotals: true } }));
    compare(data, new Map([...(await groupingSets(measures, inRange))].filter(([key]) => key === '[]')), measures);
  });
});
