import { expect, oneEvent } from '@open-wc/testing';
import { PaError } from '../../../../src/client/errors.js';
import type { Query } from '../../../../src/contract/query.js';
import type { Column } from '../../../../src/contract/row-set.js';
import type { PaDrill } from '../../../../src/elements/parts/drill/drill-element.js';
import type { PaTile } from '../../../../src/elements/parts/tile/tile-element.js';
import { eventually } from '../../eventually.js';
import { chartWidget, dashboard, rowSet } from '../../fake-session.js';
import { withMedia } from '../../media.js';
import {
  carrier,
  carrierReport,
  carriers,
  dashboardPage,
  drilled,
  focusedElement,
  items,
  labels,
  markOf,
  menuButton,
  menuOf,
  press,
  reportPage,
  runItem,
  selectMark,
} from './tile-page.js';

const delay = { ...drilled, member: 'flights.delay', kind: 'dimension' as const };
const id = { ...carrier, member: 'flights.id', annotation: { title: 'Id', shortTitle: 'Id', type: 'string' } };
/** Flights behind a number, with a measure that can be drilled into further. */
const behind = rowSet([id, delay, drilled], [{ 'flights.id': 'F1', 'flights.delay': '3', 'flights.count': '1' }]);

const drillOf = (tile: PaTile): PaDrill | null => tile.renderRoot.querySelector('pa-drill');
const inDrill = (tile: PaTile, selector: string): HTMLElement | null =>
  drillOf(tile)?.shadowRoot?.querySelector(selector) ?? null;
const textOf = (element: Element | null | undefined): string => element?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
const isDrill = ({ filters = [] }: Query): boolean => JSON.stringify(filters).includes('measureFilter');

/** Opens a report that can drill down to its flights. */
const drillPage = async (fields = {}) => {
  const page = await reportPage(fields);
  page.session.answers = query => (isDrill(query) ? behind : carriers);
  return page;
};

afterEach(() => document.body.replaceChildren());

describe('selecting a mark', () => {
  it('fires an event with the mark and opens its menu', async () => {
    const { element, tile } = await drillPage();
    const changed = oneEvent(element, 'pa-mark-click');
    selectMark(tile, markOf('AA'));
    const { detail } = (await changed) as HTMLElementEventMap['pa-mark-click'];
    expect(detail).to.deep.equal({
      widgetId: null,
      report: 'report000001',
      values: { 'flights.carrier': 'AA' },
      measure: 'flights.count',
    });
    await eventually(() => labels(tile).length > 0);
    expect(labels(tile)).to.deep.equal(['Show underlying rows']);
    await expect(tile).to.be.accessible();
  });

  it('returns the focus to a mark of a chart', async () => {
    const { tile } = await drillPage();
    const drawing = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    const mark = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
    mark.setAttribute('tabindex', '0');
    drawing.append(mark);
    document.body.append(drawing);
    mark.focus();
    selectMark(tile, markOf('AA'), { intent: 'menu' });
    await eventually(() => focusedElement() === items(tile)[0]);
    menuOf(tile)?.shadowRoot?.querySelector<HTMLElement>('[role=menu]')?.hidePopover();
    await eventually(() => focusedElement() === mark);
  });

  it('does nothing if the page cancels the event', async () => {
    const { element, tile } = await drillPage();
    element.addEventListener('pa-mark-click', event => event.preventDefault());
    selectMark(tile, markOf('AA'));
    await tile.updateComplete;
    expect(tile.renderRoot.querySelector('pa-tile-menu') === null).to.equal(true);
  });

  it('shows no menu without actions', async () => {
    const { tile } = await reportPage({ rows: carriers });
    selectMark(tile, markOf('AA'));
    await eventually(() => tile.renderRoot.querySelector('pa-tile-menu:defined'));
    await tile.updateComplete;
    expect(items(tile).length).to.equal(0);
  });

  it('offers model links with safe URLs only', async () => {
    const links = [
      { label: 'Search', url: 'https://search.example/?q={value}&c={flights.carrier}' },
      { label: 'Run', url: 'javascript:alert({value})' },
      { label: 'Elsewhere', dashboard: 'carrier-details' },
    ];
    const linked = { ...carrier, annotation: { ...carrier.annotation, meta: { links } } };
    const { session, element, tile } = await reportPage();
    session.answers = () => rowSet([linked, drilled], [{ 'flights.carrier': 'A&A', 'flights.count': '1' }]);
    await element.refresh();
    await eventually(() => tile.renderRoot.querySelector('pa-tile-table'));
    selectMark(tile, markOf('A&A'));
    await eventually(() => labels(tile).length > 0);
    expect(labels(tile)).to.deep.equal(['Show underlying rows', 'Search (opens in a new tab)', 'Elsewhere']);
    const link = items(tile)[1];
    expect(link?.getAttribute('href')).to.equal('https://search.example/?q=A%26A&c=A%26A');
    expect(link?.getAttribute('rel')).to.equal('noopener noreferrer');
    const changed = oneEvent(element, 'pa-drill');
    runItem(tile, 'Elsewhere');
    const { detail } = (await changed) as HTMLElementEventMap['pa-drill'];
    expect(detail.target).to.deep.equal({
      type: 'dashboard',
      slug: 'carrier-details',
      filters: { 'flights.carrier': { operator: 'equals', value: ['A&A'] } },
    });
    await eventually(() => textOf(inDrill(tile, '[part=notice]')).includes('doesn’t open other dashboards'));
  });
});

