import { describe, expect, it, vi } from 'vitest';
import { createFormatter } from '../../src/report/format.js';
import { toTable } from '../../src/report/table.js';
import { columnOf, rowSetOf } from './fixtures.js';

const formatter = createFormatter('en');
const columns = [columnOf('orders.status', 'string'), columnOf('orders.total', 'number')];

describe('toTable', () => {
  it('keeps the order of the query and sets figures at the end', () => {
    const table = toTable(rowSetOf(columns, []), { formatter });
    expect(table.columns).toEqual([
      { member: 'orders.status', title: 'orders.status', align: 'start' },
      { member: 'orders.total', title: 'orders.total', align: 'end' },
    ]);
    expect(table.rowCount).toBe(0);
  });

  it('formats by the model and by the report', () => {
    const rows = [{ 'orders.status': 'new', 'orders.total': '1234.5' }];
    expect(toTable(rowSetOf(columns, rows), { formatter }).row(0)).toEqual(['new', '1,234.5']);
    const preferences = { columnFormats: { 'orders.total': { type: 'currency', decimalPlaces: 2 } } };
    expect(toTable(rowSetOf(columns, rows), { formatter, preferences }).row(0)).toEqual(['new', '$1,234.50']);
  });

  it('shows a missing value as such, and no row beyond the last', () => {
    const table = toTable(rowSetOf(columns, [{ 'orders.status': null }]), { formatter });
    expect(table.row(0)).toEqual(['∅', '∅']);
    expect(table.row(1)).toEqual([]);
    expect(table.row(-1)).toEqual([]);
  });

  it('formats a row when it is asked for and not before', () => {
    const print = vi.fn(String);
    const lazy = { ...formatter, column: () => print };
    const rows = Array.from({ length: 1000 }, () => ({ 'orders.total': '1' }));
    const table = toTable(rowSetOf([columnOf('orders.total', 'number')], rows), { formatter: lazy });
    expect(print).not.toHaveBeenCalled();
    table.row(500);
    expect(print).toHaveBeenCalledTimes(1);
  });
});
