import { expect, fixture, html } from '@open-wc/testing';
// Unbundled, Vega-Lite imports all of Vega, which must not overwrite our transforms.
import '../../src/charts/vega-lite.js';
import { type ChartHandle, type MountOptions, mountChart } from '../../src/charts/mount.js';
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

async function chartOf(
  width: number,
  height: number,
  drawn: Partial<Pick<MountOptions, 'spec' | 'rowSet' | 'locale' | 'more'>> = {},
): Promise<{ element: HTMLElement; chart: ChartHandle }> {
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
    ...drawn,
  });
  return { element, chart };
}

const box = (element: HTMLElement, selector: string): DOMRect => {
  const found = element.querySelector(selector);
  if (!found) throw new Error(`There is no ${selector}.`);
  return found.getBoundingClientRect();
};
/** Maximum blank space above and below the letters in the bounding box of a text, px. It depends on the font. */
const blankSpace = 4;
const rowsOfLegend = (element: HTMLElement): number =>
  new Set(
    [...element.querySelectorAll('.role-legend-label text')].map(text => Math.round(text.getBoundingClientRect().top)),
  ).size;

describe('a legend', () => {
  it('leaves space for the marks in a low chart, and does not overflow', async () => {
    const { element, chart } = await chartOf(186, 130);
    const [legend, marks, all] = [box(element, '.role-legend'), box(element, '.role-mark'), box(element, 'svg')];
    expect(rowsOfLegend(element)).to.equal(2);
    expect(legend.top).to.be.at.least(all.top - blankSpace);
    expect(marks.top).to.be.at.least(legend.bottom);
    expect(marks.height).to.be.above(30);
    chart.dispose();
  });

  it('is laid out again when the chart is resized', async () => {
    const { element, chart } = await chartOf(186, 130);
    await chart.resize(600, 300);
    expect(rowsOfLegend(element)).to.equal(1);
    expect([...element.querySelectorAll('.role-legend-label text')].map(text => text.textContent)).to.deep.equal(bands);
    await chart.resize(186, 130);
    expect(rowsOfLegend(element)).to.equal(2);
    chart.dispose();
  });

  it('with many entries shows the number of hidden ones, and leaves space for the chart', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `A band with a long name ${index}`);
    const rows = names.map((name, index) => ({
      'flights.month': 'Jan',
      'flights.distance_band': name,
      'flights.count': String(1_000 + index),
    }));
    for (const [width, height] of [
      [186, 130],
      [320, 200],
      [1_000, 300],
    ] as const) {
      const { element, chart } = await chartOf(width, height, { rowSet: rowSetOf([month, band, count], rows) });
      const [legend, marks, all] = [box(element, '.role-legend'), box(element, '.role-mark'), box(element, 'svg')];
      expect(element.querySelector('.role-legend')?.textContent).to.match(/…\d+ e/);
      expect(legend.right).to.be.at.most(all.right);
      expect(marks.top).to.be.at.least(legend.bottom);
      expect(box(element, '.role-axis').bottom).to.be.at.most(all.bottom);
      expect(marks.height).to.be.above(8);
      chart.dispose();
    }
  });

  it('shows the number of hidden entries in the given language', async () => {
    const rows = Array.from({ length: 50 }, (_, index) => ({
      'flights.month': 'Jan',
      'flights.distance_band': `Band ${index}`,
      'flights.count': '1000',
    }));
    const { element, chart } = await chartOf(320, 200, {
      rowSet: rowSetOf([month, band, count], rows),
      more: left => `+${left} weitere`,
    });
    const labels = () => [...element.querySelectorAll('.role-legend-label text')].map(text => text.textContent);
    expect(labels().at(-1)).to.equal(`+${50 - (labels().length - 1)} weitere`);
    await chart.update(rowSetOf([month, band, count], rows.slice(0, 20)));
    expect(labels().at(-1)).to.equal(`+${20 - (labels().length - 1)} weitere`);
    await chart.update(rowSetOf([month, band, count], rows.slice(0, 2)));
    expect(labels()).to.deep.equal(['Band 0', 'Band 1']);
    chart.dispose();
  });

  it('is placed below another legend so that none overflows the tile', async () => {
    const { element, chart } = await chartOf(320, 240, {
      spec: {
        ...spec,
        mark: 'point',
        encoding: {
          ...spec.encoding,
          shape: { field: 'flights.month', type: 'nominal' },
          size: { field: 'flights.count', type: 'quantitative' },
        },
      },
    });
    const all = box(element, 'svg');
    const legends = [...element.querySelectorAll('.role-legend')].map(legend => legend.getBoundingClientRect());
    expect(legends).to.have.length(3);
    for (const legend of legends) expect(legend.right).to.be.at.most(all.right);
    expect(new Set(legends.map(({ top }) => Math.round(top))).size).to.equal(3);
    expect(box(element, '.role-mark').top).to.be.at.least(Math.max(...legends.map(({ bottom }) => bottom)) - 4);
    chart.dispose();
  });

  it('for sizes has a title and formatted numbers, and fits a phone', async () => {
    const revenue = columnOf('flights.revenue', 'number', {
      shortTitle: 'Revenue',
      format: 'currency',
      currency: 'EUR',
    });
    const rows = bands.map((distance, index) => ({
      'flights.distance_band': distance,
      'flights.count': String(5_000 * (index + 1)),
      'flights.revenue': String(1_200_000 * (index + 1)),
    }));
    const { element, chart } = await chartOf(360, 220, {
      rowSet: rowSetOf([band, count, revenue], rows),
      spec: {
        data: { name: 'rows' },
        mark: 'circle',
        encoding: {
          x: { field: 'flights\\.count', type: 'quantitative' },
          y: { field: 'flights\\.count', type: 'quantitative', title: null },
          size: { field: 'flights\\.revenue', type: 'quantitative' },
        },
      },
    });
    expect(element.querySelector('.role-legend-title text')?.textContent).to.equal('Revenue');
    const labels = [...element.querySelectorAll('.role-legend-label text')].map(text => text.textContent ?? '');
    expect(labels.length).to.be.above(1);
    for (const label of labels.filter(text => text !== '€0')) expect(label).to.match(/^€\d(\.\d)?M$/);
    expect(outside(element)).to.be.at.most(2);
    expect(box(element, '.role-mark').top).to.be.at.least(box(element, '.role-legend').bottom - blankSpace);
    chart.dispose();
  });

  it('next to the chart has one column', async () => {
    const color = { ...spec.encoding.color, legend: { orient: 'right' } };
    const beside = { ...spec, encoding: { ...spec.encoding, color } };
    const { element, chart } = await chartOf(560, 240, { spec: beside });
    expect(rowsOfLegend(element)).to.equal(bands.length);
    const bars = [...element.querySelectorAll('.role-mark path')].map(bar => bar.getBoundingClientRect());
    const widest = Math.max(...bars.map(({ right }) => right)) - Math.min(...bars.map(({ left }) => left));
    expect(widest).to.be.above(300);
    chart.dispose();
  });
});

