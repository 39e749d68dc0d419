import { expect, fixture, html } from '@open-wc/testing';
import { type ChartHandle, type MountOptions, mountChart } from '../../src/charts/mount.js';
import { lightTheme } from '../../src/charts/view.js';
import type { JsonObject } from '../../src/contract/wire.js';
import type { Pick } from '../../src/report/marks/mark.js';
import { eventually } from '../elements/eventually.js';
import { columnOf, rowSetOf } from '../report/fixtures.js';

const month = columnOf('orders.created.month', 'time', {
  shortTitle: 'Month',
  granularity: { name: 'month', title: 'Month' },
});
const status = columnOf('orders.status', 'string', { shortTitle: 'Status' });
const total = columnOf('orders.total', 'number', { shortTitle: 'Total' });
const rows = ['2001-01-01', '2001-02-01', '2001-03-01'].flatMap((day, index) =>
  ['new', 'old'].map((name, series) => ({
    'orders.created.month': `${day}T00:00:00.000`,
    'orders.status': name,
    'orders.total': String(1000 * (index + 1) + 500 * series),
  })),
);
const rowSet = rowSetOf([month, status, total], rows);
const x = { field: 'orders.created.month', type: 'temporal' };
const y = { field: 'orders.total', type: 'quantitative' };
const color = { field: 'orders.status', type: 'nominal' };
const lines: JsonObject = { mark: 'line', encoding: { x, y, color } };
const bars: JsonObject = { mark: 'bar', encoding: { x: color, y: { ...y, aggregate: 'sum' } } };
const many = rowSetOf(
  [status, total],
  Array.from({ length: 1_500 }, (_, index) => ({ 'orders.status': `s${index}`, 'orders.total': String(index) })),
);
const points: JsonObject = { mark: 'point', encoding: { x: y, y } };

interface Shown {
  readonly chart: ChartHandle;
  readonly element: HTMLElement;
  readonly picks: Pick[];
  readonly over: string[];
}

async function show(spec: JsonObject, more: Partial<MountOptions> = {}): Promise<Shown> {
  const element = await fixture<HTMLElement>(html`<div></div>`);
  element.style.setProperty('width', '400px');
  element.style.setProperty('height', '200px');
  const picks: Pick[] = [];
  const over: string[] = [];
  const chart = await mountChart(element, {
    spec,
    rowSet,
    theme: lightTheme,
    locale: 'en',
    label: 'Orders',
    describe: () => '',
    onPick: pick => picks.push(pick),
    onOver: at => over.push(at),
    ...more,
  });
  return { chart, element, picks, over };
}

function at(element: Element, box: { left: number; right: number; top: number; bottom: number }): MouseEventInit {
  const origin = element.getBoundingClientRect();
  const [clientX, clientY] = [origin.left + (box.left + box.right) / 2, origin.top + (box.top + box.bottom) / 2];
  return { bubbles: true, cancelable: true, composed: true, clientX, clientY };
}

const words = (facts: readonly { title: string; value: string }[] | undefined) =>
  facts?.map(({ title, value }) => `${title} ${value}`).join(', ');

