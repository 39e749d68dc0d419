import { describe, expect, it } from 'vitest';
import type { ReportSnapshot } from '../../../src/contract/dashboards.js';
import type { Cell, Row } from '../../../src/contract/data.js';
import type { Query } from '../../../src/contract/query.js';
import { createFormatter } from '../../../src/report/format/format.js';
import {
  type Comparison,
  comparisonColumnName,
  comparisonsOf,
  withComparison,
} from '../../../src/report/query/comparison.js';
import { comparisonPeriodQuery, hasExplicitPeriod } from '../../../src/report/query/comparison-period.js';
import { columnTitle, toTable } from '../../../src/report/table/table.js';
import { columnOf, rowSetOf } from '../fixtures.js';

const timeDimension = 'o.at';
const snapshot = { id: 1, reportId: 1, versionNumber: 1 };
const isMeasure = (member: string) => member === 'o.count';

function queryOf(granularity: string | null, dateRange?: string | string[], others: Query = {}): Query {
  return {
    measures: ['o.count'],
    timeDimensions: [{ dimension: 'o.at', granularity, ...(dateRange && { dateRange }) }],
    ...others,
  };
}

function comparison(amount: number, unit: string, query: Query, outputs?: string[]): Comparison {
  const periodComparisons = [
    { measure: 'o.count', timeDimension, offset: { amount, unit }, ...(outputs && { outputs }) },
  ];
  const [found] = comparisonsOf({ ...snapshot, periodComparisons }, query, null);
  if (!found) throw new Error('nothing to compare');
  return found;
}

function earlierRange(
  range: string | string[],
  amount: number,
  unit: string,
  granularity: string | null = 'day',
): unknown {
  const query = queryOf(granularity, range);
  return comparisonPeriodQuery(query, comparison(amount, unit, query), null, isMeasure)?.timeDimensions?.[0]?.dateRange;
}

function compared(granularity: string, [amount, unit]: [number, string], now: Row[], before: Row[] | null): Cell[][] {
  const columns = [columnOf(`o.at.${granularity}`, 'time'), columnOf('o.count', 'number')];
  const query = queryOf(granularity);
  const rows = withComparison(
    rowSetOf(columns, now),
    before && rowSetOf(columns, before),
    comparison(amount, unit, query),
    null,
  );
  return rows.rows.map(row => Object.values(row).slice(1));
}

const rowsOf = (granularity: string, cells: Record<string, Cell>): Row[] =>
  Object.entries(cells).map(([day, count]) => ({ [`o.at.${granularity}`]: `${day}T00:00:00.000`, 'o.count': count }));

