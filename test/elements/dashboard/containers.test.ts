import { expect, nextFrame } from '@open-wc/testing';
import type { DashboardWidget } from '../../../src/contract/dashboards.js';
import '../../../src/elements/dashboard/pa-dashboard.js';
import type { PaDashboard } from '../../../src/elements/dashboard/dashboard-element.js';
import type { PaContainer } from '../../../src/elements/parts/container/container-element.js';
import { eventually } from '../eventually.js';
import { chartWidget, dashboard, FakeSession, provide, snapshot } from '../fake-session.js';
import { container, dashboardPage, textIn, tilesOf, visibleTitles } from './dashboard-page.js';

const reports = Array.from({ length: 12 }, (_, index) => snapshot(index));
const charts = (...indexes: number[]): DashboardWidget[] => indexes.map(index => chartWidget(index));
const containersOf = (element: PaDashboard): PaContainer[] => [...element.renderRoot.querySelectorAll('pa-container')];
const tabsIn = (frame: PaContainer | undefined): HTMLButtonElement[] => [
  ...(frame?.shadowRoot?.querySelectorAll<HTMLButtonElement>('[role="tab"]') ?? []),
];
const openIn = (frame: PaContainer | undefined): string =>
  tabsIn(frame)
    .filter(tab => tab.getAttribute('aria-selected') === 'true')
    .map(tab => textIn(tab))
    .join();
const queriedMeasures = (session: FakeSession): string[] => session.calls.map(({ query }) => query.measures?.[0] ?? '');
const press = (element: Element | null | undefined, key: string) =>
  element?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, composed: true }));
const waitForTabs = async (element: PaDashboard): Promise<void> => {
  await eventually(() => tabsIn(containersOf(element)[0]).length > 0, 'tabs are rendered');
  // Also loads widgets below the viewport.
  dispatchEvent(new Event('scroll'));
};

const tabbed = dashboard(
  [
    ...charts(0, 1, 2, 3),
    container('box', ['w0', { id: 'w1', title: 'Second' }, 'w2'], { layout: 'tabs', title: 'Box' }),
  ],
  reports,
);