describe('drill-down rows', () => {
  const openDrill = async (tile: PaTile) => {
    menuButton(tile)?.focus();
    selectMark(tile, markOf('AA'), { intent: 'menu' });
    await eventually(() => labels(tile).length > 0);
    runItem(tile, 'Show underlying rows');
    await eventually(() => textOf(inDrill(tile, 'pa-tile-table')?.shadowRoot?.querySelector('table')).includes('F1'));
  };

  it('open in a dialog that names their source', async () => {
    const { session, element, tile } = await drillPage();
    const changed = oneEvent(element, 'pa-drill');
    await openDrill(tile);
    const { detail } = (await changed) as HTMLElementEventMap['pa-drill'];
    expect(detail.target).to.deep.equal({ type: 'rows', members: ['flights.id', 'flights.delay'] });
    expect(session.calls.at(-1)?.query.filters).to.deep.equal([
      { member: 'flights.count', operator: 'measureFilter' },
      { member: 'flights.carrier', operator: 'equals', values: ['AA'] },
    ]);
    expect(textOf(inDrill(tile, '#title'))).to.equal('Flights · Carrier AA');
    expect(inDrill(tile, '#title')?.ariaLevel).to.equal(String(tile.level + 1));
    expect(textOf(inDrill(tile, 'p'))).to.equal('1 row');
    expect(focusedElement() === inDrill(tile, '#title')).to.equal(true);
    await expect(tile).to.be.accessible();
  });

  it('say how many there are in all if the row limit truncates them', async () => {
    const { session, tile } = await drillPage();
    let total: number | undefined = 12_345;
    session.answers = query => {
      if (!isDrill(query)) return carriers;
      return query.total && total !== undefined ? { ...behind, total } : { ...behind, truncated: true };
    };
    await openDrill(tile);
    await eventually(() => textOf(inDrill(tile, 'p')) === 'First 1 of 12,345 rows');
    expect(session.calls.at(-1)?.query).to.include({ limit: 1, total: true });
    inDrill(tile, 'button:last-of-type')?.click();
    await eventually(() => drillOf(tile) === null);
    total = undefined;
    await openDrill(tile);
    expect(textOf(inDrill(tile, 'p'))).to.equal('First 1 rows. There may be more.');
  });

  it('have their title on its own line in a narrow dialog', async () => {
    const { tile } = await drillPage();
    await openDrill(tile);
    const drill = drillOf(tile);
    const width = (selector: string): number => inDrill(tile, selector)?.getBoundingClientRect().width ?? 0;
    expect(width('.title')).to.be.lessThan(width('.head') - 100);
    await withMedia(drill ?? tile, '(max-width: 600px)', () => {
      expect(width('.title')).to.equal(width('.head'));
    });
  });

  it('are left to a page that shows them itself', async () => {
    const { session, element, tile } = await drillPage();
    element.addEventListener('pa-drill', event => event.preventDefault());
    const callCount = session.calls.length;
    selectMark(tile, markOf('AA'));
    await eventually(() => labels(tile).length > 0);
    runItem(tile, 'Show underlying rows');
    await eventually(() => labels(tile).length === 0);
    await tile.updateComplete;
    expect(drillOf(tile) === null).to.equal(true);
    expect(session.calls.length).to.equal(callCount);
  });

  it('drill further down and back', async () => {
    const grouped = { dimensions: ['flights.id'], measures: ['flights.count'] };
    const deep = { ...drilled, annotation: { ...drilled.annotation, drillMembersGrouped: grouped } };
    const { session, element, tile } = await reportPage();
    session.answers = query =>
      isDrill(query)
        ? rowSet([id, deep], [{ 'flights.id': 'F1', 'flights.count': '1' }])
        : rowSet([carrier, deep], carriers.rows);
    await element.refresh();
    await openDrill(tile);
    const table = inDrill(tile, 'pa-tile-table') as (HTMLElement & { onPick(pick: unknown): void }) | null;
    const anchor = { left: 0, top: 0, right: 0, bottom: 0 };
    table?.onPick({ mark: { values: {}, measure: 'flights.count' }, intent: 'choose', extend: false, anchor });
    await eventually(() => textOf(inDrill(tile, 'nav')) === 'Flights · Carrier AA');
    expect(textOf(inDrill(tile, '#title'))).to.equal('Flights');
    inDrill(tile, 'nav button')?.click();
    await eventually(() => textOf(inDrill(tile, '#title')) === 'Flights · Carrier AA');
    await eventually(() => focusedElement() === inDrill(tile, '#title'));
  });

  it('close with the dialog, which returns the focus', async () => {
    const { tile } = await drillPage();
    await openDrill(tile);
    [...(drillOf(tile)?.shadowRoot?.querySelectorAll('button') ?? [])]
      .find(button => textOf(button) === 'Close')
      ?.click();
    await eventually(() => drillOf(tile) === null);
    expect(focusedElement() === menuButton(tile), focusedElement()?.outerHTML.slice(0, 80)).to.equal(true);
  });

  it('can be saved and copied unless downloads are restricted', async () => {
    const { tile } = await drillPage();
    await openDrill(tile);
    const buttons = (drillTile: PaTile) =>
      [...(drillOf(drillTile)?.shadowRoot?.querySelectorAll('.actions button') ?? [])].map(textOf);
    expect(buttons(tile)).to.deep.equal(['Download CSV', 'Copy rows', 'Close']);
    document.body.replaceChildren();
    const { tile: closed } = await drillPage({ restrictDownload: true });
    await openDrill(closed);
    expect(buttons(closed)).to.deep.equal(['Close']);
  });

  it('show a load error and retry', async () => {
    const { session, tile } = await drillPage();
    session.answers = null;
    selectMark(tile, markOf('AA'));
    await eventually(() => labels(tile).length > 0);
    runItem(tile, 'Show underlying rows');
    await eventually(() => session.calls.some(({ query }) => isDrill(query)));
    session.calls.at(-1)?.fail(new PaError('not_allowed', 'Not allowed.', { status: 403 }));
    await eventually(() => textOf(inDrill(tile, '[part=notice]')).includes('You don’t have access'));
    session.answers = () => behind;
    inDrill(tile, '[part=notice] button')?.click();
    await eventually(() => inDrill(tile, 'pa-tile-table'));
  });

  it('show an empty result', async () => {
    const { session, tile } = await drillPage();
    session.answers = query => (isDrill(query) ? rowSet([id], []) : carriers);
    selectMark(tile, markOf('AA'));
    await eventually(() => labels(tile).length > 0);
    runItem(tile, 'Show underlying rows');
    await eventually(() => textOf(inDrill(tile, '[part=notice]')).startsWith('No rows'));
  });
});

