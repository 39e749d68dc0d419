import { isObject } from '../spec/spec.js';

/** Content of a tooltip, and the pointer position in the viewport (CSS px). */
export interface ChartTooltip {
  readonly title: string;
  readonly rows: readonly TooltipRow[];
  readonly x: number;
  readonly y: number;
  /** The described point of a line or area; `null` for marks that contain the pointer. */
  readonly point: { readonly x: number; readonly y: number } | null;
}

/** One line of a tooltip. */
export interface TooltipRow {
  readonly label: string;
  readonly value: string;
  /** Color of the series; `null` if the rows are not series. */
  readonly color: string | null;
}

/** The properties of a scene item that tooltips read. */
export interface TooltipItem {
  readonly x?: number;
  readonly fill?: unknown;
  readonly stroke?: unknown;
  /** The tooltip, or a function that computes it. */
  readonly tooltip?: unknown;
  /** Marks of a group. */
  readonly items?: readonly NonNullable<TooltipItem['mark']>[];
  readonly mark?: {
    readonly name?: string;
    readonly role?: string;
    readonly marktype?: string;
    readonly items?: readonly TooltipItem[];
    readonly group?: TooltipItem;
  };
}

const maxRows = 12;

/**
 * Returns the tooltip content of a mark. A specification's tooltip is an object of titles and values: the first entry
 * becomes the title, the others become rows. For one of several lines, each series gets a row with its value at the
 * same `x`.
 */
export function tooltipContent(
  item: TooltipItem,
  readable: (title: string) => string,
): Pick<ChartTooltip, 'title' | 'rows'> | null {
  const value = tooltipOf(item);
  if (value === null || value === undefined || value === '') return null;
  if (typeof value !== 'object') return { title: String(value), rows: [] };
  const series = siblingPoints(item);
  if (series.length > 1) return seriesContent(series, value);
  const [first, ...rest] = Object.entries(value);
  if (!first) return null;
  if (rest.length === 0) return { title: text(first[1]), rows: [] };
  const color = colorOf(item);
  return {
    title: text(first[1]),
    rows: rest.slice(0, maxRows).map(([label, shown]) => ({ label: readable(label), value: text(shown), color })),
  };
}

/** Returns the entries of a tooltip in the order and wording of the specification. */
export function tooltipEntries(item: TooltipItem): [string, string][] {
  const value = tooltipOf(item);
  return isObject(value) ? Object.entries(value).map(([title, shown]) => [title, text(shown)]) : [];
}

function seriesContent(series: readonly TooltipItem[], value: object): Pick<ChartTooltip, 'title' | 'rows'> {
  const rows = series.slice(0, maxRows).flatMap(item => {
    const tooltip = tooltipOf(item);
    const [, figure, name] = isObject(tooltip) ? Object.values(tooltip) : [];
    return [{ label: text(name), value: text(figure), color: colorOf(item) }];
  });
  return { title: text(Object.values(value)[0]), rows };
}

/** Returns the points of all lines at the `x` of an item. The lines of a chart are in sibling groups of one parent. */
function siblingPoints(item: TooltipItem): TooltipItem[] {
  const type = item.mark?.marktype;
  if (type !== 'line' && type !== 'area') return [];
  const groups = item.mark?.group?.mark?.items ?? [];
  const lines = groups.flatMap(group => group.items ?? []).filter(mark => mark.marktype === type);
  return lines.flatMap(line => {
    const point = line.items?.find(candidate => candidate.x === item.x);
    const tooltip = point && tooltipOf(point);
    return point && isObject(tooltip) && Object.keys(tooltip).length > 2 ? [point] : [];
  });
}

function tooltipOf({ tooltip }: TooltipItem): unknown {
  return typeof tooltip === 'function' ? tooltip() : tooltip;
}

function colorOf({ fill, stroke }: TooltipItem): string | null {
  const color = typeof stroke === 'string' && stroke !== 'transparent' ? stroke : fill;
  return typeof color === 'string' && color !== 'transparent' ? color : null;
}

function text(value: unknown): string {
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  return value === null || value === undefined ? '' : String(value).slice(0, 200);
}