describe('tab container', () => {
  afterEach(() => {
    document.body.replaceChildren();
  });

  it('has a tab per child and neither renders nor queries unopened tabs', async () => {
    const { element, session } = await dashboardPage(tabbed);
    await waitForTabs(element);
    await eventually(() => session.calls.length === 2);
    expect(tabsIn(containersOf(element)[0]).map(tab => textIn(tab))).to.deep.equal(['Report 0', 'Second', 'Report 2']);
    expect(openIn(containersOf(element)[0])).to.equal('Report 0');
    expect(
      tilesOf(element)
        .map(({ heading }) => heading)
        .sort(),
    ).to.deep.equal(['Report 0', 'Report 3']);
    expect(queriedMeasures(session).sort()).to.deep.equal(['flights.m0', 'flights.m3']);
  });

  it('opens a tab on click and keeps rendered tabs without a new query', async () => {
    const { element, session } = await dashboardPage(tabbed);
    await waitForTabs(element);
    await eventually(() => session.calls.length === 2);
    const first = tilesOf(element).find(({ heading }) => heading === 'Report 0');
    tabsIn(containersOf(element)[0])[1]?.click();
    await eventually(() => session.calls.length === 3);
    expect(openIn(containersOf(element)[0])).to.equal('Second');
    expect(visibleTitles(element).sort()).to.deep.equal(['Report 1', 'Report 3']);
    tabsIn(containersOf(element)[0])[0]?.click();
    await eventually(() => visibleTitles(element).includes('Report 0'));
    expect(tilesOf(element).find(({ heading }) => heading === 'Report 0')).to.equal(first);
    expect(session.calls.length).to.equal(3);
    expect(element.getState().tabs).to.deep.equal({ box: 'w0' });
  });

  it('opens the tab from the author or the state, and the first tab if the ID is unknown', async () => {
    const given = dashboard(
      [...charts(0, 1, 2), container('box', ['w0', 'w1', 'w2'], { layout: 'tabs', value: 'w2' })],
      reports,
    );
    const { element } = await dashboardPage(given);
    await waitForTabs(element);
    expect(openIn(containersOf(element)[0])).to.equal('Report 2');
    element.setState({ tabs: { box: 'w1' } });
    await eventually(() => openIn(containersOf(element)[0]) === 'Report 1');
    element.setState({ tabs: { box: 'gone' } });
    await eventually(() => openIn(containersOf(element)[0]) === 'Report 2');
  });

  it('supports the legacy tabs container', async () => {
    const legacy: DashboardWidget = { ...container('box', ['w0', 'w1']), type: 'TABS_CONTAINER' };
    const { element } = await dashboardPage(dashboard([...charts(0, 1), legacy], reports));
    await waitForTabs(element);
    expect(tabsIn(containersOf(element)[0]).length).to.equal(2);
  });

  it('defers queries of closed tabs until they open, after a filter change and after a refresh', async () => {
    const filter: DashboardWidget = {
      id: 'carrier',
      type: 'FILTER',
      position: { x: 0, y: 0, w: 3, h: 1 },
      config: { member: 'flights.carrier', values: ['AA', 'DL'] },
    };
    const given = dashboard([filter, ...charts(0, 1), container('box', ['w0', 'w1'], { layout: 'tabs' })], reports);
    const { element, session } = await dashboardPage(given);
    await waitForTabs(element);
    await eventually(() => session.calls.length === 1);
    tabsIn(containersOf(element)[0])[1]?.click();
    await eventually(() => session.calls.length === 2);
    element.setState({ filters: { 'flights.carrier': { operator: 'equals', value: 'AA' } } });
    await eventually(() => session.calls.length === 3);
    expect(queriedMeasures(session)[2]).to.equal('flights.m1');
    tabsIn(containersOf(element)[0])[0]?.click();
    await eventually(() => session.calls.length === 4);
    expect(session.calls[3]?.query.filters?.length).to.equal(1);
    await element.refresh();
    expect(queriedMeasures(session).slice(4)).to.deep.equal(['flights.m0']);
    tabsIn(containersOf(element)[0])[1]?.click();
    await eventually(() => session.calls.length === 6);
    expect(queriedMeasures(session)[5]).to.equal('flights.m1');
  });

  it('loads all tabs on loadAll, at their final size', async () => {
    const inner = container('inner', ['w2', 'w3'], { layout: 'tabs' });
    const outer = container('outer', ['w0', 'inner'], { layout: 'tabs' });
    const { element, session } = await dashboardPage(dashboard([...charts(0, 1, 2, 3), outer, inner], reports));
    await element.loadAll();
    expect(queriedMeasures(session).sort()).to.deep.equal(['flights.m0', 'flights.m1', 'flights.m2', 'flights.m3']);
    expect(visibleTitles(element).sort()).to.deep.equal(['Report 0', 'Report 1']);
    for (const tile of tilesOf(element)) expect(tile.getBoundingClientRect().height).to.be.greaterThan(100);
  });

  it('loads all tabs on loadAll before the filters are resolved, also with a later session', async () => {
    const filter = { id: 'carrier', type: 'FILTER', position: { x: 0, y: 0, w: 3, h: 1 } };
    const config = { member: 'flights.carrier', value: { operator: 'between', value: ['1', '2'] } };
    const widgets = [{ ...filter, config }, ...charts(0, 1), container('box', ['w0', 'w1'], { layout: 'tabs' })];
    const { element, session, parent } = await dashboardPage(dashboard(widgets, reports));
    await element.loadAll();
    expect(queriedMeasures(session).sort()).to.deep.equal(['flights.m0', 'flights.m1']);
    const other = new FakeSession();
    other.dashboards = session.dashboards;
    other.answers = session.answers;
    const provider = provide(other);
    parent.after(provider);
    provider.append(parent);
    await element.loadAll();
    expect(queriedMeasures(other).sort()).to.deep.equal(['flights.m0', 'flights.m1']);
  });

  it('supports the keyboard in both text directions', async () => {
    const { element, session, parent } = await dashboardPage(tabbed);
    await waitForTabs(element);
    await eventually(() => session.calls.length === 2);
    const frame = containersOf(element)[0];
    const focused = () => frame?.shadowRoot?.activeElement?.textContent?.trim();
    const stops = () => tabsIn(frame).filter(({ tabIndex }) => tabIndex === 0).length;
    tabsIn(frame)[0]?.focus();
    press(frame?.shadowRoot?.activeElement, 'ArrowRight');
    expect(focused()).to.equal('Second');
    press(frame?.shadowRoot?.activeElement, 'End');
    expect(focused()).to.equal('Report 2');
    press(frame?.shadowRoot?.activeElement, 'ArrowRight');
    expect(focused()).to.equal('Report 0');
    press(frame?.shadowRoot?.activeElement, 'ArrowLeft');
    expect(focused()).to.equal('Report 2');
    press(frame?.shadowRoot?.activeElement, 'Home');
    await frame?.updateComplete;
    expect([focused(), stops(), openIn(frame)]).to.deep.equal(['Report 0', 1, 'Report 0']);
    parent.dir = 'rtl';
    press(frame?.shadowRoot?.activeElement, 'ArrowLeft');
    expect(focused()).to.equal('Second');
    // A tab that is focused but not opened sends no queries.
    expect(session.calls.length).to.equal(2);
  });

  it('is accessible', async () => {
    const { element } = await dashboardPage(tabbed);
    await waitForTabs(element);
    await element.loadAll();
    await expect(element).to.be.accessible();
    const panels = [...(containersOf(element)[0]?.renderRoot.querySelectorAll('[role="tabpanel"]') ?? [])];
    expect(panels.map(panel => panel.hasAttribute('inert'))).to.deep.equal([false, true, true]);
    expect(panels.map(panel => panel.getAttribute('aria-labelledby'))).to.deep.equal(['tab-0', 'tab-1', 'tab-2']);
  });

  it('exposes parts for the bar, tabs, the open tab, panels and headings', async () => {
    const sheet = new CSSStyleSheet();
    const parts = ['tabs', 'tab', 'tab-open', 'panel', 'heading'];
    sheet.replaceSync(parts.map(part => `pa-dashboard::part(${part}) { --mark-${part}: yes; }`).join('\n'));
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    const { element } = await dashboardPage(tabbed);
    await waitForTabs(element);
    const root = containersOf(element)[0]?.shadowRoot;
    const marked = (selector: string, part: string) =>
      [...(root?.querySelectorAll(selector) ?? [])].map(found =>
        getComputedStyle(found).getPropertyValue(`--mark-${part}`),
      );
    expect(marked('[role="tablist"]', 'tabs')).to.deep.equal(['yes']);
    expect(marked('[role="tab"]', 'tab')).to.deep.equal(['yes', 'yes', 'yes']);
    expect(marked('[role="tab"]', 'tab-open')).to.deep.equal(['yes', '', '']);
    expect(marked('[role="tabpanel"]', 'panel')).to.deep.equal(['yes', 'yes', 'yes']);
    expect(marked('#heading', 'heading')).to.deep.equal(['yes']);
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter(other => other !== sheet);
  });

  it('keeps many tabs on one line of a narrow page and scrolls to the open tab', async () => {
    const many = reports.map((_, index) => index);
    const given = dashboard(
      [
        ...charts(...many),
        container(
          'box',
          many.map(index => `w${index}`),
          { layout: 'tabs', value: 'w10' },
        ),
      ],
      reports,
    );
    const { element } = await dashboardPage(given, page => page.parent.style.setProperty('width', '360px'));
    await waitForTabs(element);
    const frame = containersOf(element)[0];
    await eventually(() => openIn(frame) === 'Report 10');
    const bar = frame?.renderRoot.querySelector('.tabs');
    const [outer, tab] = [bar?.getBoundingClientRect(), tabsIn(frame)[10]?.getBoundingClientRect()];
    expect(outer?.width).to.be.at.most(360);
    expect(new Set(tabsIn(frame).map(({ offsetTop }) => offsetTop)).size).to.equal(1);
    expect(tab && outer && tab.left >= outer.left - 1 && tab.right <= outer.right + 1).to.equal(true);
    expect(element.scrollWidth).to.be.at.most(360);
  });
});

