import { expect } from '@open-wc/testing';
import type { PaTileTable } from '../../../../src/elements/parts/table/table-element.js';
import type { Pick } from '../../../../src/report/marks/mark.js';
import { groupKey } from '../../../../src/report/query/report-data.js';
import { columnOf, rowSetOf } from '../../../report/fixtures.js';
import { eventually } from '../../eventually.js';
import {
  activeText,
  cellOf,
  click,
  gridOf,
  press,
  renderedTexts,
  renderTable,
  settle,
  tableSnapshot,
} from './table-fixture.js';

const columns = [
  columnOf('o.state', 'string', { shortTitle: 'State' }),
  columnOf('o.city', 'string', { shortTitle: 'City' }),
  columnOf('o.year', 'string', { shortTitle: 'Year' }),
  columnOf('o.count', 'number', { shortTitle: 'Count' }),
  columnOf('o.sum', 'number', { shortTitle: 'Sum' }),
];

function sales(states: number, years: number) {
  const rows = Array.from({ length: states }, (_, state) =>
    ['Alpha', 'Beta'].flatMap(city =>
      Array.from({ length: years }, (_, year) => ({
        'o.state': `S${state}`,
        'o.city': city,
        'o.year': String(2000 + year),
        'o.count': String((state * 7 + year * 3 + city.length) % 10),
        'o.sum': '10',
      })),
    ),
  ).flat();
  return rowSetOf(columns, rows);
}

const items = { rows: ['o.state', 'o.city'], columns: ['o.year'], measures: ['o.count', 'o.sum'], filters: [] };
const total = { 'o.count': '99', 'o.sum': '1000' };
const totals = new Map([
  [groupKey([]), rowSetOf(columns, [total])],
  [
    groupKey(['o.year']),
    rowSetOf(
      columns,
      [2000, 2001].map(year => ({ 'o.year': String(year), ...total })),
    ),
  ],
]);

async function pivot(states: number, years: number, more: Partial<PaTileTable> = {}): Promise<PaTileTable> {
  const snapshot = tableSnapshot({ pivotItems: { ...items, showColumnTotals: true } });
  return renderTable({ snapshot, data: { rowSet: sales(states, years), totals }, ...more }, 'ltr', 600);
}

/** Returns the visible part of the first column. */
function visibleHeaders(element: PaTileTable): string[] {
  const heads = [...element.renderRoot.querySelectorAll('tbody th[aria-colindex="1"]')];
  return heads
    .filter(head => getComputedStyle(head.querySelector('.repeats') ?? head).color !== 'rgba(0, 0, 0, 0)')
    .map(head => head.textContent ?? '');
}

