import type { DashboardConfig, DashboardWidget } from '../../contract/dashboards.js';
import type { ContainerLayout } from '../../contract/widget-config.js';
import { addTile, editBoard, removeTile, withItems } from './edit-board.js';
import { addItem, removeItem } from './edit-layout.js';
import type { GridItem } from './grid-layout.js';
import { maxChildren, maxLevels } from './widget-tree.js';

/** A container as users edit it. */
export interface ContainerContent {
  readonly title: string;
  readonly layout: ContainerLayout;
  /** Tiles in their order. `title` is the title of a tab. */
  readonly children: readonly ContainerItem[];
}

/** A tile in a container. */
export interface ContainerItem {
  readonly id: string;
  readonly title: string;
}

const containerSize = { w: 12, h: 10 } as const;

/** Whether a widget is a container that users can edit. */
export function isContainer({ type }: DashboardWidget): boolean {
  return type === 'CONTAINER' || type === 'TABS_CONTAINER';
}

/** Reads a container. */
export function containerContent({ type, config }: DashboardWidget): ContainerContent {
  const given: readonly unknown[] = Array.isArray(config?.children) ? config.children : [];
  const children = given.flatMap((child): ContainerItem[] => {
    if (typeof child === 'string') return [{ id: child, title: '' }];
    if (!isObject(child) || typeof child.id !== 'string') return [];
    return [{ id: child.id, title: typeof child.title === 'string' ? child.title : '' }];
  });
  const { layout, title } = config ?? {};
  const isTabs = type === 'TABS_CONTAINER' || layout === 'tabs';
  return {
    title: typeof title === 'string' ? title : '',
    layout: isTabs ? 'tabs' : plainLayout(layout),
    children,
  };
}

/** Returns the tiles on the grid that can be moved into a container. */
function freeTiles(config: DashboardConfig): readonly DashboardWidget[] {
  return [...editBoard(config).widgets.values()].filter(widget => !isContainer(widget));
}

/** Returns the names of the tiles that can be in a container: its own, and those on the grid. */
export function containerTiles(
  config: DashboardConfig,
  container: DashboardWidget | null,
  nameOf: (widget: DashboardWidget) => string,
): ReadonlyMap<string, string> {
  const own = new Set(container ? containerContent(container).children.map(({ id }) => id) : []);
  const inside = (config.widgets ?? []).filter(({ id }) => own.has(id));
  return new Map([...inside, ...freeTiles(config)].map(widget => [widget.id, nameOf(widget)]));
}

/** Adds a container. Its tiles leave the grid. Returns the dashboard and the id of the container. */
export function addContainer(config: DashboardConfig, content: ContainerContent) {
  const added = addTile(config, { type: 'CONTAINER', config: {}, ...containerSize });
  return { id: added.id, config: changeContainer(added.config, added.id, content) };
}

/** Changes a container. Tiles that leave it return to the grid, at the first free position. */
export function changeContainer(config: DashboardConfig, id: string, content: ContainerContent): DashboardConfig {
  const { title, layout, children } = content;
  const before = config.widgets?.find(widget => widget.id === id);
  if (!before) return config;
  const { title: _title, children: given, ...settings } = before.config ?? {};
  const known: readonly unknown[] = Array.isArray(given) ? given : [];
  const items = children.map(child => {
    const old = known.find(item => isObject(item) && item.id === child.id);
    const { title: _, ...rest } = isObject(old) ? old : {};
    return { ...rest, id: child.id, ...(child.title && { title: child.title }) };
  });
  const changed: DashboardWidget = {
    ...before,
    type: 'CONTAINER',
    config: { ...settings, layout, ...(title && { title }), children: items },
  };
  const widgets = (config.widgets ?? []).map(widget => (widget.id === id ? changed : widget));
  return placeTiles(config, { ...config, widgets });
}

/** Returns the containers into which a widget can be moved, in the order of the dashboard. */
export function containerTargets(config: DashboardConfig, id: string): readonly DashboardWidget[] {
  const widgets = config.widgets ?? [];
  const holder = containerOf(config, id);
  const below = depthBelow(config, id);
  return widgets.filter(widget => {
    if (!isContainer(widget) || widget === holder || containerContent(widget).children.length >= maxChildren)
      return false;
    const around = pathOf(config, widget.id);
    return !around.includes(id) && around.length + below <= maxLevels;
  });
}

/** Returns the container that contains a widget; `undefined` if the widget is on the grid. */
export function containerOf({ widgets }: DashboardConfig, id: string): DashboardWidget | undefined {
  return widgets?.find(
    widget => isContainer(widget) && containerContent(widget).children.some(child => child.id === id),
  );
}

/**
 * Moves a widget into a container, or to the grid. Its title as a tab is retained.
 * @param target - id of the container, which may already contain the widget; `null` for the first free position of the
 * grid.
 * @param index - position among the other widgets of the container; the end by default.
 * @returns the same dashboard if nothing changes, or the container cannot contain the widget.
 */
