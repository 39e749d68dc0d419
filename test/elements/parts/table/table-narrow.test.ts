import { expect } from '@open-wc/testing';
import type { PaTileTable } from '../../../../src/elements/parts/table/table-element.js';
import { groupKey } from '../../../../src/report/query/report-data.js';
import { columnOf, rowSetOf } from '../../../report/fixtures.js';
import { eventually } from '../../eventually.js';
import { cellOf, click, gridOf, press, renderedTexts, renderTable, settle, tableSnapshot } from './table-fixture.js';

const airports = rowSetOf(
  [
    columnOf('o.code', 'string', { shortTitle: 'Code' }),
    columnOf('o.city', 'string', { shortTitle: 'City' }),
    columnOf('o.state', 'string', { shortTitle: 'State' }),
    columnOf('o.note', 'string', { shortTitle: 'Remarks of the airport' }),
    columnOf('o.flights', 'number', { shortTitle: 'Flights' }),
    columnOf('o.delay', 'number', { shortTitle: 'Average delay (minutes)' }),
  ],
  Array.from({ length: 12 }, (_, row) => ({
    'o.code': `A${row}`,
    'o.city': 'Dallas-Fort Worth and more',
    'o.state': 'Massachusetts',
    'o.note': 'One word after another, none of them short',
    'o.flights': String(1_234_567 - row),
    'o.delay': '12.5',
  })),
);
const boxOf = (element: PaTileTable): Element => element.renderRoot.querySelector('.box') ?? element;
const scrollerOf = (element: PaTileTable): Element => element.renderRoot.querySelector('.scroller') ?? element;
const rect = (element: Element): DOMRect => element.getBoundingClientRect();
const truncatedFigures = (element: PaTileTable): (string | null)[] =>
  [...element.renderRoot.querySelectorAll('td.end')]
    .filter(cell => cell.scrollWidth > cell.clientWidth)
    .map(cell => cell.textContent);

describe('table in a narrow box', () => {
  afterEach(() => document.body.replaceChildren());

  for (const direction of ['ltr', 'rtl']) {
    it(`shows its first column and its first figures, direction ${direction}`, async () => {
      const element = await renderTable({ rowSet: airports }, direction, 330);
      expect(renderedTexts(element)[0]?.slice(0, 3)).to.deep.equal(['A0', '1,234,567', '12.5']);
      const [cell, box] = [rect(cellOf(element, 0, 1)), rect(boxOf(element))];
      expect(cell.left).to.be.at.least(box.left);
      expect(cell.right).to.be.at.most(box.right);
      expect(truncatedFigures(element)).to.deep.equal([]);
    });

    it(`marks an edge with more columns, direction ${direction}`, async () => {
      const element = await renderTable({ rowSet: airports }, direction, 330);
      const box = boxOf(element);
      const edge = element.renderRoot.querySelector('.edge.after') ?? element;
      expect([box.hasAttribute('data-before'), box.hasAttribute('data-after')]).to.deep.equal([false, true]);
      const side = direction === 'rtl' ? 'left' : 'right';
      expect(rect(edge)[side]).to.be.closeTo(rect(scrollerOf(element))[side], 20);
      scrollerOf(element).scrollLeft = direction === 'rtl' ? -5000 : 5000;
      await eventually(() => box.hasAttribute('data-before') && !box.hasAttribute('data-after'));
      // The first column and the edge next to it are still visible.
      expect(rect(cellOf(element, 0, 0)).left).to.be.within(rect(box).left, rect(box).right);
    });
  }

  it('keeps the active cell clear of the sticky column', async () => {
    const element = await renderTable({ rowSet: airports }, 'ltr', 330);
    gridOf(element).focus();
    await press(element, 'End');
    for (const column of [4, 3, 2, 1]) {
      await press(element, 'ArrowLeft');
      expect(rect(cellOf(element, 0, column)).left).to.be.at.least(rect(cellOf(element, 0, 0)).right - 1);
    }
  });

  it('sorts and copies the columns in their displayed order', async () => {
    const element = await renderTable({ rowSet: airports }, 'ltr', 330);
    await click(element, cellOf(element, -1, 1).querySelector('button') ?? element);
    expect(renderedTexts(element)[0]?.slice(0, 2)).to.deep.equal(['A11', '1,234,556']);
    expect(cellOf(element, -1, 1).getAttribute('aria-sort')).to.equal('ascending');
    await press(element, 'ArrowDown');
    await press(element, ' ', { shiftKey: true });
    const clipboardData = new DataTransfer();
    gridOf(element).dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
    expect(clipboardData.getData('text/plain').split('\t').slice(0, 3)).to.deep.equal(['A11', '1,234,556', '12.5']);
  });

  it('truncates neither dates nor figures in any column', async () => {
    const flights = rowSetOf(
      [
        columnOf('o.at', 'time', { shortTitle: 'Departure' }),
        columnOf('o.city', 'string', { shortTitle: 'City' }),
        columnOf('o.landed', 'time', { shortTitle: 'Arrival' }),
        columnOf('o.miles', 'number', { shortTitle: 'Distance' }),
      ],
      Array.from({ length: 150 }, (_, row) => ({
        'o.at': row < 120 ? '2001-01-01T01:05:00.000' : '2001-12-28T22:55:00.000',
        'o.city': 'Dallas-Fort Worth',
        'o.landed': '2001-12-28T22:55:00.000',
        'o.miles': '1234567',
      })),
    );
    const element = await renderTable({ rowSet: flights }, 'ltr', 328);
    const cut = [...element.renderRoot.querySelectorAll('td')]
      .filter(cell => cell.textContent !== 'Dallas-Fort Worth' && cell.scrollWidth > cell.clientWidth)
      .map(cell => cell.textContent);
    expect(renderedTexts(element).length).to.equal(150);
    expect(cut).to.deep.equal([]);
  });

  it('restores the column order of the report if it fits', async () => {
    const element = await renderTable({ rowSet: airports }, 'ltr', 330);
    element.style.setProperty('width', '1200px');
    await eventually(() => renderedTexts(element)[0]?.[1] === 'Dallas-Fort Worth and more');
    expect(boxOf(element).hasAttribute('data-after')).to.equal(false);
  });
});

