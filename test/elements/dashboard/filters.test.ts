import { aTimeout, expect } from '@open-wc/testing';
import type { Dashboard, DashboardWidget } from '../../../src/contract/dashboards.js';
import type { MetaResponse } from '../../../src/contract/meta.js';
import type { Query } from '../../../src/contract/query.js';
import type { Column, RowSet } from '../../../src/contract/row-set.js';
import type { PaFilterChangeEvent } from '../../../src/controllers/dashboard/filter-change-event.js';
import '../../../src/elements/dashboard/pa-dashboard.js';
import type { PaDashboard } from '../../../src/elements/dashboard/dashboard-element.js';
import type { PaFilter } from '../../../src/elements/parts/controls/filter-element.js';
import { eventually } from '../eventually.js';
import { chartWidget, count, dashboard, FakeSession, provide, rowSet, snapshot } from '../fake-session.js';
import { withMedia } from '../media.js';

const position = { x: 0, y: 0, w: 3, h: 1 };
const widget = (type: string, id: string, config: Record<string, unknown>): DashboardWidget => ({
  id,
  type,
  position,
  config,
});
const carrier = widget('FILTER', 'carrier', { member: 'flights.carrier' });
const date = widget('FILTER', 'date', { member: 'flights.date' });

const memberOf = (name: string, type: string, shortTitle: string) => ({ name, type, title: shortTitle, shortTitle });
const model: MetaResponse = {
  cubes: [
    {
      name: 'flights',
      type: 'view',
      title: 'Flights',
      segments: [],
      dimensions: [
        memberOf('flights.carrier', 'string', 'Carrier'),
        memberOf('flights.origin', 'string', 'From where'),
        memberOf('flights.date', 'time', 'Date'),
        memberOf('flights.distance', 'number', 'Distance'),
      ],
      measures: [{ ...memberOf('flights.count', 'number', 'Count'), aggType: 'count' }],
    },
  ],
};

const column = (member: string): Column => ({
  member,
  kind: 'dimension',
  annotation: { title: member, shortTitle: member, type: 'string' },
});
const carriers = ['AA', 'DL', 'UA', null];

function carrierRows(values: readonly (string | null)[]): RowSet {
  const rows = values.map((value, index) => ({ 'flights.carrier': value, 'flights.count': String(1000 - index) }));
  return rowSet([column('flights.carrier'), count], rows);
}

/** Returns the carriers, or a number that depends on the number of filters. */
function answer({ dimensions, filters = [] }: Query): RowSet {
  if (dimensions?.includes('flights.carrier')) return carrierRows(carriers);
  if (dimensions) return rowSet(dimensions.map(column), []);
  return rowSet([count], [{ 'flights.count': String(9 - filters.length) }]);
}

interface Setup {
  readonly session: FakeSession;
  readonly element: PaDashboard;
  readonly parent: HTMLElement;
}

async function setUp(
  controls: readonly DashboardWidget[],
  prepare: (element: PaDashboard, session: FakeSession) => void = () => {},
  more: Partial<Dashboard> = {},
): Promise<Setup> {
  const session = new FakeSession();
  session.model = model;
  session.answers = answer;
  const report = snapshot(0, { name: 'Flights', meta: { jsonQuery: { measures: ['flights.count'] } } });
  session.dashboards = async () => ({ ...dashboard([...controls, chartWidget(0)], [report]), ...more });
  const parent = document.createElement('div');
  parent.style.setProperty('width', '1200px');
  const provider = provide(session);
  provider.append(parent);
  document.body.append(provider);
  const element = document.createElement('pa-dashboard');
  element.publicId = 'Dashboard001';
  prepare(element, session);
  parent.append(element);
  await eventually(() => figureText(element) !== '');
  return { session, element, parent };
}

const textOf = (element: Element | null | undefined): string => element?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
const figureText = (element: PaDashboard): string => {
  const kpi = element.renderRoot.querySelector('pa-tile')?.renderRoot.querySelector('pa-tile-kpi');
  return textOf(kpi?.shadowRoot?.querySelector('.figure'));
};
const barOf = (element: PaDashboard) => element.renderRoot.querySelector('pa-controls')?.shadowRoot ?? null;
const filtersOf = (element: PaDashboard): PaFilter[] => [...(barOf(element)?.querySelectorAll('pa-filter') ?? [])];
const chipOf = (element: PaDashboard, index = 0): HTMLButtonElement => {
  const chip = filtersOf(element)[index]?.shadowRoot?.querySelector<HTMLButtonElement>('#chip');
  if (!chip) throw new Error(`no filter ${index}`);
  return chip;
};
const sentences = (element: PaDashboard): string[] =>
  filtersOf(element).map(filter => textOf(filter.shadowRoot?.querySelector('#chip')));