describe('the earlier period', () => {
  it.each([
    [['2024-03-01', '2024-03-31'], 1, 'month', ['2024-02-01', '2024-02-29']],
    [['2023-03-01', '2023-03-31'], 1, 'month', ['2023-02-01', '2023-02-28']],
    [['2024-02-01', '2024-02-29'], 1, 'year', ['2023-02-01', '2023-02-28']],
    [['2024-02-01', '2024-02-29'], 1, 'month', ['2024-01-01', '2024-01-31']],
    [['2024-01-01', '2024-12-31'], -1, 'year', ['2023-01-01', '2023-12-31']],
    [['2024-04-01', '2024-06-30'], 1, 'quarter', ['2024-01-01', '2024-03-31']],
    [['2024-03-04', '2024-03-10'], 1, 'week', ['2024-02-26', '2024-03-03']],
    [['2024-03-01', '2024-03-07'], 7, 'days', ['2024-02-23', '2024-02-29']],
    [['2024-05-30', '2024-05-31'], 3, 'month', ['2024-03-01', '2024-02-29']],
  ])('of %s, %i %s back', (range, amount, unit, [from, to]) => {
    const expected =
      from === undefined || to === undefined || from > to ? undefined : [`${from}T00:00:00.000`, `${to}T23:59:59.999`];
    expect(earlierRange(range, amount, unit)).toEqual(expected);
  });

  it('supports one day, and moments', () => {
    expect(earlierRange('2024-03-01', 1, 'day')).toEqual(['2024-02-29T00:00:00.000', '2024-02-29T23:59:59.999']);
    expect(earlierRange(['2024-03-01T06:00:00.000', '2024-03-01T11:59:59.999'], 1, 'month')).toEqual([
      '2024-02-01T06:00:00.000',
      '2024-02-01T11:59:59.999',
    ]);
  });

  it('is a number of whole weeks earlier if the rows are weeks', () => {
    expect(earlierRange(['2024-03-04', '2024-03-10'], 1, 'year', 'week')).toEqual([
      '2023-03-06T00:00:00.000',
      '2023-03-12T23:59:59.999',
    ]);
    expect(earlierRange(['2024-03-04', '2024-03-10'], 1, 'month', 'week')).toEqual([
      '2024-02-05T00:00:00.000',
      '2024-02-11T23:59:59.999',
    ]);
  });

  it('of a phrase is what the service resolved, and null if it is not known', () => {
    const query = queryOf('day', 'last 7 days');
    const week = comparison(1, 'week', query);
    expect(hasExplicitPeriod(query, week)).toBe(false);
    expect(hasExplicitPeriod(queryOf('day', ['2024-01-01', '2024-01-07']), week)).toBe(true);
    const range = ['2024-03-04T00:00:00.000', '2024-03-10T23:59:59.999'] as const;
    expect(comparisonPeriodQuery(query, week, range, isMeasure)?.timeDimensions?.[0]?.dateRange).toEqual([
      '2024-02-26T00:00:00.000',
      '2024-03-03T23:59:59.999',
    ]);
    expect(comparisonPeriodQuery(query, week, null, isMeasure)).toBeNull();
  });

  it('has all groups, without order, limit and filters on measures', () => {
    const query = queryOf('month', ['2024-01-01', '2024-01-31'], {
      dimensions: ['o.state'],
      order: [['o.count', 'desc']],
      limit: 3,
      offset: 2,
      filters: [
        { member: 'o.count', operator: 'gt', values: ['5'] },
        { member: 'o.state', operator: 'set' },
      ],
    });
    expect(comparisonPeriodQuery(query, comparison(1, 'year', query), null, isMeasure)).toEqual({
      measures: ['o.count'],
      dimensions: ['o.state'],
      timeDimensions: [
        { dimension: 'o.at', granularity: 'month', dateRange: ['2023-01-01T00:00:00.000', '2023-01-31T23:59:59.999'] },
      ],
      filters: [{ member: 'o.state', operator: 'set' }],
      order: [],
      limit: 50_000,
    });
  });

  it('shifts filters on the same time dimension, or is null if that is not possible', () => {
    const of = (...filters: NonNullable<Query['filters']>) => {
      const query = queryOf('month', undefined, { filters });
      return comparisonPeriodQuery(query, comparison(1, 'month', query), null, isMeasure)?.filters;
    };
    const range = { member: 'o.at', operator: 'inDateRange' as const, values: ['2024-03-01', '2024-03-31'] };
    const moved = { ...range, values: ['2024-02-01T00:00:00.000', '2024-02-29T23:59:59.999'] };
    expect(of({ or: [range, { member: 'o.at', operator: 'notSet' }] })).toEqual([
      { or: [moved, { member: 'o.at', operator: 'notSet' }] },
    ]);
    expect(of({ and: [{ member: 'o.at', operator: 'afterDate', values: ['2024-03-05'] }] })).toEqual([
      { and: [{ member: 'o.at', operator: 'afterDate', values: ['2024-02-05'] }] },
    ]);
    expect(of({ ...range, values: ['last month'] })).toBeUndefined();
  });
});

