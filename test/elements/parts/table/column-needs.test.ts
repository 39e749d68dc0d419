import { expect } from '@open-wc/testing';
import { createFormatter } from '../../../../src/report/format/format.js';
import { columnNeeds } from '../../../../src/report/table/column-needs.js';
import { type Table, toTable } from '../../../../src/report/table/table.js';
import { defaultColumnSettings } from '../../../../src/report/table/table-settings.js';

const table = (align: 'start' | 'end', title: string, texts: readonly string[]): Table => {
  const kind = align === 'end' ? 'figure' : 'text';
  return {
    ...emptyTable,
    columns: [{ member: 'a.b', title, align, kind, settings: defaultColumnSettings }],
    rowCount: texts.length,
    value: row => texts[row] ?? null,
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
const cellsOf = (of: Table): (string | undefined)[] =>
  columnNeeds(of).map(({ cells }) => cells.find(({ style }) => style === 'body')?.text);

describe('column needs', () => {
  it('fit most values, but not rare long ones', () => {
    expect(cellsOf(table('start', 'City', texts))).to.deep.equal(['ten digits']);
    expect(cellsOf(table('start', 'Text', ['x'.repeat(500)]))).to.deep.equal(['x'.repeat(40)]);
  });

  it('fit all short values if there is space, and most values otherwise', () => {
    const cities = [...Array.from({ length: 19 }, () => 'Denver'), 'Dallas-Fort Worth', 'x'.repeat(30)];
    expect(cellsOf(table('start', 'City', cities))).to.deep.equal(['Dallas-Fort Worth']);
    const [need] = columnNeeds(table('start', 'City', cities));
    expect(need?.compactCell.text).to.equal('Denver');
  });

  it('fit all figures, including the longest of many thousands', () => {
    expect(cellsOf(table('end', 'Sum', ['1', '2', '3', '1,234,567.89']))).to.deep.equal(['1,234,567.89']);
    const far = Array.from({ length: 5_000 }, (_, index) => (index === 4_321 ? '-123456.5' : '7'));
    expect(cellsOf(table('end', 'Sum', far))).to.deep.equal(['-123456.5']);
  });

  it('fit the longest word of the heading', () => {
    expect(columnNeeds(table('end', 'Average delay (minutes)', ['1']))[0]?.word.text).to.equal('(minutes)');
    expect(columnNeeds(table('start', '', []))[0]?.word.text).to.equal('');
  });
});
