import { expect } from '@open-wc/testing';
import { columnWidths } from '../../../src/elements/parts/table/columns.js';
import { createFormatter } from '../../../src/report/format.js';
import { type Table, toTable } from '../../../src/report/table.js';
import { plainLook } from '../../../src/report/table-look.js';

const table = (align: 'start' | 'end', title: string, texts: readonly string[]): Table => {
  const kind = align === 'end' ? 'figure' : 'text';
  return {
    ...emptyTable,
    columns: [{ member: 'a.b', title, align, kind, look: plainLook }],
    rowCount: texts.length,
    row: index => ({
      kind: 'body',
      cells: [{ text: texts[index] ?? '', value: texts[index] ?? '', kind, repeats: false, address: null }],
    }),
  };
};
const emptyTable = toTable(
  { columns: [], rows: [], truncated: false, lastRefreshTime: null },
  { formatter: createFormatter('en') },
);
const texts = [...Array.from({ length: 19 }, () => 'ten digits'), 'a text that is much longer than all of the others'];

describe('the width of a column', () => {
  it('has room for nearly all of its texts, and cuts the odd long one', () => {
    expect(columnWidths(table('start', 'City', texts))).to.deep.equal([10]);
  });

  it('cuts no figure', () => {
    expect(columnWidths(table('end', 'Sum', ['1', '2', '3', '1,234,567.89']))).to.deep.equal([12]);
  });

  it('lets a long heading take two lines', () => {
    expect(columnWidths(table('end', 'Average delay (minutes)', ['1']))).to.deep.equal([11]);
  });

  it('is never nothing, and has an end', () => {
    expect(columnWidths(table('start', '', []))).to.deep.equal([6]);
    expect(columnWidths(table('start', 'Text', ['x'.repeat(500)]))).to.deep.equal([40]);
  });
});