describe('marks of a chart', () => {
  it('are reachable with the keyboard along and across, each with a description', async () => {
    const { chart } = await show(lines);
    const first = chart.move('right');
    expect(words(first?.facts)).to.equal('Month 2001 Jan, Status old, Total 1,500');
    expect([first?.position, first?.count]).to.deep.equal([1, 6]);
    expect(words(chart.move('down')?.facts)).to.equal('Month 2001 Jan, Status new, Total 1,000');
    expect(words(chart.move('right')?.facts)).to.equal('Month 2001 Feb, Status new, Total 2,000');
    expect(words(chart.move('up')?.facts)).to.equal('Month 2001 Feb, Status old, Total 2,500');
    expect(words(chart.move('last')?.facts)).to.equal('Month 2001 Mar, Status new, Total 3,000');
    expect(chart.move('right')?.position).to.equal(6);
    expect(chart.move('first')?.position).to.equal(1);
    chart.dispose();
  });

  it('of horizontal bars are in order from top to bottom', async () => {
    const { chart } = await show({ mark: 'bar', encoding: { y: color, x: { ...y, aggregate: 'sum' } } });
    expect(words(chart.move('down')?.facts)).to.equal('Status new, Sum of Total 6,000');
    expect(words(chart.move('right')?.facts)).to.contain('new');
    expect(words(chart.move('down')?.facts)).to.contain('old');
    chart.dispose();
  });

  it('are picked with the keyboard, with the dimension values of the rows', async () => {
    const { chart, picks, element } = await show(lines);
    const active = chart.move('right');
    chart.pickActive({ intent: 'menu', extend: false });
    expect(picks[0]?.mark).to.deep.equal({
      values: { 'orders.created.month': '2001-01-01T00:00:00.000', 'orders.status': 'old' },
      measure: 'orders.total',
    });
    expect(picks[0]?.intent).to.equal('menu');
    const origin = element.getBoundingClientRect();
    expect(picks[0]?.anchor.left).to.be.closeTo(origin.left + (active?.box.left ?? 0), 1);
    chart.leave();
    chart.pickActive({ intent: 'choose', extend: false });
    expect(picks).to.have.length(1);
    chart.dispose();
  });

  it('are found in a frame: a span of the axis for lines, otherwise a box', async () => {
    const { chart, element } = await show(lines);
    expect(chart.brush).to.equal('span');
    const plot = element.querySelector('.mark-line')?.getBoundingClientRect() ?? new DOMRect();
    const { left, top } = plot;
    const half = { left: left - 5, right: left + plot.width * 0.6, top, bottom: top + 1 };
    expect(chart.marksIn(half).map(({ values }) => values['orders.created.month'])).to.deep.equal(
      ['2001-01-01', '2001-01-01', '2001-02-01', '2001-02-01'].map(day => `${day}T00:00:00.000`),
    );
    expect(chart.marksIn({ ...half, left: left - 20, right: left - 10 })).to.deep.equal([]);
    expect(chart.spans).to.deep.equal([]);
    await chart.select(chart.marksIn(half));
    const origin = element.getBoundingClientRect().left;
    const [span] = chart.spans;
    expect(chart.spans).to.have.length(1);
    expect(span?.left).to.be.closeTo(left - origin, 6);
    expect(span?.right).to.be.closeTo(left - origin + plot.width * 0.52, 12);
    const day = (name: string) => ({
      values: { 'orders.created.month': `2001-${name}-01T00:00:00.000` },
      measure: null,
    });
    await chart.select([day('01'), day('03')]);
    expect(chart.spans).to.have.length(2);
    chart.dispose();
    const { chart: other, element: around } = await show(bars);
    expect(other.brush).to.equal('box');
    const box = around.querySelector('.mark-rect')?.getBoundingClientRect() ?? new DOMRect();
    await other.select([{ values: { 'orders.status': 'new' }, measure: null }]);
    expect(other.spans).to.deep.equal([]);
    const low = { left: box.left, right: box.left + 10, top: box.bottom - 4, bottom: box.bottom };
    expect(other.marksIn(low).map(({ values }) => values)).to.deep.equal([{ 'orders.status': 'new' }]);
    expect(other.marksIn({ ...low, top: box.top - 20, bottom: box.top - 10 })).to.deep.equal([]);
    other.dispose();
  });

  it('have no brush if the chart is downsampled or empty', async () => {
    const crowd = rowSetOf(
      [status, total],
      Array.from({ length: 12_000 }, (_, index) => ({ 'orders.status': `s${index}`, 'orders.total': `${index % 90}` })),
    );
    const { chart } = await show(points, { rowSet: crowd });
    expect(chart.renderedRows?.reason).to.equal('downsampled');
    expect(chart.brush).to.equal(null);
    chart.dispose();
    const { chart: empty } = await show(bars, { rowSet: rowSetOf([month, status, total], []) });
    expect(empty.brush).to.equal(null);
    empty.dispose();
  });

  it('have no brush if they identify no rows or the chart handles drags', async () => {
    const counts = { mark: 'bar', encoding: { x: { ...y, bin: true }, y: { aggregate: 'count' } } };
    const { chart: binned } = await show(counts);
    expect(binned.brush).to.equal(null);
    binned.dispose();
    for (const bind of ['scales', null]) {
      const params = [{ name: 'span', select: 'interval', ...(bind && { bind }) }];
      const { chart } = await show({ ...points, params });
      expect(chart.brush).to.equal(null);
      chart.dispose();
    }
    const { chart } = await show({ ...points, params: [{ name: 'one', select: 'point' }] });
    expect(chart.brush).to.equal('box');
    chart.dispose();
  });

  it('are read again after new rows or a resize, even if they were read during the update', async () => {
    const { chart, element } = await show(lines);
    await chart.select([{ values: { 'orders.status': 'new' }, measure: null }]);
    const all = () =>
      chart.marksIn(element.getBoundingClientRect()).map(({ values }) => values['orders.created.month']);
    const later = rows.map(row => ({
      ...row,
      'orders.created.month': row['orders.created.month'].replace('2001', '2002'),
    }));
    const updating = chart.update(rowSetOf([month, status, total], later));
    expect(chart.spans).to.have.length(1);
    await updating;
    expect(new Set(all().map(time => String(time).slice(0, 4)))).to.deep.equal(new Set(['2002']));
    const before = chart.spans[0]?.right ?? 0;
    const resizing = chart.resize(200, 200);
    expect(chart.spans).to.have.length(1);
    await resizing;
    expect(chart.spans[0]?.right).to.be.lessThan(before - 150);
    chart.dispose();
  });

  it('are picked by click, with the remaining dimensions of aggregated rows', async () => {
    const { chart, picks, element, over } = await show(bars);
    const active = chart.move('last');
    const bar = [...element.querySelectorAll('.mark-rect.role-mark path')].at(-1);
    const point = at(element, active?.box ?? { left: 0, right: 0, top: 0, bottom: 0 });
    bar?.dispatchEvent(new PointerEvent('pointermove', point));
    expect(over.at(-1)).to.equal('mark');
    bar?.dispatchEvent(new MouseEvent('click', { ...point, ctrlKey: true }));
    expect(picks[0]).to.deep.include({ intent: 'choose', extend: true });
    expect(picks[0]?.mark).to.deep.equal({ values: { 'orders.status': 'old' }, measure: null });
    const menu = new MouseEvent('contextmenu', point);
    bar?.dispatchEvent(menu);
    expect(picks[1]).to.deep.include({ intent: 'menu', extend: false });
    expect(menu.defaultPrevented).to.equal(true);
    chart.dispose();
  });

  it('cannot be picked without a pick callback', async () => {
    const { chart, element } = await show(bars, { onPick: undefined });
    const bar = element.querySelector('.mark-rect.role-mark path');
    const menu = new MouseEvent('contextmenu', { bubbles: true, cancelable: true });
    bar?.dispatchEvent(menu);
    expect(menu.defaultPrevented).to.equal(false);
    chart.dispose();
  });

  it('keep their color when selected while others fade, also after new rows and themes', async () => {
    const { chart, element } = await show(bars, { selected: [{ values: { 'orders.status': 'old' }, measure: null }] });
    const opacities = () =>
      [...element.querySelectorAll('.mark-rect.role-mark path')].map(bar => bar.getAttribute('opacity'));
    expect(opacities()).to.deep.equal(['0.3', null]);
    await chart.update(rowSetOf([month, status, total], rows.slice(0, 4)));
    expect(opacities()).to.deep.equal(['0.3', null]);
    expect(await chart.toSvg()).not.to.contain('opacity="0.3"');
    expect(opacities()).to.deep.equal(['0.3', null]);
    await chart.setTheme({ ...lightTheme });
    expect(opacities()).to.deep.equal(['0.3', null]);
    await chart.select([]);
    expect(opacities()).to.deep.equal([null, null]);
    chart.dispose();
  });

  it('of a line fade together', async () => {
    const { chart, element } = await show(lines);
    await chart.select([{ values: { 'orders.status': 'new' }, measure: null }]);
    const faded = [...element.querySelectorAll('.mark-line.role-mark path')].map(line => line.getAttribute('opacity'));
    expect(faded).to.have.members(['0.3', null]);
    chart.dispose();
  });
});

