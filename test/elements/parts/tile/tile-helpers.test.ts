import { expect } from '@open-wc/testing';
import { nextItem } from '../../../../src/elements/parts/menu/next-item.js';
import { retryLoad } from '../../../../src/elements/parts/retry-load.js';
import { TileClock } from '../../../../src/elements/parts/tile/tile-lifecycle.js';
import { skeletonShape } from '../../../../src/elements/parts/tile/tile-parts.js';
import type { TileContent } from '../../../../src/elements/parts/tile/tile-view.js';
import { eventually } from '../../eventually.js';
import { chartWidget, dashboard } from '../../fake-session.js';
import { carrierReport, carriers, dashboardPage, reportPage } from './tile-page.js';

const key = (name: string, options: KeyboardEventInit = {}) => new KeyboardEvent('keydown', { key: name, ...options });

describe('menu keys', () => {
  const labels = ['Copy', 'Download', 'Copy all'];

  it('wrap around at both ends', () => {
    expect(nextItem(key('ArrowDown'), labels, 2)).to.equal(0);
    expect(nextItem(key('ArrowUp'), labels, 0)).to.equal(2);
    expect(nextItem(key('ArrowDown'), labels, -1)).to.equal(0);
  });

  it('find the next item by its first letter', () => {
    expect(nextItem(key('c'), labels, 0)).to.equal(2);
    expect(nextItem(key('C'), labels, 2)).to.equal(0);
    expect(nextItem(key('x'), labels, 0)).to.equal(null);
  });

  it('ignore browser shortcuts', () => {
    expect(nextItem(key('c', { ctrlKey: true }), labels, 0)).to.equal(null);
    expect(nextItem(key(' '), labels, 0)).to.equal(null);
    expect(nextItem(key('Enter'), labels, 0)).to.equal(null);
    expect(nextItem(key('ArrowDown'), [], -1)).to.equal(null);
  });
});

describe('chunk loading', () => {
  it('retries until it succeeds', async () => {
    let tries = 0;
    const value = await retryLoad(async () => {
      tries += 1;
      if (tries < 3) throw new TypeError('Failed to fetch');
      return 'there';
    }, [0, 0]);
    expect(value).to.equal('there');
    expect(tries).to.equal(3);
  });

  it('fails after three attempts', async () => {
    let tries = 0;
    const failed = retryLoad(async () => {
      tries += 1;
      throw new TypeError('Failed to fetch');
    }, [0, 0]).then(
      () => 'had',
      () => 'failed',
    );
    expect(await failed).to.equal('failed');
    expect(tries).to.equal(3);
  });
});

describe('tile clock', () => {
  it('reports its timings once for all rows', () => {
    const clock = new TileClock();
    expect(clock.draw()).to.equal(null);
    clock.start();
    const start = performance.now();
    clock.follow(start, { isReady: false });
    expect(clock.draw()).to.equal(null);
    clock.follow(null, { isReady: true });
    const timing = clock.draw();
    expect(timing?.queue).to.be.at.least(0);
    expect(timing?.query).to.be.at.least(0);
    expect(clock.draw()).to.equal(null);
  });
});

describe('tile skeleton', () => {
  const report = (spec: unknown): TileContent => ({
    type: 'report',
    snapshot: { ...carrierReport(1), spec: spec as string },
  });

  it('has the shape of the loading content', () => {
    const line = { marks: [{ type: 'line', encode: {} }], scales: [{ type: 'linear' }] };
    expect(skeletonShape('vega', report(line))).to.equal('line');
    expect(skeletonShape('vega', report('{"mark": "area"}'))).to.equal('line');
    expect(skeletonShape('vega', report({ marks: [{ type: 'rect' }], scales: [{ type: 'linear' }] }))).to.equal('bars');
    expect(skeletonShape('vega', report(undefined))).to.equal('bars');
    const parts = ['table', 'kpi', 'map', 'sankey', 'html'] as const;
    expect(parts.map(part => skeletonShape(part, report({})))).to.deep.equal([
      'rows',
      'figure',
      'map',
      'flow',
      'lines',
    ]);
  });
});