describe('container', () => {
  afterEach(() => {
    document.body.replaceChildren();
  });

  const boxes = (element: PaDashboard) => tilesOf(element).map(tile => tile.getBoundingClientRect());

  it('stacks its children vertically or horizontally, and always vertically if narrow', async () => {
    const row = container('row', ['w0', 'w1', 'w2'], { direction: 'horizontal' });
    const { element, parent } = await dashboardPage(dashboard([...charts(0, 1, 2), row], reports));
    await eventually(
      () => new Set(boxes(element).map(({ top }) => Math.round(top))).size === 1 && boxes(element).length === 3,
    );
    expect(new Set(boxes(element).map(({ width }) => Math.round(width))).size).to.equal(1);
    parent.style.setProperty('width', '360px');
    await eventually(() => new Set(boxes(element).map(({ top }) => Math.round(top))).size === 3);
    const [frame] = containersOf(element);
    const bottoms = boxes(element).map(({ bottom }) => bottom);
    expect(Math.max(...bottoms)).to.be.at.most((frame?.getBoundingClientRect().bottom ?? 0) + 1);
    for (const { height } of boxes(element)) expect(height).to.be.greaterThan(100);
  });

  it('grows with its grid and moves the widgets below it', async () => {
    const place = (index: number, y: number): DashboardWidget => ({
      ...chartWidget(index),
      position: { x: 0, y, w: 12, h: 6 },
    });
    const box = container('box', ['w0', 'w1'], { layout: 'grid', title: 'Grid' }, { x: 0, y: 0, w: 6, h: 4 });
    const below: DashboardWidget = { ...chartWidget(2), position: { x: 0, y: 4, w: 6, h: 4 } };
    const { element } = await dashboardPage(dashboard([place(0, 0), place(1, 6), box, below], reports));
    await eventually(() => containersOf(element)[0]?.shadowRoot && tilesOf(element).length === 3);
    const [first, second, third] = boxes(element);
    expect(Math.round(first?.height ?? 0)).to.equal(6 * 30 + 5 * 16);
    expect(Math.round((second?.top ?? 0) - (first?.bottom ?? 0))).to.equal(16);
    expect(third?.top).to.be.at.least((second?.bottom ?? 0) + 16 - 1);
  });

  it('nests up to four deep and reports deeper nesting', async () => {
    const levels = [1, 2, 3, 4, 5].map(level =>
      container(`c${level}`, level === 5 ? ['w1'] : [`c${level + 1}`, ...(level === 4 ? ['w0'] : [])]),
    );
    const { element } = await dashboardPage(dashboard([...charts(0, 1), ...levels], reports));
    await eventually(() => textIn(element).includes('nested up to four levels deep. “c5”'));
    expect(visibleTitles(element)).to.deep.equal(['Report 0']);
  });

  it('reports duplicate, missing and recursive children and shows the rest', async () => {
    const given = dashboard(
      [
        ...charts(0, 1, 2),
        container('a', ['w0', 'w1', 'w0', 'nowhere', 7, '__proto__'], { layout: 'grid' }),
        container('b', ['w1', 'w2', 'b']),
        container('x', ['y']),
        container('y', ['x']),
      ],
      reports,
    );
    const { element } = await dashboardPage(given);
    await eventually(() => element.renderRoot.querySelectorAll('pa-widget-error').length === 6);
    await eventually(() => textIn(element).includes('The dashboard has no widget “nowhere”'));
    expect(textIn(element)).to.include('Several containers list “w0”');
    expect(textIn(element)).to.include('Several containers list “w1”');
    expect(textIn(element)).to.include('The dashboard has no widget “__proto__”');
    expect(textIn(element)).to.include('“b” can’t contain itself');
    expect(textIn(element)).to.include('“x” can’t contain itself');
    expect(visibleTitles(element).sort()).to.deep.equal(['Report 0', 'Report 1', 'Report 2']);
  });

  it('shows that it is empty', async () => {
    const { element } = await dashboardPage(
      dashboard([container('a', [], { layout: 'tabs', title: 'Mine' })], reports),
    );
    await eventually(() => textIn(element).includes('This container has no tiles.'));
    expect(textIn(element)).to.include('Mine');
  });

  it('leaves controls in the bar above the tiles', async () => {
    const filter: DashboardWidget = {
      id: 'carrier',
      type: 'FILTER',
      position: { x: 0, y: 0, w: 3, h: 1 },
      config: { member: 'flights.carrier', values: ['AA'] },
    };
    const { element } = await dashboardPage(
      dashboard([filter, ...charts(0), container('box', ['carrier', 'w0'], { layout: 'tabs' })], reports),
    );
    await waitForTabs(element);
    expect(tabsIn(containersOf(element)[0]).map(tab => textIn(tab))).to.deep.equal(['Report 0']);
    await eventually(() => textIn(element.renderRoot.querySelector('pa-controls') ?? element).includes('Carrier'));
  });
});