const twoTiles = (settings: Record<string, unknown> = {}, config: Record<string, unknown> = {}) => {
  const given = dashboard([chartWidget(1, config), chartWidget(2)], [carrierReport(1), carrierReport(2)]);
  return dashboardPage({ ...given, config: { ...given.config, settings } });
};
const filtersOf = (query: Query | undefined) => query?.filters ?? [];

describe('cross-filtering by selected marks', () => {
  it('filters the other tiles, not its own', async () => {
    const { session, element, tiles } = await twoTiles({ crossFilter: true });
    const [first, second] = tiles;
    if (!first || !second) throw new Error('no tiles');
    const callCount = session.calls.length;
    const changed = oneEvent(element, 'pa-filter-change');
    selectMark(first, markOf('AA'));
    await changed;
    await eventually(() => session.calls.length === callCount + 1);
    expect(filtersOf(session.calls.at(-1)?.query)).to.deep.equal([
      { member: 'flights.carrier', operator: 'equals', values: ['AA'] },
    ]);
    await element.updateComplete;
    expect(first.chosen.marks).to.deep.equal([markOf('AA')]);
    expect(second.chosen.marks).to.deep.equal([]);
  });

  it('filters by any of several marks, and clears on Escape', async () => {
    const { session, element, tiles } = await twoTiles({}, { crossFilter: true });
    const [first] = tiles;
    if (!first) throw new Error('no tiles');
    selectMark(first, markOf('AA'));
    selectMark(first, markOf('DL'), { extend: true });
    await eventually(() => filtersOf(session.calls.at(-1)?.query).length === 1);
    await eventually(() => JSON.stringify(filtersOf(session.calls.at(-1)?.query)).includes('"AA","DL"'));
    menuButton(first)?.focus();
    press('Escape');
    await eventually(() => filtersOf(session.calls.at(-1)?.query).length === 0);
    await element.updateComplete;
    expect(first.chosen.marks).to.deep.equal([]);
  });

  it('selects the marks in a chart brush, and clears for an empty brush', async () => {
    const bars = carrierReport(1, {
      kind: 'vega',
      spec: {
        mark: 'bar',
        encoding: {
          x: { field: 'flights.carrier', type: 'nominal' },
          y: { field: 'flights.count', type: 'quantitative' },
        },
      },
    });
    const given = dashboard([chartWidget(1), chartWidget(2)], [bars, carrierReport(2)]);
    const settings = { crossFilter: true };
    const { session, element, tiles } = await dashboardPage({ ...given, config: { ...given.config, settings } });
    const [first] = tiles;
    const part = first?.renderRoot.querySelector('pa-tile-chart')?.shadowRoot;
    const chart = part?.querySelector<HTMLElement>('.chart');
    const plot = () => part?.querySelector('svg .mark-rect')?.getBoundingClientRect();
    await eventually(() => (plot()?.width ?? 0) > 0);
    if (!chart || !first) throw new Error('no chart');
    const clicks: Event[] = [];
    element.addEventListener('pa-mark-click', event => clicks.push(event));
    const drag = async (
      from: readonly [number, number],
      to: readonly [number, number],
      held: PointerEventInit = {},
    ) => {
      const base = {
        pointerId: 1,
        isPrimary: true,
        buttons: 1,
        bubbles: true,
        composed: true,
        cancelable: true,
        ...held,
      };
      const at = ([clientX, clientY]: readonly [number, number]) => ({ ...base, clientX, clientY });
      // Replace this method, because synthetic pointers cannot be captured.
      chart.setPointerCapture = () => {};
      chart.dispatchEvent(new PointerEvent('pointerdown', at(from)));
      chart.dispatchEvent(new PointerEvent('pointermove', at(to)));
      await eventually(() => (part?.querySelector('.brush')?.getBoundingClientRect().width ?? 0) > 0);
      chart.dispatchEvent(new PointerEvent('pointerup', at(to)));
      part?.querySelector('svg path')?.dispatchEvent(new MouseEvent('click', at(to)));
      await eventually(() => part?.querySelectorAll('.brush').length === 0);
    };
    const box = plot() ?? new DOMRect();
    await drag([box.left - 2, box.top + 2], [box.right + 2, box.bottom - 2]);
    await eventually(() => JSON.stringify(filtersOf(session.calls.at(-1)?.query)).includes('"=DL"'));
    expect(filtersOf(session.calls.at(-1)?.query)).to.deep.equal([
      { member: 'flights.carrier', operator: 'equals', values: ['=DL', 'AA'] },
    ]);
    expect(clicks).to.deep.equal([]);
    const changes: Event[] = [];
    element.addEventListener('pa-filter-change', event => changes.push(event));
    await drag([box.right + 1, box.top - 8], [box.right + 12, box.top - 2], { ctrlKey: true });
    expect(first.chosen.marks).to.have.length(2);
    await drag([box.right + 1, box.top - 8], [box.right + 12, box.top - 2]);
    await eventually(() => filtersOf(session.calls.at(-1)?.query).length === 0);
    await element.updateComplete;
    expect(first.chosen.marks).to.deep.equal([]);
    expect(changes).to.have.length(1);
  });

  it('does nothing if the page cancels the event', async () => {
    const { session, element, tiles } = await twoTiles({ crossFilter: true });
    element.addEventListener('pa-filter-change', event => event.preventDefault());
    const callCount = session.calls.length;
    const [first] = tiles;
    if (first) selectMark(first, markOf('AA'));
    await element.updateComplete;
    expect(first?.chosen.marks).to.deep.equal([]);
    expect(session.calls.length).to.equal(callCount);
  });
});

