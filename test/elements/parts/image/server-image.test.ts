import { expect } from '@open-wc/testing';
import type { ReportSnapshot } from '../../../../src/contract/dashboards.js';
import type { Column, RowSet } from '../../../../src/contract/row-set.js';
import type { JsonObject } from '../../../../src/contract/wire.js';
import type { PaTileChart } from '../../../../src/elements/parts/chart/chart-element.js';
import { createTileImage } from '../../../../src/elements/parts/image/tile-image.js';
import type { PaTile } from '../../../../src/elements/parts/tile/tile-element.js';
import '../../../../src/elements/report/pa-report.js';
import { eventually } from '../../eventually.js';
import { FakeSession, provide, rowSet, snapshot } from '../../fake-session.js';
import { decode, difference, inner } from './compare-images.js';

// Compares pictures rendered on the server with the page's rendering of the same reports, in the same font.

/**
 * Maximum share of visibly different squares of one report, drawn by the server and by the page, and minimum share of
 * two reports that differ.
 */
const [tolerance, otherwise] = [0.02, 0.05];
/** Pixels per px, and margin of a chart on the server, px. */
const [scale, margin] = [2, 4];

const column = (member: string, kind: Column['kind'], type: string): Column => ({
  member,
  kind,
  annotation: { title: member, shortTitle: member.split('.')[1] ?? member, type },
});
const columns = [
  column('o.state', 'dimension', 'string'),
  column('o.day', 'dimension', 'time'),
  column('o.sum', 'measure', 'number'),
  column('o.count', 'measure', 'number'),
];
const states = ['California', 'Texas', 'New York', 'Florida', 'Ohio'];
const rows: RowSet = rowSet(
  columns,
  Array.from({ length: 30 }, (_, index) => ({
    'o.state': states[index % states.length] ?? '',
    'o.day': new Date(Date.UTC(2024, 0, 1 + Math.floor(index / states.length))).toISOString().slice(0, 23),
    'o.sum': String(200 + ((index * 7_919) % 1_009)),
    'o.count': String(10 + ((index * 104_729) % 97)),
  })),
);
const otherRows: RowSet = { ...rows, rows: rows.rows.slice(3, 11) };

const field = (name: string, type: string, more: JsonObject = {}) => ({ field: `o\\.${name}`, type, ...more });
const color = field('state', 'nominal');
const charts: Readonly<Record<string, JsonObject>> = {
  bars: {
    mark: 'bar',
    encoding: { x: field('state', 'nominal'), y: field('sum', 'quantitative', { aggregate: 'sum' }) },
  },
  lines: { mark: 'line', encoding: { x: field('day', 'temporal'), y: field('sum', 'quantitative'), color } },
  points: { mark: 'circle', encoding: { x: field('sum', 'quantitative'), y: field('count', 'quantitative'), color } },
  areas: {
    mark: 'area',
    encoding: { x: field('day', 'temporal'), y: field('sum', 'quantitative', { stack: 'zero' }), color },
  },
  slices: { mark: 'arc', encoding: { theta: field('sum', 'quantitative', { aggregate: 'sum' }), color } },
};
const jsonQuery = { dimensions: ['o.state', 'o.day'], measures: ['o.sum', 'o.count'] };
const chartReport = (spec: JsonObject): ReportSnapshot =>
  snapshot(1, { kind: 'vega', name: 'Orders', spec, meta: { jsonQuery } });

before(async () => {
  for (const [weight, file] of [
    [400, '400Regular/NotoSans_400Regular'],
    [600, '600SemiBold/NotoSans_600SemiBold'],
  ] as const) {
    const url = `/node_modules/@expo-google-fonts/noto-sans/${file}.ttf`;
    document.fonts.add(await new FontFace('Noto Sans', `url(${url})`, { weight: String(weight) }).load());
  }
});
afterEach(() => document.body.replaceChildren());