describe('a chart of many marks', () => {
  const pixels = (element: Element): number => {
    const canvas = element.querySelector('canvas');
    const image = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height);
    return image ? image.data.filter((value, index) => index % 4 === 3 && value > 0).length : 0;
  };

  it('uses a canvas as one labeled image, and switches back to SVG', async () => {
    const { chart, element } = await show(points, { rowSet: many, describe: () => 'many' });
    expect(element.querySelector('svg')).to.equal(null);
    const canvas = element.querySelector('canvas');
    expect(canvas?.getAttribute('role')).to.equal('img');
    expect(canvas?.getAttribute('aria-label')).to.equal('Orders. many');
    expect(canvas?.width).to.equal(400 * devicePixelRatio);
    expect(pixels(element)).to.be.greaterThan(1_000);
    await chart.update(rowSetOf(many.columns, many.rows.slice(0, 10)));
    expect(element.querySelector('canvas')).to.equal(null);
    expect(element.querySelectorAll('.mark-symbol.role-mark path')).to.have.length(10);
    await chart.update(many);
    expect(element.querySelector('svg')).to.equal(null);
    expect(element.querySelector('canvas')?.getAttribute('role')).to.equal('img');
    chart.dispose();
  });

  it('reports and picks the mark under the pointer, and fades the others', async () => {
    const tooltips: unknown[] = [];
    const { chart, element, picks } = await show(points, {
      rowSet: many,
      onTooltip: tooltip => tooltips.push(tooltip),
    });
    const active = chart.move('last');
    const point = at(element, active?.box ?? { left: 0, right: 0, top: 0, bottom: 0 });
    const canvas = element.querySelector('canvas');
    canvas?.dispatchEvent(new PointerEvent('pointermove', point));
    await eventually(() => tooltips.length > 0, 'a tooltip');
    canvas?.dispatchEvent(new PointerEvent('pointerdown', point));
    canvas?.dispatchEvent(new MouseEvent('click', point));
    expect(picks[0]?.mark.values).to.deep.equal({ 'orders.status': 's1499' });
    const alphaAt = () => {
      const { left, right, top, bottom } = chart.move('first')?.box ?? { left: 0, right: 0, top: 0, bottom: 0 };
      const context = canvas?.getContext('2d');
      const ratio = devicePixelRatio;
      return context?.getImageData(((left + right) / 2) * ratio, ((top + bottom) / 2) * ratio, 1, 1).data[3] ?? 0;
    };
    const before = alphaAt();
    await chart.select([{ values: { 'orders.status': 's1499' }, measure: null }]);
    expect(alphaAt()).to.be.lessThan(before);
    await chart.select([]);
    expect(alphaAt()).to.equal(before);
    chart.dispose();
  });

  it('is printed as SVG, and switches back to a canvas', async () => {
    const { chart, element } = await show(points, { rowSet: many, describe: () => 'many' });
    window.dispatchEvent(new Event('beforeprint'));
    await eventually(() => element.querySelectorAll('.mark-symbol.role-mark path').length === 1_500, 'elements');
    await eventually(() => element.querySelector('svg')?.getAttribute('aria-label') === 'Orders. many', 'their name');
    window.dispatchEvent(new Event('afterprint'));
    await eventually(() => element.querySelector('canvas')?.getAttribute('role') === 'img', 'the canvas');
    chart.dispose();
    window.dispatchEvent(new Event('beforeprint'));
    expect(element.childNodes).to.have.length(0);
  });

  it('is exported as SVG without external references', async () => {
    const { chart } = await show(points, { rowSet: many });
    const svg = await chart.toSvg();
    expect(svg.match(/aria-roledescription|<path/g)?.length).to.be.greaterThan(1_400);
    expect(svg).not.to.match(/<image|href="(?!#)|url\((?!#)/);
    expect(svg).to.contain(`<rect width="100%" height="100%" fill="${lightTheme.surface}"`);
    expect(svg).to.contain('font-family="ui-sans-serif, system-ui, sans-serif"');
    chart.dispose();
  });
});

