import { expect } from '@open-wc/testing';
import type { PaTileTable } from '../../../../src/elements/parts/table/table-element.js';
import type { Pick } from '../../../../src/report/marks/mark.js';
import { rowSetOf } from '../../../report/fixtures.js';
import { eventually } from '../../eventually.js';
import {
  activeText,
  cellOf,
  cities,
  click,
  gridOf,
  press,
  renderedTexts,
  renderTable,
  settle,
  wideRows,
} from './table-fixture.js';

async function renderFocused(fields: Partial<PaTileTable>, direction?: string): Promise<PaTileTable> {
  const element = await renderTable(fields, direction);
  gridOf(element).focus();
  await settle(element);
  return element;
}

const statusOf = (element: PaTileTable) => element.renderRoot.querySelector('[role=status]')?.textContent;

afterEach(() => document.body.replaceChildren());

describe('table grid keyboard navigation', () => {
  it('moves by arrow keys, to row and table ends, and into the header', async () => {
    const element = await renderFocused({ rowSet: cities });
    expect(activeText(element)).to.equal('Waco');
    const path: [string, KeyboardEventInit, string][] = [
      ['ArrowDown', {}, 'Austin'],
      ['ArrowRight', {}, '3'],
      ['ArrowRight', {}, '3'],
      ['Home', {}, 'Austin'],
      ['End', { ctrlKey: true }, '3'],
      ['Home', { ctrlKey: true }, 'Waco'],
      ['ArrowUp', {}, 'City'],
      ['ArrowUp', {}, 'City'],
      ['End', {}, 'Count'],
      ['ArrowLeft', {}, 'City'],
      ['ArrowDown', {}, 'Waco'],
    ];
    for (const [key, more, text] of path) {
      const event = await press(element, key, more);
      expect(activeText(element), key).to.equal(text);
      expect(event.defaultPrevented).to.equal(true);
    }
    expect((await press(element, 'Tab')).defaultPrevented).to.equal(false);
  });

  it('mirrors the arrow keys in rtl', async () => {
    const element = await renderFocused({ rowSet: cities }, 'rtl');
    await press(element, 'ArrowLeft');
    expect(activeText(element)).to.equal('20');
    await press(element, 'ArrowRight');
    expect(activeText(element)).to.equal('Waco');
  });

  it('keeps the focus and the active cell when rows scroll away and new rows arrive', async () => {
    const element = await renderFocused({ rowSet: wideRows(5000, 3) });
    await press(element, 'ArrowDown');
    const box = element.renderRoot.querySelector('.scroller');
    if (box) box.scrollTop = 90_000;
    await eventually(() => renderedTexts(element).flat().includes('r2812 c0'));
    expect(activeText(element)).to.equal(null);
    expect(gridOf(element).hasAttribute('aria-activedescendant')).to.equal(false);
    element.rowSet = wideRows(4000, 3);
    await settle(element);
    expect(document.activeElement).to.equal(element);
    await press(element, 'ArrowDown');
    expect(activeText(element)).to.equal('r2 c0');
  });

  it('moves the active cell to an existing cell when rows are removed', async () => {
    const element = await renderFocused({ rowSet: cities });
    await press(element, 'End', { ctrlKey: true });
    element.rowSet = rowSetOf(cities.columns, cities.rows.slice(0, 1));
    await settle(element);
    expect(activeText(element)).to.equal('20');
    element.rowSet = rowSetOf(cities.columns, []);
    await settle(element);
    expect(activeText(element)).to.equal('Count');
  });

  it('announces its size and cell positions, with no axe violations', async () => {
    const element = await renderFocused({ rowSet: wideRows(500, 40) });
    const grid = gridOf(element);
    expect(grid.getAttribute('aria-rowcount')).to.equal('501');
    expect(grid.getAttribute('aria-colcount')).to.equal('40');
    expect(cellOf(element, -1, 0).getAttribute('aria-colindex')).to.equal('1');
    await expect(element).to.be.accessible();
  });
});

