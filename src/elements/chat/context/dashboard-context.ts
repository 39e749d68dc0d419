import type { ChatContext } from '../../../controllers/chat/chat-controller.js';
import type { PaDashboard } from '../../dashboard/dashboard-element.js';
import type { PaTile } from '../../parts/tile/tile-element.js';

/** Returns the `<pa-dashboard>` with this id in the document or shadow root of an element, or `null`. */
export function findDashboard(element: Element, id: string): PaDashboard | null {
  const root = element.getRootNode();
  if (!(root instanceof Document || root instanceof ShadowRoot)) return null;
  const found = root.getElementById(id);
  return found instanceof HTMLElement && isDashboard(found) ? found : null;
}

function isDashboard(element: HTMLElement): element is PaDashboard {
  return element.localName === 'pa-dashboard';
}

/** Returns the heading of the dashboard; empty while it loads. */
export function dashboardTitle({ shadowRoot }: PaDashboard): string {
  return shadowRoot?.querySelector('#title')?.textContent?.trim() ?? '';
}

/** Returns the heading of a tile; `null` if the dashboard does not show it. */
export function tileTitle(dashboard: PaDashboard, widgetId: string): string | null {
  return tileOf(dashboard, widgetId)?.heading ?? null;
}

/** Returns the context of a message about a dashboard, or about one of its tiles. */
export function contextOf(dashboard: PaDashboard, widgetId: string | null): ChatContext {
  const { filters, timeGrains, members } = dashboard.getState();
  const choices = widgetId === null ? [] : (tileOf(dashboard, widgetId)?.choices ?? []);
  // Contains only the choices of the host and the viewer. The server knows the dashboard's defaults.
  const marked = choices.flatMap(choice =>
    choice.kind === 'filter' && choice.from !== null && choice.condition ? [[choice.member, choice.condition]] : [],
  );
  const all = { ...dashboard.filters, ...filters, ...Object.fromEntries(marked), ...dashboard.lockedFilters };
  return {
    dashboardPublicId: dashboard.publicId,
    ...(widgetId !== null && { tiles: [widgetId] }),
    controls: { filters: all, timeGrains: { ...timeGrains }, members: { ...members } },
  };
}

function tileOf({ shadowRoot }: PaDashboard, widgetId: string): PaTile | null {
  const tiles = shadowRoot?.querySelectorAll('pa-tile') ?? [];
  return [...tiles].find(tile => tile.widgetId === widgetId) ?? null;
}
