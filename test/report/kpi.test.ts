import { describe, expect, it } from 'vitest';
import { createFormatter } from '../../src/report/format.js';
import { toKpi } from '../../src/report/kpi.js';
import { columnOf, rowSetOf } from './fixtures.js';

const formatter = createFormatter('en');
const total = columnOf('orders.total', 'number', { format: 'currency', shortTitle: 'Total' });

describe('toKpi', () => {
  it('shows the first measure of the first row', () => {
    const rows = rowSetOf(
      [columnOf('orders.status', 'string'), total],
      [{ 'orders.status': 'new', 'orders.total': '1234.5' }],
    );
    expect(toKpi(rows, { formatter })).toEqual({ label: 'Total', text: '$1,234.5', value: 1234.5 });
  });

  it('lets the report override the format', () => {
    const preferences = { columnFormats: { 'orders.total': { type: 'number', decimalPlaces: 0 } } };
    const rows = rowSetOf([total], [{ 'orders.total': '1234.5' }]);
    expect(toKpi(rows, { formatter, preferences }).text).toBe('1,235');
  });

  it('falls back to the first column where there is no measure', () => {
    const rows = rowSetOf([columnOf('orders.status', 'string')], [{ 'orders.status': 'new' }]);
    expect(toKpi(rows, { formatter })).toEqual({ label: 'orders.status', text: 'new', value: null });
  });

  it('says that there is no figure', () => {
    expect(toKpi(rowSetOf([total], []), { formatter })).toEqual({ label: 'Total', text: '∅', value: null });
    expect(toKpi(rowSetOf([total], [{ 'orders.total': null }]), { formatter }).value).toBeNull();
    expect(toKpi(rowSetOf([], []), { formatter })).toEqual({ label: '', text: '∅', value: null });
  });
});