describe('a downsampled line', () => {
  const count = 30_000;
  const long = rowSetOf(
    [columnOf('o.x', 'number'), columnOf('o.y', 'number')],
    Array.from({ length: count }, (_, index) => ({
      'o.x': String(index),
      'o.y': (Math.sin(index / 900) * 50 + ((index * 7919) % 101) / 5 + (index % 4001 === 0 ? 90 : 0)).toFixed(2),
    })),
  );
  const line: JsonObject = {
    mark: 'line',
    encoding: { x: { field: 'o.x', type: 'quantitative' }, y: { field: 'o.y', type: 'quantitative' } },
  };

  /** Returns the highest and lowest filled pixel of each pixel column. */
  async function extentsOf(svg: string): Promise<string[]> {
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(svg.replace(/<rect width="100%"[^>]*>/, ''))}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    const context = canvas.getContext('2d');
    context?.drawImage(image, 0, 0);
    const data = context?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    return Array.from({ length: canvas.width }, (_, column) => {
      const filled = Array.from({ length: canvas.height }, (_row, row) => row).filter(
        row => (data[4 * (row * canvas.width + column) + 3] ?? 0) > 127,
      );
      return `${column}: ${filled[0]} to ${filled.at(-1)}`;
    });
  }

  it('fills the same pixels in every column as with all points', async () => {
    const thinned = await show(line, { rowSet: long });
    const full = await show({ ...line, transform: [{ calculate: '1', as: 'one' }] }, { rowSet: long });
    const [part, all] = [await thinned.chart.toSvg(), await full.chart.toSvg()];
    expect(part.length).to.be.lessThan(all.length / 4);
    expect(await extentsOf(part)).to.deep.equal(await extentsOf(all));
    thinned.chart.dispose();
    full.chart.dispose();
  });
});
