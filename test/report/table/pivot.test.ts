import { describe, expect, it } from 'vitest';
import type { ReportSnapshot } from '../../../src/contract/dashboards.js';
import type { Row } from '../../../src/contract/data.js';
import type { RowSet } from '../../../src/contract/row-set.js';
import { createFormatter } from '../../../src/report/format/format.js';
import { groupKey } from '../../../src/report/query/report-data.js';
import { maxPivotColumns } from '../../../src/report/table/pivot-shape.js';
import { reportTable } from '../../../src/report/table/report-table.js';
import type { Table } from '../../../src/report/table/table.js';
import { sortTable } from '../../../src/report/table/table-sort.js';
import { columnOf, rowSetOf } from '../fixtures.js';

const presentation = { formatter: createFormatter('en'), totalTitle: 'Total' };
const columns = [
  columnOf('o.state', 'string', { shortTitle: 'State' }),
  columnOf('o.city', 'string', { shortTitle: 'City' }),
  columnOf('o.year', 'time', { shortTitle: 'Year', granularity: { name: 'year', title: 'year' } }),
  columnOf('o.count', 'number', { shortTitle: 'Count' }),
  columnOf('o.sum', 'number', { shortTitle: 'Sum' }),
];
const cell = (state: string | null, city: string, year: number, count: string | null, sum: string): Row => ({
  'o.state': state,
  'o.city': city,
  'o.year': `${year}-01-01T00:00:00.000`,
  'o.count': count,
  'o.sum': sum,
});
const rowSet = rowSetOf(columns, [
  cell('TX', 'Austin', 2024, '5', '1000'),
  cell('CA', 'LA', 2023, '2', '20'),
  cell('TX', 'Austin', 2023, '1', '10'),
  cell('TX', 'Waco', 2023, null, '7'),
  cell(null, 'X', 2024, '9', '90'),
]);

function snapshotOf(pivotItems: object, others: object = {}): ReportSnapshot {
  const items = { rows: [], columns: [], measures: [], filters: [], ...pivotItems };
  return { id: 1, reportId: 1, versionNumber: 1, kind: 'table', spec: { pivotItems: items, ...others } };
}

const down = { rows: ['o.state', 'o.city'], columns: ['o.year'] };
const total = (groups: readonly string[], ...rows: Row[]): [string, RowSet] => [
  groupKey(groups),
  rowSetOf(columns, rows),
];
const totals = new Map([
  total(['o.state', 'o.city'], { 'o.state': 'TX', 'o.city': 'Austin', 'o.count': '6', 'o.sum': '1010' }),
  total(['o.year'], { 'o.year': '2023-01-01T00:00:00.000', 'o.count': '3', 'o.sum': '37' }),
  total([], { 'o.count': '17', 'o.sum': '1127' }),
]);
const withTotals = { ...down, showRowTotals: true, showColumnTotals: true };

function pivot(items: object, { data = rowSet, known = new Map<string, RowSet>(), others = {} } = {}): Table {
  return reportTable({ rowSet: data, totals: known }, snapshotOf(items, others), presentation);
}

function texts(table: Table): string[][] {
  return Array.from({ length: table.rowCount }, (_, row) => (table.row(row)?.cells ?? []).map(({ text }) => text));
}

const heads = (table: Table) => table.heads.map(level => level.map(({ title, from, span }) => [title, from, span]));
const titles = (table: Table) => table.columns.map(({ title }) => title);

