import type { Dashboard, ReportSnapshot } from '../../../../src/contract/dashboards.js';
import type { Column, RowSet } from '../../../../src/contract/row-set.js';
import '../../../../src/elements/dashboard/pa-dashboard.js';
import type { PaDashboard } from '../../../../src/elements/dashboard/dashboard-element.js';
import type { PaTileMenu } from '../../../../src/elements/parts/menu/menu-element.js';
import type { PaTile } from '../../../../src/elements/parts/tile/tile-element.js';
import '../../../../src/elements/report/pa-report.js';
import type { PaReport } from '../../../../src/elements/report/report-element.js';
import type { Mark, Pick } from '../../../../src/report/marks/mark.js';
import { eventually } from '../../eventually.js';
import { FakeSession, provide, rowSet, snapshot } from '../../fake-session.js';

/** A dimension whose values a table lists. */
export const carrier: Column = {
  member: 'flights.carrier',
  kind: 'dimension',
  annotation: { title: 'Flights Carrier', shortTitle: 'Carrier', type: 'string' },
};

/** A measure that can drill down. */
export const drilled: Column = {
  member: 'flights.count',
  kind: 'measure',
  annotation: {
    title: 'Flights Count',
    shortTitle: 'Flights',
    type: 'number',
    drillMembers: ['flights.id', 'flights.delay'],
    drillMembersGrouped: { dimensions: ['flights.id', 'flights.delay'], measures: [] },
  },
};

/** Flights of two carriers. */
export const carriers: RowSet = rowSet(
  [carrier, drilled],
  [
    { 'flights.carrier': 'AA', 'flights.count': '12' },
    { 'flights.carrier': '=DL', 'flights.count': '7' },
  ],
);

/** Creates a table of the carriers. */
export const carrierReport = (reportId: number, fields: Partial<ReportSnapshot> = {}): ReportSnapshot =>
  snapshot(reportId, {
    kind: 'table',
    name: 'Flights',
    meta: {
      publicId: `report${String(reportId).padStart(6, '0')}`,
      jsonQuery: { dimensions: ['flights.carrier'], measures: ['flights.count'] },
    },
    ...fields,
  });

/** Returns the mark of one carrier’s flights. */
export const markOf = (value: string): Mark => ({ values: { 'flights.carrier': value }, measure: 'flights.count' });

/** Selects a mark of a tile. */
export function selectMark(tile: PaTile, mark: Mark, how: Partial<Omit<Pick, 'mark'>> = {}): void {
  const part = tile.renderRoot.querySelector<HTMLElement & { onPick?: (pick: Pick) => void }>('[part=body] > *');
  const anchor = { left: 40, top: 40, right: 60, bottom: 60 };
  part?.onPick?.({ mark, intent: 'choose', extend: false, anchor, ...how });
}

/** Opens a report from its host, on a page with a session. */
export async function reportPage(
  fields: Partial<PaReport> = {},
): Promise<{ readonly session: FakeSession; readonly element: PaReport; readonly tile: PaTile }> {
  const session = new FakeSession();
  session.answers = () => carriers;
  const element = Object.assign(document.createElement('pa-report'), { snapshot: carrierReport(1), ...fields });
  const provider = provide(session);
  provider.append(element);
  document.body.append(provider);
  await element.loadAll();
  const tile = element.renderRoot.querySelector('pa-tile');
  if (!tile) throw new Error('no tile');
  return { session, element, tile };
}

/** Opens a dashboard on a page with a session, with all tiles rendered. */
export async function dashboardPage(
  dashboard: Dashboard,
  prepare: (session: FakeSession, element: PaDashboard) => void = () => {},
): Promise<{ readonly session: FakeSession; readonly element: PaDashboard; readonly tiles: readonly PaTile[] }> {
  const session = new FakeSession();
  session.answers = () => carriers;
  session.dashboards = async () => dashboard;
  const element = document.createElement('pa-dashboard');
  element.publicId = dashboard.publicId;
  prepare(session, element);
  const provider = provide(session);
  provider.append(element);
  document.body.append(provider);
  await element.loadAll();
  return { session, element, tiles: [...element.renderRoot.querySelectorAll('pa-tile')] };
}

/** Returns the menu button of a tile. */
export const menuButton = (tile: PaTile): HTMLButtonElement | null =>
  tile.renderRoot.querySelector<HTMLButtonElement>('[part=menu-button]');

/** Returns the tile’s menus, after the first opening. */
export const menuOf = (tile: PaTile): PaTileMenu | null => tile.renderRoot.querySelector('pa-tile-menu');

/** Returns the items of the open menu; empty while closed. */
export function items(tile: PaTile): HTMLElement[] {
  const menu = menuOf(tile)?.shadowRoot?.querySelector('[role=menu]');
  return menu?.matches(':popover-open') ? [...menu.querySelectorAll<HTMLElement>('[role=menuitem]')] : [];
}

/** Returns the labels of the open menu’s items. */
export const labels = (tile: PaTile): string[] => items(tile).map(item => item.textContent?.trim() ?? '');

/** Opens the menu of a tile. */
export async function openMenu(tile: PaTile): Promise<void> {
  menuButton(tile)?.click();
  await eventually(() => items(tile).length > 0, 'the menu opens');
}

/** Runs an item of the open menu. */
export function runItem(tile: PaTile, label: string): void {
  const item = items(tile).find(({ textContent }) => textContent?.trim() === label);
  if (!item) throw new Error(`no item ${label} among ${labels(tile).join(', ')}`);
  item.click();
}

/** Presses a key on the focused element. */
export function press(key: string, options: KeyboardEventInit = {}): void {
  let target: Element | null = document.activeElement;
  while (target?.shadowRoot?.activeElement) target = target.shadowRoot.activeElement;
  target?.dispatchEvent(
    new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true, ...options }),
  );
}

/** Returns the focused element, across shadow roots. */
export function focusedElement(): Element | null {
  let target: Element | null = document.activeElement;
  while (target?.shadowRoot?.activeElement) target = target.shadowRoot.activeElement;
  return target;
}
