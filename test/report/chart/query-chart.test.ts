import { describe, expect, it } from 'vitest';
import type { Column } from '../../../src/contract/row-set.js';
import { queryChart, queryTitle } from '../../../src/report/chart/query-chart.js';
import { columnOf, rowSetOf } from '../fixtures.js';

const month = columnOf('o.at.month', 'time', { granularity: { name: 'month', title: 'Month' } });
const status = columnOf('o.status', 'string');
const city = columnOf('o.city', 'string');
const total = columnOf('o.total', 'number');
const rowsOf = (columns: readonly Column[], count: number) =>
  rowSetOf(
    columns,
    Array.from({ length: count }, (_, index) =>
      Object.fromEntries(columns.map(({ member }) => [member, member === 'o.status' ? `s${index % 7}` : `${index}`])),
    ),
  );

describe('queryChart', () => {
  it('draws a line over time, with a color per series', () => {
    expect(queryChart(rowsOf([status, month, total], 14))).toMatchObject({
      mark: { type: 'line', point: true },
      encoding: {
        x: { field: 'o\\.at\\.month', type: 'temporal' },
        y: { field: 'o\\.total', type: 'quantitative' },
        color: { field: 'o\\.status', type: 'nominal' },
      },
    });
    expect(queryChart(rowsOf([month, total], 61))).toMatchObject({ mark: { type: 'line', point: false } });
  });

  it('draws horizontal bars in row order', () => {
    expect(queryChart(rowsOf([city, total], 40))).toMatchObject({
      mark: 'bar',
      encoding: { x: { field: 'o\\.total' }, y: { field: 'o\\.city', type: 'nominal', sort: null } },
    });
  });

  it.each([
    ['no rows', [month, total], 0],
    ['no measure', [month, status], 3],
    ['no group', [total], 1],
    ['too many bars', [city, total], 41],
    ['too many series', [city, month, total], 8],
    ['three groups', [city, status, month, total], 3],
  ])('returns null for a result with %s', (_, columns, count) => {
    expect(queryChart(rowsOf(columns, count))).toBeNull();
  });
});

it('names measures and groups; only the first measure if there is a chart', () => {
  const count = columnOf('o.count', 'number');
  const result = rowsOf([status, month, total, count], 1);
  expect(queryTitle(result, null)).toBe('o.total, o.count by o.status, o.at.month (month)');
  expect(queryTitle(result, { mark: 'line' })).toBe('o.total by o.status, o.at.month (month)');
  expect(queryTitle(rowsOf([total], 1), null)).toBe('o.total');
});