describe('table grid rendering', () => {
  it('scrolls to distant cells of a large table, in both directions of text', async () => {
    for (const direction of ['ltr', 'rtl']) {
      const element = await renderFocused({ rowSet: wideRows(5000, 60) }, direction);
      await press(element, 'End', { ctrlKey: true });
      expect(activeText(element)).to.equal('r4999 c59');
      const box = element.getBoundingClientRect();
      const cell = cellOf(element, 4999, 59).getBoundingClientRect();
      expect(cell.left).to.be.at.least(box.left - 1);
      expect(cell.right).to.be.at.most(box.right + 1);
      expect(cell.bottom).to.be.at.most(box.bottom + 1);
      await press(element, 'PageUp');
      await press(element, 'Home', { ctrlKey: true });
      expect(activeText(element)).to.equal('r0 c0');
      element.remove();
    }
  });

  it('renders the visible columns of a wide table', async () => {
    const element = await renderTable({ rowSet: wideRows(10, 300) });
    expect(renderedTexts(element)[0]?.length).to.be.lessThan(40);
    const box = element.renderRoot.querySelector('.scroller');
    if (box) box.scrollLeft = (box.scrollWidth * 2) / 3;
    await eventually(() => renderedTexts(element)[3]?.includes('r3 c202'));
    const [head, cell] = [cellOf(element, -1, 202), cellOf(element, 3, 202)];
    expect(head.getBoundingClientRect().left).to.be.closeTo(cell.getBoundingClientRect().left, 1);
  });

  it('shows the first and the last of a million rows', async () => {
    const row = { 'o.city': 'Waco', 'o.count': '20' };
    const rows = Array.from({ length: 1_000_000 }, () => row);
    rows[999_999] = { 'o.city': 'The last', 'o.count': '1' };
    rows[500_000] = { 'o.city': 'The middle', 'o.count': '1' };
    const element = await renderFocused({ rowSet: rowSetOf(cities.columns, rows) });
    await press(element, 'End', { ctrlKey: true });
    await press(element, 'Home');
    expect(activeText(element)).to.equal('The last');
    const box = element.getBoundingClientRect();
    expect(cellOf(element, 999_999, 0).getBoundingClientRect().bottom).to.be.closeTo(box.bottom, 2);
    const scroller = element.renderRoot.querySelector('.scroller');
    if (scroller) scroller.scrollTop = (scroller.scrollHeight - scroller.clientHeight) / 2;
    await eventually(() => renderedTexts(element).flat().includes('The middle'));
    const middle = cellOf(element, 500_000, 0).getBoundingClientRect();
    expect(middle.top).to.be.within(box.top, box.bottom);
  });

  it('prints up to a thousand rows and the number of omitted rows', async () => {
    const element = await renderTable({ rowSet: wideRows(1234, 3) });
    dispatchEvent(new Event('beforeprint'));
    expect(renderedTexts(element).length).to.equal(1000);
    expect(element.renderRoot.querySelector('.left-out')?.textContent).to.equal('234 more rows are not printed.');
    dispatchEvent(new Event('afterprint'));
    expect(renderedTexts(element).length).to.be.lessThan(100);
    expect(element.renderRoot.querySelector('.left-out')).to.equal(null);
  });
});

describe('table grid marks and menus', () => {
  it('reports the mark of a selected cell, by pointer and by Enter', async () => {
    const picks: Pick[] = [];
    const element = await renderFocused({ rowSet: cities, onPick: pick => picks.push(pick) });
    await click(element, cellOf(element, 1, 1), { ctrlKey: true });
    await press(element, 'Enter');
    expect(picks.map(({ mark }) => mark)).to.deep.equal([
      { values: { 'o.city': 'Austin' }, measure: 'o.count' },
      { values: { 'o.city': 'Austin' }, measure: 'o.count' },
    ]);
    expect(picks.map(({ intent, extend }) => [intent, extend])).to.deep.equal([
      ['choose', true],
      ['choose', false],
    ]);
    const { left, bottom } = cellOf(element, 1, 1).getBoundingClientRect();
    expect(picks[1]?.anchor).to.include({ left, bottom });
  });

  it('requests the cell menu, by pointer and keyboard', async () => {
    const picks: Pick[] = [];
    const element = await renderFocused({ rowSet: cities, onPick: pick => picks.push(pick) });
    const event = new MouseEvent('contextmenu', { bubbles: true, composed: true, cancelable: true });
    cellOf(element, 2, 0).dispatchEvent(event);
    expect(event.defaultPrevented).to.equal(true);
    await press(element, 'F10', { shiftKey: true });
    await press(element, 'ContextMenu');
    expect(picks.map(({ intent, mark }) => [intent, mark.values['o.city']])).to.deep.equal([
      ['menu', 'Reno'],
      ['menu', 'Reno'],
      ['menu', 'Reno'],
    ]);
  });

  it('keeps the browser menu if marks are not selectable', async () => {
    const element = await renderTable({ rowSet: cities });
    const event = new MouseEvent('contextmenu', { bubbles: true, composed: true, cancelable: true });
    cellOf(element, 2, 0).dispatchEvent(event);
    expect(event.defaultPrevented).to.equal(false);
  });

  it('shows cells of selected marks as selected', async () => {
    const element = await renderTable({ rowSet: cities, selected: [{ values: { 'o.city': 'Reno' }, measure: null }] });
    const selectedTexts = () =>
      [...element.renderRoot.querySelectorAll('[aria-selected=true]')].map(cell => cell.textContent);
    expect(selectedTexts()).to.deep.equal(['Reno', '100']);
    element.selected = [];
    await settle(element);
    expect(selectedTexts()).to.deep.equal([]);
  });
});

