import type { BreakpointName, DashboardLayout, DashboardWidget, WidgetPosition } from '../../contract/dashboards.js';

/** Position of a widget: `x` and `w` in columns, `y` and `h` in rows. */
export interface GridItem {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** The grid of a dashboard at one width. Lengths are in px; pairs are `[horizontal, vertical]`. */
export interface Grid {
  readonly breakpoint: BreakpointName;
  readonly columns: number;
  readonly rowHeight: number;
  readonly margin: readonly [number, number];
  readonly padding: readonly [number, number];
  /** Height of the grid including padding. */
  readonly height: number;
  /** Requested positions, limited to the columns of the grid, in widget order. */
  readonly requested: readonly GridItem[];
  /** In reading order: from top to bottom, then from left to right. */
  readonly items: readonly GridItem[];
}

/** A widget on the grid, with its default position and its positions for specific breakpoints. */
export type GridWidget = Pick<DashboardWidget, 'id' | 'position' | 'responsiveLayouts'>;

/** Returns the number of rows that a widget needs at a width in px; `rows` is the requested number. */
export type RowsNeeded = (id: string, width: number, rows: number, measures: GridMeasures) => number;

/** The dimensions of a grid without its widgets. */
export type GridMeasures = Omit<Grid, 'height' | 'requested' | 'items'>;

/** Options of `gridLayout`. */
export interface GridOptions {
  readonly rowsNeeded?: RowsNeeded;
  /** The grid of the same widgets at another width. If the requested positions are equal, its positions are reused. */
  readonly before?: Grid | null;
}

const breakpointNames: readonly BreakpointName[] = ['lg', 'md', 'sm', 'xs', 'xxs'];
const defaultBreakpoints: Readonly<Record<BreakpointName, number>> = { lg: 1200, md: 996, sm: 768, xs: 480, xxs: 0 };
const defaultColumns: Readonly<Record<BreakpointName, number>> = { lg: 12, md: 10, sm: 6, xs: 4, xxs: 2 };
const defaultRowHeight = 30;
const narrow = 600;
/** Limits that a page can render: columns, rows of a widget, row height in px, margin in px. */
const limits = { columns: 100, rows: 500, rowHeight: 1_000, margin: 200 };

/**
 * Lays out the widgets of a dashboard (spec 2.4) in a container of `width` px, as react-grid-layout does on mount: the
 * breakpoint is the widest one that the container exceeds. A breakpoint has a layout if any widget has a position for
 * it (`responsiveLayouts`); in this layout, the other widgets use `position`. A breakpoint without a layout uses that
 * of the next wider breakpoint with one; `position` is the layout of the widest breakpoint. Widgets outside the grid
 * are moved into it, collisions are resolved, and gaps are closed upwards.
 *
 * It differs from react-grid-layout where that would render unusable results. A widget has at least one column and one
 * row (there, its area can be zero) and at most 500 rows. There are 1 to 100 columns, and a breakpoint without `cols`
 * uses the default of its name (there, it throws). A row has 1 to 1,000 px; margins and padding are at most 200 px and
 * leave at least one pixel per column. Defaults are for pages instead of editors: rows of 30 px, margins of 16 px (12
 * px below 600 px), no padding (there: 150 px, 10 px, and padding equal to the margin). Breakpoints and columns are the
 * same: 1200/996/768/480/0 px and 12/10/6/4/2.
 */
export function gridLayout(
  layout: DashboardLayout | null | undefined,
  widgets: readonly GridWidget[],
  width: number,
  { rowsNeeded, before = null }: GridOptions = {},
): Grid {
  const breakpoints = breakpointsOf(layout);
  const breakpoint = breakpoints.findLast(([, from], index) => index === 0 || width > from)?.[0] ?? 'xxs';
  const measures = measuresOf(layout, breakpoint, width);
  const { columns, rowHeight, margin, padding } = measures;
  const source = layoutFor(breakpoint, breakpoints, widgets);
  const requested = widgets.map(widget => {
    const item = fitToColumns(widget.id, widget.responsiveLayouts?.[source] ?? widget.position, columns);
    if (!rowsNeeded) return item;
    return { ...item, h: rowsNeeded(widget.id, itemWidth(measures, width, item.w), item.h, measures) };
  });
  const items = before && sameItems(requested, before.requested) ? before.items : compact(requested);
  const rows = Math.max(0, ...items.map(below));
  const height = 2 * padding[1] + rows * rowHeight + Math.max(0, rows - 1) * margin[1];
  return { ...measures, height, requested, items };
}

function sameItems(a: readonly GridItem[], b: readonly GridItem[]): boolean {
  return (
    a.length === b.length &&
    a.every((item, index) => {
      const other = b[index];
      return (
        other &&
        item.id === other.id &&
        item.x === other.x &&
        item.y === other.y &&
        item.w === other.w &&
        item.h === other.h
      );
    })
  );
}

/** Returns the width in px of `columns` columns in a grid of `width` px. */
export function itemWidth({ columns: all, margin, padding }: GridMeasures, width: number, columns: number): number {
  const column = (width - 2 * padding[0] - (all - 1) * margin[0]) / all;
  return Math.max(0, columns * column + (columns - 1) * margin[0]);
}

/**
 * Returns the breakpoints in ascending order. A layout that defines breakpoints uses only those; the narrowest also
 * applies below its width.
 */
function breakpointsOf(layout: DashboardLayout | null | undefined): readonly (readonly [BreakpointName, number])[] {
  const own = layout?.breakpoints;
  const named = breakpointNames.filter(name => typeof own?.[name] === 'number');
  const used = named.length ? named : breakpointNames;
  const from = (name: BreakpointName) => (named.length ? own?.[name] : null) ?? defaultBreakpoints[name];
  return used.map(name => [name, from(name)] as const).sort(([, a], [, b]) => a - b);
}

function measuresOf(
  layout: DashboardLayout | null | undefined,
  breakpoint: BreakpointName,
  width: number,
): GridMeasures {
  const columns = between(1, layout?.cols?.[breakpoint] ?? defaultColumns[breakpoint], limits.columns);
  const [gap, rowGap] = pair(layout?.margin, width < narrow ? 12 : 16);
  const [left, top] = pair(layout?.containerPadding, 0);
  const padding = Math.min(left, Math.floor(width / 4));
  const availableWidth = Math.max(0, width - 2 * padding - columns);
  return {
    breakpoint,
    columns,
    rowHeight: between(1, layout?.rowHeight ?? defaultRowHeight, limits.rowHeight),
    margin: [Math.min(gap, Math.floor(availableWidth / Math.max(1, columns - 1))), rowGap],
    padding: [padding, top],
  };
}

function pair(values: readonly number[] | null | undefined, fallback: number): [number, number] {
  const horizontal = values?.[0] ?? fallback;
  return [between(0, horizontal, limits.margin), between(0, values?.[1] ?? horizontal, limits.margin)];
}

/** Returns the breakpoint whose layout is used at `breakpoint`, which may have no separate layout. */
function layoutFor(
  breakpoint: BreakpointName,
  breakpoints: readonly (readonly [BreakpointName, number])[],
  widgets: readonly GridWidget[],
): BreakpointName {
  const names = breakpoints.map(([name]) => name);
  const wider = names.slice(names.indexOf(breakpoint));
  const own = wider.find(name => widgets.some(widget => widget.responsiveLayouts?.[name]));
  return own ?? names.at(-1) ?? 'lg';
}

/**
 * Moves a position into the columns of the grid. As in react-grid-layout, a widget that starts to the left of the grid
 * gets the full width.
 */
function fitToColumns(id: string, position: WidgetPosition, columns: number): GridItem {
  const w = Math.max(1, whole(position.w));
  const h = between(1, position.h, limits.rows);
  const [x, y] = [whole(position.x), whole(position.y)];
  const pushed = x + w > columns ? columns - w : x;
  return pushed < 0 ? { id, x: 0, y, w: columns, h } : { id, x: pushed, y, w, h };
}

/** A mutable position while the layout is computed. */
type Moving = { -readonly [K in keyof GridItem]: GridItem[K] };

/**
 * Compacts items in reading order: each item moves up until it meets a placed item, then down past all placed items
 * that it collides with. When moving down, it pushes the following items down.
 */
function compact(items: readonly GridItem[]): GridItem[] {
  const queue = items.map((item): Moving => ({ ...item })).sort(inReadingOrder);
  const settled: Moving[] = [];
  let end = 0;
  queue.forEach((item, index) => {
    const beside: Moving[] = [];
    let edge = 0;
    item.y = Math.max(0, Math.min(item.y, end));
    for (const other of settled) {
      if (item.x >= other.x + other.w || other.x >= item.x + item.w) continue;
      beside.push(other);
      if (below(other) <= item.y) edge = Math.max(edge, below(other));
    }
    const hit = () => beside.find(other => item.y < below(other) && other.y < below(item));
    if (!hit()) item.y = Math.max(0, edge - 1);
    for (let other = hit(); other; other = hit()) pushDown(queue, index, below(other));
    settled.push(item);
    end = Math.max(end, below(item));
  });
  return settled.sort(inReadingOrder);
}

/** Moves an item down to `y`; first moves the items down that it would collide with. */
function pushDown(queue: readonly Moving[], index: number, y: number): void {
  const item = queue[index];
  if (!item) return;
  item.y += 1;
  for (let next = index + 1; next < queue.length; next++) {
    const other = queue[next];
    // The queue was sorted before items moved; as in react-grid-layout, items that are no longer in order are skipped.
    if (!other || other.y > below(item)) break;
    if (collide(item, other)) pushDown(queue, next, y + item.h);
  }
  item.y = y;
}

function collide(a: GridItem, b: GridItem): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < below(b) && b.y < below(a);
}

function below({ y, h }: GridItem): number {
  return y + h;
}

function inReadingOrder(a: GridItem, b: GridItem): number {
  return a.y - b.y || a.x - b.x;
}

function whole(value: number): number {
  return Number.isFinite(value) ? Math.trunc(value) : 0;
}

function between(low: number, value: number, high: number): number {
  return Math.max(low, Math.min(Number.isFinite(value) ? Math.trunc(value) : low, high));
}