describe('pivot', () => {
  afterEach(() => document.body.replaceChildren());

  it('has headings above their columns, and row headers', async () => {
    const element = await pivot(2, 2);
    const years = [...element.renderRoot.querySelectorAll<HTMLTableCellElement>('th[scope=colgroup]')];
    expect(years.map(head => [head.textContent?.trim(), head.colSpan])).to.deep.equal([
      ['2000', 2],
      ['2001', 2],
    ]);
    expect(years[1]?.getAttribute('aria-colindex')).to.equal('5');
    expect(element.renderRoot.querySelectorAll('tbody th[scope=row]').length).to.be.at.least(8);
    expect(gridOf(element).getAttribute('aria-rowcount')).to.equal('7');
    await expect(element).to.be.accessible();
  });

  it('shows a repeated row header once, and again at the top of the viewport', async () => {
    const element = await pivot(300, 1);
    expect(visibleHeaders(element).slice(0, 3)).to.deep.equal(['S0', 'S1', 'S2']);
    expect(renderedTexts(element)[1]?.[0]).to.equal('S0');
    const box = element.renderRoot.querySelector('.scroller');
    if (box) box.scrollTop = 32 * 101;
    await eventually(() => element.renderRoot.querySelector('[data-top]')?.getAttribute('aria-rowindex') === '104');
    expect(visibleHeaders(element)).to.include('S50');
    expect(cellOf(element, 101, 0).textContent).to.equal('S50');
  });

  it('has bold totals below a line, unaffected by sorting', async () => {
    const element = await pivot(3, 2);
    element.style.setProperty('--_control', 'gray');
    const last = () => element.renderRoot.querySelector('tbody tr.total');
    const figure = () => last()?.querySelector('td[aria-colindex="3"]');
    expect(last()?.querySelector('th')?.textContent).to.equal('Total');
    expect(figure()?.textContent).to.equal('99');
    expect(figure() && getComputedStyle(figure() ?? element).fontWeight).to.equal('600');
    expect(figure() && getComputedStyle(figure() ?? element).borderBlockStartStyle).to.equal('solid');
    await click(element, cellOf(element, -1, 2).querySelector('button') ?? element);
    await click(element, cellOf(element, -1, 2).querySelector('button') ?? element);
    expect(element.renderRoot.querySelector('tbody')?.lastElementChild).to.equal(last());
    const figures = renderedTexts(element)
      .slice(0, -1)
      .map(row => Number(row[2]));
    expect(figures).to.deep.equal([...figures].sort((a, b) => b - a));
  });

  it('supports the keyboard, with a column group heading as one cell', async () => {
    const element = await pivot(2, 3);
    gridOf(element).focus();
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowUp', 'ArrowUp']) await press(element, key);
    expect(activeText(element)).to.equal('2000');
    await press(element, 'ArrowRight');
    expect(activeText(element)).to.equal('2001');
    await press(element, 'ArrowLeft');
    expect(activeText(element)).to.equal('2000');
    await press(element, 'ArrowDown');
    expect(activeText(element)).to.equal('Count');
  });

  it('keeps row headers visible while scrolling sideways, in both directions of text', async () => {
    for (const direction of ['ltr', 'rtl']) {
      const element = await pivot(3, 40);
      element.style.setProperty('direction', direction);
      element.style.setProperty('width', '600px');
      await eventually(() => cellOf(element, 0, 1).classList.contains('pin'));
      await settle(element);
      const box = element.renderRoot.querySelector('.scroller');
      const before = cellOf(element, 0, 1).getBoundingClientRect().left;
      if (box) box.scrollLeft = direction === 'rtl' ? -2000 : 2000;
      await eventually(
        () => renderedTexts(element)[0]?.length !== 82 && !element.renderRoot.querySelector('[aria-colindex="4"]'),
      );
      expect(cellOf(element, 0, 1).getBoundingClientRect().left).to.be.closeTo(before, 1);
      element.remove();
    }
  });

  it('releases sticky row headers if they leave no space', async () => {
    const element = await pivot(3, 40);
    element.style.setProperty('width', '150px');
    await eventually(() => !element.renderRoot.querySelector('.pin-1'));
    expect(element.renderRoot.querySelectorAll('thead th').length).to.be.greaterThan(2);
  });

  it('reports the mark of a cell from its row and column headers', async () => {
    const picks: Pick[] = [];
    const element = await pivot(2, 2, { onPick: pick => picks.push(pick) });
    await click(element, cellOf(element, 1, 4));
    expect(picks[0]?.mark).to.deep.equal({
      values: { 'o.state': 'S0', 'o.city': 'Beta', 'o.year': '2001' },
      measure: 'o.count',
    });
  });

  it('copies headings with their columns', async () => {
    const element = await pivot(1, 2);
    gridOf(element).focus();
    await press(element, 'a', { ctrlKey: true });
    const clipboardData = new DataTransfer();
    gridOf(element).dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
    const lines = clipboardData.getData('text/plain').split('\r\n');
    expect(lines.slice(0, 2)).to.deep.equal(['\t\t2000\t\t2001\t', 'State\tCity\tCount\tSum\tCount\tSum']);
    expect(lines[3]?.startsWith('S0\tBeta\t')).to.equal(true);
  });
});