const panelOf = (element: PaDashboard, index = 0) =>
  filtersOf(element)[index]?.shadowRoot?.querySelector('pa-filter-panel')?.shadowRoot ?? null;
const find = <E extends Element>(root: ParentNode | null, selector: string): E => {
  const found = root?.querySelector<E>(selector);
  if (!found) throw new Error(`no element ${selector}`);
  return found;
};
const itemsOf = (element: PaDashboard): string[] =>
  [...(panelOf(element)?.querySelectorAll('.item') ?? [])].map(item => textOf(item));
const lastQuery = (session: FakeSession): Query | undefined =>
  session.calls.filter(({ query }) => !query.dimensions).at(-1)?.query;
const button = (root: ParentNode | null, text: string): HTMLButtonElement => {
  const found = [...(root?.querySelectorAll('button') ?? [])].find(one => textOf(one) === text);
  if (!found) throw new Error(`no button ${text}`);
  return found;
};
const announcement = (element: PaDashboard): string => textOf(barOf(element)?.querySelector('[role=status]'));

const datesOf = (element: PaDashboard) => panelOf(element)?.querySelector('pa-date-editor')?.shadowRoot ?? null;
const calendarOf = (element: PaDashboard) => datesOf(element)?.querySelector('pa-calendar')?.shadowRoot ?? null;
/** Returns the first or last day of the data, which covers 1 January to 30 June 2001. */
const boundOf = ({ order }: Query): string =>
  JSON.stringify(order).includes('asc') ? '2001-01-01T00:00:00.000' : '2001-06-30T00:00:00.000';

async function openPanel(element: PaDashboard, index = 0): Promise<void> {
  await eventually(() => filtersOf(element)[index]?.shadowRoot?.querySelector('#chip'), 'the chip is rendered');
  chipOf(element, index).click();
  await eventually(() => panelOf(element, index)?.querySelector('.foot'), 'the panel is rendered');
}

function enterValue(
  field: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement,
  value: string,
  type = 'change',
): void {
  field.value = value;
  field.dispatchEvent(new Event(type, { bubbles: true }));
}

function toggle(element: PaDashboard, name: string): void {
  const item = [...(panelOf(element)?.querySelectorAll('.item') ?? [])].find(one => textOf(one).startsWith(name));
  find<HTMLInputElement>(item ?? null, 'input').click();
}

afterEach(() => {
  document.body.replaceChildren();
});

describe('filter panel', () => {
  it('reads as a sentence, lists values with counts, and applies a selection immediately', async () => {
    const { element, session } = await setUp([carrier]);
    await eventually(() => sentences(element).join() === 'Carrier: All');
    await openPanel(element);
    await eventually(() => itemsOf(element).length === 4);
    expect(itemsOf(element)).to.deep.equal(['AA 1,000', 'DL 999', 'UA 998', '(no value) 997']);
    toggle(element, 'AA');
    await eventually(() => sentences(element).join() === 'Carrier is AA');
    toggle(element, 'DL');
    await eventually(() => sentences(element).join() === 'Carrier is AA, DL');
    await eventually(() => figureText(element) === '8');
    expect(lastQuery(session)?.filters).to.deep.equal([
      { member: 'flights.carrier', operator: 'equals', values: ['AA', 'DL'] },
    ]);
    await expect(element).to.be.accessible();
    toggle(element, 'AA');
    await eventually(() => sentences(element).join() === 'Carrier is DL');
    toggle(element, 'DL');
    await eventually(() => sentences(element).join() === 'Carrier: All' && figureText(element) === '9');
  });

  // A flex basis of 0 collapses in WebKit if the column has no height.
  it('sizes its popover by its content, in every editor', async () => {
    const { element } = await setUp([carrier, date]);
    for (const index of [0, 1]) {
      await openPanel(element, index);
      const panel = filtersOf(element)[index]?.shadowRoot?.querySelector('pa-filter-panel');
      const columns = [panel, ...(panelOf(element, index)?.querySelectorAll('.values, .values > *') ?? [])];
      expect(columns.length).to.be.above(2);
      for (const item of columns) expect(item && getComputedStyle(item).flexBasis).to.equal('auto');
    }
  });

  it('moves the focus into its panel and returns it on Escape', async () => {
    const { element } = await setUp([carrier]);
    await eventually(() => filtersOf(element)[0]?.shadowRoot?.querySelector('#chip'));
    chipOf(element).focus();
    await openPanel(element);
    expect(chipOf(element).getAttribute('aria-expanded')).to.equal('true');
    await eventually(() => panelOf(element)?.activeElement?.closest('.item'));
    find<HTMLElement>(filtersOf(element)[0]?.shadowRoot ?? null, '[popover]').hidePopover();
    await eventually(() => filtersOf(element)[0]?.shadowRoot?.activeElement?.id === 'chip');
    expect(chipOf(element).getAttribute('aria-expanded')).to.equal('false');
  });

  it('closes its panel when the focus leaves it, and stays open otherwise', async () => {
    const { element } = await setUp([carrier, date]);
    await openPanel(element);
    await eventually(() => panelOf(element)?.activeElement?.closest('.item'));
    find<HTMLElement>(panelOf(element), 'select').focus();
    chipOf(element).focus();
    expect(chipOf(element).getAttribute('aria-expanded')).to.equal('true');
    chipOf(element, 1).focus();
    await eventually(() => chipOf(element).getAttribute('aria-expanded') === 'false');
    expect(filtersOf(element)[1]?.shadowRoot?.activeElement?.id).to.equal('chip');
  });

  it('focuses the search, except on touch, which would open the on-screen keyboard', async () => {
    const many = Array.from({ length: 20 }, (_, index) => `Carrier ${index}`);
    const { element } = await setUp([carrier], (_element, fake) => {
      fake.answers = query => (query.dimensions ? carrierRows(many) : answer(query));
    });
    await openPanel(element);
    await eventually(() => panelOf(element)?.activeElement?.matches('[type=search]'));
    button(panelOf(element), 'Done').click();
    await eventually(() => filtersOf(element)[0]?.shadowRoot?.activeElement?.id === 'chip');
    chipOf(element).dispatchEvent(new PointerEvent('click', { pointerType: 'touch' }));
    await eventually(() => itemsOf(element).length === 20);
    expect(filtersOf(element)[0]?.shadowRoot?.activeElement?.matches('[popover]')).to.equal(true);
  });
});

