import { ContextProvider } from '@lit/context';
import { expect } from '@open-wc/testing';
import { pageCatalog } from '../../../../src/elements/messages/page-catalog.js';
import type { PaTileTable } from '../../../../src/elements/parts/table/table-element.js';
import { columnOf, rowSetOf } from '../../../report/fixtures.js';
import { eventually } from '../../eventually.js';
import {
  cellOf,
  cities,
  click,
  gridOf,
  press,
  renderedTexts,
  renderTable,
  settle,
  tableSnapshot,
} from './table-fixture.js';

const column = (element: PaTileTable, index: number): (string | undefined)[] =>
  renderedTexts(element).map(row => row[index]);
const sortButton = (element: PaTileTable, index: number): Element =>
  cellOf(element, -1, index).querySelector('button') ?? element;
const handle = (element: PaTileTable, index: number): HTMLElement =>
  cellOf(element, -1, index).querySelector<HTMLElement>('[role=separator]') ?? element;
const width = (element: PaTileTable, index: number): number => cellOf(element, -1, index).getBoundingClientRect().width;
const sorts = (element: PaTileTable): (string | null)[] =>
  [0, 1].map(index => cellOf(element, -1, index).getAttribute('aria-sort'));
const announced = (element: PaTileTable) => element.renderRoot.querySelector('[role=status]')?.textContent;

