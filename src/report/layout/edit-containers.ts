import type { DashboardConfig, DashboardWidget } from '../../contract/dashboards.js';
import type { ContainerLayout } from '../../contract/widget-config.js';
import { addTile, editBoard, removeTile, withItems } from './edit-board.js';
import { addItem, removeItem } from './edit-layout.js';

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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function plainLayout(layout: unknown): ContainerLayout {
  return layout === 'grid' ? 'grid' : 'stack';
}