describe('filter values', () => {
  it('selects all, clears, and filters by NULL if selected', async () => {
    const { element, session } = await setUp([carrier]);
    await openPanel(element);
    await eventually(() => itemsOf(element).length === 4);
    button(panelOf(element), 'Select all').click();
    await eventually(() => sentences(element).join() === 'Carrier is AA, DL, UA +1');
    expect(lastQuery(session)?.filters).to.deep.equal([
      { member: 'flights.carrier', operator: 'equals', values: ['AA', 'DL', 'UA', null] },
    ]);
    button(panelOf(element), 'Clear').click();
    await eventually(() => sentences(element).join() === 'Carrier: All');
    expect(element.getState().filters).to.deep.equal({ 'flights.carrier': null });
  });

  it('shows the number of selected values', async () => {
    const { element } = await setUp([carrier]);
    await openPanel(element);
    await eventually(() => itemsOf(element).length === 4);
    toggle(element, 'AA');
    await eventually(() => textOf(panelOf(element)?.querySelector('.bulk')) === 'Select all 1 selected');
  });

  it('searches locally, or on the platform if not all values fit', async () => {
    const many = Array.from({ length: 200 }, (_, index) => `Carrier ${index}`);
    const { element, session } = await setUp([carrier], (_element, fake) => {
      fake.answers = query => (query.dimensions ? carrierRows(query.filters ? ['Carrier 777'] : many) : answer(query));
    });
    await openPanel(element);
    await eventually(() => itemsOf(element).length === 200);
    expect(textOf(panelOf(element)?.querySelector('.values .note'))).to.include('first 200');
    const search = find<HTMLInputElement>(panelOf(element), 'input[type=search]');
    const before = session.calls.length;
    for (const text of ['7', '77', '777']) enterValue(search, text, 'input');
    await eventually(() => itemsOf(element).join().startsWith('Carrier 777'));
    const requested = session.calls.slice(before).map(({ query }) => query.filters);
    expect(requested).to.deep.equal([[{ member: 'flights.carrier', operator: 'contains', values: ['777'] }]]);
  });

  it('lists values that match the other filters', async () => {
    const { element, session } = await setUp([
      carrier,
      widget('FILTER', 'origin', { member: 'flights.origin', value: 'ATL' }),
    ]);
    await openPanel(element);
    await eventually(() => itemsOf(element).length === 4);
    const requested = session.calls.find(({ query }) => query.dimensions?.includes('flights.carrier'));
    expect(requested?.query.filters).to.deep.equal([{ member: 'flights.origin', operator: 'equals', values: ['ATL'] }]);
  });
});

