import type { DashboardConfig, DashboardWidget } from '../../contract/dashboards.js';
import type { JsonObject } from '../../contract/wire.js';
import { addItem, duplicateItem, removeItem } from './edit-layout.js';
import { type GridItem, gridLayout } from './grid-layout.js';
import { widgetTree } from './widget-tree.js';

/** Width that exceeds every breakpoint, because the editor arranges the layout of the widest breakpoint. */
const widest = 10_000;

/** The tiles of a dashboard that the editor arranges. */
export interface EditBoard {
  readonly columns: number;
  readonly rowHeight: number;
  /** Positions of the tiles on the grid, without controls and the content of containers. */
  readonly items: readonly GridItem[];
  readonly widgets: ReadonlyMap<string, DashboardWidget>;
  /** Controls, which are shown above the grid. */
  readonly controls: readonly DashboardWidget[];
}

/** A new tile, without its position. */
export interface NewTile {
  readonly type: 'CHART' | 'TEXT' | 'CONTAINER';
  readonly config: JsonObject;
  readonly w: number;
  readonly h: number;
}

/**
 * Returns the tiles of a dashboard that the editor arranges.
 * @param width - width of the page, px, for a preview; by default, the layout of the widest breakpoint.
 */
export function editBoard({ widgets, layout }: DashboardConfig, width = widest): EditBoard {
  const { nodes, controls } = widgetTree(widgets ?? []);
  const tiles = nodes.flatMap(({ widget }) => widget ?? []);
  const { items, columns, rowHeight } = gridLayout(layout, tiles, width);
  return { columns, rowHeight, items, widgets: new Map(tiles.map(tile => [tile.id, tile])), controls };
}

/** Returns the dashboard with these positions; the same dashboard if they are unchanged. */
export function withItems(config: DashboardConfig, items: readonly GridItem[]): DashboardConfig {
  const byId = new Map(items.map(item => [item.id, item]));
  let isChanged = false;
  const widgets = (config.widgets ?? []).map(widget => {
    const item = byId.get(widget.id);
    if (!item || isAt(widget, item)) return widget;
    isChanged = true;
    const { x, y, w, h } = item;
    return { ...widget, position: { ...widget.position, x, y, w, h } };
  });
  return isChanged ? { ...config, widgets } : config;
}

/** Adds a tile at the first free position. Returns the dashboard and the id of the tile. */
export function addTile(config: DashboardConfig, { type, config: content, w, h }: NewTile) {
  const id = freeId(config);
  const { items, columns } = editBoard(config);
  const position = { x: 0, y: 0, w, h };
  const widgets = [...(config.widgets ?? []), { id, type, position, config: content }];
  return { id, config: withItems({ ...config, widgets }, addItem(items, { id, w, h }, columns)) };
}

/** Removes a tile. Content of a container is removed with it. */
export function removeTile(config: DashboardConfig, id: string): DashboardConfig {
  const rest = removeItem(editBoard(config).items, id);
  const widgets = (config.widgets ?? []).filter(widget => widget.id !== id);
  const shown = new Set([...editBoard({ ...config, widgets }).items.map(item => item.id)]);
  const kept = new Set(rest.map(item => item.id));
  // Otherwise, widgets that were only shown inside the removed container would appear on the grid.
  return withItems(
    { ...config, widgets: widgets.filter(widget => !shown.has(widget.id) || kept.has(widget.id)) },
    rest,
  );
}

/** Copies a tile. Returns the dashboard and the id of the copy. */
export function duplicateTile(config: DashboardConfig, id: string) {
  const { items, columns, widgets } = editBoard(config);
  const widget = widgets.get(id);
  if (!widget) return { id, config };
  const copy = freeId(config);
  const { responsiveLayouts: _, ...plain } = widget;
  const next = { ...config, widgets: [...(config.widgets ?? []), { ...plain, id: copy }] };
  return { id: copy, config: withItems(next, duplicateItem(items, { id, copy }, columns)) };
}

/** Changes keys of a widget's `config`. */
export function changeTile(config: DashboardConfig, id: string, changes: JsonObject): DashboardConfig {
  const widgets = (config.widgets ?? []).map(widget =>
    widget.id === id ? { ...widget, config: { ...widget.config, ...changes } } : widget,
  );
  return { ...config, widgets };
}

/**
 * Returns an id that no widget has. It is random, so that comments on a removed tile do not appear on a new one, and
 * two editors do not use the same id.
 */
export function freeId({ widgets }: DashboardConfig): string {
  const taken = new Set((widgets ?? []).map(({ id }) => id));
  let id = '';
  do id = `widget-${Math.floor(Math.random() * 2 ** 32).toString(36)}`;
  while (taken.has(id));
  return id;
}

function isAt({ position: { x, y, w, h } }: DashboardWidget, item: GridItem): boolean {
  return x === item.x && y === item.y && w === item.w && h === item.h;
}
