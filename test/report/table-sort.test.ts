import { describe, expect, it } from 'vitest';
import type { Cell } from '../../src/contract/data.js';
import { createFormatter } from '../../src/report/format.js';
import { toTable } from '../../src/report/table.js';
import { sortTable } from '../../src/report/table-sort.js';
import { columnOf, rowSetOf } from './fixtures.js';

const formatter = createFormatter('en');

function sorted(values: readonly Cell[], { descending = false, total = false } = {}): Cell[] {
  const rows = values.map((value, place) => ({ value, place }));
  const columns = [columnOf('value', 'number'), columnOf('place', 'number')];
  const table = toTable(rowSetOf(columns, rows), { formatter }, undefined, total ? { value: '0' } : null);
  const view = sortTable(table, { column: 0, descending }, 'en');
  return Array.from({ length: view.rowCount }, (_, row) => view.value(row, 0));
}

describe('sortTable', () => {
  it('sorts numbers as numbers, whether they are text or not', () => {
    expect(sorted(['10', 9, '-1', '1e3', '2.5'])).toEqual(['-1', '2.5', 9, '10', '1e3']);
    expect(sorted(['9007199254740993', '9007199254740992'])).toEqual(['9007199254740992', '9007199254740993']);
  });

  it('sorts text as the language has it, behind numbers', () => {
    expect(sorted(['b', 'Ä', 'a', 'C', '3'])).toEqual(['3', 'a', 'Ä', 'b', 'C']);
  });

  it('leaves what is missing at the end either way', () => {
    expect(sorted([null, '2', null, '1'])).toEqual(['1', '2', null, null]);
    expect(sorted([null, '2', null, '1'], { descending: true })).toEqual(['2', '1', null, null]);
  });

  it('leaves totals where they are', () => {
    expect(sorted(['1', '2'], { descending: true, total: true })).toEqual(['2', '1', '0']);
  });

  it('keeps equal rows as they were', () => {
    const rows = ['1', '0', '1', '0'].map((value, place) => ({ value, place }));
    const columns = [columnOf('value', 'number'), columnOf('place', 'number')];
    const table = toTable(rowSetOf(columns, rows), { formatter });
    const places = (descending: boolean) => {
      const view = sortTable(table, { column: 0, descending }, 'en');
      return [0, 1, 2, 3].map(row => view.value(row, 1));
    };
    expect(places(false)).toEqual([1, 3, 0, 2]);
    expect(places(true)).toEqual([0, 2, 1, 3]);
    expect(sortTable(table, { column: 7, descending: true }, 'en')).toBe(table);
    expect(sortTable(table, null, 'en')).toBe(table);
  });
});