describe('heading marks', () => {
  afterEach(() => document.body.replaceChildren());

  const marks = (tile: Element | null | undefined) =>
    [...(tile?.shadowRoot?.querySelectorAll('pa-hint') ?? [])].map(({ label }) => label);

  it('show that rows are outdated after the viewer canceled a refresh', async () => {
    const { session, element, tile } = await reportPage();
    session.answers = null;
    const refreshing = element.refresh();
    const now = performance.now;
    const start = now.call(performance);
    performance.now = () => start + 60_000 + now.call(performance);
    tile.requestUpdate();
    await eventually(() => tile.renderRoot.querySelector('pa-tile-wait')?.shadowRoot?.querySelector('button'));
    performance.now = now;
    expect(marks(tile)).to.deep.equal([]);
    tile.renderRoot.querySelector('pa-tile-wait')?.shadowRoot?.querySelector('button')?.click();
    await eventually(() => marks(tile).includes('Not up to date'));
    await refreshing;
  });

  it('show newly ignored controls even if the rows are unchanged', async () => {
    const { session, element, tile } = await reportPage();
    const callCount = session.calls.length;
    // No operator compares substrings case-sensitively.
    element.filters = { 'flights.carrier': { operator: 'contains', value: 'a', caseSensitive: true } };
    await eventually(() => marks(tile).includes('Ignores controls'));
    expect(session.calls.length).to.equal(callCount);
  });

  it('do not resize the body of a narrow tile when they appear', async () => {
    const { element, tile } = await reportPage();
    element.parentElement?.style.setProperty('width', '320px');
    const height = () => tile.renderRoot.querySelector('.body')?.getBoundingClientRect().height;
    const title = () => tile.renderRoot.querySelector('header > :first-child')?.getBoundingClientRect().width;
    const before = height();
    const width = title();
    element.filters = { 'flights.carrier': { operator: 'equals', value: ['AA'] } };
    await eventually(() => marks(tile).includes('Filtered'));
    expect(title(), 'the title width is unchanged').to.equal(width);
    const hint = tile.renderRoot.querySelector('pa-hint');
    await eventually(() => hint?.shadowRoot?.querySelector('svg')?.getBoundingClientRect().width, 'an icon is shown');
    expect(height()).to.equal(before);
    expect(hint?.shadowRoot?.querySelector('button')?.innerText).to.equal('Filtered');
    hint?.shadowRoot?.querySelector('button')?.focus();
    const said = hint?.shadowRoot?.querySelector<HTMLElement>('[role=tooltip]:popover-open');
    expect(said?.innerText).to.contain('Filtered').and.to.contain('This includes only rows that match');
  });

  it('show how many of the rows are loaded', async () => {
    const { session, element, tile } = await reportPage();
    session.answers = () => ({ ...carriers, truncated: true });
    await element.refresh();
    await eventually(() => marks(tile).includes('First 2 rows; there may be more'));
    session.answers = () => ({ ...carriers, truncated: true, total: 12_345 });
    await element.refresh();
    await eventually(() => marks(tile).includes('First 2 of 12,345 rows'));
  });

  it('show how many marks of a chart are rendered', async () => {
    const spec = { mark: 'bar', encoding: { x: { field: 'flights.carrier' } } };
    const { tile } = await reportPage({ snapshot: carrierReport(1, { kind: 'vega', spec }) });
    const chart = tile.renderRoot.querySelector('pa-tile-chart');
    chart?.onDownsampled({ shown: 10_000, total: 100_000, reason: 'downsampled' });
    await eventually(() => marks(tile).includes('Showing 10,000 of 100,000'));
    chart?.onDownsampled(null);
    await eventually(() => marks(tile).length === 0);
  });
});

describe('dashboard settling', () => {
  afterEach(() => document.body.replaceChildren());

  it('fires one event with the number of failed tiles', async () => {
    const loads: unknown[] = [];
    const given = dashboard([chartWidget(1), chartWidget(2), chartWidget(99)], [carrierReport(1), carrierReport(2)]);
    const { element } = await dashboardPage(given, (_, fresh) =>
      fresh.addEventListener('pa-load', ({ detail }) => loads.push(detail)),
    );
    await eventually(() => loads.length === 1);
    expect(loads[0]).to.deep.equal({ tiles: 3, failed: 0, waiting: 0 });
    await element.refresh();
    await eventually(() => loads.length === 2);
  });
});