describe('filter dates', () => {
  it('offers relative dates and a calendar of the latest data for a time dimension', async () => {
    const { element, session } = await setUp([date], (one, fake) => {
      one.timezone = 'Asia/Tokyo';
      fake.answers = query =>
        query.timeDimensions ? rowSet([], [{ 'flights.date.day': boundOf(query) }]) : answer(query);
    });
    await openPanel(element);
    await eventually(() => calendarOf(element)?.querySelector('[data-day="2001-06-30"]'), 'the last month is shown');
    expect(session.calls.filter(({ query }) => query.timeDimensions).map(({ query }) => query.timezone)).to.deep.equal([
      'Asia/Tokyo',
      'Asia/Tokyo',
    ]);
    find<HTMLElement>(calendarOf(element), '[data-day="2001-06-30"]').click();
    find<HTMLElement>(calendarOf(element), '[data-day="2001-06-04"]').click();
    await eventually(() => sentences(element).join() === 'Date: Jun 4 – 30, 2001');
    expect(lastQuery(session)?.filters).to.deep.equal([
      { member: 'flights.date', operator: 'afterOrOnDate', values: ['2001-06-04'] },
      { member: 'flights.date', operator: 'beforeOrOnDate', values: ['2001-06-30'] },
    ]);
    expect(element.getState().filters).to.deep.equal({
      'flights.date': { operator: 'between', value: ['2001-06-04', '2001-06-30'] },
    });
    find<HTMLInputElement>(datesOf(element), '[value="last 7 days"]').click();
    await eventually(() => sentences(element).join() === 'Date: last 7 days');
    expect(lastQuery(session)?.filters).to.deep.equal([
      { member: 'flights.date', operator: 'inDateRange', values: ['last 7 days'] },
    ]);
    await expect(element).to.be.accessible();
    button(panelOf(element), 'Clear').click();
    await eventually(() => sentences(element).join() === 'Date: All');
  });

  it('offers a single day for an operator with one value', async () => {
    const { element, session } = await setUp([date]);
    await openPanel(element);
    const operators = find<HTMLSelectElement>(panelOf(element), 'select');
    expect([...operators.options].map(({ value }) => value)).not.to.include('between');
    enterValue(operators, 'greater_than');
    await eventually(() => datesOf(element)?.querySelectorAll('input').length === 1);
    enterValue(find<HTMLInputElement>(datesOf(element), 'input'), '1/31/2001');
    await eventually(() => sentences(element).join() === 'Date is greater than Jan 31, 2001');
    expect(lastQuery(session)?.filters).to.deep.equal([
      { member: 'flights.date', operator: 'afterDate', values: ['2001-01-31'] },
    ]);
  });
});

describe('filter conditions', () => {
  it('applies no filter when an operator without values is cleared', async () => {
    const { element } = await setUp([carrier]);
    await openPanel(element);
    enterValue(find<HTMLSelectElement>(panelOf(element), 'select'), 'contains');
    await eventually(() => panelOf(element)?.querySelector('textarea'));
    button(panelOf(element), 'Clear').click();
    await eventually(() => !panelOf(element)?.querySelector('textarea'));
    expect(element.getState().filters).to.deep.equal({});
  });

  it('lists the operators of its type and explains how text is compared', async () => {
    const { element, session } = await setUp([carrier]);
    await openPanel(element);
    const operators = find<HTMLSelectElement>(panelOf(element), 'select');
    expect(operators.options.length).to.equal(17);
    enterValue(operators, 'contains');
    await eventually(() => panelOf(element)?.querySelector('textarea'));
    expect(textOf(panelOf(element)?.querySelector('.values .note'))).to.equal('Not case-sensitive.');
    enterValue(find<HTMLTextAreaElement>(panelOf(element), 'textarea'), 'a\n b ');
    await eventually(() => sentences(element).join() === 'Carrier contains a, b');
    expect(lastQuery(session)?.filters).to.deep.equal([
      { member: 'flights.carrier', operator: 'contains', values: ['a', 'b'] },
    ]);
    await expect(element).to.be.accessible();
    enterValue(operators, 'is_not_null');
    await eventually(() => sentences(element).join() === 'Carrier has a value');
    await eventually(() => figureText(element) === '8');
  });

  it('delays queries until its condition is resolved', async () => {
    const given = widget('FILTER', 'date', { member: 'flights.date', value: '2001-01-31' });
    const { session } = await setUp([given]);
    expect(session.metaCalls).to.equal(1);
    expect(session.calls.map(({ query }) => query.filters)).to.deep.equal([
      [{ member: 'flights.date', operator: 'inDateRange', values: ['2001-01-31'] }],
    ]);
  });

  it('reports a condition that cannot be applied', async () => {
    const given = widget('FILTER', 'distance', { member: 'flights.distance', operator: 'contains', value: 'x' });
    const { element, session } = await setUp([given]);
    await openPanel(element);
    await eventually(
      () => textOf(filtersOf(element)[0]?.shadowRoot?.querySelector('#remark')) === 'This condition can’t be applied',
    );
    expect(lastQuery(session)?.filters).to.equal(undefined);
    const hint = element.renderRoot.querySelector('pa-tile')?.renderRoot.querySelector('pa-hint');
    await eventually(() =>
      textOf(hint?.shadowRoot?.querySelector('[role=tooltip]')).endsWith(
        'This condition can’t be applied to this field.',
      ),
    );
  });
});

