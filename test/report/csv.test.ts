import { describe, expect, it } from 'vitest';
import type { Column, RowSet } from '../../src/contract/row-set.js';
import { toCsv } from '../../src/report/csv.js';

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
  it('writes titles and values as they came', () => {
    expect(toCsv(rowSet([{ city: 'Atlanta', delay: '-1.50' }]))).toBe('city,delay\r\nAtlanta,-1.50\r\n');
  });

  it('quotes commas, quotes and line breaks, and leaves nothing for null', () => {
    expect(toCsv(rowSet([{ city: 'A "b", c\nd', delay: null }]))).toBe('city,delay\r\n"A ""b"", c\nd",\r\n');
  });

  it.each(['=1+1', '+1', '-cmd', '@SUM(A1)', '\tx'])('keeps %j from being run as a formula', text => {
    const [, line] = toCsv(rowSet([{ city: text, delay: '1' }])).split('\r\n');
    expect(line).toBe(`'${text},1`);
  });

  it('does not take a text for a number because its column is one', () => {
    expect(toCsv(rowSet([{ city: 'x', delay: '=2' }]))).toContain("x,'=2");
  });
});