describe('cross-filtering while rows change', () => {
  it('interprets a mark by the query of its rows while new rows load', async () => {
    const control = {
      id: 'switch',
      type: 'FIELD',
      position: { x: 0, y: 0, w: 3, h: 1 },
      config: { member: 'flights.carrier', members: ['flights.carrier', 'flights.origin'] },
    };
    const given = dashboard([control, chartWidget(1), chartWidget(2)], [carrierReport(1), carrierReport(2)]);
    const settings = { crossFilter: true };
    const { session, element, tiles } = await dashboardPage({ ...given, config: { ...given.config, settings } });
    session.answers = null;
    element.setState({ members: { 'flights.carrier': 'flights.origin' } });
    await eventually(
      () => session.calls.filter(({ query }) => query.dimensions?.includes('flights.origin')).length === 2,
    );
    if (tiles[0]) selectMark(tiles[0], markOf('AA'));
    await eventually(() => filtersOf(session.calls.at(-1)?.query).length > 0);
    expect(filtersOf(session.calls.at(-1)?.query)).to.deep.equal([
      { member: 'flights.carrier', operator: 'equals', values: ['AA'] },
    ]);
  });

  it('starts over if selected marks have another granularity', async () => {
    const first = '2001-01-01T00:00:00.000';
    const dates = (name: string): Column => ({
      member: `flights.date.${name}`,
      kind: 'timeDimension',
      annotation: { title: 'Date', shortTitle: 'Date', type: 'time', granularity: { name, title: name } },
    });
    const control = {
      id: 'grain',
      type: 'TIME_GRAIN',
      position: { x: 0, y: 0, w: 3, h: 1 },
      config: { member: 'flights.date', granularities: ['day', 'month'] },
    };
    const jsonQuery = {
      timeDimensions: [{ dimension: 'flights.date', granularity: 'month' }],
      measures: ['flights.count'],
    };
    const reports = [carrierReport(1, { meta: { jsonQuery } }), carrierReport(2)];
    const given = dashboard([control, chartWidget(1), chartWidget(2)], reports);
    const settings = { crossFilter: true };
    const { session, element, tiles } = await dashboardPage(
      { ...given, config: { ...given.config, settings } },
      page => {
        page.answers = ({ timeDimensions: [time] = [] }) => {
          const name = time?.granularity ?? 'day';
          return time
            ? rowSet([dates(name), drilled], [{ [`flights.date.${name}`]: first, 'flights.count': '1' }])
            : carriers;
        };
      },
    );
    const [tile] = tiles;
    if (!tile) throw new Error('no tiles');
    const monthMark = (time: string) => ({ values: { 'flights.date.month': time }, measure: null });
    const lastFilters = () => JSON.stringify(filtersOf(session.calls.at(-1)?.query));
    selectMark(tile, monthMark(first));
    await eventually(() => lastFilters().includes('2001-01-31T23:59:59.999'));
    const selectedCount = () => tile.renderRoot.querySelector('pa-tile-table')?.selected.length;
    await eventually(() => selectedCount() === 1);
    element.setState({ timeGrains: { 'flights.date': 'day' } });
    // A selection of months does not fade the marks of days.
    await eventually(() => selectedCount() === 0);
    expect(tile.chosen.marks).to.have.length(1);
    element.setState({ timeGrains: { 'flights.date': 'month' } });
    await eventually(() => selectedCount() === 1);
    element.setState({ timeGrains: { 'flights.date': 'day' } });
    await eventually(() => selectedCount() === 0);
    selectMark(tile, monthMark('2001-02-03T00:00:00.000'), { extend: true });
    await eventually(() => lastFilters().includes('2001-02-03T23:59:59.999'));
    expect(lastFilters()).not.to.include('2001-01');
    await element.updateComplete;
    expect(tile.chosen.marks).to.have.length(1);
  });
});

