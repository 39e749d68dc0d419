import { expect } from '@open-wc/testing';
import type { PaFilterChangeDetail } from '../../../../src/controllers/dashboard/filter-change-event.js';
import '../../../../src/elements/chat/step/result-element.js';
import type { PaChatResult } from '../../../../src/elements/chat/step/result-element.js';
import '../../../../src/elements/dashboard/pa-dashboard.js';
import type { PaDashboard } from '../../../../src/elements/dashboard/dashboard-element.js';
import { markTargetOf } from '../../../../src/elements/parts/mark-target.js';
import type { PaTileTable } from '../../../../src/elements/parts/table/table-element.js';
import type { Mark } from '../../../../src/report/marks/mark.js';
import { type DashboardPage, dashboardPage, textIn } from '../../dashboard/dashboard-page.js';
import { eventually } from '../../eventually.js';
import { chartWidget, dashboard, rowSet } from '../../fake-session.js';
import { carrierReport, carriers, drilled, markOf } from '../../parts/tile/tile-page.js';

interface Page extends DashboardPage {
  readonly result: PaChatResult;
  readonly changes: PaFilterChangeDetail[];
}

const query = { measures: ['flights.count'], dimensions: ['flights.carrier'] };

/** Opens an answer next to a dashboard with one tile. */
async function openPage(fields: Partial<PaChatResult> = {}, settings: Record<string, unknown> = {}): Promise<Page> {
  const given = dashboard([chartWidget(1)], [carrierReport(1)]);
  const page = await dashboardPage({ ...given, config: { ...given.config, settings } }, ({ session }) => {
    session.answers = () => carriers;
  });
  await page.element.loadAll();
  const changes: PaFilterChangeDetail[] = [];
  page.element.addEventListener('pa-filter-change', ({ detail }) => changes.push(detail));
  const result = Object.assign(document.createElement('pa-chat-result'), {
    result: {
      title: 'Flights',
      description: '',
      query,
      rowSet: carriers,
      totalRows: 3,
      checksum: '',
      spec: null,
      isSupporting: false,
    },
    marks: markTargetOf(page.element),
    stepId: 'step',
    locale: 'en',
    ...fields,
  });
  document.body.append(result);
  await eventually(() => tableOf(result));
  return { ...page, result, changes };
}

const tableOf = (result: PaChatResult): PaTileTable | null => result.renderRoot.querySelector('pa-tile-table:defined');
const items = (result: PaChatResult): HTMLElement[] => [
  ...(result.renderRoot.querySelector('pa-tile-menu')?.shadowRoot?.querySelectorAll<HTMLElement>('[role=menuitem]') ??
    []),
];
const labels = (result: PaChatResult): string[] => items(result).map(item => item.textContent?.trim() ?? '');
const anchor = { left: 0, top: 0, right: 10, bottom: 10 };

/** Opens the menu of a mark, and runs an item. */
async function run(result: PaChatResult, values: Mark['values'], label: string): Promise<void> {
  tableOf(result)?.onPick?.({ mark: { values, measure: 'flights.count' }, intent: 'choose', extend: false, anchor });
  await eventually(() => labels(result).includes(label), label);
  items(result)[labels(result).indexOf(label)]?.click();
}

const filtersOf = ({ session }: DashboardPage) => session.calls.at(-1)?.query.filters ?? [];
const chips = (element: PaDashboard): string => {
  const bar = element.renderRoot.querySelector('pa-controls');
  return bar ? textIn(bar) : '';
};

describe('marks of an answer next to a dashboard', () => {
  afterEach(() => document.body.replaceChildren());

  it('filter the tiles of the dashboard, as a chip that can be removed', async () => {
    const page = await openPage();
    const { result, element, changes } = page;
    await run(result, markOf('AA').values, 'Filter dashboard by this');
    await eventually(() => chips(element).includes('Carrier is AA'));
    await element.loadAll();
    expect(filtersOf(page)).to.deep.equal([{ member: 'flights.carrier', operator: 'equals', values: ['AA'] }]);
    expect(changes.map(({ cause, widgetId, member }) => [cause, widgetId, member])).to.deep.equal([
      ['mark', null, 'flights.carrier'],
    ]);
    await eventually(() => tableOf(result)?.selected.length === 1, 'the mark is shown as selected');
    await run(result, markOf('AA').values, 'Stop filtering by this');
    await eventually(() => !chips(element).includes('Carrier is AA'));
    await eventually(() => tableOf(result)?.selected.length === 0);
    await element.loadAll();
    expect(filtersOf(page)).to.deep.equal([]);
  });

  it('add up, and are deselected when the viewer resets the dashboard', async () => {
    const page = await openPage();
    const { result, element } = page;
    for (const code of ['AA', '=DL']) await run(result, markOf(code).values, 'Filter dashboard by this');
    await eventually(() => tableOf(result)?.selected.length === 2);
    await element.loadAll();
    expect(filtersOf(page)).to.deep.equal([{ member: 'flights.carrier', operator: 'equals', values: ['AA', '=DL'] }]);
    const bar = element.renderRoot.querySelector('pa-controls');
    bar?.shadowRoot?.querySelector<HTMLElement>('[part~=reset]')?.click();
    await eventually(() => tableOf(result)?.selected.length === 0);
  });

  it('filter by the number of a weekday that the chart names', async () => {
    const weekday = {
      member: 'flights.iso_weekday',
      kind: 'dimension' as const,
      annotation: { title: 'Weekday', shortTitle: 'Weekday', type: 'number' },
    };
    const rows = [1, 2].map(day => ({ 'flights.iso_weekday': day, 'flights.count': '3' }));
    const page = await openPage({
      result: {
        title: 'Flights',
        description: '',
        query: { measures: ['flights.count'], dimensions: ['flights.iso_weekday'] },
        rowSet: rowSet([weekday, drilled], rows),
        totalRows: 2,
        checksum: '',
        spec: null,
        isSupporting: false,
      },
    });
    await run(page.result, { 'flights.iso_weekday': 'Tuesday' }, 'Filter dashboard by this');
    await eventually(() => tableOf(page.result)?.selected.length === 1);
    await page.element.loadAll();
    expect(filtersOf(page)).to.deep.equal([{ member: 'flights.iso_weekday', operator: 'equals', values: [2] }]);
  });

  it('are not offered if the dashboard forbids it, or without a dashboard', async () => {
    const { result } = await openPage({}, { crossFilter: false });
    tableOf(result)?.onPick?.({ mark: markOf('AA'), intent: 'choose', extend: false, anchor });
    await eventually(() => result.renderRoot.querySelector('pa-tile-menu:defined'));
    await result.updateComplete;
    expect(labels(result)).to.deep.equal(['Show underlying rows']);
    result.marks = null;
    await eventually(() => tableOf(result)?.onPick === null);
  });
});
