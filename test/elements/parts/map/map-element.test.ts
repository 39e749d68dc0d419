import { ContextProvider } from '@lit/context';
import { expect } from '@open-wc/testing';
import '../../../../src/elements/parts/map/map-element.js';
import type { Row } from '../../../../src/contract/data.js';
import type { Column } from '../../../../src/contract/row-set.js';
import type { Problem } from '../../../../src/controllers/problem.js';
import { pageCatalog } from '../../../../src/elements/messages/page-catalog.js';
import type { PaTileMap } from '../../../../src/elements/parts/map/map-element.js';
import { tokens } from '../../../../src/elements/parts/tokens.styles.js';
import type { Pick } from '../../../../src/report/marks/mark.js';
import { eventually } from '../../eventually.js';
import { count, rowSet, snapshot } from '../../fake-session.js';

const dimension = (member: string, type = 'string'): Column => ({
  member,
  kind: 'dimension',
  annotation: { title: member, shortTitle: member, type },
});
const state = dimension('flights.state');
const states: readonly Row[] = [
  { 'flights.state': 'TX', 'flights.count': '132000' },
  { 'flights.state': 'California', 'flights.count': '90000' },
  { 'flights.state': '36', 'flights.count': '40000' },
];

interface Drawn {
  readonly element: PaTileMap;
  readonly failures: Problem[];
  readonly picks: Pick[];
}

async function map(
  spec: Record<string, unknown>,
  columns: readonly Column[],
  rows: readonly Row[],
  lang = 'en',
): Promise<Drawn> {
  const root = document.createElement('div');
  new ContextProvider(root, {
    context: pageCatalog.context,
    initialValue: { locale: lang, messages: pageCatalog.fallback.messages },
  });
  const shadow = root.attachShadow({ mode: 'open' });
  if (tokens.styleSheet) shadow.adoptedStyleSheets = [tokens.styleSheet];
  const element = document.createElement('pa-tile-map');
  for (const [name, value] of Object.entries({ position: 'relative', width: '600px', height: '400px' })) {
    element.style.setProperty(name, value);
  }
  const failures: Problem[] = [];
  const picks: Pick[] = [];
  let isRendered = false;
  element.onRendered = () => {
    isRendered = true;
  };
  element.onFailed = problem => failures.push(problem);
  element.onPick = pick => picks.push(pick);
  element.label = 'Departures';
  element.snapshot = snapshot(1, { kind: 'map', spec });
  shadow.append(element);
  document.body.append(root);
  await element.updateComplete;
  element.rowSet = rowSet(columns, rows);
  await eventually(() => isRendered || failures.length > 0, 'the map renders or fails');
  return { element, failures, picks };
}

const marks = (element: PaTileMap): SVGElement[] => [...element.renderRoot.querySelectorAll<SVGElement>('.mark')];

