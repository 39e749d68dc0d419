import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cell } from '../../../src/contract/data.js';
import type { Query } from '../../../src/contract/query.js';
import { conditionFilters } from '../../../src/report/controls/filter-condition.js';
import { drillQuery, filtersOfMark } from '../../../src/report/marks/drill.js';
import type { Mark } from '../../../src/report/marks/mark.js';
import { rowMark } from '../../../src/report/table/table.js';
import { loadReport, openShop, requestOf, type Shop, snapshotOf } from './shop.js';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const timeDimensions = [
  { dimension: 'orders.placed_at', granularity: 'month', dateRange: ['2023-01-15', '2023-05-20'] },
];
const columns = {
  s: 'orders.state',
  paid: 'orders.paid',
  m: 'orders.placed_at.month',
  n: 'orders.count',
  p: 'orders.paid_count',
};
const byMonth: Query = {
  measures: ['orders.count', 'orders.paid_count'],
  dimensions: ['orders.state', 'orders.paid'],
  timeDimensions,
};

/** Returns the number of rows of a drill-down query. */
async function behind(query: Query | null): Promise<number> {
  if (!query) throw new Error('nothing to drill into');
  const { rows } = await shop.session.load({ ...query, limit: 5000 }, {});
  return rows.length;
}

describe('drilling', () => {
  it.each([
    ['a query', byMonth, null],
    ['a report in SQL', byMonth, columns],
    [
      'days that a phrase and filters keep',
      {
        ...byMonth,
        timeDimensions: [
          { dimension: 'orders.placed_at', granularity: 'month', dateRange: 'from 2023-01-15 to 2023-05-20' },
        ],
        filters: [
          { member: 'orders.city', operator: 'set' as const },
          { member: 'orders.count', operator: 'gt' as const, values: ['1'] },
        ],
      } satisfies Query,
      null,
    ],
  ])('finds the number of rows that each value counts: %s', async (_, query, names) => {
    const snapshot = snapshotOf(query, names ? { meta: { columns: names } } : {});
    const request = requestOf(snapshot);
    const { rowSet } = await loadReport(shop, snapshot);
    expect(rowSet.rows.length).toBeGreaterThan(3);
    for (const row of rowSet.rows.filter((_row, index) => index % 3 === 0)) {
      for (const column of rowSet.columns.filter(({ kind }) => kind === 'measure')) {
        const mark = rowMark(rowSet.columns, row, column);
        const figure: Cell = row[column.member] ?? null;
        expect(await behind(drillQuery(request, rowSet, mark)), JSON.stringify(mark)).toBe(Number(figure));
      }
    }
  });

  it('finds the rows of totals, and of the first measure if the mark has none', async () => {
    const snapshot = snapshotOf(byMonth);
    const { rowSet } = await loadReport(shop, snapshot);
    const sum = (keep: (state: Cell) => boolean) =>
      rowSet.rows
        .filter(row => keep(row['orders.state'] ?? null))
        .reduce((all, row) => all + Number(row['orders.count']), 0);
    const total: Mark = { values: {}, measure: 'orders.count' };
    expect(await behind(drillQuery(requestOf(snapshot), rowSet, total))).toBe(sum(() => true));
    const state: Mark = { values: { 'orders.state': null }, measure: null };
    expect(await behind(drillQuery(requestOf(snapshot), rowSet, state))).toBe(sum(value => value === null));
  });

  it('filters other reports by the rows of a mark', async () => {
    const snapshot = snapshotOf(byMonth, { meta: { columns } });
    const { rowSet } = await loadReport(shop, snapshot);
    const row = rowSet.rows.find(({ s }) => s === `it's "N,Y"`);
    if (!row) throw new Error('no such state');
    const conditions = filtersOfMark(requestOf(snapshot), rowSet, rowMark(rowSet.columns, row, null));
    const filters = conditions.flatMap(({ member, type, condition }) => {
      const read = conditionFilters(member, condition, type === 'time' || type === 'boolean' ? type : 'string');
      if ('problem' in read) throw new Error(read.problem);
      return [...read.filters];
    });
    const ranges = [{ dimension: 'orders.placed_at', dateRange: ['2023-01-15', '2023-05-20'] }];
    const kept = await shop.session.load({ measures: ['orders.count'], filters, timeDimensions: ranges }, {});
    expect(kept.rows).toEqual([{ 'orders.count': row.n }]);
  });
});