describe('dashboard selection precedence', () => {
  it('applies if its control is hidden or disabled', async () => {
    const { element, session } = await setUp([
      widget('FILTER', 'hidden', { member: 'flights.carrier', value: 'AA', visibility: 'hidden' }),
      widget('FILTER', 'disabled', { member: 'flights.origin', value: 'ATL', visibility: 'disabled' }),
    ]);
    await eventually(() => sentences(element).length === 1);
    expect(sentences(element)).to.deep.equal(['Origin is ATL']);
    expect(lastQuery(session)?.filters?.length).to.equal(2);
    const chip = chipOf(element);
    expect(chip.getAttribute('aria-disabled')).to.equal('true');
    expect(textOf(filtersOf(element)[0]?.shadowRoot?.querySelector('#remark'))).to.equal('Set by this page');
    chip.click();
    expect(filtersOf(element)[0]?.shadowRoot?.querySelector('[popover]') === null).to.equal(true);
    await expect(element).to.be.accessible();
  });

  it('applies if a control of another type is hidden or disabled', async () => {
    const chosen = { id: 'east', title: 'East', controls: { origin: { value: 'ATL' } } };
    const { element, session } = await setUp([
      widget('FILTER', 'origin', { member: 'flights.origin', visibility: 'hidden' }),
      widget('PARENT', 'parent', { title: 'Trip', options: [chosen], value: 'east', visibility: 'disabled' }),
      widget('TIME_GRAIN', 'grain', { member: 'flights.date', title: 'Step', value: 'week', visibility: 'disabled' }),
      widget('FIELD', 'by', { member: 'flights.carrier', members: ['flights.origin'], visibility: 'hidden' }),
    ]);
    const chips = () =>
      [...(barOf(element)?.querySelectorAll('pa-control') ?? [])].map(one => one.shadowRoot?.querySelector('#chip'));
    await eventually(() => chips().length === 2 && chips().every(chip => chip));
    expect(chips().map(chip => [textOf(chip), chip?.ariaDisabled])).to.deep.equal([
      ['Trip: East', 'true'],
      ['Step: Week', 'true'],
    ]);
    expect(lastQuery(session)?.filters).to.deep.equal([
      { member: 'flights.origin', operator: 'equals', values: ['ATL'] },
    ]);
    expect(getComputedStyle(find(barOf(element), '[part=reset]')).visibility).to.equal('hidden');
  });

  it('prefers the viewer over the host, the user attribute and the author', async () => {
    const given = widget('FILTER', 'carrier', { member: 'flights.carrier', value: 'UA', userAttribute: 'home' });
    const { element } = await setUp([given], () => {}, { userAttributes: { home: 'DL' } });
    await eventually(() => sentences(element).join() === 'Carrier is DL');
    element.filters = { 'flights.carrier': { value: 'AA' } };
    await eventually(() => sentences(element).join() === 'Carrier is AA');
    element.setState({ filters: { 'flights.carrier': { operator: 'not_equals', value: 'AA' } } });
    await eventually(() => sentences(element).join() === 'Carrier is not AA');
    element.lockedFilters = { 'flights.carrier': { value: 'B6' } };
    await eventually(() => sentences(element).join() === 'Carrier is B6');
    expect(chipOf(element).getAttribute('aria-disabled')).to.equal('true');
    element.lockedFilters = null;
    await eventually(() => sentences(element).join() === 'Carrier is not AA');
    button(barOf(element), 'Reset').click();
    await eventually(() => sentences(element).join() === 'Carrier is AA');
    element.filters = null;
    await eventually(() => sentences(element).join() === 'Carrier is DL');
  });
});

