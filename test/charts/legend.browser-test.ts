import { expect, fixture, html } from '@open-wc/testing';
import { type ChartHandle, mountChart } from '../../src/charts/mount.js';
import { lightTheme } from '../../src/charts/view.js';
import { columnOf, rowSetOf } from '../report/fixtures.js';

const month = columnOf('flights.month', 'string', { shortTitle: 'Month' });
const band = columnOf('flights.distance_band', 'string', { shortTitle: 'Distance' });
const count = columnOf('flights.count', 'number', { shortTitle: 'Flights' });
const bands = ['1,000 to 1,999', '2,000 and more', '500 to 999', 'under 500'];
const rowSet = rowSetOf(
  [month, band, count],
  ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'].flatMap(name =>
    bands.map((distance, index) => ({
      'flights.month': name,
      'flights.distance_band': distance,
      'flights.count': String(5_000 * (index + 1)),
    })),
  ),
);
const spec = {
  data: { name: 'rows' },
  mark: 'bar',
  encoding: {
    x: { field: 'flights.month', type: 'ordinal' },
    y: { field: 'flights.count', type: 'quantitative', title: null },
    color: { field: 'flights.distance_band', type: 'nominal' },
  },
};

async function chartOf(width: number, height: number): Promise<{ element: HTMLElement; chart: ChartHandle }> {
  const element = await fixture<HTMLElement>(html`<div></div>`);
  element.style.setProperty('width', `${width}px`);
  element.style.setProperty('height', `${height}px`);
  const chart = await mountChart(element, {
    spec,
    rowSet,
    theme: lightTheme,
    locale: 'en',
    label: 'Flights',
    describe: () => '',
  });
  return { element, chart };
}

const box = (element: HTMLElement, selector: string): DOMRect => {
  const found = element.querySelector(selector);
  if (!found) throw new Error(`There is no ${selector}.`);
  return found.getBoundingClientRect();
};
const rowsOfLegend = (element: HTMLElement): number =>
  new Set(
    [...element.querySelectorAll('.role-legend-label text')].map(text => Math.round(text.getBoundingClientRect().top)),
  ).size;

describe('a legend', () => {
  it('leaves a low chart room for its marks, and stays inside', async () => {
    const { element, chart } = await chartOf(186, 130);
    const [legend, marks, all] = [box(element, '.role-legend'), box(element, '.role-mark'), box(element, 'svg')];
    expect(rowsOfLegend(element)).to.equal(2);
    expect(legend.top).to.be.at.least(all.top);
    expect(marks.top).to.be.at.least(legend.bottom);
    expect(marks.height).to.be.above(30);
    chart.dispose();
  });

  it('is laid out anew when the chart gets another size', async () => {
    const { element, chart } = await chartOf(186, 130);
    await chart.resize(600, 300);
    expect(rowsOfLegend(element)).to.equal(1);
    expect([...element.querySelectorAll('.role-legend-label text')].map(text => text.textContent)).to.deep.equal(bands);
    await chart.resize(186, 130);
    expect(rowsOfLegend(element)).to.equal(2);
    chart.dispose();
  });
});