const airports = {
  en: ['Hartsfield–Jackson Atlanta International', 'Dallas/Fort Worth International', 'Denver'],
  ar: ['مطار هارتسفيلد جاكسون أتلانتا الدولي', 'مطار دالاس فورت وورث الدولي', 'دنفر'],
};
const named = { field: 'flights.month', type: 'nominal' };
const counted = { field: 'flights.count', type: 'quantitative' };
const color = { field: 'flights.distance_band', type: 'nominal' };

function lyingBars(locale: keyof typeof airports, legend: Record<string, unknown> = {}) {
  const rows = airports[locale].flatMap(name =>
    bands.map(distance => ({ 'flights.month': name, 'flights.distance_band': distance, 'flights.count': '123456' })),
  );
  return {
    spec: { ...spec, encoding: { y: named, x: counted, color: { ...color, legend } } },
    rowSet: rowSetOf([month, band, count], rows),
    locale,
  };
}

/** Returns how far text extends beyond the drawing, in px. */
function outside(element: HTMLElement): number {
  const all = box(element, 'svg');
  const texts = [...element.querySelectorAll('svg text')].map(text => text.getBoundingClientRect());
  return Math.max(
    ...texts.flatMap(({ left, right, top, bottom }) => [
      all.left - left,
      right - all.right,
      all.top - top,
      bottom - all.bottom,
    ]),
  );
}

const plot = (element: HTMLElement): DOMRect => box(element, '.role-frame path.background');

describe('a small chart with long names', () => {
  for (const locale of ['en', 'ar'] as const) {
    for (const [width, height] of [
      [190, 130],
      [190, 260],
      [260, 180],
      [360, 180],
    ] as const) {
      it(`keeps its marks and clips nothing at ${width} by ${height} (${locale})`, async () => {
        for (const legend of [{}, { orient: 'right' }, { orient: 'bottom' }]) {
          const { element, chart } = await chartOf(width, height, lyingBars(locale, legend));
          expect(plot(element).width).to.be.above(0.5 * width);
          expect(plot(element).height).to.be.above(0.38 * height);
          expect(outside(element)).to.be.at.most(2);
          chart.dispose();
        }
      });
    }
  }

  it('adapts the space of its labels when it grows and shrinks', async () => {
    const { element, chart } = await chartOf(190, 180, lyingBars('en'));
    const named = () =>
      [...element.querySelectorAll('.role-axis-label text')]
        .map(text => text.textContent ?? '')
        .find(text => text.startsWith('Dallas')) ?? '';
    const short = named();
    expect(short).to.match(/…$/);
    await chart.resize(520, 180);
    expect(named().length).to.be.above(short.length);
    await chart.resize(190, 180);
    expect(named()).to.equal(short);
    chart.dispose();
  });

  it('limits the height of rotated labels', async () => {
    const { rowSet } = lyingBars('en');
    const turned = { y: counted, x: { ...named, axis: { labelAngle: -90 } } };
    const { element, chart } = await chartOf(260, 180, { spec: { ...spec, encoding: turned }, rowSet });
    expect(plot(element).height).to.be.above(0.5 * 180);
    expect(outside(element)).to.be.at.most(2);
    chart.dispose();
  });

  it('has its legend above the title of its value axis', async () => {
    const { rowSet } = lyingBars('en');
    const { element, chart } = await chartOf(186, 130, {
      spec: { ...spec, encoding: { x: named, y: { ...counted, title: 'Flights' }, color } },
      rowSet,
    });
    const { bottom } = box(element, '.role-legend');
    expect(box(element, '.role-axis-title text').top).to.be.at.least(bottom - blankSpace);
    chart.dispose();
  });
});