describe('table grid range selection and copying', () => {
  it('copies the active cell, a range and everything, as text and as a table', async () => {
    const element = await renderFocused({ rowSet: cities });
    const copyCells = async (): Promise<[string, string]> => {
      const clipboardData = new DataTransfer();
      gridOf(element).dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
      await settle(element);
      return [clipboardData.getData('text/plain'), clipboardData.getData('text/html')];
    };
    expect(await copyCells()).to.deep.equal(['Waco', '<table><tr><td>Waco</td></tr></table>']);
    await press(element, 'ArrowRight', { shiftKey: true });
    await press(element, 'ArrowDown', { shiftKey: true });
    expect((await copyCells())[0]).to.equal('Waco\t20\r\nAustin\t3');
    expect(statusOf(element)).to.equal('4 cells copied');
    expect(element.renderRoot.querySelectorAll('[aria-selected=true]').length).to.equal(4);
    await press(element, 'a', { ctrlKey: true });
    const [text, markup] = await copyCells();
    expect(text).to.equal('City\tCount\r\nWaco\t20\r\nAustin\t3\r\nReno\t100\r\nBoise\t3');
    expect(markup).to.match(/^<table><tr><th>City<\/th><th>Count<\/th><\/tr><tr><td>Waco/);
    await press(element, 'Escape');
    expect(element.renderRoot.querySelectorAll('[aria-selected=true]').length).to.equal(0);
  });

  it('copies hostile text without markup, formulas or line breaks', async () => {
    const texts = ['<img src=x onerror=alert(1)>', '=HYPERLINK("x")', 'a\tb', '@SUM(1)', '-1+2'];
    const rows = texts.map(text => ({ 'o.city': text, 'o.count': '-5' }));
    const element = await renderFocused({ rowSet: rowSetOf(cities.columns, rows) });
    await press(element, 'a', { metaKey: true });
    const clipboardData = new DataTransfer();
    gridOf(element).dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
    const lines = clipboardData.getData('text/plain').split('\r\n').slice(1);
    expect(lines).to.deep.equal([
      '<img src=x onerror=alert(1)>\t-5',
      `"'=HYPERLINK(""x"")"\t-5`,
      '"a\tb"\t-5',
      "'@SUM(1)\t-5",
      "'-1+2\t-5",
    ]);
    expect(clipboardData.getData('text/html')).to.contain('&lt;img src=x onerror=alert(1)&gt;').and.not.contain('<img');
  });

  it('copies nothing if export is restricted', async () => {
    const element = await renderFocused({ rowSet: cities, copyable: false });
    const clipboardData = new DataTransfer();
    const event = new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true });
    gridOf(element).dispatchEvent(event);
    expect(event.defaultPrevented).to.equal(false);
    expect(clipboardData.types).to.deep.equal([]);
  });

  it('selects the cells of a drag without picking a mark', async () => {
    const picks: Pick[] = [];
    const element = await renderTable({ rowSet: cities, onPick: pick => picks.push(pick) });
    const [from, to] = [cellOf(element, 0, 0), cellOf(element, 2, 1)];
    const init = (cell: Element): PointerEventInit => {
      const { left, top } = cell.getBoundingClientRect();
      return { bubbles: true, composed: true, cancelable: true, buttons: 1, clientX: left + 5, clientY: top + 5 };
    };
    from.dispatchEvent(new PointerEvent('pointerdown', init(from)));
    to.dispatchEvent(new PointerEvent('pointerover', init(to)));
    to.dispatchEvent(new PointerEvent('click', init(to)));
    await settle(element);
    expect(element.renderRoot.querySelectorAll('[aria-selected=true]').length).to.equal(6);
    expect(picks).to.deep.equal([]);
  });

  it('extends the selection to a Shift-clicked cell', async () => {
    const element = await renderFocused({ rowSet: cities });
    await click(element, cellOf(element, 1, 0), { shiftKey: true });
    expect(element.renderRoot.querySelectorAll('[aria-selected=true]').length).to.equal(2);
  });
});