export function moveToContainer(
  config: DashboardConfig,
  id: string,
  target: string | null,
  index = maxChildren,
): DashboardConfig {
  const holder = containerOf(config, id);
  const isInside = holder !== undefined && holder.id === target;
  const isAllowed = isInside || containerTargets(config, id).some(widget => widget.id === target);
  if (target === null ? !holder : !isAllowed) return config;
  const entry = (holder && childEntries(holder).find(child => entryId(child) === id)) ?? { id };
  const remove = (entries: readonly unknown[]) => entries.filter(child => entryId(child) !== id);
  if (isInside && childEntries(holder).indexOf(entry) === Math.min(index, remove(childEntries(holder)).length)) {
    return config;
  }
  const widgets = (config.widgets ?? []).map(widget => {
    if (widget.id === target) return withEntries(widget, entries => remove(entries).toSpliced(index, 0, entry));
    return widget === holder ? withEntries(widget, remove) : widget;
  });
  return placeTiles(config, { ...config, widgets });
}

/** Returns the size that a widget of a container gets on the grid, in columns and rows. */
export function sizeOnGrid(config: DashboardConfig, id: string): { readonly w: number; readonly h: number } | null {
  const item = editBoard(moveToContainer(config, id, null)).items.find(each => each.id === id);
  return item ? { w: item.w, h: item.h } : null;
}

/** Moves a widget out of its container to these positions of the grid. */
export function moveToGrid(config: DashboardConfig, id: string, items: readonly GridItem[]): DashboardConfig {
  return withItems(moveToContainer(config, id, null), items);
}

/** Moves a widget by one position in its container. Returns the same dashboard at the first or last position. */
export function moveInContainer(config: DashboardConfig, id: string, step: 1 | -1): DashboardConfig {
  const holder = containerOf(config, id);
  const entries = holder ? [...childEntries(holder)] : [];
  const index = entries.findIndex(child => entryId(child) === id);
  const other = entries[index + step];
  if (!holder || other === undefined) return config;
  entries.splice(index + step, 0, ...entries.splice(index, 1));
  const widgets = (config.widgets ?? []).map(widget =>
    widget === holder ? withEntries(widget, () => entries) : widget,
  );
  return { ...config, widgets };
}

/** Removes a widget from its container and from the dashboard. Content of a container is removed with it. */
export function removeFromContainer(config: DashboardConfig, id: string): DashboardConfig {
  const holder = containerOf(config, id);
  const widgets = (config.widgets ?? []).map(widget =>
    widget === holder ? withEntries(widget, entries => entries.filter(child => entryId(child) !== id)) : widget,
  );
  return removeTile({ ...config, widgets }, id);
}

/** Removes a container, and returns its tiles to the grid. */
export function dissolveContainer(config: DashboardConfig, id: string): DashboardConfig {
  const container = config.widgets?.find(widget => widget.id === id);
  if (!container) return config;
  return removeTile(changeContainer(config, id, { ...containerContent(container), children: [] }), id);
}

/** Removes gaps of tiles that have left the grid, and finds places for those that are new on it. */
function placeTiles(before: DashboardConfig, after: DashboardConfig): DashboardConfig {
  const was = new Set(editBoard(before).widgets.keys());
  const { items, columns } = editBoard(after);
  const added = items.filter(item => !was.has(item.id));
  const addedIds = new Set(added.map(item => item.id));
  // Removing an item closes the gaps.
  const rest = removeItem(
    items.filter(item => !addedIds.has(item.id)),
    '',
  );
  return withItems(
    after,
    added.reduce((placed, item) => addItem(placed, item, columns), rest),
  );
}

/** Ids of a container and those around it, from the inside out. */
function pathOf(config: DashboardConfig, id: string): readonly string[] {
  const path = [id];
  for (let holder = containerOf(config, id); holder && !path.includes(holder.id); ) {
    path.push(holder.id);
    holder = containerOf(config, holder.id);
  }
  return path;
}

/** Number of nested containers from a widget inwards; 0 for a tile. */
function depthBelow(config: DashboardConfig, id: string, level = 0): number {
  const widget = config.widgets?.find(each => each.id === id);
  if (!widget || !isContainer(widget) || level > maxLevels) return 0;
  return 1 + Math.max(0, ...containerContent(widget).children.map(child => depthBelow(config, child.id, level + 1)));
}

function childEntries({ config }: DashboardWidget): readonly unknown[] {
  return Array.isArray(config?.children) ? config.children : [];
}

function entryId(entry: unknown): string | null {
  if (typeof entry === 'string') return entry;
  return isObject(entry) && typeof entry.id === 'string' ? entry.id : null;
}

function withEntries(widget: DashboardWidget, change: (entries: readonly unknown[]) => readonly unknown[]) {
  return { ...widget, config: { ...widget.config, children: change(childEntries(widget)) } };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function plainLayout(layout: unknown): ContainerLayout {
  return layout === 'grid' ? 'grid' : 'stack';
}