const sales = [
  columnOf('o.time', 'string', { shortTitle: 'Time of day' }),
  columnOf('o.haul', 'string', { shortTitle: 'Distance' }),
  columnOf('o.count', 'number', { shortTitle: 'Flights' }),
  columnOf('o.share', 'number', { shortTitle: 'On-time share', format: 'percent_1' }),
];
const hauls = ['1 short haul', '2 medium haul', '3 long haul'];
const pivotRows = ['morning', 'evening'].flatMap(time =>
  hauls.map(haul => ({ 'o.time': time, 'o.haul': haul, 'o.count': '99108428', 'o.share': '0.751' })),
);
const totals = new Map([
  [
    groupKey(['o.haul']),
    rowSetOf(
      sales,
      hauls.map(haul => ({ 'o.haul': haul, 'o.count': '198216856', 'o.share': '1' })),
    ),
  ],
]);
const pivotItems = { rows: ['o.time'], columns: ['o.haul'], measures: [], filters: [], showColumnTotals: true };

function pivot(width: number): Promise<PaTileTable> {
  return renderTable(
    { snapshot: tableSnapshot({ pivotItems }), data: { rowSet: rowSetOf(sales, pivotRows), totals } },
    'ltr',
    width,
  );
}

describe('pivot in a narrow box', () => {
  afterEach(() => document.body.replaceChildren());

  it('truncates no figure at any width, including bold totals', async () => {
    const element = await pivot(900);
    for (const width of [900, 730, 600, 330]) {
      element.style.setProperty('width', `${width}px`);
      await eventually(() => rect(boxOf(element)).width === width && element.isUpdatePending === false);
      await settle(element);
      expect(truncatedFigures(element)).to.deep.equal([]);
    }
  });

  it('shows one column group at a time, selected from a list', async () => {
    const element = await pivot(330);
    const list = element.renderRoot.querySelector('select');
    const groupHeadings = () =>
      [...element.renderRoot.querySelectorAll('th[scope=colgroup]')].map(head => head.textContent?.trim());
    expect([...(list?.options ?? [])].map(({ text }) => text)).to.deep.equal([...hauls, 'All columns']);
    expect(groupHeadings()).to.deep.equal(['1 short haul']);
    const selectGroup = async (index: number) => {
      if (list) list.selectedIndex = index;
      list?.dispatchEvent(new Event('change'));
      await settle(element);
    };
    await selectGroup(2);
    expect(groupHeadings()).to.deep.equal(['3 long haul']);
    await selectGroup(3);
    expect(groupHeadings()).to.deep.equal(hauls);
    await expect(element).to.be.accessible();
    element.style.setProperty('width', '1000px');
    await eventually(() => !element.renderRoot.querySelector('select'));
  });
});
