import { describe, expect, it } from 'vitest';
import type { FillMissingRows } from '../../../src/contract/dashboards.js';
import type { Row } from '../../../src/contract/data.js';
import type { Column, RowSet } from '../../../src/contract/row-set.js';
import { fillingOf, fillMissing, maxFilledRows } from '../../../src/report/query/fill-missing.js';
import { columnOf, rowSetOf } from '../fixtures.js';

const month = columnOf('o.at.month', 'time', { granularity: { name: 'month', title: 'month' } });
const columns = [columnOf('o.state', 'string'), month, columnOf('o.count', 'number'), columnOf('o.rate', 'number')];
const at = (text: string) => `${text}T00:00:00.000`;
const row = (state: string | null, day: string, count: string): Row => ({
  'o.state': state,
  'o.at.month': at(day),
  'o.count': count,
  'o.rate': '0.5',
});
const nothing = ({ member }: Column) => (member === 'o.count' ? '0' : null);

function filled(
  rowSet: RowSet,
  fillMissingRows: typeof FillMissingRows._zod.output,
  keyOf = (name: string) => name,
): RowSet {
  const filling = fillingOf({ id: 1, reportId: 1, versionNumber: 1, fillMissingRows }, rowSet, { keyOf, nothing });
  return filling ? fillMissing(rowSet, filling) : rowSet;
}

const cells = ({ rows }: RowSet) =>
  rows.map(one => Object.values(one).map(cell => String(cell).replace('T00:00:00.000', '')));
const ranged = (rowSet: RowSet, from: string, to: string): RowSet => ({
  ...rowSet,
  dateRanges: new Map([['o.at', [from, to] as const]]),
});

