import { expect } from '@open-wc/testing';
import type { DashboardWidget } from '../../../src/contract/dashboards.js';
import { DashboardStateController } from '../../../src/controllers/dashboard/dashboard-state-controller.js';
import type { DashboardState } from '../../../src/report/controls/dashboard-state.js';
import type { MarkFilter } from '../../../src/report/marks/mark-filters.js';
import '../../../src/elements/dashboard/pa-dashboard.js';
import '../../../src/elements/parts/controls/controls-element.js';
import type { PaDashboard } from '../../../src/elements/dashboard/dashboard-element.js';
import { eventually } from '../eventually.js';
import { chartWidget, dashboard, snapshot } from '../fake-session.js';
import { dashboardPage, tilesOf } from './dashboard-page.js';

const control = (type: string, id: string, config: Record<string, unknown>): DashboardWidget => ({
  id,
  type,
  position: { x: 0, y: 0, w: 3, h: 1 },
  config,
});
const controls = [
  ...['Carrier', 'Origin', 'Destination', 'Time of day'].map((title, index) =>
    control('FILTER', `filter${index}`, { member: `flights.f${index}`, title }),
  ),
  control('FILTER', 'single', { member: 'flights.single', title: 'State', single: true, values: ['CA', 'NY'] }),
  control('TIME_GRAIN', 'grain', { member: 'flights.date', title: 'Granularity', granularities: ['day', 'quarter'] }),
  control('FIELD', 'field', { member: 'flights.count', title: 'Figure', members: ['flights.average_delay'] }),
  control('FILTER', 'date', { member: 'flights.day', title: 'Departure', operator: 'custom', value: 'today' }),
];
const long = 'A value that is far longer than any chip has room for';
const chosen: DashboardState = {
  filters: {
    'flights.f0': { value: 'AA' },
    'flights.f1': { value: [long, long] },
    'flights.single': { value: 'NY' },
    'flights.day': { operator: 'between', value: ['2001-01-31', '2002-02-28'] },
  },
  timeGrains: { 'flights.date': 'quarter' },
  members: { 'flights.count': 'flights.average_delay' },
  tabs: {},
};
const marks = (value: string): MarkFilter[] => [
  { title: 'Carrier', member: 'flights.carrier', type: 'string', condition: { value } },
];

async function page(width: number, widgets: readonly DashboardWidget[], crossFilter = true) {
  const reports = [0, 1].map(index => snapshot(index, { meta: { jsonQuery: { measures: ['flights.count'] } } }));
  const given = dashboard([...widgets, chartWidget(0), chartWidget(1)], reports);
  const settings = { ...given.config.settings, crossFilter };
  const { element } = await dashboardPage({ ...given, config: { ...given.config, settings } }, ({ parent }) =>
    parent.style.setProperty('width', `${width}px`),
  );
  await eventually(() => tilesOf(element).length === 2, 'the tiles are rendered');
  return element;
}

const barOf = (element: PaDashboard) => element.renderRoot.querySelector('pa-controls');
const within = <E extends Element>(element: PaDashboard, selector: string): E[] => [
  ...(barOf(element)?.shadowRoot?.querySelectorAll<E>(selector) ?? []),
];

function stateOf(element: PaDashboard): DashboardStateController {
  const chooser = barOf(element)?.chooser;
  if (!(chooser instanceof DashboardStateController)) throw new Error('The bar has no state controller yet.');
  return chooser;
}

/** Returns the bounding boxes of all visible controls and tiles. */
function boundingBoxes(element: PaDashboard): string[] {
  const boxes = [...within(element, 'pa-filter, pa-control, [part=reset], [part=sheet-button]'), ...tilesOf(element)];
  return boxes.map(box => {
    const { left, top, width, height } = box.getBoundingClientRect();
    return [box.localName, left, top, box.matches('[part=sheet-button]') ? 0 : width, height].join(' ');
  });
}

async function settle(element: PaDashboard): Promise<void> {
  await element.updateComplete;
  const bar = barOf(element);
  await bar?.updateComplete;
  const parts = within<HTMLElement & { updateComplete: Promise<boolean> }>(
    element,
    'pa-filter, pa-control, pa-mark-chip',
  );
  await Promise.all(parts.map(part => part.updateComplete));
}

