import { describe, expect, it, vi } from 'vitest';
import type { MemberFormat } from '../../../src/contract/data.js';
import { createFormatter } from '../../../src/report/format/format.js';
import { toTable } from '../../../src/report/table/table.js';
import { readTableSettings } from '../../../src/report/table/table-settings.js';
import { columnOf, rowSetOf } from '../fixtures.js';

const formatter = createFormatter('en');
const columns = [columnOf('orders.status', 'string'), columnOf('orders.total', 'number')];
const texts = (table: ReturnType<typeof toTable>, row: number) => table.row(row)?.cells.map(({ text }) => text);
const lookOf = (spec: object | string) =>
  readTableSettings({ id: 1, reportId: 1, versionNumber: 1, spec: spec as string });

describe('toTable', () => {
  it('keeps the order of the query and aligns numbers to the end', () => {
    const table = toTable(rowSetOf(columns, []), { formatter });
    expect(table.columns).toMatchObject([
      { member: 'orders.status', title: 'orders.status', align: 'start', kind: 'text' },
      { member: 'orders.total', title: 'orders.total', align: 'end', kind: 'figure' },
    ]);
    expect(table.rowCount).toBe(0);
  });

  it('names weekdays and months if the model states which number is which, unless the report has a format', () => {
    const weekday = { ...columnOf('orders.weekday', 'number', { meta: { sunday: 7 } }), kind: 'dimension' as const };
    const month = { ...columnOf('orders.month', 'number', { meta: { january: 1 } }), kind: 'dimension' as const };
    const plain = { ...columnOf('orders.number', 'number'), kind: 'dimension' as const };
    const rows = [{ 'orders.weekday': '1', 'orders.month': '12', 'orders.number': '1' }];
    const table = toTable(rowSetOf([weekday, month, plain], rows), { formatter: createFormatter('de') });
    expect(texts(table, 0)).toEqual(['Montag', 'Dezember', '1']);
    expect(table.columns.map(({ align }) => align)).toEqual(['start', 'start', 'end']);
    expect(table.value(0, 0)).toBe('1');
    const preferences = { columnFormats: { 'orders.weekday': { type: 'number', decimalPlaces: 0 } } };
    expect(texts(toTable(rowSetOf([weekday], rows), { formatter, preferences }), 0)).toEqual(['1']);
    expect(texts(toTable(rowSetOf([weekday], [{ 'orders.weekday': '9' }]), { formatter }), 0)).toEqual(['9']);
  });

  it('formats by the model and by the report', () => {
    const rows = [{ 'orders.status': 'new', 'orders.total': '1234.5' }];
    expect(texts(toTable(rowSetOf(columns, rows), { formatter }), 0)).toEqual(['new', '1,234.5']);
    const preferences = { columnFormats: { 'orders.total': { type: 'currency', decimalPlaces: 2 } } };
    expect(texts(toTable(rowSetOf(columns, rows), { formatter, preferences }), 0)).toEqual(['new', '$1,234.50']);
  });

  it.each<[MemberFormat | undefined, readonly (string | number | null)[], readonly string[]]>([
    ['number_1', ['6.21', 7, '14.8'], ['6.2', '7.0', '14.8']],
    ['percent_1', ['0.8', '0.753', null], ['80.0%', '75.3%', '∅']],
    [undefined, ['1234', '2.5', '1e3'], ['1,234.0', '2.5', '1,000.0']],
    [undefined, ['1234', 2, '3'], ['1,234', '2', '3']],
    [{ type: 'custom-numeric', value: ',.1~f', alias: 'number_1' }, ['6.2', '7'], ['6.2', '7.0']],
    [{ type: 'custom-numeric', value: ',.1~f' }, ['6.2', '7'], ['6.2', '7']],
    ['abbr', ['1200', '3'], ['1.2k', '3']],
  ])(
    'aligns the decimals of a column of format %j, unless the model contains the specifier',
    (format, values, said) => {
      const rows = values.map(value => ({ 'orders.total': value }));
      const table = toTable(rowSetOf([columnOf('orders.total', 'number', { format })], rows), { formatter });
      expect(rows.map((_, index) => texts(table, index)?.[0])).toEqual(said);
    },
  );

  it('aligns the decimals of a total with those of its column', () => {
    const look = lookOf({ showTotals: true });
    const rows = rowSetOf([columnOf('orders.total', 'number')], [{ 'orders.total': '7' }]);
    const table = toTable(rows, { formatter }, look, { 'orders.total': '6.25' });
    expect([0, 1].map(index => texts(table, index)?.[0])).toEqual(['7.00', '6.25']);
  });

  it('shows a missing value as such, and no row beyond the last', () => {
    const table = toTable(rowSetOf(columns, [{ 'orders.status': null }]), { formatter });
    expect(texts(table, 0)).toEqual(['∅', '∅']);
    expect(table.row(1)).toBeNull();
    expect(table.row(-1)).toBeNull();
  });

  it('formats a row on demand', () => {
    const print = vi.fn(String);
    const lazy = { ...formatter, column: () => print };
    const rows = Array.from({ length: 1000 }, () => ({ 'orders.total': '1' }));
    const table = toTable(rowSetOf([columnOf('orders.total', 'number')], rows), { formatter: lazy });
    expect(print).not.toHaveBeenCalled();
    table.row(500);
    expect(print).toHaveBeenCalledTimes(1);
  });

  it('orders, titles, aligns and hides columns as the report specifies', () => {
    const look = lookOf({
      order: ['orders.total', 'gone'],
      columns: { 'orders.total': { title: 'Sum', align: 'center' }, 'orders.note': { hidden: true } },
    });
    const all = [...columns, columnOf('orders.note', 'string')];
    expect(toTable(rowSetOf(all, []), { formatter }, look).columns).toMatchObject([
      { title: 'Sum', align: 'center' },
      { title: 'orders.status', align: 'start' },
    ]);
  });

  it('reads its appearance from JSON text, and ignores invalid settings', () => {
    expect(lookOf('{"columns": {"a": {"hidden": true}}}').columns.get('a')?.hidden).toBe(true);
    for (const spec of ['{', '[]', { columns: [], order: { a: 1 }, showTotals: 'yes' }, { columns: { a: 7 } }]) {
      expect(lookOf(spec)).toMatchObject({ order: [], showTotals: false });
    }
    const hostile = lookOf(JSON.parse('{"columns": {"__proto__": {"title": 7}, "constructor": {"align": "up"}}}'));
    expect([...hostile.columns.keys()]).toEqual(['__proto__', 'constructor']);
    expect(hostile.columns.get('__proto__')).toMatchObject({ title: null, align: null });
  });

  it('shows totals below the rows for numbers with a total', () => {
    const rows = [{ 'orders.status': 'new', 'orders.total': '2', 'orders.rate': '1' }];
    const all = [...columns, columnOf('orders.rate', 'number')];
    const total = { 'orders.total': '1234' };
    const table = toTable(rowSetOf(all, rows), { formatter, totalTitle: 'Total' }, undefined, total);
    expect([table.rowCount, table.totalCount]).toEqual([2, 1]);
    expect(table.row(1)).toMatchObject({ kind: 'total' });
    expect(texts(table, 1)).toEqual(['Total', '1,234', '']);
    expect(table.mark(1, 1)).toBeNull();
    expect(table.row(2)).toBeNull();
  });

  it('returns the mark of a cell', () => {
    const rows = [{ 'orders.status': null, 'orders.total': '2' }];
    const table = toTable(rowSetOf(columns, rows), { formatter });
    expect(table.mark(0, 1)).toEqual({ values: { 'orders.status': null }, measure: 'orders.total' });
    expect(table.mark(0, 0)).toEqual({ values: { 'orders.status': null }, measure: null });
    expect(table.mark(1, 0)).toBeNull();
  });

  it('reads the URL of a link from its column', () => {
    const look = lookOf({ columns: { 'orders.status': { display: 'link', url: 'orders.url' } } });
    const rows = [{ 'orders.status': 'new', 'orders.url': 'https://shop.example/1' }];
    const all = [columnOf('orders.status', 'string'), columnOf('orders.url', 'string')];
    const cells = toTable(rowSetOf(all, rows), { formatter }, look).row(0)?.cells;
    expect(cells?.[0]).toMatchObject({ text: 'new', address: 'https://shop.example/1' });
  });
});
