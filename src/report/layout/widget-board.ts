import type { DashboardLayout, WidgetPosition } from '../../contract/dashboards.js';
import { type Grid, type GridMeasures, gridLayout, type RowsNeeded } from './grid-layout.js';
import { type ContainerNode, noPosition, type WidgetNode } from './widget-tree.js';

/** Layout of a dashboard at one width: its grid, and the layouts of its containers by key. */
export interface WidgetBoard {
  readonly grid: Grid;
  readonly containers: ReadonlyMap<string, ContainerBoard>;
}

/** Layout of the children of a container. */
export type ContainerBoard =
  | { readonly type: 'tabs' }
  | { readonly type: 'stack'; readonly direction: 'vertical' | 'horizontal' }
  | { readonly type: 'grid'; readonly grid: Grid };

/** Height of a container's heading and of its tab bar, px; the container element uses the same heights. */
export const containerHeights = { heading: 34, tabs: 56 };

/** Below this width, a horizontal stack becomes vertical and a grid has at most two columns. */
const narrowContainer = 480;
/** Minimum height of a child in a container, px; the height of a divider is fixed. */
const minHeights = { tile: 120, divider: 17 };

/**
 * Lays out the widgets of a dashboard and its containers for a width of `width` px. `before` is the layout at another
 * width. A container has the height of its position, or more if its children need it, so that no content has to be
 * scrolled.
 */
export function widgetBoard(
  nodes: readonly WidgetNode[],
  layout: DashboardLayout | null | undefined,
  width: number,
  before: WidgetBoard | null = null,
): WidgetBoard {
  const containers = new Map<string, ContainerBoard>();
  const rowsNeeded = rowsFor(nodes, containers);
  const grid = gridLayout(layout, nodes.map(gridWidget), width, { rowsNeeded, before: before?.grid ?? null });
  return { grid, containers };
}

/**
 * Returns a function that computes the rows of a widget: as many as it requests, or as the children of a container
 * need.
 */
function rowsFor(nodes: readonly WidgetNode[], containers: Map<string, ContainerBoard>): RowsNeeded {
  const byKey = new Map(nodes.map(node => [node.key, node]));
  return (key, childWidth, rows, measures) => {
    const node = byKey.get(key);
    if (node?.type !== 'container') return rows;
    return Math.max(rows, rowsOf(containerHeight(node, childWidth, measures, containers), measures));
  };
}

function gridWidget(node: WidgetNode): { id: string; position: WidgetPosition } {
  return { ...node.widget, id: node.key, position: positionOf(node) };
}

function positionOf({ widget }: WidgetNode): WidgetPosition {
  return widget?.position ?? noPosition;
}

function rowsOf(height: number, { rowHeight, margin }: GridMeasures): number {
  return Math.ceil((height + margin[1]) / (rowHeight + margin[1]));
}

/** Returns the height in px that a container needs at this width, and stores its layout in `containers`. */
function containerHeight(
  node: ContainerNode,
  width: number,
  measures: GridMeasures,
  containers: Map<string, ContainerBoard>,
): number {
  const heading = node.title ? containerHeights.heading : 0;
  const children = node.children.map(child => child.node);
  const heightOf = (child: WidgetNode, childWidth: number) => childHeight(child, childWidth, measures, containers);
  switch (node.layout) {
    case 'tabs':
      containers.set(node.key, { type: 'tabs' });
      return heading + containerHeights.tabs + Math.max(0, ...children.map(child => heightOf(child, width)));
    case 'grid': {
      const grid = innerGrid(node, children, width, measures, containers);
      containers.set(node.key, { type: 'grid', grid });
      return heading + grid.height;
    }
    case 'stack': {
      const direction = width < narrowContainer ? 'vertical' : node.direction;
      containers.set(node.key, { type: 'stack', direction });
      const gaps = Math.max(0, children.length - 1);
      if (direction === 'vertical') {
        const heights = children.map(child => heightOf(child, width));
        return heading + heights.reduce((sum, height) => sum + height, gaps * measures.margin[1]);
      }
      const childWidth = Math.max(0, width - gaps * measures.margin[0]);
      const weights = children.map(child => stackWeight(child, 'horizontal'));
      const all = weights.reduce((sum, weight) => sum + weight, 0);
      return (
        heading +
        Math.max(0, ...children.map((child, index) => heightOf(child, (childWidth * (weights[index] ?? 0)) / all)))
      );
    }
  }
}

/**
 * Returns the weight of a child in a stack: its number of columns in a horizontal stack, or of rows in a vertical
 * stack.
 */
export function stackWeight(node: WidgetNode, direction: 'vertical' | 'horizontal'): number {
  const { w, h } = positionOf(node);
  return Math.max(1, Math.min(500, direction === 'horizontal' ? w : h));
}

function childHeight(
  node: WidgetNode,
  width: number,
  measures: GridMeasures,
  containers: Map<string, ContainerBoard>,
): number {
  if (node.type === 'container') return containerHeight(node, width, measures, containers);
  if (node.type === 'divider') return minHeights.divider;
  const { h } = positionOf(node);
  const own = h * measures.rowHeight + (h - 1) * measures.margin[1];
  return node.type === 'spacer' ? 0 : Math.max(0, Math.min(own, minHeights.tile));
}

/** Returns the grid in a container: columns of the container, row height and margins of the dashboard. */
function innerGrid(
  { columns }: ContainerNode,
  children: readonly WidgetNode[],
  width: number,
  measures: GridMeasures,
  containers: Map<string, ContainerBoard>,
): Grid {
  const layout: DashboardLayout = {
    breakpoints: { lg: narrowContainer - 1, xxs: 0 },
    cols: { lg: columns, xxs: Math.min(columns, 2) },
    margin: [...measures.margin],
    rowHeight: measures.rowHeight,
  };
  return gridLayout(layout, children.map(gridWidget), width, { rowsNeeded: rowsFor(children, containers) });
}