describe('controls bar', () => {
  afterEach(() => {
    document.body.replaceChildren();
  });

  for (const width of [360, 768, 1440]) {
    it(`moves neither tiles nor controls at ${width} px when values are selected, cleared and reset`, async () => {
      const element = await page(width, controls);
      await eventually(() => within(element, 'pa-filter, [part=sheet-button]').length > 0);
      await settle(element);
      const before = boundingBoxes(element);
      element.setState(chosen);
      await settle(element);
      expect(boundingBoxes(element)).to.deep.equal(before);
      for (const widget of ['a', 'b', 'c']) stateOf(element).chooseMarks(widget, marks(long));
      await settle(element);
      expect(within(element, 'pa-mark-chip').length).to.equal(3);
      expect(boundingBoxes(element)).to.deep.equal(before);
      element.setState({ filters: { 'flights.f1': null, 'flights.day': null } });
      await settle(element);
      expect(boundingBoxes(element)).to.deep.equal(before);
      barOf(element)?.chooser?.reset();
      await settle(element);
      expect(within(element, 'pa-mark-chip').length).to.equal(0);
      expect(boundingBoxes(element)).to.deep.equal(before);
    });

    it(`reserves space at ${width} px for mark filters on a dashboard without controls`, async () => {
      const element = await page(width, []);
      const top = () => tilesOf(element).map(tile => tile.getBoundingClientRect().top);
      const before = top();
      await eventually(() => barOf(element), 'the bar is rendered');
      element.setState({ filters: { 'flights.carrier': { value: 'AA' } } });
      await eventually(() => barOf(element)?.chooser);
      stateOf(element).chooseMarks('a', marks(long));
      await eventually(() => within(element, 'pa-mark-chip').length === 1);
      await settle(element);
      expect(top()).to.deep.equal(before);
      stateOf(element).chooseMarks('a', []);
      await settle(element);
      expect(top()).to.deep.equal(before);
    });
  }

  it('shows the full sentence of a list with options from the author', async () => {
    const element = await page(1440, controls);
    await eventually(() => within(element, 'pa-control').length === 3);
    await settle(element);
    const texts = within<HTMLElement>(element, 'pa-control').map(
      control => control.shadowRoot?.querySelector<HTMLElement>('.text') ?? control,
    );
    expect(texts.filter(text => text.scrollWidth > text.clientWidth).map(text => text.textContent)).to.deep.equal([]);
  });

  it('shows Reset if there is something to reset', async () => {
    const element = await page(1440, controls);
    await eventually(() => within(element, '[part=reset]').length === 1);
    await settle(element);
    const [reset] = within<HTMLElement>(element, '[part=reset]');
    const visibility = () => reset && getComputedStyle(reset).visibility;
    expect(visibility()).to.equal('hidden');
    element.setState(chosen);
    await eventually(() => visibility() === 'visible', 'Reset is shown');
  });

  it('gives all control chips one look, and one width in the phone sheet', async () => {
    const element = await page(1440, controls);
    await eventually(() => within(element, 'pa-filter').length > 0);
    await settle(element);
    const chipStyles = () =>
      within(element, 'pa-filter, pa-control').map(each => {
        const chip = each.shadowRoot?.querySelector('[part=control]');
        const { font, color, height, borderRadius, padding } = getComputedStyle(chip ?? each);
        return [font, color, height, borderRadius, padding].join(' | ');
      });
    element.setState({
      ...chosen,
      filters: { ...chosen.filters, 'flights.f2': { value: 'x' }, 'flights.f3': { value: 'x' } },
    });
    await settle(element);
    expect(new Set(chipStyles()).size).to.equal(1);
    element.parentElement?.style.setProperty('width', '360px');
    await eventually(() => within(element, '[part=sheet-button]').length === 1);
    within<HTMLButtonElement>(element, '[part=sheet-button]')[0]?.click();
    await eventually(() => within(element, 'dialog[open] pa-filter').length > 0);
    await settle(element);
    const widths = within(element, 'pa-filter, pa-control').map(
      each => each.shadowRoot?.querySelector('[part=control]')?.getBoundingClientRect().width,
    );
    expect(new Set(widths).size).to.equal(1);
  });
});