describe('dashboard selection changes', () => {
  it('reach all tiles before loadAll resolves', async () => {
    const { element, parent } = await setUp([carrier]);
    element.setState({ filters: { 'flights.carrier': { value: 'AA' } } });
    await element.loadAll();
    expect(figureText(element)).to.equal('8');
    element.setState({ filters: {} });
    await element.loadAll();
    expect(figureText(element)).to.equal('9');
    parent.remove();
    // The code that applies filters is not loaded yet.
    const { element: plain } = await setUp([]);
    plain.filters = { 'flights.carrier': { value: 'AA' }, 'flights.origin': { value: 'JFK' } };
    await plain.loadAll();
    expect(figureText(plain)).to.equal('7');
  });

  it('hides the message of an empty report while new rows load', async () => {
    const { session, element } = await setUp([carrier]);
    const findInTile = (selector: string): Element | null =>
      element.renderRoot.querySelector('pa-tile')?.renderRoot.querySelector(selector) ?? null;
    await eventually(() => figureText(element) !== '');
    session.answers = null;
    element.setState({ filters: { 'flights.carrier': { value: 'none' } } });
    await eventually(() => session.calls.at(-1)?.query.filters?.length);
    session.calls.at(-1)?.answer(rowSet([count], []));
    await eventually(() => textOf(findInTile('[part=body]')).includes('No data'));
    element.setState({ filters: {} });
    await eventually(() => !session.calls.at(-1)?.query.filters?.length);
    await eventually(() => findInTile('[part=body]')?.ariaBusy === 'true');
    expect(textOf(findInTile('[part=body]'))).to.equal('');
    expect(findInTile('.skeleton') === null).to.equal(false);
    session.calls.at(-1)?.answer(rowSet([count], [{ 'flights.count': '12' }]));
    await eventually(() => figureText(element) === '12');
    expect(findInTile('.skeleton')).to.equal(null);
  });

  it('fires a cancelable event before it applies', async () => {
    const { element } = await setUp([carrier]);
    const details: unknown[] = [];
    const listen = (event: PaFilterChangeEvent): void => {
      details.push(event.detail);
      event.preventDefault();
    };
    element.addEventListener('pa-filter-change', listen);
    await openPanel(element);
    await eventually(() => itemsOf(element).length === 4);
    toggle(element, 'AA');
    await eventually(() => details.length === 1);
    await eventually(() => find<HTMLInputElement>(panelOf(element), '.item input').checked === false);
    expect(sentences(element)).to.deep.equal(['Carrier: All']);
    expect(details[0]).to.deep.include({ cause: 'filter', widgetId: 'carrier', member: 'flights.carrier' });
    element.removeEventListener('pa-filter-change', listen);
    toggle(element, 'AA');
    await eventually(() => sentences(element).join() === 'Carrier is AA');
    expect(element.getState().filters).to.deep.equal({ 'flights.carrier': { operator: 'equals', value: 'AA' } });
  });

  it('announces the selection and the number of updated tiles', async () => {
    const { element } = await setUp([carrier]);
    await eventually(() => sentences(element).join() === 'Carrier: All');
    element.setState({ filters: { 'flights.carrier': { value: 'AA' } } });
    await eventually(() => announcement(element) === 'Carrier is AA.');
    await eventually(() => announcement(element) === 'Carrier is AA. 1 tile updated.');
  });

  it('restarts the count if the selection changes before all tiles update', async () => {
    const { element, session } = await setUp([carrier]);
    await eventually(() => sentences(element).join() === 'Carrier: All');
    const drawnOnce = new Promise(resolve => element.addEventListener('pa-timing', resolve, { once: true }));
    element.setState({ filters: { 'flights.carrier': { value: 'AA' } } });
    await drawnOnce;
    session.answers = null;
    element.setState({ filters: { 'flights.carrier': { value: 'DL' } } });
    await eventually(() => announcement(element) === 'Carrier is DL.');
    await eventually(() => JSON.stringify(lastQuery(session)?.filters).includes('"DL"'));
    // By then, the number of tiles that the first selection updated would have been announced.
    await aTimeout(700);
    session.calls.at(-1)?.answer(rowSet([count], [{ 'flights.count': '3' }]));
    await eventually(() => announcement(element) !== 'Carrier is DL.');
    expect(announcement(element)).to.equal('Carrier is DL. 1 tile updated.');
  });
});