describe('<pa-tile-map>', () => {
  afterEach(() => document.body.replaceChildren());

  it('colors the states in its rows and describes them', async () => {
    const { element } = await map({ type: 'us-states' }, [state, count], states);
    expect(marks(element).map(mark => mark.getAttribute('aria-label'))).to.eql([
      'Texas, Count: 132,000',
      'California, Count: 90,000',
      'New York, Count: 40,000',
    ]);
    expect(marks(element).map(mark => mark.getAttribute('class'))).to.eql([
      'mark region step-4',
      'mark region step-2',
      'mark region step-0',
    ]);
    expect(element.renderRoot.querySelector('svg')?.getAttribute('aria-label')).to.equal(
      'Departures. Map of 3 states. Highest: Texas, 132,000. Lowest: New York, 40,000.',
    );
    await expect(element).to.be.accessible();
  });

  it('moves through places by keyboard, announces them and selects them', async () => {
    const { element, picks } = await map({ type: 'us-states' }, [state, count], states);
    expect(marks(element).map(mark => mark.getAttribute('tabindex'))).to.eql(['0', '-1', '-1']);
    marks(element)[0]?.focus();
    await sendKey(element, 'ArrowRight');
    expect(focused(element)?.getAttribute('aria-label')).to.contain('California');
    await sendKey(element, 'End');
    expect(focused(element)?.getAttribute('aria-label')).to.contain('New York');
    expect(marks(element).map(mark => mark.getAttribute('tabindex'))).to.eql(['-1', '-1', '0']);
    await sendKey(element, 'Enter');
    expect(picks.map(({ mark, intent, extend }) => ({ mark, intent, extend }))).to.eql([
      { mark: { values: { 'flights.state': '36' }, measure: 'flights.count' }, intent: 'choose', extend: false },
    ]);
    expect(picks[0]?.anchor.bottom).to.be.greaterThan(picks[0]?.anchor.top ?? 0);
  });

  it('is not focusable itself', async () => {
    const { element } = await map({ type: 'us-states' }, [state, count], states);
    element.renderRoot.querySelector('svg')?.focus();
    expect(focused(element)).to.equal(null);
    marks(element)[0]?.focus();
    expect(focused(element)).to.equal(marks(element)[0]);
  });

  it('shows and hides a tooltip in the top layer', async () => {
    const { element } = await map({ type: 'us-states' }, [state, count], states);
    const [texas] = marks(element);
    const { left, top, width, height } = texas?.getBoundingClientRect() ?? new DOMRect();
    const point = { bubbles: true, composed: true, clientX: left + width / 2, clientY: top + height / 2 };
    texas?.dispatchEvent(new PointerEvent('pointermove', point));
    const popover = element.renderRoot.querySelector('.tooltip');
    await eventually(() => popover?.matches(':popover-open'));
    expect(popover?.textContent?.replace(/\s+/g, ' ').trim()).to.equal('Texas Count 132,000');
    await sendKey(element, 'Escape', texas);
    expect(popover?.matches(':popover-open')).to.equal(false);
  });

  it('requests the menu at the mark', async () => {
    const { element, picks } = await map({ type: 'us-states' }, [state, count], states);
    const menu = new PointerEvent('contextmenu', {
      bubbles: true,
      composed: true,
      cancelable: true,
      clientX: 5,
      clientY: 6,
      pointerType: 'mouse',
    });
    marks(element)[1]?.dispatchEvent(menu);
    expect(menu.defaultPrevented).to.equal(true);
    expect(picks[0]?.intent).to.equal('menu');
    expect(picks[0]?.anchor).to.eql({ left: 5, right: 5, top: 6, bottom: 6 });
  });

  it('keeps the color of selected places', async () => {
    const { element } = await map({ type: 'us-states' }, [state, count], states);
    element.selected = [{ values: { 'flights.state': 'TX' }, measure: null }];
    await element.updateComplete;
    expect(marks(element).map(mark => mark.classList.contains('faded'))).to.eql([false, true, true]);
    expect(marks(element).map(mark => mark.getAttribute('aria-pressed'))).to.eql(['true', 'false', 'false']);
  });

  it('shows the number of unknown places', async () => {
    const rows = [...states, { 'flights.state': 'Atlantis', 'flights.count': '1' }];
    const { element } = await map({ type: 'us-states' }, [state, count], rows);
    const note = element.renderRoot.querySelector('pa-hint');
    expect(note?.label).to.equal('1 not shown');
    expect(note?.explanation).to.equal('1 place was not found on this map: Atlantis.');
    await expect(element).to.be.accessible();
  });

  it('shows the note in the page direction, below the end of the map', async () => {
    const rows = [...states, { 'flights.state': 'Atlantis', 'flights.count': '1' }];
    const { element } = await map({ type: 'us-states' }, [state, count], rows);
    const note = element.renderRoot.querySelector('pa-hint') ?? element;
    const alignment = () => {
      const [own, around] = [note, element].map(each => each.getBoundingClientRect().right);
      return [getComputedStyle(note).direction, own === around];
    };
    expect(alignment()).to.eql(['ltr', true]);
    document.documentElement.dir = 'rtl';
    const mirrored = alignment();
    document.documentElement.removeAttribute('dir');
    expect(mirrored).to.eql(['rtl', true]);
  });

  it('renders sized points at their coordinates, within its box at any size', async () => {
    const columns = [dimension('flights.latitude', 'number'), dimension('flights.longitude', 'number'), count];
    const at = (latitude: number, longitude: number, figure: number): Row => ({
      'flights.latitude': latitude,
      'flights.longitude': longitude,
      'flights.count': figure,
    });
    const { element } = await map({ type: 'points' }, columns, [
      at(33.6, -84.4, 25),
      at(33.9, -118.4, 100),
      at(0, 0, -1),
    ]);
    const radii = () => marks(element).map(mark => Number(mark.getAttribute('r')));
    const [largest = 0, smallest = 0] = radii();
    expect(largest / smallest).to.be.closeTo(2, 0.1);
    const width = () => element.renderRoot.querySelector('svg')?.viewBox.baseVal.width;
    element.style.setProperty('width', '300px');
    await eventually(() => width() === 300);
    for (const mark of marks(element)) {
      expect(mark.getBoundingClientRect().right).to.be.at.most(element.getBoundingClientRect().right + 1);
    }
    await expect(element).to.be.accessible();
  });

  it('shows a point at the edge completely', async () => {
    const columns = [dimension('flights.latitude', 'number'), dimension('flights.longitude', 'number'), count];
    const edgePoint = { 'flights.latitude': 40.4, 'flights.longitude': -124.4, 'flights.count': 100 };
    const { element } = await map({ type: 'points' }, columns, [edgePoint]);
    element.style.setProperty('margin', '40px');
    element.style.setProperty('width', '300px');
    await eventually(() => element.renderRoot.querySelector('svg')?.viewBox.baseVal.width === 300);
    const [point] = marks(element);
    const { left, top, height } = point?.getBoundingClientRect() ?? new DOMRect();
    expect(left).to.be.lessThan(element.getBoundingClientRect().left - 3);
    const { shadowRoot } = element;
    expect(shadowRoot?.elementFromPoint(left + 2, top + height / 2) === point).to.equal(true);
  });

  it('names countries in the page language', async () => {
    const country = dimension('flights.country');
    const rows = [{ 'flights.country': 'DEU', 'flights.count': '1' }];
    const { element } = await map({ type: 'countries' }, [country, count], rows, 'fr');
    await eventually(() => marks(element)[0]?.getAttribute('aria-label') === 'Allemagne, Count: 1');
    await eventually(() =>
      element.renderRoot.querySelector('svg')?.getAttribute('aria-label')?.includes('Carte de 1 pays.'),
    );
  });

  it('exports a standalone file in the page colors', async () => {
    const { element } = await map({ type: 'us-states' }, [state, count], states);
    const root = element.getRootNode();
    if (root instanceof ShadowRoot) (root.host as HTMLElement).style.setProperty('--pa-series-1', 'rgb(1, 2, 3)');
    const file = element.toSvg();
    const parsed = new DOMParser().parseFromString(file, 'image/svg+xml');
    expect(parsed.querySelector('parsererror')).to.equal(null);
    expect(parsed.documentElement.getAttribute('width')).to.equal('600');
    expect(file).to.contain('fill="rgb(1, 2, 3)"');
    expect(file).not.to.match(/var\(|color-mix|light-dark|class=|url\(|<script|<!--/);
    expect(parsed.querySelector('title')?.textContent).to.equal('Departures');
  });

  it('reports why it has no map', async () => {
    const { failures } = await map({ type: 'globe' }, [state, count], states);
    expect(failures.map(({ kind }) => kind)).to.eql(['drawing']);
    expect(failures[0]?.message).to.contain('us-states');
  });

  it('renders new rows, and renders again after a move', async () => {
    const { element } = await map({ type: 'us-states' }, [state, count], states);
    element.rowSet = rowSet([state, count], states.slice(0, 1));
    await element.updateComplete;
    expect(marks(element).length).to.equal(1);
    const parent = element.parentNode;
    element.remove();
    parent?.append(element);
    await element.updateComplete;
    expect(marks(element).length).to.equal(1);
  });
});

function focused(element: PaTileMap): Element | null {
  return element.renderRoot instanceof ShadowRoot ? element.renderRoot.activeElement : null;
}

async function sendKey(element: PaTileMap, key: string, target = focused(element)): Promise<void> {
  target?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }));
  await element.updateComplete;
}