/** Shows a report on a page, and returns its tile once it is drawn. */
async function tileOf(report: ReportSnapshot, shown: RowSet): Promise<PaTile> {
  const session = new FakeSession();
  session.answers = () => shown;
  const element = Object.assign(document.createElement('pa-report'), { snapshot: report, locale: 'en' });
  element.style.cssText = 'display: block; inline-size: 560px; block-size: 380px; --pa-font: "Noto Sans"';
  const page = provide(session);
  page.append(element);
  document.body.append(page);
  await element.loadAll();
  const tile = element.renderRoot.querySelector('pa-tile');
  if (!tile) throw new Error('no tile');
  return tile;
}

/** Renders a report on the server. */
async function onServer(report: ReportSnapshot, options: object, shown: RowSet = rows): Promise<ImageData> {
  const body = JSON.stringify({ report, rowSet: shown, locale: 'en', scale, ...options });
  const response = await fetch('/render-report', { method: 'POST', body });
  if (!response.ok) throw new Error(`the server returned ${response.status}`);
  return decode(await response.blob());
}

/** Returns the drawing of a chart on the page, and its size in px. */
async function chartOnPage(report: ReportSnapshot) {
  const tile = await tileOf(report, rows);
  const chart = tile.renderRoot.querySelector<PaTileChart>('pa-tile-chart');
  await eventually(() => chart?.shadowRoot?.querySelector('.chart :is(svg, canvas)'), 'the chart is drawn');
  const image = await decode((await chart?.toPng()) ?? new Blob());
  return { image, width: image.width / scale, height: image.height / scale };
}

describe('an image that the server renders', () => {
  for (const [name, spec] of Object.entries(charts)) {
    it(`shows ${name} as the page does, and would differ without their color, axes or marks`, async () => {
      const { image, width, height } = await chartOnPage(chartReport(spec));
      const size = { width: width + 2 * margin, height: height + 2 * margin };
      const shown = async (report: ReportSnapshot, options = {}, drawn = rows) =>
        difference(image, inner(await onServer(report, { size, ...options }, drawn), margin * scale));
      const same = await shown(chartReport(spec));
      const { encoding } = spec as { encoding: Record<string, JsonObject> };
      const bare = Object.entries(encoding).map(([channel, given]) => [
        channel,
        { ...given, ...(channel === 'color' ? { legend: null } : { axis: null }) },
      ]);
      const others = {
        colors: await shown(chartReport({ ...spec, encoding: { ...encoding, color: { value: '#888888' } } })),
        axes: await shown(chartReport({ ...spec, encoding: Object.fromEntries(bare) })),
        marks: await shown(chartReport(spec), {}, otherRows),
      };
      expect(same, 'the same chart').to.be.at.most(tolerance);
      for (const [what, share] of Object.entries(others)) expect(share, what).to.be.greaterThan(otherwise);
    });
  }

  const tiles: Readonly<Record<string, Partial<ReportSnapshot>>> = {
    table: { kind: 'table' },
    kpi: { kind: 'kpi', meta: { jsonQuery: { measures: ['o.sum'] } } },
    sankey: { kind: 'sankey', meta: { jsonQuery: { dimensions: ['o.state', 'o.day'], measures: ['o.sum'] } } },
  };
  for (const [name, fields] of Object.entries(tiles)) {
    it(`shows a ${name} as the page does, and would differ with other rows`, async () => {
      const report = snapshot(1, { name: 'Orders', meta: { jsonQuery }, ...fields });
      const tile = await tileOf(report, rows);
      const frame = tile.renderRoot.querySelector<HTMLElement>('[part=tile]') ?? tile;
      const data = { rowSet: rows, totals: new Map(), request: null } as unknown as Parameters<
        typeof createTileImage
      >[0]['data'];
      const file = await createTileImage({
        frame,
        snapshot: report,
        data,
        title: 'Orders',
        locale: 'en',
        asTable: false,
      });
      const image = await decode(file ?? new Blob());
      const options = { size: { width: image.width / scale, height: image.height / scale }, framed: true };
      const shown = async (drawn: RowSet) => difference(image, await onServer(report, options, drawn));
      const [same, other] = [await shown(rows), await shown(otherRows)];
      expect(same, 'the same report').to.be.at.most(tolerance);
      expect(other, 'other rows').to.be.greaterThan(otherwise);
    });
  }
});