describe('dashboard selection controls', () => {
  it('outlines only the viewer’s selection, not defaults', async () => {
    const city = widget('FIELD', 'by', {
      member: 'flights.origin',
      members: ['flights.carrier'],
      value: 'flights.carrier',
    });
    const preset = widget('FILTER', 'carrier', { member: 'flights.carrier', value: 'DL' });
    const { element } = await setUp([preset, city]);
    await eventually(() => sentences(element).join() === 'Carrier is DL');
    const field = barOf(element)?.querySelector('pa-control')?.shadowRoot?.querySelector('[part=control]');
    const isChosen = (chip: Element | null | undefined) => chip?.classList.contains('chosen');
    expect([isChosen(chipOf(element)), isChosen(field)]).to.deep.equal([false, false]);
    element.setState({
      filters: { 'flights.carrier': { value: 'AA' } },
      members: { 'flights.origin': 'flights.carrier' },
    });
    await eventually(() => sentences(element).join() === 'Carrier is AA');
    await eventually(() => isChosen(field));
    expect(isChosen(chipOf(element))).to.equal(true);
  });

  it('shows a control for host filters on a dashboard without controls', async () => {
    const { element, session } = await setUp([], one => {
      one.lockedFilters = { 'flights.carrier': { value: 'AA' }, __proto__: { value: 'x' } };
      one.timezone = 'Asia/Tokyo';
    });
    await eventually(() => sentences(element).join() === 'Carrier is AA');
    expect(lastQuery(session)).to.deep.include({ timezone: 'Asia/Tokyo' });
    expect(lastQuery(session)?.filters).to.deep.equal([
      { member: 'flights.carrier', operator: 'equals', values: ['AA'] },
    ]);
  });

  it('sets several controls from one and shows the matching option', async () => {
    const parent = widget('PARENT', 'parent', {
      title: 'Trip',
      options: [
        { id: 'east', title: 'East', controls: { origin: { value: 'ATL' }, carrier: { value: ['DL', 'B6'] } } },
        { id: 'west', title: 'West', controls: { origin: { value: 'LAX' }, carrier: { value: 'UA' } } },
      ],
      value: 'west',
    });
    const { element, session } = await setUp([
      carrier,
      widget('FILTER', 'origin', { member: 'flights.origin' }),
      parent,
    ]);
    const select = () => barOf(element)?.querySelector('pa-control')?.shadowRoot?.querySelector('select');
    await eventually(() => select()?.value === 'west');
    expect(sentences(element)).to.deep.equal(['Carrier is UA', 'Origin is LAX']);
    const list = select();
    if (list) enterValue(list, 'east');
    await eventually(() => sentences(element).join() === 'Carrier is DL, B6,Origin is ATL');
    expect(lastQuery(session)?.filters?.length).to.equal(2);
    element.setState({ filters: { 'flights.origin': { value: 'SFO' } } });
    await eventually(() => select()?.value === '');
  });

  it('replaces a member and shows its column name', async () => {
    const field = widget('FIELD', 'by', { member: 'flights.count', title: 'Show', members: ['flights.delay'] });
    const { element, session } = await setUp([field], (_element, fake) => {
      fake.answers = ({ measures }) =>
        measures?.includes('flights.delay')
          ? rowSet([{ ...count, member: 'flights.delay' }], [{ 'flights.delay': '77' }])
          : rowSet([count], [{ 'flights.count': '9' }]);
    });
    const list = () => barOf(element)?.querySelector('pa-control')?.shadowRoot?.querySelector('select');
    await eventually(() => [...(list()?.options ?? [])].map(option => textOf(option)).join() === 'Count,Delay');
    const select = list();
    if (select) enterValue(select, 'flights.delay');
    await eventually(() => figureText(element) === '77');
    expect(session.calls.at(-1)?.query.measures).to.deep.equal(['flights.delay']);
    expect(element.getState().members).to.deep.equal({ 'flights.count': 'flights.delay' });
  });

  it('moves into a sheet if space is limited', async () => {
    const { element, parent } = await setUp([{ ...carrier, config: { member: 'flights.carrier', value: 'AA' } }]);
    await eventually(() => sentences(element).length === 1);
    parent.style.setProperty('width', '360px');
    await eventually(() => textOf(barOf(element)?.querySelector('[part=sheet-button]')) === 'Filters (1)');
    expect(filtersOf(element).length).to.equal(0);
    await expect(element).to.be.accessible();
    const open = find<HTMLButtonElement>(barOf(element), '[part=sheet-button]');
    await withMedia(barOf(element)?.host ?? element, '(pointer: coarse)', () => {
      expect(open.getBoundingClientRect().height).to.equal(44);
    });
    open.focus();
    open.click();
    const sheet = find<HTMLDialogElement>(barOf(element), 'dialog');
    await eventually(() => sheet.open && sentences(element).join() === 'Carrier is AA');
    await expect(element).to.be.accessible();
    button(sheet, 'Done').click();
    await eventually(() => !sheet.open && barOf(element)?.activeElement === open);
  });
});

