import { expect, oneEvent } from '@open-wc/testing';
import '../../../../src/elements/parts/table/table-element.js';
import type { PaTileTable } from '../../../../src/elements/parts/table/table-element.js';
import { eventually } from '../../eventually.js';
import { manyRows } from '../../fake-session.js';

async function table(rows: number): Promise<PaTileTable> {
  const element = document.createElement('pa-tile-table');
  element.style.setProperty('position', 'absolute');
  element.style.setProperty('width', '400px');
  element.style.setProperty('height', '300px');
  element.label = 'Carriers';
  element.rowSet = manyRows(rows);
  document.body.append(element);
  await element.updateComplete;
  return element;
}

const cells = (element: PaTileTable): string[] =>
  [...element.renderRoot.querySelectorAll('td:first-child')].map(cell => cell.textContent ?? '').filter(Boolean);
const scroller = (element: PaTileTable): Element => element.renderRoot.querySelector('.scroller') ?? element;

describe('<pa-tile-table>', () => {
  afterEach(() => document.body.replaceChildren());

  it('renders a short table completely, with end-aligned figures', async () => {
    const element = await table(200);
    expect(cells(element).length).to.equal(200);
    const [head, figure] = [...element.renderRoot.querySelectorAll('tbody tr:nth-child(2) td')];
    expect(head && getComputedStyle(head).textAlign).to.equal('start');
    expect(figure && getComputedStyle(figure).textAlign).to.equal('end');
    expect(figure?.textContent).to.equal('1,000');
  });

  it('is a named, focusable grid with headings', async () => {
    const element = await table(10);
    const grid = element.renderRoot.querySelector('[role=grid]');
    expect(grid?.getAttribute('aria-label')).to.equal('Carriers');
    expect(grid?.getAttribute('tabindex')).to.equal('0');
    expect([...element.renderRoot.querySelectorAll('th[scope=col] .name')].map(head => head.textContent)).to.deep.equal(
      ['Carrier', 'Count'],
    );
    await expect(element).to.be.accessible();
  });

  it('renders the visible rows of a long table and announces its length', async () => {
    const element = await table(20_000);
    expect(cells(element).length).to.be.lessThan(100);
    expect(element.renderRoot.querySelector('table')?.getAttribute('aria-rowcount')).to.equal('20001');
    expect(scroller(element).scrollHeight).to.be.closeTo(20_001 * 32, 100);
  });

  it('shows any row after scrolling, at its position', async () => {
    const element = await table(20_000);
    const box = scroller(element);
    for (const row of [500, 19_990, 7, 3000]) {
      const scrolled = oneEvent(box, 'scroll');
      box.scrollTop = row * 32;
      await scrolled;
      const findRow = () =>
        [...element.renderRoot.querySelectorAll('tr')].find(line => line.ariaRowIndex === String(row + 2));
      await eventually(() => findRow()?.textContent?.includes(`Carrier ${row}`), `row ${row} is rendered`);
      const top = (findRow()?.getBoundingClientRect().top ?? 0) - box.getBoundingClientRect().top;
      expect(top).to.be.closeTo(32 + row * 32 - box.scrollTop, 2);
      expect(box.scrollTop).to.be.closeTo(Math.min(row * 32, box.scrollHeight - box.clientHeight), 2);
    }
  });

  it('keeps its header visible and its column widths while scrolling', async () => {
    const element = await table(5_000);
    const widths = () => [...element.renderRoot.querySelectorAll('th')].map(head => head.getBoundingClientRect().width);
    const before = widths();
    const scrolled = oneEvent(scroller(element), 'scroll');
    scroller(element).scrollTop = 100_000;
    await scrolled;
    await eventually(() => cells(element).includes('Carrier 3130'));
    expect(widths()).to.deep.equal(before);
    const head = element.renderRoot.querySelector('th')?.getBoundingClientRect().top;
    expect(head).to.be.closeTo(scroller(element).getBoundingClientRect().top, 1);
  });

  it('replaces old rows with new rows', async () => {
    const element = await table(3);
    let drawn = 0;
    element.onRendered = () => {
      drawn += 1;
    };
    element.rowSet = manyRows(2);
    await element.updateComplete;
    expect(cells(element)).to.deep.equal(['Carrier 0', 'Carrier 1']);
    expect(drawn).to.equal(1);
  });
});