describe('table columns', () => {
  afterEach(() => document.body.replaceChildren());

  it('sort the rows ascending, descending and not at all', async () => {
    const element = await renderTable({ rowSet: cities });
    expect(sorts(element)).to.deep.equal(['none', 'none']);
    await click(element, sortButton(element, 1));
    expect(column(element, 1)).to.deep.equal(['3', '3', '20', '100']);
    expect(sorts(element)).to.deep.equal(['none', 'ascending']);
    expect(announced(element)).to.equal('Sorted by Count, ascending');
    await click(element, sortButton(element, 1));
    expect(column(element, 1)).to.deep.equal(['100', '20', '3', '3']);
    await click(element, sortButton(element, 1));
    expect(column(element, 0)).to.deep.equal(['Waco', 'Austin', 'Reno', 'Boise']);
    expect(announced(element)).to.equal('In report order');
  });

  it('sort by keyboard, by a second column with Shift', async () => {
    const element = await renderTable({ rowSet: cities });
    gridOf(element).focus();
    await press(element, 'ArrowUp');
    await press(element, 'ArrowRight');
    await press(element, 'Enter');
    expect(column(element, 0)).to.deep.equal(['Austin', 'Boise', 'Waco', 'Reno']);
    await press(element, 'ArrowLeft');
    await press(element, 'Enter', { shiftKey: true });
    await press(element, 'Enter', { shiftKey: true });
    expect(column(element, 0)).to.deep.equal(['Boise', 'Austin', 'Waco', 'Reno']);
    expect(announced(element)).to.equal('Sorted by Count, ascending and City, descending');
    expect(element.renderRoot.querySelectorAll('.rank').length).to.equal(2);
  });

  it('stay sorted when new rows arrive', async () => {
    const element = await renderTable({ rowSet: cities });
    await click(element, sortButton(element, 0));
    element.rowSet = rowSetOf(cities.columns, [...cities.rows, { 'o.city': 'Chico', 'o.count': '7' }]);
    await settle(element);
    expect(column(element, 0)).to.deep.equal(['Austin', 'Boise', 'Chico', 'Reno', 'Waco']);
    element.snapshot = tableSnapshot({}, 2);
    await settle(element);
    expect(column(element, 0)[0]).to.equal('Waco');
  });

  it('report that only the shown rows are sorted if rows are truncated', async () => {
    const element = await renderTable({ rowSet: { ...cities, truncated: true } });
    expect(sortButton(element, 0).getAttribute('title')).to.contain('only the loaded rows');
    await click(element, sortButton(element, 0));
    expect(announced(element)).to.contain('Sorts only the loaded rows');
  });

  it('resize by pointer within limits and keep their width for new rows', async () => {
    const element = await renderTable({ rowSet: cities });
    const before = width(element, 0);
    const drag = async (by: number): Promise<void> => {
      const init = { bubbles: true, composed: true, cancelable: true, clientX: 100, pointerId: 1 };
      handle(element, 0).setPointerCapture = () => {};
      handle(element, 0).dispatchEvent(new PointerEvent('pointerdown', init));
      handle(element, 0).dispatchEvent(new PointerEvent('pointermove', { ...init, clientX: 100 + by }));
      handle(element, 0).dispatchEvent(new PointerEvent('pointerup', init));
      handle(element, 0).dispatchEvent(new PointerEvent('pointermove', { ...init, clientX: 5000 }));
      await settle(element);
    };
    await drag(60);
    expect(width(element, 0)).to.be.closeTo(before + 60, 1);
    element.rowSet = rowSetOf(cities.columns, cities.rows.slice(1));
    await settle(element);
    expect(width(element, 0)).to.be.closeTo(before + 60, 1);
    await drag(-5000);
    expect(width(element, 0)).to.equal(48);
    expect(handle(element, 0).getAttribute('aria-valuenow')).to.equal('48');
  });

  it('resize by keyboard on a handle that announces the width', async () => {
    const element = await renderTable({ rowSet: cities });
    gridOf(element).focus();
    await press(element, 'ArrowUp');
    await press(element, 'F2');
    expect(element.shadowRoot?.activeElement).to.equal(handle(element, 0));
    expect(handle(element, 0).getAttribute('aria-label')).to.equal('Width of City');
    await press(element, 'Home');
    await press(element, 'ArrowRight');
    await press(element, 'ArrowRight', { shiftKey: true });
    expect(width(element, 0)).to.equal(108);
    expect(handle(element, 0).getAttribute('aria-valuenow')).to.equal('108');
    await press(element, 'Escape');
    expect(element.shadowRoot?.activeElement).to.equal(gridOf(element));
    await press(element, 'Enter');
    expect(column(element, 0)[0]).to.equal('Austin');
  });

  it('fit their content on a double click', async () => {
    const rows = [{ 'o.city': 'A city with a name that is rather long. '.repeat(3), 'o.count': '1' }];
    const element = await renderTable({ rowSet: rowSetOf(cities.columns, rows) }, 'ltr', 600);
    const isCut = () => cellOf(element, 0, 0).scrollWidth > cellOf(element, 0, 0).clientWidth;
    expect(isCut()).to.equal(true);
    handle(element, 0).dispatchEvent(new MouseEvent('dblclick', { bubbles: true, composed: true }));
    await settle(element);
    expect(isCut()).to.equal(false);
    expect(width(element, 0)).to.be.within(600, 1199);
  });

  it('use the widths, titles, order and alignment of the report', async () => {
    const rowSet = rowSetOf(
      ['a', 'b', 'c', 'd'].map(name => columnOf(`o.${name}`, name === 'b' ? 'number' : 'string')),
      [{ 'o.a': 'a', 'o.b': '1', 'o.c': 'c', 'o.d': 'd' }],
    );
    const columns = {
      'o.a': { width: '1fr', title: 'First' },
      'o.b': { width: '2fr', align: 'center' },
      'o.c': { width: 100 },
      'o.d': { hidden: true },
    };
    const element = await renderTable({ rowSet, snapshot: tableSnapshot({ columns, order: ['o.c', 'o.a'] }) });
    const titles = [...element.renderRoot.querySelectorAll('.name')].map(name => name.textContent);
    expect(titles).to.deep.equal(['o.c', 'First', 'o.b']);
    expect([0, 1, 2].map(index => width(element, index))).to.deep.equal([100, 100, 200]);
    expect(getComputedStyle(cellOf(element, 0, 2)).textAlign).to.equal('center');
  });

  it('wrap or truncate text and headings', async () => {
    const long = 'Many words that do not go into one line of a narrow column';
    const rowSet = rowSetOf([columnOf('o.a', 'string', { shortTitle: long }), ...cities.columns], [{ 'o.a': long }]);
    const columns = { 'o.a': { width: 120, overflow: 'wrap' } };
    const element = await renderTable({ rowSet, snapshot: tableSnapshot({ columns, header: 'truncate' }) }, 'ltr', 600);
    expect(cellOf(element, 0, 0).getBoundingClientRect().height).to.be.greaterThan(60);
    expect(cellOf(element, -1, 0).getBoundingClientRect().height).to.be.lessThan(40);
    element.snapshot = tableSnapshot({ columns: { 'o.a': { width: 120 } } });
    await settle(element);
    expect(cellOf(element, 0, 0).getBoundingClientRect().height).to.equal(32);
    expect(cellOf(element, -1, 0).getBoundingClientRect().height).to.be.greaterThan(40);
  });

  it('keep equal row heights if a long table wraps text', async () => {
    const long = 'Many words that do not go into one line of a narrow column '.repeat(5);
    const rows = Array.from({ length: 400 }, (_, index) => ({ 'o.city': index % 2 ? long : 'x', 'o.count': '1' }));
    const columns = { 'o.city': { width: 120, overflow: 'wrap' } };
    const element = await renderTable({ rowSet: rowSetOf(cities.columns, rows), snapshot: tableSnapshot({ columns }) });
    const heights = [...element.renderRoot.querySelectorAll('tbody tr:not(.spacer)')].map(
      row => row.getBoundingClientRect().height,
    );
    expect(new Set(heights)).to.deep.equal(new Set([68]));
  });

  it('show truncated text on hover', async () => {
    const rows = [{ 'o.city': 'x'.repeat(200), 'o.count': '1' }];
    const element = await renderTable({ rowSet: rowSetOf(cities.columns, rows) }, 'ltr', 600);
    cellOf(element, 0, 0).dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    cellOf(element, 0, 1).dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    expect(cellOf(element, 0, 0).title).to.equal('x'.repeat(200));
    expect(cellOf(element, 0, 1).title).to.equal('');
  });

  it('follow the table width', async () => {
    const element = await renderTable({ rowSet: cities });
    const before = width(element, 0);
    element.style.setProperty('width', '700px');
    await eventually(() => width(element, 0) > before);
    const box = element.renderRoot.querySelector('.scroller');
    expect(box?.scrollWidth).to.equal(box?.clientWidth);
  });

  it('use the language of the surrounding element', async () => {
    const around = document.createElement('div');
    const initialValue = { ...pageCatalog.fallback, locale: 'de' };
    new ContextProvider(around, { context: pageCatalog.context, initialValue });
    document.body.append(around);
    around.append(await renderTable({ rowSet: cities }));
    const element = around.firstElementChild;
    const label = () => element?.shadowRoot?.querySelector('[role=separator]')?.getAttribute('aria-label');
    await eventually(() => label() === 'Breite von City');
  });
});