describe('a comparison', () => {
  it('has the earlier value, the absolute change and the relative change', () => {
    const now = rowsOf('month', {
      '2024-01-01': '150',
      '2024-02-01': '90',
      '2024-03-01': '5',
      '2024-04-01': null,
      '2024-05-01': '7',
    });
    const before = rowsOf('month', { '2023-01-01': '100', '2023-02-01': '120', '2023-03-01': '0', '2023-04-01': '4' });
    expect(compared('month', [1, 'year'], now, before)).toEqual([
      ['150', '100', '50', '0.5'],
      ['90', '120', '-30', '-0.25'],
      ['5', '0', '5', null],
      [null, '4', null, null],
      ['7', null, null, null],
    ]);
    expect(compared('month', [1, 'year'], now, null).at(0)).toEqual(['150', null, null, null]);
  });

  it('is relative to the absolute value of a negative value', () => {
    const [now, before] = [rowsOf('month', { '2024-01-01': '-5' }), rowsOf('month', { '2023-01-01': '-10' })];
    expect(compared('month', [1, 'year'], now, before)).toEqual([['-5', '-10', '5', '0.5']]);
  });

  it('finds the same day of the previous month, and none if that month is too short', () => {
    const now = rowsOf('day', { '2024-03-28': '1', '2024-03-29': '2', '2024-03-30': '3', '2024-03-31': '4' });
    const before = rowsOf('day', { '2024-02-28': '10', '2024-02-29': '20', '2024-03-01': '30' });
    expect(compared('day', [1, 'month'], now, before).map(cells => cells[1])).toEqual(['10', '20', null, null]);
    const leap = rowsOf('day', { '2024-02-28': '1', '2024-02-29': '1', '2024-03-01': '1' });
    const year = rowsOf('day', { '2023-02-28': '5', '2023-03-01': '6' });
    expect(compared('day', [1, 'year'], leap, year).map(cells => cells[1])).toEqual(['5', null, '6']);
  });

  it('finds the week that is a number of whole weeks earlier', () => {
    const now = rowsOf('week', { '2024-03-04': '1', '2024-03-11': '2' });
    const before = rowsOf('week', { '2023-03-06': '5', '2023-03-13': '6' });
    expect(compared('week', [1, 'year'], now, before).map(cells => cells[1])).toEqual(['5', '6']);
    const last = rowsOf('week', { '2024-02-26': '7' });
    expect(compared('week', [1, 'week'], now, last).map(cells => cells[1])).toEqual(['7', null]);
  });

  it('compares rows of the same groups, including missing values, but no missing times', () => {
    const columns = [columnOf('o.state', 'string'), columnOf('o.at.year', 'time'), columnOf('o.count', 'number')];
    const of = (state: Cell, year: number | null, count: string): Row => ({
      'o.state': state,
      'o.at.year': year === null ? null : `${year}-01-01T00:00:00.000`,
      'o.count': count,
    });
    const rows = withComparison(
      rowSetOf(columns, [of('CA', 2024, '1'), of(null, 2024, '2'), of('CA', null, '3')]),
      rowSetOf(columns, [of(null, 2023, '20'), of('CA', 2023, '10'), of('CA', null, '30')]),
      comparison(1, 'year', queryOf('year', undefined, { dimensions: ['o.state'] }), ['value']),
      null,
    );
    expect(rows.rows.map(row => row['o.count_1_year_ago'])).toEqual(['10', '20', null]);
  });

  it('compares single values without a time group', () => {
    const query = queryOf(null, ['2024-01-01', '2024-01-31']);
    const columns = [columnOf('o.count', 'number')];
    const rows = withComparison(
      rowSetOf(columns, [{ 'o.count': '3' }]),
      rowSetOf(columns, [{ 'o.count': '2' }]),
      comparison(1, 'month', query),
      null,
    );
    expect(rows.rows).toEqual([
      {
        'o.count': '3',
        'o.count_1_month_ago': '2',
        'o.count_1_month_change': '1',
        'o.count_1_month_change_percent': '0.5',
      },
    ]);
  });

  it('follows its measure, has a localized title and the format of the measure, or percent for relative changes', () => {
    const columns = [
      columnOf('o.count', 'number', { shortTitle: 'Count', format: 'number_1', drillMembers: ['o.id'] }),
      columnOf('o.sum', 'number'),
    ];
    const query = queryOf(null, ['2024-01-01', '2024-01-31']);
    const rows = withComparison(
      rowSetOf(columns, [{ 'o.count': '3', 'o.sum': '1' }]),
      rowSetOf([columnOf('o.count', 'number')], [{ 'o.count': '2000.25' }]),
      comparison(2, 'years', query),
      null,
    );
    expect(rows.columns.map(column => columnTitle(column))).toEqual([
      'Count',
      'Count (2 years ago)',
      'Δ Count (2 years ago)',
      'Δ% Count (2 years ago)',
      'o.sum',
    ]);
    expect(rows.columns.slice(1, 4).map(({ annotation }) => annotation.drillMembers)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const shown = (columnFormats: NonNullable<ReportSnapshot['preferences']>['columnFormats'], locale = 'en') => {
      const table = toTable(rows, { formatter: createFormatter(locale), preferences: { columnFormats } });
      return [
        table.columns[1]?.title,
        ...(table
          .row(0)
          ?.cells.slice(1, 4)
          .map(({ text }) => text) ?? []),
      ];
    };
    expect(shown({})).toEqual(['Count (2 years ago)', '2,000.3', '−1,997.3', '−99.85%']);
    expect(shown({}, 'de')[0]).toBe('Count (vor 2 Jahren)');
    expect(shown({ 'o.count': { type: 'currency', decimalPlaces: 0 } }).slice(1)).toEqual([
      '$2,000',
      '−$1,997',
      '−99.85%',
    ]);
    const own = {
      'o.count_2_year_ago': { type: 'number', decimalPlaces: 0 },
      'o.count_2_year_change_percent': { type: 'percent', decimalPlaces: 0 },
    };
    expect(shown(own).slice(1)).toEqual(['2,000', '−1,997.3', '−100%']);
  });
});

describe('the comparisons of a report', () => {
  const query = queryOf('month');
  const of = (periodComparisons: unknown, columns: Record<string, string> | null = null) =>
    comparisonsOf({ ...snapshot, periodComparisons } as ReportSnapshot, query, columns);
  const one = { measure: 'o.count', timeDimension, offset: { amount: -1, unit: 'year' } };

  it('need one query per period, and contain every column once', () => {
    const found = of([
      { ...one, outputs: ['value'] },
      { ...one, outputs: ['relative change', 'value'] },
      { ...one, offset: { amount: 1, unit: 'month' } },
    ]);
    expect(found.map(({ amount, unit, columns }) => [amount, unit, columns.map(({ output }) => output)])).toEqual([
      [1, 'year', ['value', 'relativeChange']],
      [1, 'month', ['value', 'absoluteChange', 'relativeChange']],
    ]);
  });

  it('accept column names of a SQL report and member names', () => {
    const columns = { m: 'o.at.month', n: 'o.count' };
    expect(of([one], columns)[0]?.columns[0]).toEqual({ name: 'n_1_year_ago', measure: 'n', output: 'value' });
    expect(of([{ ...one, measure: 'n', timeDimension: 'm' }], columns)[0]?.dimension).toBe('o.at');
    expect(comparisonColumnName('n', { amount: -3, unit: 'months' }, 'relativeChange')).toBe(
      'n_3_month_change_percent',
    );
  });

  it('omit invalid comparisons and existing column names', () => {
    const offset = (amount: unknown, unit: unknown) => ({ ...one, offset: { amount, unit } });
    const bad = [
      null,
      {},
      { ...one, measure: 'o.gone' },
      { ...one, timeDimension: 'o.other' },
      offset(0, 'year'),
      offset(1e9, 'year'),
      offset(1, 'eon'),
      offset('x', 7),
      { ...one, offset: null },
    ];
    expect(of(bad)).toEqual([]);
    for (const none of [null, 'x', {}]) expect(of(none)).toEqual([]);
    const taken = of([{ ...one, outputs: ['value'] }], { m: 'o.at.month', n: 'o.count', n_1_year_ago: 'o.count' });
    expect(taken[0]?.columns).toEqual([]);
  });
});