describe('spacers, dividers and unsupported widgets', () => {
  afterEach(() => {
    document.body.replaceChildren();
  });

  it('keep their grid cells', async () => {
    const at = (type: string, y: number): DashboardWidget => ({
      id: `${type}${y}`,
      type,
      position: { x: 0, y, w: 12, h: 2 },
    });
    const given = dashboard(
      [at('SPACER', 0), at('NEWER', 2), at('DIVIDER', 4), { ...chartWidget(0), position: { x: 0, y: 6, w: 12, h: 4 } }],
      reports,
    );
    const { element } = await dashboardPage(given);
    await eventually(() => textIn(element).includes('Widgets of type NEWER can’t be shown here yet.'));
    const top = tilesOf(element)[0]?.getBoundingClientRect().top ?? 0;
    const grid = element.renderRoot.querySelector('[part="grid"]')?.getBoundingClientRect().top ?? 0;
    expect(Math.round(top - grid)).to.equal(6 * (30 + 16));
    expect(element.renderRoot.querySelector('hr')?.getBoundingClientRect().height).to.be.at.most(2);
  });

  it('reports that a dashboard is an application', async () => {
    const app = dashboard([], []);
    const { element } = await dashboardPage({ ...app, config: { ...app.config, kind: 'APP' } });
    await eventually(() => textIn(element).includes('Apps are shown only in pages that allow them (allow-apps).'));
  });

  it('match the react-grid-layout positions and change only at a new breakpoint', async () => {
    const many = Array.from({ length: 300 }, (_, index) => ({ ...chartWidget(index), type: 'SPACER' }));
    const given = dashboard(many, []);
    const layout = { margin: [10, 20], containerPadding: [7, 9], rowHeight: 40 };
    const { element, parent } = await dashboardPage({ ...given, config: { ...given.config, layout } });
    const cells = () => [...element.renderRoot.querySelectorAll<HTMLElement>('.cell')];
    await eventually(() => cells().length === 300);
    const grid = element.renderRoot.querySelector('[part="grid"]')?.getBoundingClientRect();
    const expectPlaces = (width: number) => {
      const column = (width - 2 * 7 - 11 * 10) / 12;
      cells().forEach((cell, index) => {
        const [x, y] = [(index % 4) * 3, Math.floor(index / 4) * 4];
        const box = cell.getBoundingClientRect();
        expect(box.left - (grid?.left ?? 0)).to.be.closeTo(7 + x * (column + 10), 1);
        expect(box.top - (grid?.top ?? 0)).to.be.closeTo(9 + y * 60, 1);
        expect(box.width).to.be.closeTo(3 * column + 20, 1);
        expect(box.height).to.be.closeTo(4 * 40 + 3 * 20, 1);
      });
    };
    expectPlaces(1300);
    let writes = 0;
    const observer = new MutationObserver(records => {
      writes += records.filter(({ target }) => target instanceof HTMLElement && target.matches('.cell')).length;
    });
    observer.observe(element.renderRoot, { subtree: true, attributes: true, childList: true });
    parent.style.setProperty('width', '1250px');
    await eventually(() => Math.round(element.getBoundingClientRect().width) === 1250);
    await nextFrame();
    await nextFrame();
    await element.updateComplete;
    expectPlaces(1250);
    expect(writes).to.equal(0);
    parent.style.setProperty('width', '700px');
    await eventually(() => writes > 0, 'another breakpoint moves them');
    observer.disconnect();
  });

  it('renders at most 500 widgets and shows how many are omitted', async () => {
    const many = Array.from({ length: 620 }, (_, index) => ({ ...chartWidget(index), type: 'SPACER' }));
    const { element } = await dashboardPage(dashboard(many, []));
    await eventually(() => textIn(element).includes('120 items can’t be shown here yet.'));
    expect(element.renderRoot.querySelectorAll('.cell').length).to.equal(500);
  });
});
