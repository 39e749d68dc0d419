import { expect } from '@open-wc/testing';
import type { Dashboard, DashboardWidget } from '../../../src/contract/dashboards.js';
import { registerRenderer } from '../../../src/elements/parts/custom/renderers.js';
import { appParts, dashboardParts, reportParts } from '../documented-parts.js';
import { eventually } from '../eventually.js';
import { chartWidget, dashboard, rowSet } from '../fake-session.js';
import {
  carrier,
  carrierReport,
  dashboardPage,
  drilled,
  labels,
  markOf,
  openMenu,
  reportPage,
  runItem,
  selectMark,
} from './tile/tile-page.js';

const mark = 'rgb(1, 2, 3)';

/** One rule per part, as a host would write it. */
function style(tag: string, parts: readonly string[]): HTMLStyleElement {
  const element = document.createElement('style');
  element.textContent = parts.map(part => `${tag}::part(${part}) { text-emphasis-color: ${mark}; }`).join('\n');
  document.head.append(element);
  return element;
}

/** Elements in shadow roots, at any depth. */
function* within(root: ParentNode): Generator<Element> {
  for (const element of root.querySelectorAll('*')) {
    yield element;
    if (element.shadowRoot) yield* within(element.shadowRoot);
  }
}

/**
 * Returns the parts on the page and whether host rules match them. A part matches if all elements with its name match.
 */
function partMatches(element: HTMLElement): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>();
  for (const inner of within(element.shadowRoot ?? element)) {
    for (const part of inner.getAttribute('part')?.split(/\s+/) ?? []) {
      const isMatched = getComputedStyle(inner).getPropertyValue('text-emphasis-color') === mark;
      found.set(part, isMatched && found.get(part) !== false);
    }
  }
  return found;
}

/** Adds the parts that are now on the page. */
function addParts(seen: Map<string, boolean>, element: HTMLElement): void {
  for (const [part, isMatched] of partMatches(element)) seen.set(part, isMatched && seen.get(part) !== false);
}

const widget = (id: string, type: string, config: Record<string, unknown> = {}): DashboardWidget => ({
  id,
  type,
  position: { x: 0, y: 20, w: 3, h: 4 },
  config,
});

const linked = { columns: { 'flights.carrier': { display: 'link', url: 'flights.url' } } };
const pictured = { columns: { 'flights.carrier': { display: 'image', url: 'flights.picture' } } };
const pivoted = {
  rows: ['flights.carrier'],
  columns: ['flights.to'],
  measures: ['flights.count'],
  filters: ['flights.carrier'],
  showAppliedFilters: true,
};
const chart = {
  mark: 'line',
  encoding: { x: { field: 'flights.carrier' }, y: { field: 'flights.count', type: 'quantitative' } },
};

/** Creates one widget and report of each kind. */
function completeDashboard(): Dashboard {
  const reports = [
    carrierReport(1, { kind: 'vega', spec: chart }),
    carrierReport(2, { spec: linked }),
    carrierReport(3, { kind: 'kpi', name: 'Figure' }),
    carrierReport(4, { kind: 'map', spec: { type: 'us-states', region: 'flights.carrier', color: 'flights.count' } }),
    carrierReport(5, {
      kind: 'sankey',
      spec: { source: 'flights.carrier', target: 'flights.to', value: 'flights.count' },
    }),
    carrierReport(6, { kind: 'html', spec: '<p>Words</p>' }),
    carrierReport(7, { kind: 'styled-kind', spec: {} }),
    carrierReport(8, { spec: pictured }),
    carrierReport(9, { kind: 'kpi', name: 'Progress', spec: { display: 'progress', target: 12 } }),
    carrierReport(10, { spec: { pivotItems: pivoted } }),
  ];
  const widgets = [
    ...reports.map(({ reportId }) => chartWidget(reportId, { crossFilter: reportId === 1 })),
    chartWidget(99),
    widget('text', 'TEXT', { markdown: 'Some words' }),
    widget('divider', 'DIVIDER'),
    widget('filter', 'FILTER', { member: 'flights.carrier', title: 'Carrier', values: ['AA', 'DL'] }),
    widget('tabs', 'CONTAINER', { layout: 'tabs', title: 'Tabs', children: ['inner'] }),
    widget('inner', 'TEXT', { markdown: 'Inside' }),
    widget('later', 'FILTER', { member: 'no member' }),
  ];
  const given = dashboard(widgets, reports);
  return { ...given, config: { ...given.config, description: 'All there is' } };
}

const rows = rowSet(
  [
    carrier,
    { ...carrier, member: 'flights.to', annotation: { title: 'To', shortTitle: 'To', type: 'string' } },
    { ...carrier, member: 'flights.url', annotation: { title: 'Url', shortTitle: 'Url', type: 'string' } },
    { ...carrier, member: 'flights.picture', annotation: { title: 'Picture', shortTitle: 'Picture', type: 'string' } },
    drilled,
  ],
  [
    {
      'flights.carrier': 'CA',
      'flights.to': 'NY',
      'flights.url': 'https://a.example/',
      'flights.picture': `${location.origin}/none.png`,
      'flights.count': '3',
    },
  ],
);

