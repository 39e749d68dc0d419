import type { CommentContext, ControlValues } from '../../../contract/control-values.js';
import type { DashboardState } from '../../../report/controls/dashboard-state.js';

/** The public element whose dashboard has comments. */
export interface CommentedDashboard extends HTMLElement {
  readonly publicId: string;
  getState(): DashboardState;
  setState(state: Partial<DashboardState>): void;
}

/** A tile in the shadow root of a dashboard. */
interface Tile extends HTMLElement {
  readonly widgetId: string | null;
  readonly heading: string;
}

/** Returns the heading of a tile; `null` if the dashboard does not show it. */
export function tileTitleOf(dashboard: CommentedDashboard, widgetId: string): string | null {
  return tileOf(dashboard, widgetId)?.heading ?? null;
}

/** What a new comment refers to: a tile or the whole dashboard, with the control values of the viewer. */
export function contextFor(dashboard: CommentedDashboard, widgetId: string | null): CommentContext | null {
  const { filters, timeGrains, members, tabs } = dashboard.getState();
  const state = { filters, timeGrains, members, tabs };
  const hasState = Object.values(state).some(group => Object.keys(group).length > 0);
  if (widgetId === null && !hasState) return null;
  return { ...(widgetId !== null && { widgetId }), ...(hasState && { state }) };
}

/** The viewer's filters, granularities and members. Open tabs are not part of them. */
export function controlValuesOf(dashboard: CommentedDashboard): ControlValues {
  const { filters, timeGrains, members } = dashboard.getState();
  return { filters, timeGrains, members };
}

/** Whether the viewer, the page or the URL set any filter, granularity or member. */
export function hasControlValues(dashboard: CommentedDashboard): boolean {
  return Object.values(controlValuesOf(dashboard)).some(group => Object.keys(group ?? {}).length > 0);
}

/** Replaces the filters, granularities and members of the viewer. The dashboard checks the values. */
export function setControlValues(dashboard: CommentedDashboard, state: object): void {
  dashboard.setState({ filters: {}, timeGrains: {}, members: {}, ...state });
}

/** Sets the control values of a comment, and moves to its tile. */
export async function showContext(dashboard: CommentedDashboard, context: CommentContext): Promise<void> {
  // The dashboard checks the values: they are written by another user.
  if (context.state) setControlValues(dashboard, context.state);
  if (!context.widgetId) return;
  const { widgetId } = context;
  await new Promise(requestAnimationFrame);
  const tile = tileOf(dashboard, widgetId);
  if (!tile) return;
  tile.scrollIntoView({ block: 'center' });
  tile.tabIndex = -1;
  tile.focus({ preventScroll: true });
}

function tileOf({ shadowRoot }: CommentedDashboard, widgetId: string): Tile | null {
  const tiles = shadowRoot?.querySelectorAll<Tile>('pa-tile') ?? [];
  return [...tiles].find(tile => tile.widgetId === widgetId) ?? null;
}
