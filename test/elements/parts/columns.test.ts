import { expect } from '@open-wc/testing';
import { columnWidths } from '../../../src/elements/parts/table/columns.js';

const table = (align: 'start' | 'end', title: string, texts: readonly string[]) => ({
  columns: [{ member: 'a.b', title, align }],
  rowCount: texts.length,
  row: (index: number) => [texts[index] ?? ''],
});
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
