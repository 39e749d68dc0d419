import { describe, expect, it } from 'vitest';
import { chartFacts } from '../../src/charts/summary.js';
import { createFormatter } from '../../src/report/format.js';
import { columnOf, rowSetOf } from '../report/fixtures.js';

const presentation = { formatter: createFormatter('en') };
const month = columnOf('orders.created.month', 'time', {
  shortTitle: 'Month',
  granularity: { name: 'month', title: 'Month' },
});
const status = columnOf('orders.status', 'string', { shortTitle: 'Status' });
const total = columnOf('orders.total', 'number', { shortTitle: 'Total' });

describe('chartFacts', () => {
  it('tells ranges by value, not by text', () => {
    const rows = [
      { 'orders.created.month': '2001-12-01', 'orders.total': '9' },
      { 'orders.created.month': '2001-01-01', 'orders.total': '10' },
      { 'orders.created.month': '2001-06-01', 'orders.total': null },
    ];
    expect(chartFacts(3, rowSetOf([month, total], rows), presentation)).toEqual({
      marks: 3,
      columns: [
        { kind: 'range', title: 'Month', from: '2001 Jan', to: '2001 Dec' },
        { kind: 'range', title: 'Total', from: '9', to: '10' },
      ],
    });
  });

  it('counts the values of other columns and skips empty ones', () => {
    const rows = [{ 'orders.status': 'a' }, { 'orders.status': 'b' }, { 'orders.status': 'a' }];
    expect(chartFacts(2, rowSetOf([status, total], rows), presentation).columns).toEqual([
      { kind: 'values', title: 'Status', count: 2 },
    ]);
    expect(chartFacts(0, rowSetOf([status], []), presentation)).toEqual({ marks: 0, columns: [] });
  });
});