describe('pivot rows and columns', () => {
  it('has columns in the order of their values, and row headers in data order', () => {
    const table = pivot({ ...down, measures: ['o.count'] });
    expect(heads(table)).toEqual([
      [
        ['', 0, 2],
        ['Count', 2, 2],
      ],
    ]);
    expect(titles(table)).toEqual(['State', 'City', '2023', '2024']);
    expect([table.headerCount, table.totalCount]).toEqual([2, 0]);
    expect(texts(table)).toEqual([
      ['TX', 'Austin', '1', '5'],
      ['CA', 'LA', '2', ''],
      ['TX', 'Waco', '∅', ''],
      ['∅', 'X', '', '9'],
    ]);
  });

  it('has a column for each measure, after or before the values', () => {
    expect(titles(pivot({ ...down, measures: ['o.sum', 'o.count'] })).slice(2)).toEqual([
      'Sum',
      'Count',
      'Sum',
      'Count',
    ]);
    const before = pivot({ ...down, measuresPosition: 'before' });
    expect(titles(before).slice(2)).toEqual(['2023', '2024', '2023', '2024']);
    expect(heads(before)).toEqual([
      [
        ['', 0, 2],
        ['Count', 2, 2],
        ['Sum', 4, 2],
      ],
    ]);
    expect(texts(before)[0]).toEqual(['TX', 'Austin', '1', '5', '10', '1,000']);
  });

  it('has a row for each measure, grouped by row or by measure', () => {
    const items = { rows: ['o.state'], columns: ['o.year', 'o.city'], measuresAxis: 'rows' };
    const after = pivot(items);
    expect(heads(after)[0]?.slice(1)).toEqual([
      ['2023', 2, 3],
      ['2024', 5, 2],
    ]);
    expect(titles(after)).toEqual(['State', '', 'Austin', 'LA', 'Waco', 'Austin', 'X']);
    expect(texts(after).slice(0, 2)).toEqual([
      ['TX', 'Count', '1', '', '∅', '5', ''],
      ['TX', 'Sum', '10', '', '7', '1,000', ''],
    ]);
    const before = pivot({ ...items, measuresPosition: 'before' });
    expect(texts(before).map(cells => cells.slice(0, 2))).toEqual([
      ['Count', 'TX'],
      ['Count', 'CA'],
      ['Count', '∅'],
      ['Sum', 'TX'],
      ['Sum', 'CA'],
      ['Sum', '∅'],
    ]);
  });

  it('marks repeated headers unless an earlier header differs', () => {
    const data = rowSetOf(columns, [
      cell('TX', 'Austin', 2023, '1', '1'),
      cell('TX', 'Waco', 2023, '1', '1'),
      cell('CA', 'Waco', 2023, '1', '1'),
    ]);
    const table = pivot({ rows: ['o.state', 'o.city'], columns: ['o.year'], measuresAxis: 'rows' }, { data });
    const repeats = Array.from({ length: 6 }, (_, row) =>
      table
        .row(row)
        ?.cells.slice(0, 3)
        .map(one => one.repeats),
    );
    expect(repeats).toEqual([
      [false, false, false],
      [true, true, false],
      [true, false, false],
      [true, true, false],
      [false, false, false],
      [true, true, false],
    ]);
  });

  it('uses unnamed groups as row headers, so that no value is lost', () => {
    expect(titles(pivot({ columns: ['o.year'], measures: ['o.count'] }))).toEqual(['State', 'City', '2023', '2024']);
  });

  it('finds times by their member, ignores invalid settings, and limits columns', () => {
    const timed = rowSetOf(
      [columnOf('o.at.year', 'time'), columnOf('o.n', 'number')],
      [{ 'o.at.year': 'x', 'o.n': '1' }],
    );
    expect(titles(pivot({ columns: ['o.at'], rows: [] }, { data: timed }))).toEqual(['x']);
    for (const items of [
      { rows: 'o.state', columns: {}, measures: 7 },
      { rows: ['__proto__', 'gone'], columns: [null] },
    ]) {
      expect(pivot(items).rowCount).toBe(5);
    }
    const many = Array.from({ length: maxPivotColumns + 1 }, (_, n) => cell('TX', `${n}`, 2023, '1', '1'));
    const wide = pivot(
      { rows: ['o.state', 'o.year'], columns: ['o.city'], measures: ['o.sum'] },
      { data: rowSetOf(columns, many) },
    );
    expect([wide.cut, wide.columns.length]).toEqual([true, maxPivotColumns + 2]);
  });
});

describe('pivot totals', () => {
  it('shows the given totals of rows, columns and the grand total', () => {
    const table = pivot({ ...withTotals, measures: ['o.sum'] }, { known: totals });
    expect(titles(table)).toEqual(['State', 'City', '2023', '2024', 'Total']);
    expect(table.columns.map(({ kind }) => kind).at(-1)).toBe('total');
    expect(texts(table)[0]).toEqual(['TX', 'Austin', '10', '1,000', '1,010']);
    expect(texts(table).at(-1)).toEqual(['Total', '', '37', '', '1,127']);
    expect(table.row(table.rowCount - 1)?.kind).toBe('total');
    expect(table.totalCount).toBe(1);
    const below = pivot({ ...withTotals, measuresAxis: 'rows' }, { known: totals });
    expect(texts(below).slice(-2)).toEqual([
      ['Total', '', 'Count', '3', '', '17'],
      ['Total', '', 'Sum', '37', '', '1,127'],
    ]);
  });

  it('shows no totals that are not requested or not known', () => {
    expect(pivot(down, { known: totals }).totalCount).toBe(0);
    const table = pivot(withTotals);
    expect([table.totalCount, titles(table).includes('Total')]).toEqual([0, false]);
  });
});