describe('missing rows', () => {
  it('are filled from the first to the last bucket for each combination', () => {
    const rowSet = rowSetOf(columns, [row('CA', '2023-12-01', '1'), row('TX', '2024-02-01', '2')]);
    expect(cells(filled(rowSet, { member: 'o.at.month' }))).toEqual([
      ['CA', '2023-12-01', '1', '0.5'],
      ['TX', '2023-12-01', '0', 'null'],
      ['CA', '2024-01-01', '0', 'null'],
      ['TX', '2024-01-01', '0', 'null'],
      ['CA', '2024-02-01', '0', 'null'],
      ['TX', '2024-02-01', '2', '0.5'],
    ]);
  });

  it('are filled over the whole date range, including the buckets at its ends', () => {
    const one = ranged(
      rowSetOf([month, columns[2] ?? month], [{ 'o.at.month': at('2024-02-01'), 'o.count': '2' }]),
      '2023-12-15T00:00:00.000',
      '2024-03-01T23:59:59.999',
    );
    expect(cells(filled(one, { member: 'o.at' }))).toEqual([
      ['2023-12-01', '0'],
      ['2024-01-01', '0'],
      ['2024-02-01', '2'],
      ['2024-03-01', '0'],
    ]);
    expect(cells(filled({ ...one, rows: [] }, { member: 'o.at' })).map(([day]) => day)).toEqual([
      '2023-12-01',
      '2024-01-01',
      '2024-02-01',
      '2024-03-01',
    ]);
  });

  it('start weeks on Monday, or continue from a bucket in the data', () => {
    const week = columnOf('o.at.week', 'time');
    const range = ['2024-02-28T00:00:00.000', '2024-03-05T23:59:59.999'] as const;
    expect(cells(filled(ranged(rowSetOf([week], []), ...range), { member: 'o.at.week' }))).toEqual([
      ['2024-02-26'],
      ['2024-03-04'],
    ]);
    const sunday = rowSetOf([week], [{ 'o.at.week': at('2024-03-03') }]);
    expect(cells(filled(ranged(sunday, ...range), { member: 'o.at.week' }))).toEqual([['2024-02-25'], ['2024-03-03']]);
  });

  it('are inserted between rows in descending order', () => {
    const rowSet = rowSetOf(columns, [row('CA', '2024-03-01', '1'), row('CA', '2024-01-01', '2')]);
    expect(cells(filled(rowSet, { member: 'o.at.month' })).map(([, day]) => day)).toEqual([
      '2024-03-01',
      '2024-02-01',
      '2024-01-01',
    ]);
  });

  it('keep the rows of a combination together', () => {
    const rowSet = rowSetOf(columns, [
      row('TX', '2024-01-01', '1'),
      row('TX', '2024-02-01', '1'),
      row('CA', '2024-01-01', '2'),
    ]);
    expect(cells(filled(rowSet, { member: 'o.at.month' })).map(([state, day]) => `${state} ${day}`)).toEqual([
      'TX 2024-01-01',
      'TX 2024-02-01',
      'CA 2024-01-01',
      'CA 2024-02-01',
    ]);
  });

  it('of another member are missing combinations, including missing values', () => {
    const rowSet = rowSetOf(columns, [row('CA', '2024-01-01', '1'), row(null, '2024-02-01', '2')]);
    expect(cells(filled(rowSet, { member: 'o.state' }))).toEqual([
      ['CA', '2024-01-01', '1', '0.5'],
      ['null', '2024-02-01', '2', '0.5'],
      ['null', '2024-01-01', '0', 'null'],
      ['CA', '2024-02-01', '0', 'null'],
    ]);
  });

  it('do not combine excluded dimensions, which have the common value of their combination', () => {
    const all = [
      ...columns.slice(0, 1),
      columnOf('o.name', 'string'),
      columnOf('o.city', 'string'),
      ...columns.slice(1, 3),
    ];
    const of = (state: string, name: string, city: string, day: string): Row => ({
      'o.state': state,
      'o.name': name,
      'o.city': city,
      'o.at.month': at(day),
      'o.count': '1',
    });
    const rowSet = rowSetOf(all, [
      of('CA', 'California', 'LA', '2024-01-01'),
      of('CA', 'California', 'SF', '2024-03-01'),
    ]);
    const excludedDimensions = ['o.name', 'o.city'];
    expect(cells(filled(rowSet, { member: 'o.at.month', excludedDimensions }))).toEqual([
      ['CA', 'California', 'LA', '2024-01-01', '1'],
      ['CA', 'California', 'null', '2024-02-01', '0'],
      ['CA', 'California', 'SF', '2024-03-01', '1'],
    ]);
  });

  it('support the column names of a SQL report', () => {
    const named = rowSetOf([{ ...month, member: 'm' }], [{ m: at('2024-01-01') }, { m: at('2024-03-01') }]);
    expect(filled(named, { member: 'o.at' }, () => 'o.at.month').rows).toHaveLength(3);
    expect(filled(named, { member: 'm' }, () => 'o.at.month').rows).toHaveLength(3);
  });

  it('are not filled if there would be too many', () => {
    const second = columnOf('o.at.second', 'time');
    const rowSet = rowSetOf([second], [{ 'o.at.second': at('2024-01-01') }, { 'o.at.second': at('2024-01-02') }]);
    expect(filled(rowSet, { member: 'o.at.second' })).toBe(rowSet);
    const far = rowSetOf([second], [{ 'o.at.second': at('0001-01-01') }, { 'o.at.second': at('9999-01-01') }]);
    expect(filled(far, { member: 'o.at.second' })).toBe(far);
    expect(maxFilledRows).toBe(50_000);
  });

  it('ignore invalid settings', () => {
    const rowSet = rowSetOf(columns, [row('CA', '2024-01-01', '1')]);
    for (const member of ['gone', 'o.count', '__proto__', '']) expect(filled(rowSet, { member })).toBe(rowSet);
    const odd = rowSetOf(columns, [row('CA', 'not a time', '1')]);
    expect(filled(odd, { member: 'o.at.month' })).toBe(odd);
  });
});