describe('cross-filtering controls', () => {
  it('adds a removable chip to the controls and announces it', async () => {
    const { session, element, tiles } = await twoTiles({ crossFilter: true });
    const [first] = tiles;
    if (!first) throw new Error('no tiles');
    const bar = () => element.renderRoot.querySelector('pa-controls')?.shadowRoot;
    const chip = () => bar()?.querySelector('pa-mark-chip')?.shadowRoot?.querySelector('button');
    selectMark(first, markOf('AA'));
    await eventually(() => textOf(chip()) === 'Carrier is AA');
    expect(chip()?.getAttribute('aria-label')).to.equal('Stop filtering: Carrier is AA');
    await eventually(() => textOf(bar()?.querySelector('[role=status]')).startsWith('Carrier is AA.'));
    await expect(element).to.be.accessible();
    const top = first.getBoundingClientRect().top;
    chip()?.focus();
    chip()?.click();
    await eventually(() => !chip() && filtersOf(session.calls.at(-1)?.query).length === 0);
    expect(first.chosen.marks).to.deep.equal([]);
    await eventually(() => bar()?.activeElement?.matches('.bar'), 'the bar has focus');
    await eventually(() =>
      textOf(bar()?.querySelector('[role=status]')).startsWith('The filter by marks was cleared.'),
    );
    expect(first.getBoundingClientRect().top).to.equal(top);
  });

  it('announces removal, not a reset of the controls', async () => {
    const control = {
      id: 'state',
      type: 'FILTER',
      position: { x: 0, y: 0, w: 3, h: 1 },
      config: { member: 'flights.state' },
    };
    const given = dashboard([control, chartWidget(1), chartWidget(2)], [carrierReport(1), carrierReport(2)]);
    const settings = { crossFilter: true };
    const { element, tiles } = await dashboardPage({ ...given, config: { ...given.config, settings } });
    const status = () =>
      textOf(element.renderRoot.querySelector('pa-controls')?.shadowRoot?.querySelector('[role=status]'));
    if (tiles[0]) selectMark(tiles[0], markOf('AA'));
    await eventually(() => status().startsWith('Carrier is AA.'));
    if (tiles[0]) menuButton(tiles[0])?.focus();
    press('Escape');
    await eventually(() => status().startsWith('The filter by marks was cleared.'));
  });

  it('is offered in the mark menu if a click does not filter, unless disabled', async () => {
    const { session, tiles } = await twoTiles();
    const [first] = tiles;
    if (!first) throw new Error('no tiles');
    selectMark(first, markOf('AA'));
    await eventually(() => labels(first).length > 0);
    expect(labels(first)).to.include('Filter dashboard by this');
    runItem(first, 'Filter dashboard by this');
    await eventually(() => filtersOf(session.calls.at(-1)?.query).length === 1);
    selectMark(first, markOf('AA'));
    await eventually(() => labels(first).includes('Stop filtering by this'));
    document.body.replaceChildren();
    const { tiles: others } = await twoTiles({ crossFilter: false });
    const [other] = others;
    if (!other) throw new Error('no tiles');
    selectMark(other, markOf('AA'));
    await eventually(() => labels(other).length > 0);
    expect(labels(other)).to.deep.equal(['Show underlying rows']);
  });

  it('is shown next to the heading and can be cleared from an empty tile', async () => {
    const { session, tiles } = await twoTiles({ crossFilter: true });
    session.answers = query => (query.filters?.length ? rowSet([carrier, drilled], []) : carriers);
    const [first, second] = tiles;
    if (!first || !second) throw new Error('no tiles');
    selectMark(first, markOf('AA'));
    await eventually(() => textOf(second.renderRoot.querySelector('.message')).includes('Carrier'));
    expect(textOf(second.renderRoot.querySelector('.message'))).to.equal(
      'No data No rows match the selection for Carrier. Clear filter',
    );
    second.renderRoot.querySelector<HTMLElement>('.message button')?.click();
    await eventually(() => !second.renderRoot.querySelector('.message'));
    expect(first.chosen.marks).to.deep.equal([]);
    session.answers = () => carriers;
    selectMark(first, markOf('AA'));
    await eventually(() =>
      [...second.renderRoot.querySelectorAll('pa-hint')].some(({ label }) => label === 'Filtered'),
    );
  });
});