describe('pivot sort order', () => {
  it('is sorted by values, with measures of a row together and without moving totals', () => {
    const flat = sortTable(
      pivot({ ...withTotals, measures: ['o.sum'] }, { known: totals }),
      { column: 2, descending: true },
      'en',
    );
    expect(texts(flat).map(cells => cells[1])).toEqual(['LA', 'Austin', 'Waco', 'X', '']);
    const sorted = sortTable(pivot({ ...down, measuresAxis: 'rows' }), { column: 3, descending: true }, 'en');
    expect(texts(sorted).map(cells => `${cells[1]} ${cells[2]} ${cells[3]}`)).toEqual([
      'LA Count 2',
      'LA Sum 20',
      'Austin Count 1',
      'Austin Sum 10',
      'Waco Count ∅',
      'Waco Sum 7',
      'X Count ',
      'X Sum ',
    ]);
    const apart = sortTable(
      pivot({ ...down, measuresAxis: 'rows', measuresPosition: 'before' }),
      { column: 3, descending: true },
      'en',
    );
    expect(texts(apart).map(cells => cells[2])).toEqual(['LA', 'Austin', 'Waco', 'X', 'LA', 'Austin', 'Waco', 'X']);
  });

  it('sorts columns in descending order if the query does', () => {
    const snapshot = {
      ...snapshotOf(down),
      meta: { jsonQuery: { order: [['o.year', 'desc']] as [string, 'desc'][] } },
    };
    expect(titles(reportTable({ rowSet, totals: new Map() }, snapshot, presentation)).slice(2)).toEqual([
      'Count',
      'Sum',
      'Count',
      'Sum',
    ]);
    expect(
      heads(reportTable({ rowSet, totals: new Map() }, snapshot, presentation))[0]?.map(([title]) => title),
    ).toEqual(['', '2024', '2023']);
  });
});

describe('pivot cells', () => {
  it('aligns the decimals of a measure in all its columns and totals', () => {
    const rows = [cell('TX', 'Austin', 2023, '6.2', '1'), cell('TX', 'Austin', 2024, '7', '1')];
    const sums = new Map([
      total(['o.state', 'o.city'], { 'o.state': 'TX', 'o.city': 'Austin', 'o.count': '13', 'o.sum': '2' }),
    ]);
    const table = reportTable(
      { rowSet: rowSetOf(columns, rows), totals: sums },
      snapshotOf({ ...down, measures: ['o.count'], showRowTotals: true }),
      presentation,
    );
    expect(
      table
        .row(0)
        ?.cells.slice(2)
        .map(({ text }) => text),
    ).toEqual(['6.2', '7.0', '13.0']);
  });

  it('returns the marks of cells: values of their row and column, and the remaining values for totals', () => {
    const table = pivot({ ...withTotals, measures: ['o.sum'] }, { known: totals });
    const [austin, of2023] = [{ 'o.state': 'TX', 'o.city': 'Austin' }, { 'o.year': '2023-01-01T00:00:00.000' }];
    expect(table.mark(0, 2)).toEqual({ values: { ...austin, ...of2023 }, measure: 'o.sum' });
    expect(table.mark(0, 4)).toEqual({ values: austin, measure: 'o.sum' });
    expect(table.mark(4, 2)).toEqual({ values: of2023, measure: 'o.sum' });
    expect(table.mark(4, 4)).toEqual({ values: {}, measure: 'o.sum' });
    expect(table.mark(0, 0)).toEqual({ values: { 'o.state': 'TX' }, measure: null });
    expect(table.mark(4, 0)).toBeNull();
    expect(table.mark(99, 2)).toBeNull();
  });

  it('applies the display scale except to percentages', () => {
    const share = columnOf('o.share', 'number', { shortTitle: 'Share', format: 'percent' });
    const short = columnOf('o.short', 'number', { shortTitle: 'Short', format: 'abbr' });
    const data = rowSetOf(
      [columns[3] ?? share, share, short],
      [{ 'o.count': '1234567', 'o.share': '0.5', 'o.short': '1234567' }],
    );
    const shown = (displayScale: string) =>
      texts(pivot({ measures: ['o.count', 'o.share', 'o.short'], displayScale }, { data }))[0];
    expect(shown('model')).toEqual(['1,234,567', '50%', '1.2M']);
    expect(shown('absolute')).toEqual(['1,234,567', '50%', '1,234,567']);
    expect(shown('thousands')).toEqual(['1,234.57K', '50%', '1,234.57K']);
    expect(shown('millions')).toEqual(['1.23M', '50%', '1.23M']);
    expect(shown('nonsense')).toEqual(shown('model'));
  });
});

describe('pivot filters', () => {
  it('shows its filters if the report enables it', () => {
    const query = {
      timeDimensions: [{ dimension: 'o.year', dateRange: ['2023-01-01T00:00:00.000', '2023-12-31T23:59:59.999'] }],
      filters: [
        { member: 'o.state', operator: 'equals' as const, values: ['TX', null] },
        {
          or: [
            { member: 'o.zip_code', operator: 'notSet' as const },
            { member: 'o.sum', operator: 'gte' as const, values: [5] },
          ],
        },
      ],
      segments: ['o.big_ones'],
    };
    const of = (items: object) => {
      const snapshot = snapshotOf(items);
      const request = { kind: 'load' as const, snapshot, query, columns: null, ignored: [] };
      return reportTable({ rowSet, totals, request }, snapshot, presentation).filters;
    };
    expect(of({ ...down, showAppliedFilters: true })).toEqual([
      'Year: 2023-01-01 – 2023-12-31',
      'State = TX, ∅',
      '(Zip code = ∅ ∨ Sum ≥ 5)',
      'Big ones',
    ]);
    expect(of(down)).toEqual([]);
  });
});