describe('page URL', () => {
  const address = location.href;
  afterEach(() => {
    document.body.replaceChildren();
    history.replaceState(null, '', address);
  });

  it('stores the selection next to other parameters, and changes to it apply', async () => {
    const mine = new URL(address);
    mine.searchParams.set('f_flights.carrier', '{"value":"AA"}');
    mine.searchParams.set('f_flights.origin', '{"value":{"$ne":1}}');
    history.replaceState(null, '', mine);
    const { element, session } = await setUp([carrier], one => one.setAttribute('url-state', ''));
    await eventually(() => sentences(element).join() === 'Carrier is AA');
    expect(lastQuery(session)?.filters?.length).to.equal(1);
    await openPanel(element);
    await eventually(() => itemsOf(element).length === 4);
    toggle(element, 'DL');
    await eventually(() => new URL(location.href).searchParams.get('f_flights.carrier') === '{"value":["AA","DL"]}');
    expect(new URL(location.href).searchParams.get('f_flights.origin')).to.equal('{"value":{"$ne":1}}');
    mine.searchParams.set('f_flights.carrier', '{"value":"UA"}');
    history.replaceState(null, '', mine);
    dispatchEvent(new PopStateEvent('popstate'));
    await eventually(() => sentences(element).join() === 'Carrier is UA');
  });

  const urlParam = (name: string): string | null => new URL(location.href).searchParams.get(name);
  const setUrlParams = (search: Record<string, string>): void => {
    const url = new URL(address);
    for (const [name, value] of Object.entries(search)) url.searchParams.set(name, value);
    history.replaceState(null, '', url);
  };
  const enableUrlState = (one: PaDashboard): void => one.setAttribute('url-state', '');

  it('reflects host state immediately, even if the dashboard is removed right after', async () => {
    setUrlParams({ other: '1', 'f_flights.carrier': '{"value":"AA"}' });
    const { element } = await setUp([carrier], enableUrlState);
    await eventually(() => sentences(element).join() === 'Carrier is AA');
    element.setState({ filters: {} });
    expect(urlParam('f_flights.carrier')).to.equal(null);
    element.setState({ filters: { 'flights.carrier': { value: 'DL' } } });
    element.setState({ filters: { 'flights.carrier': { value: 'UA' } } });
    element.remove();
    expect(urlParam('f_flights.carrier')).to.equal('{"value":"UA"}');
    expect(urlParam('other')).to.equal('1');
  });

  it('is not changed after the viewer navigates elsewhere', async () => {
    const { element } = await setUp([carrier], enableUrlState);
    await eventually(() => sentences(element).join() === 'Carrier: All');
    element.setState({ filters: { 'flights.carrier': { value: 'DL' } } });
    element.setState({ filters: { 'flights.carrier': { value: 'UA' } } });
    setUrlParams({ page: '2' });
    element.remove();
    expect(location.search).to.contain('page=2');
    expect(urlParam('f_flights.carrier')).to.equal(null);
  });

  it('is empty after a reset and stores a cleared filter after a clear', async () => {
    const preset = { ...carrier, config: { member: 'flights.carrier', value: 'DL' } };
    setUrlParams({ 'f_flights.carrier': '{"value":"AA"}' });
    const { element } = await setUp([preset], enableUrlState);
    await eventually(() => sentences(element).join() === 'Carrier is AA');
    await openPanel(element);
    button(panelOf(element), 'Clear').click();
    await eventually(() => sentences(element).join() === 'Carrier: All');
    await eventually(() => urlParam('f_flights.carrier') === 'null');
    button(barOf(element), 'Reset').click();
    await eventually(() => sentences(element).join() === 'Carrier is DL');
    await eventually(() => urlParam('f_flights.carrier') === null);
    expect(location.search).not.to.contain('f_');
  });

  it('overrides earlier state for the same key and keeps the rest', async () => {
    setUrlParams({ 'f_flights.carrier': '{"value":"AA"}' });
    const early = { 'flights.carrier': { value: 'DL' }, 'flights.date': { operator: 'is_null' as const } };
    const { element } = await setUp([carrier, date], one => {
      enableUrlState(one);
      one.setState({ filters: early });
    });
    await eventually(() => sentences(element)[0] === 'Carrier is AA');
    expect(urlParam('f_flights.carrier')).to.equal('{"value":"AA"}');
    expect(urlParam('f_flights.date')).to.equal('{"operator":"is_null"}');
  });

  it('drops a selection that new host filters replace', async () => {
    setUrlParams({ 'f_flights.carrier': '{"value":"AA"}', 'f_flights.date': '{"operator":"is_null"}' });
    const { element } = await setUp([carrier, date], one => {
      enableUrlState(one);
      one.filters = { 'flights.carrier': { value: 'DL' } };
    });
    await eventually(() => sentences(element)[0] === 'Carrier is AA');
    element.filters = { 'flights.carrier': { value: 'UA' } };
    await eventually(() => sentences(element)[0] === 'Carrier is UA');
    expect(urlParam('f_flights.carrier')).to.equal(null);
    expect(urlParam('f_flights.date')).not.to.equal(null);
  });

  it('is unchanged unless the host enables it', async () => {
    const mine = new URL(address);
    mine.searchParams.set('f_flights.carrier', '{"value":"AA"}');
    history.replaceState(null, '', mine);
    const { element } = await setUp([carrier]);
    await eventually(() => sentences(element).join() === 'Carrier: All');
    element.setState({ filters: { 'flights.carrier': { value: 'DL' } } });
    await eventually(() => announcement(element) === 'Carrier is DL. 1 tile updated.');
    expect(location.href).to.equal(mine.href);
  });
});
