import type { CommentContext, ControlValues } from '../../../contract/control-values.js';
import type { DashboardState } from '../../../report/controls/dashboard-state.js';
import { pathTo, type WidgetNode } from '../../../report/layout/widget-tree.js';

/** The public element whose dashboard has comments. */
export interface CommentedDashboard extends HTMLElement {
  readonly publicId: string;
  readonly updateComplete: Promise<boolean>;
  getState(): DashboardState;
  setState(state: Partial<DashboardState>): void;
}

/** A tile in the shadow root of a dashboard. */
export interface Tile extends HTMLElement {
  readonly widgetId: string | null;
  readonly heading: string;
}

/** The tiles of a dashboard, with the containers around them. */
export interface PlacedTiles {
  readonly tree: readonly WidgetNode[];
  readonly tiles: ReadonlyMap<string, { readonly title: string }>;
}

/** Key of the draft of a new thread. */
export const newThread = 'thread';

/** Returns the title of a tile, and the tabs to open for it; `null` if the dashboard does not have it. */
export function findTile(
  placed: PlacedTiles | null,
  widgetId: string,
): { readonly title: string; readonly tabs: Readonly<Record<string, string>> } | null {
  const path = placed && pathTo(placed.tree, widgetId);
  const title = path && placed.tiles.get(path.key)?.title;
  return path && title !== undefined ? { title: title ?? '', tabs: path.tabs } : null;
}

/** Returns what a new comment refers to: a tile or the whole dashboard, with the control values of the viewer. */
export function contextFor(dashboard: CommentedDashboard, widgetId: string | null): CommentContext | null {
  const { filters, timeGrains, members, tabs } = dashboard.getState();
  const state = { filters, timeGrains, members, tabs };
  const hasState = Object.values(state).some(group => Object.keys(group).length > 0);
  if (widgetId === null && !hasState) return null;
  return { ...(widgetId !== null && { widgetId }), ...(hasState && { state }) };
}

/** Returns the viewer's filters, granularities and members, without the open tabs. */
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

/**
 * Sets the control values of a comment, opens the tabs that contain its tile, and moves to the tile. The tile is marked
 * until it loses focus. Returns the tile; `null` if there is none.
 */
export async function showContext(
  dashboard: CommentedDashboard,
  context: CommentContext,
  tiles: PlacedTiles | null,
): Promise<HTMLElement | null> {
  // Another user wrote the values, so the dashboard validates them.
  if (context.state) setControlValues(dashboard, context.state);
  if (!context.widgetId) return null;
  const { widgetId } = context;
  const found = findTile(tiles, widgetId);
  if (!found) return null;
  const isNested = Object.keys(found.tabs).length > 0;
  if (isNested) dashboard.setState({ tabs: { ...dashboard.getState().tabs, ...found.tabs } });
  await dashboard.updateComplete;
  await new Promise(requestAnimationFrame);
  const tile = tileOf(dashboard, widgetId);
  if (!tile) return null;
  tile.scrollIntoView({ block: 'center' });
  markTile(tile);
  return tile;
}

/** Focuses a tile and marks it until it loses focus. A pointer does not cause `:focus-visible`. */
function markTile(tile: Tile): void {
  tile.tabIndex = -1;
  tile.focus({ preventScroll: true });
  tile.toggleAttribute('data-marked', true);
  const unmark = () => {
    tile.removeAttribute('data-marked');
    tile.removeAttribute('tabindex');
  };
  tile.addEventListener('blur', unmark, { once: true });
}

function tileOf(dashboard: CommentedDashboard, widgetId: string): Tile | null {
  return tilesOf(dashboard).find(tile => tile.widgetId === widgetId) ?? null;
}

/** Returns the tiles that a dashboard shows. */
export function tilesOf({ shadowRoot }: CommentedDashboard): readonly Tile[] {
  return [...(shadowRoot?.querySelectorAll<Tile>('pa-tile') ?? [])];
}
