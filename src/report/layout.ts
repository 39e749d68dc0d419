import type { BreakpointName, DashboardLayout, DashboardWidget, WidgetPosition } from '../contract/dashboards.js';

/** A widget on the grid: `x` and `w` in columns, `y` and `h` in rows. */
export interface GridItem {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** A dashboard's grid at one width. Lengths are px, pairs are `[horizontal, vertical]`. */
export interface Grid {
  readonly breakpoint: BreakpointName;
  readonly columns: number;
  readonly rowHeight: number;
  readonly margin: readonly [number, number];
  readonly padding: readonly [number, number];
  /** Height of the whole grid, padding included. */
  readonly height: number;
  /** In reading order: from top to bottom, then from left to right. */
  readonly items: readonly GridItem[];
}

const breakpointNames: readonly BreakpointName[] = ['lg', 'md', 'sm', 'xs', 'xxs'];
const defaultBreakpoints: Readonly<Record<BreakpointName, number>> = { lg: 1200, md: 996, sm: 768, xs: 480, xxs: 0 };
const defaultColumns: Readonly<Record<BreakpointName, number>> = { lg: 12, md: 10, sm: 6, xs: 4, xxs: 2 };
const defaultRowHeight = 30;
const narrow = 600;

/**
 * Places widgets on the grid of a dashboard (spec 2.4) for a container of `width` px, by the rules of react-grid-layout, whose
 * shape `layout` has: the breakpoint is the widest one that the container exceeds; a widget's own `responsiveLayouts` win,
 * others are pushed into the columns there are; collisions are resolved and gaps closed upwards.
 * Defaults: breakpoints 1200/996/768/480/0, columns 12/10/6/4/2, rows of 30 px, margins of 16 px (12 below 600), no padding.
 */
export function gridLayout(
  layout: DashboardLayout | null | undefined,
  widgets: readonly DashboardWidget[],
  width: number,
): Grid {
  const breakpoint = breakpointAt(layout, width);
  const columns = Math.max(1, layout?.cols?.[breakpoint] ?? defaultColumns[breakpoint]);
  const rowHeight = Math.max(1, layout?.rowHeight ?? defaultRowHeight);
  const margin = pair(layout?.margin, width < narrow ? 12 : 16);
  const padding = pair(layout?.containerPadding, 0);
  const unresolved = widgets.map(widget =>
    fitted(widget.id, widget.responsiveLayouts?.[breakpoint] ?? widget.position, columns),
  );
  const items = compact(unresolved);
  const rows = Math.max(0, ...items.map(({ y, h }) => y + h));
  const height = 2 * padding[1] + rows * rowHeight + Math.max(0, rows - 1) * margin[1];
  return { breakpoint, columns, rowHeight, margin, padding, height, items };
}

/** A layout that names breakpoints uses those alone; the narrowest of them serves whatever is narrower still. */
function breakpointAt(layout: DashboardLayout | null | undefined, width: number): BreakpointName {
  const own = layout?.breakpoints;
  const named = breakpointNames.filter(name => typeof own?.[name] === 'number');
  const from = (name: BreakpointName) => own?.[name] ?? defaultBreakpoints[name];
  const widestFirst = (named.length ? named : [...breakpointNames]).sort((a, b) => from(b) - from(a));
  return widestFirst.find(name => width > from(name)) ?? widestFirst.at(-1) ?? 'xxs';
}

function pair(values: readonly number[] | null | undefined, fallback: number): [number, number] {
  const horizontal = values?.[0] ?? fallback;
  return [horizontal, values?.[1] ?? horizontal];
}

function fitted(id: string, position: WidgetPosition, columns: number): GridItem {
  const w = Math.min(Math.max(1, position.w), columns);
  const x = Math.min(Math.max(0, position.x), columns - w);
  return { id, x, y: Math.max(0, position.y), w, h: Math.max(1, position.h) };
}

/** Moves every item up until it meets another, or down past those it collides with, in reading order. */
function compact(items: readonly GridItem[]): GridItem[] {
  const placed: GridItem[] = [];
  for (const item of [...items].sort(inReadingOrder)) {
    const beside = placed.filter(other => item.x < other.x + other.w && other.x < item.x + item.w);
    const bottom = Math.max(0, ...beside.map(below));
    const from = Math.min(item.y, bottom);
    const free = (y: number) => beside.find(other => y < below(other) && other.y < y + item.h);
    let y = from;
    let hit = free(y);
    if (!hit) y = Math.max(0, ...beside.map(below).filter(edge => edge <= from));
    for (; hit; hit = free(y)) y = below(hit);
    placed.push({ ...item, y });
  }
  return placed.sort(inReadingOrder);
}

function below({ y, h }: GridItem): number {
  return y + h;
}

function inReadingOrder(a: GridItem, b: GridItem): number {
  return a.y - b.y || a.x - b.x;
}