const comment = { id: 1, dashboardId: 'Dashboard001', body: 'Why?', createdAt: '2026-01-02T03:04:05Z', isOwn: true };

/** Answers the requests of the buttons next to the title. */
const answerTools: typeof fetch = async input =>
  Response.json({
    items: String(input).includes('/comments') ? [{ root: comment, replies: [] }] : [],
    pageInfo: { hasNextPage: false, hasPreviousPage: false },
  });

describe('style parts', () => {
  let rules: HTMLStyleElement | null = null;
  registerRenderer('styled-kind', { render: () => {} });

  afterEach(() => {
    rules?.remove();
    document.body.replaceChildren();
  });

  it('match host rules at every nesting level of a dashboard', async () => {
    rules = style('pa-dashboard', dashboardParts);
    const seen = new Map<string, boolean>();
    const { session, element, tiles } = await dashboardPage(completeDashboard(), (fake, board) => {
      fake.answers = () => rows;
      board.imageOrigins = [location.origin];
      board.exportUrl = '/export';
      board.editable = true;
      fake.identity = JSON.stringify({ creatorMode: true, deploymentId: 1, embedTenantName: 'acme' });
      fake.settings = { allowSubscriptions: true, allowSavedViews: true };
      fake.config = {
        applyThemeGlobally: false,
        restrictDataDownload: false,
        sheetsAgentChatEnabled: false,
        embedding: { enableDashboardComments: true },
      };
      fake.authorize = call => call({ baseUrl: 'https://platform.example', token: 'token', fetch: answerTools });
    });
    const first = [
      'control',
      'tab',
      'export-button',
      'subscribe-button',
      'comments-button',
      'views-button',
      'edit-button',
    ];
    await eventually(() => first.every(part => partMatches(element).has(part)));
    addParts(seen, element);
    const toggle = () => element.renderRoot.querySelector('pa-comments')?.renderRoot.querySelector('button');
    toggle()?.click();
    await eventually(() => partMatches(element).has('comment'));
    addParts(seen, element);
    toggle()?.click();
    const [tile] = tiles;
    if (!tile) throw new Error('no tile');
    session.answers = null;
    await openMenu(tile);
    addParts(seen, element);
    selectMark(tile, markOf('CA'), { intent: 'menu' });
    await eventually(() => labels(tile).includes('Show underlying rows'));
    runItem(tile, 'Show underlying rows');
    await eventually(() => partMatches(element).has('dialog-title') && partMatches(element).has('skeleton'));
    addParts(seen, element);
    session.answers = () => rows;
    const line = tiles.find(({ widgetId }) => widgetId === 'w1');
    if (line) selectMark(line, markOf('CA'));
    await eventually(() => partMatches(element).has('brush'));
    addParts(seen, element);
    element.setState({ filters: { 'flights.carrier': { value: 'AA' } } });
    await eventually(() => partMatches(element).has('reset'));
    await eventually(() => partMatches(element).has('mark'));
    addParts(seen, element);
    await eventually(() => partMatches(element).has('table-filters'));
    addParts(seen, element);
    element.style.setProperty('width', '360px');
    await eventually(() => partMatches(element).has('sheet-button'));
    addParts(seen, element);
    element.style.removeProperty('width');
    session.answers = null;
    void element.refresh();
    tile.renderRoot.querySelector('pa-drill')?.remove();
    const now = performance.now;
    const start = now.call(performance);
    performance.now = () => start + 60_000 + now.call(performance);
    for (const each of tiles) each.requestUpdate();
    await eventually(() => partMatches(element).has('wait'));
    performance.now = now;
    addParts(seen, element);
    const missing = dashboardParts.filter(part => !seen.has(part));
    expect(missing, 'not seen').to.deep.equal([]);
    expect(
      dashboardParts.filter(part => seen.get(part) === false),
      'not reached',
    ).to.deep.equal([]);
  });

  it('match host rules in an app', async () => {
    rules = style('pa-dashboard', appParts);
    const empty = dashboard([], []);
    const app: Dashboard = { ...empty, config: { ...empty.config, kind: 'APP', app: { html: '' } } };
    const { element } = await dashboardPage(app, (fake, board) => {
      board.allowApps = true;
      fake.authorize = call => call({ baseUrl: location.origin, token: 'token' });
    });
    await eventually(() => partMatches(element).get('app') === true);
  });

  it('match host rules in a single report', async () => {
    rules = style('pa-report', reportParts);
    const seen = new Map<string, boolean>();
    const { element, tile } = await reportPage();
    addParts(seen, element);
    await openMenu(tile);
    addParts(seen, element);
    for (const part of ['tile', 'header', 'heading', 'menu-button', 'menu', 'menu-item', 'body', 'table']) {
      expect(seen.get(part), part).to.equal(true);
    }
    expect([...seen].filter(([part, isMatched]) => reportParts.includes(part) && !isMatched)).to.deep.equal([]);
  });
});
