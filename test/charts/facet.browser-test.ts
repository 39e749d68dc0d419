import { expect, fixture, html } from '@open-wc/testing';
import { type ChartHandle, mountChart } from '../../src/charts/mount.js';
import { lightTheme } from '../../src/charts/view.js';
import type { RowSet } from '../../src/contract/row-set.js';
import { columnOf, rowSetOf } from '../report/fixtures.js';

const month = columnOf('flights.month', 'string', { shortTitle: 'Month' });
const airport = columnOf('flights.airport', 'string', { shortTitle: 'Airport' });
const count = columnOf('flights.count', 'number', { shortTitle: 'Flights' });

function rowsOf(airports: number): RowSet {
  const names = Array.from({ length: airports }, (_, index) => `An airport with a long name ${index}`);
  const rows = names.flatMap(name =>
    ['Jan', 'Feb', 'Mar'].map((label, index) => ({
      'flights.airport': name,
      'flights.month': label,
      'flights.count': String(1_000 * (index + 1)),
    })),
  );
  return rowSetOf([airport, month, count], rows);
}

const cell = { field: 'flights.airport', type: 'nominal' };
const x = { field: 'flights.month', type: 'nominal' };
const y = { field: 'flights.count', type: 'quantitative' };

async function chartOf(
  encoding: Record<string, unknown>,
  { width, height, airports = 3 }: { width: number; height: number; airports?: number },
): Promise<{ element: HTMLElement; chart: ChartHandle }> {
  const element = await fixture<HTMLElement>(html`<div></div>`);
  element.style.setProperty('width', `${width}px`);
  element.style.setProperty('height', `${height}px`);
  const chart = await mountChart(element, {
    spec: { data: { name: 'rows' }, mark: 'bar', encoding },
    rowSet: rowsOf(airports),
    theme: lightTheme,
    locale: 'en',
    label: 'Flights',
    describe: () => '',
  });
  for (const svg of element.querySelectorAll('svg')) svg.style.setProperty('display', 'block');
  return { element, chart };
}

const cells = (element: HTMLElement): DOMRect[] =>
  [...element.querySelectorAll('.role-scope.cell > g > path.background')].map(path => path.getBoundingClientRect());
const isWhole = (element: HTMLElement): boolean =>
  element.scrollWidth <= element.clientWidth && element.scrollHeight <= element.clientHeight;

describe('a facet', () => {
  for (const [name, encoding] of Object.entries({
    'of columns': { x, y, column: cell },
    'of rows': { x, y, row: cell },
    'of rows of lying bars': { x: y, y: x, row: cell },
    'of both': { x: y, y, row: cell, column: x },
    'that wraps': { x, y, facet: { ...cell, columns: 2 } },
  })) {
    it(`${name} distributes the space of the chart to its cells at any size`, async () => {
      const { element, chart } = await chartOf(encoding, { width: 600, height: 400 });
      const wide = cells(element)[0];
      expect(isWhole(element)).to.equal(true);
      for (const [width, height] of [
        [380, 300],
        [900, 500],
        [600, 400],
      ] as const) {
        element.style.setProperty('width', `${width}px`);
        element.style.setProperty('height', `${height}px`);
        await chart.resize(width, height);
        expect(isWhole(element), `${width} by ${height}`).to.equal(true);
        expect(element.querySelector('svg')?.getBoundingClientRect().width).to.be.above(width - 25);
      }
      expect(cells(element)[0]?.width).to.equal(wide?.width);
      expect(cells(element)[0]?.height).to.equal(wide?.height);
      chart.dispose();
    });
  }

  it('is scrolled if more cells than fit remain readable', async () => {
    const { element, chart } = await chartOf({ x, y, row: cell }, { width: 300, height: 150, airports: 20 });
    expect(cells(element)).to.have.length(20);
    for (const { width, height } of cells(element)) {
      expect(width).to.be.above(100);
      expect(height).to.equal(40);
    }
    expect(getComputedStyle(element).overflowY).to.equal('auto');
    expect(element.scrollHeight).to.be.above(20 * 40);
    const { bottom } = element.getBoundingClientRect();
    const last = chart.move('last');
    expect(element.scrollTop).to.be.above(0);
    expect(last?.box.bottom).to.be.at.most(bottom - element.getBoundingClientRect().top);
    chart.dispose();
  });

  it('has the size of the cells in its rows', async () => {
    const { element, chart } = await chartOf({ x, y, column: cell }, { width: 600, height: 200, airports: 6 });
    const narrow = cells(element)[0]?.width ?? 0;
    await chart.update(rowsOf(2));
    expect(cells(element)[0]?.width).to.be.above(2.5 * narrow);
    expect(isWhole(element)).to.equal(true);
    await chart.update(rowsOf(0));
    await chart.update(rowsOf(6));
    expect(cells(element)[0]?.width).to.equal(narrow);
    chart.dispose();
  });
});
