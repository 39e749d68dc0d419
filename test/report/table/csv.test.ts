import { describe, expect, it } from 'vitest';
import type { Column, RowSet } from '../../../src/contract/row-set.js';
import { createFormatter } from '../../../src/report/format/format.js';
import { groupKey } from '../../../src/report/query/report-data.js';
import { tableToCsv, toCsv } from '../../../src/report/table/csv.js';
import { reportTable } from '../../../src/report/table/report-table.js';
import { columnOf, rowSetOf } from '../fixtures.js';

const column = (member: string, type: string): Column => ({
  member,
  kind: type === 'number' ? 'measure' : 'dimension',
  annotation: { title: `Flights ${member}`, shortTitle: member, type },
});
const rowSet = (rows: RowSet['rows']): RowSet => ({
  columns: [column('city', 'string'), column('delay', 'number')],
  rows,
  truncated: false,
  lastRefreshTime: null,
});

describe('toCsv', () => {
  it('writes titles and unformatted values', () => {
    expect(toCsv(rowSet([{ city: 'Atlanta', delay: '-1.50' }]))).toBe('city,delay\r\nAtlanta,-1.50\r\n');
  });

  it('quotes commas, quotes and line breaks, and writes nothing for null', () => {
    expect(toCsv(rowSet([{ city: 'A "b", c\nd', delay: null }]))).toBe('city,delay\r\n"A ""b"", c\nd",\r\n');
  });

  it.each(['=1+1', '+1', '-cmd', '@SUM(A1)', '\tx'])('prevents %j from being interpreted as a formula', text => {
    const [, line] = toCsv(rowSet([{ city: text, delay: '1' }])).split('\r\n');
    expect(line).toBe(`'${text},1`);
  });

  it('does not treat text in a numeric column as a number', () => {
    expect(toCsv(rowSet([{ city: 'x', delay: '=2' }]))).toContain("x,'=2");
  });
});

describe('tableToCsv', () => {
  const columns = [columnOf('state', 'string'), columnOf('year', 'string'), columnOf('n', 'number')];
  const rows = [
    { state: 'CA', year: '2023', n: '1234.50' },
    { state: 'CA', year: '=2024', n: '-2' },
    { state: null, year: '2023', n: '=1' },
  ];
  const presentation = { formatter: createFormatter('en'), totalTitle: 'Total' };
  const table = (pivotItems: object) => {
    const totals = new Map([
      [groupKey(['state']), rowSetOf(columns, [{ state: 'CA', n: '1232.50' }])],
      [groupKey(['year']), rowSetOf(columns, [{ year: '2023', n: '1235.5' }])],
      [groupKey([]), rowSetOf(columns, [{ n: '1233.5' }])],
    ]);
    const items = { rows: ['state'], columns: ['year'], measures: [], filters: [], ...pivotItems };
    const snapshot = { id: 1, reportId: 1, versionNumber: 1, kind: 'table' as const, spec: { pivotItems: items } };
    return tableToCsv(reportTable({ rowSet: rowSetOf(columns, rows), totals }, snapshot, presentation));
  };

  it('writes a pivot with its totals: unformatted values, no formulas', () => {
    expect(table({ showRowTotals: true, showColumnTotals: true }).split('\r\n')).toEqual([
      'state,n / =2024,n / 2023,n / Total',
      'CA,-2,1234.50,1232.50',
      ",,'=1,",
      'Total,,1235.5,1233.5',
      '',
    ]);
  });

  it('names the measure in every line if measures are in rows', () => {
    expect(table({ measuresAxis: 'rows' }).split('\r\n').slice(0, 2)).toEqual([
      "state,,'=2024,2023",
      'CA,n,-2,1234.50',
    ]);
  });
});
