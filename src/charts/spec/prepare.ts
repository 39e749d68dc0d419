import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { Column } from '../../contract/row-set.js';
import type { JsonObject } from '../../contract/wire.js';
import { calendarNamer, isCalendar } from '../../report/format/calendar-names.js';
import { timePattern } from '../../report/format/format.js';
import type { localeDirections } from '../../report/format/locale.js';
import { columnTitle } from '../../report/table/table.js';
import {
  accentSignal,
  type ChartTheme,
  type LegendSpace,
  legendSpaceOf,
  rotatedLabels,
  sizeSignal,
  textSignal,
} from '../theme.js';
import { fieldsOf, formatByColumns } from './column-formats.js';
import { mirrorSpec } from './mirror.js';
import { simplifyBars } from './plain-bars.js';
import { isObject, nodesOf, objects, readSpec, rejectExternalResources, rowsName, type SpecNodes } from './spec.js';

/** Size of a chart, px. */
export interface ChartSize {
  readonly width: number;
  readonly height: number;
}

/** A Vega specification that is ready for rendering. */
export interface PreparedSpec {
  readonly spec: JsonObject;
  /** Data set that receives the rows of the report; `null` if the specification contains all its data. */
  readonly dataName: string | null;
  /** True if the chart takes the given size; false if the specification sets its size. */
  readonly fits: boolean;
  readonly hasLegends: boolean;
  /** True if the plot is mirrored for a right-to-left language. */
  readonly isMirrored: boolean;
  /** True for a facet whose cells share the space of the chart. */
  readonly hasCells: boolean;
}

/** Options of `prepareSpec`. */
export interface Preparation {
  readonly theme: ChartTheme;
  readonly size: ChartSize;
  readonly columns: readonly Column[];
  /** Column formats of the report, which override those of the model. */
  readonly formats?: NonNullable<ReportSnapshot['preferences']>['columnFormats'];
  /** Directions of the reader's language; left to right by default. */
  readonly directions?: ReturnType<typeof localeDirections>;
  /** Language of weekdays and months, as a BCP 47 tag; English by default. */
  readonly locale?: string;
  /** Makes the cells of a facet share the space of the chart; returns false if the specification has no such cells. */
  readonly fitCells?: ((spec: JsonObject) => boolean) | undefined;
}

/** Event sources that a chart may listen to: itself, and the window for drags that leave the chart. */
const events = {
  bind: 'none',
  container: false,
  selector: false,
  timer: false,
  window: ['pointermove', 'pointerup', 'mousemove', 'mouseup', 'touchmove', 'touchend'],
  defaults: { prevent: [] },
};

/** Padding of the chart, px. It leaves space for half a line width and for descenders, which Vega does not measure. */
export const edge = { top: 2, right: 4, bottom: 4, left: 2 };

/** Signals that a specification cannot define: Vega applies them to the page, or charts set them. */
const reserved = ['background', 'cursor', accentSignal, textSignal, sizeSignal];

/**
 * Prepares a compiled (Vega) specification: copies and checks it, sizes it, applies the first color of the theme, reads
 * times as UTC, replaces column names with titles, and removes event sources outside the chart.
 * @throws ChartError for the reasons of `readSpec` and `rejectExternalResources`.
 */
export function prepareSpec(
  source: string | JsonObject,
  { theme, size, columns, formats, directions, locale, fitCells }: Preparation,
): PreparedSpec {
  const spec = readSpec(source);
  rejectExternalResources(spec);
  const nodes = nodesOf(spec);
  readTimeAsUtc(nodes);
  disableAria(nodes);
  const limits = fitAxes(nodes);
  fitLegends(nodes, legendSpaceOf(size));
  titleColumns(nodes, columns);
  applyGranularity(nodes, columns);
  nameCalendars(nodes, columns, locale ?? 'en');
  formatByColumns(nodes, columns, formats);
  dropCopyTransforms(spec, columns);
  simplifyBars(spec);
  const isMirrored = directions?.text === 'rtl' && mirrorSpec(spec, columns, directions.time);
  rotateLabels(nodes, { isMirrored });
  const fits = hasOwnSize(spec) === false;
  const hasCells = fitCells?.(spec) ?? false;
  const reservedNames = [...reserved, ...limits.map(({ name }) => name)];
  const others = (signals: unknown) => objects(signals).filter(({ name }) => !reservedNames.includes(String(name)));
  const signals = others(spec.signals);
  const config = isObject(spec.config) ? spec.config : {};
  const dataName = openDataset(spec);
  delete spec.background;
  return {
    dataName,
    fits,
    hasCells,
    isMirrored,
    hasLegends: hasLegends(nodes),
    spec: {
      ...spec,
      ...(fits ? { ...size, autosize: { type: 'fit', contains: 'padding' } } : {}),
      ...(fits || hasCells ? { padding: edge } : {}),
      signals: [
        ...(fits ? signals.filter(({ name }) => name !== 'width' && name !== 'height') : signals).map(withoutInput),
        { name: accentSignal, value: theme.series[0] },
        { name: textSignal, value: theme.text },
        { name: sizeSignal, value: size },
        ...limits,
      ],
      config: {
        ...config,
        background: null,
        events,
        signals: others(config.signals),
      },
    },
  };
}

/** Removes the form control of a signal; it would be outside the layout, labels and styles of the tile. */
function withoutInput(signal: JsonObject): JsonObject {
  const { bind: _, ...rest } = signal;
  return rest;
}

/** True for facets, and for specifications that compute their size from anything but the container. */
function hasOwnSize(spec: JsonObject): boolean {
  if ('layout' in spec) return true;
  const autosize = isObject(spec.autosize) ? spec.autosize.type : spec.autosize;
  if (autosize === 'none') return true;
  const computed = objects(spec.signals).filter(({ name }) => name === 'width' || name === 'height');
  return computed.some(signal => !JSON.stringify(signal).includes('containerSize') && !('value' in signal));
}

/**
 * Returns the data set that receives the rows: the one named `rows`, otherwise the first without values, source or
 * generator. Vega-Lite creates the stores of selections (`*_store`), so they are skipped.
 */
export function openDataset(spec: JsonObject): string | null {
  const open = objects(spec.data).filter(data => {
    const values = Array.isArray(data.values) ? data.values.length > 0 : data.values !== undefined;
    const generates = objects(data.transform)[0]?.type === 'sequence';
    return !values && !generates && data.source === undefined && !String(data.name).endsWith('_store');
  });
  const name = (open.find(data => data.name === rowsName) ?? open[0])?.name;
  return typeof name === 'string' ? name : null;
}

/** Hides all parts from assistive technology, which sees a chart as one image that `mount` labels. */
function disableAria(nodes: SpecNodes): void {
  for (const [node, key] of nodes) {
    if (key === 'marks' || key === 'axes' || key === 'legends' || key === 'title') node.aria = false;
  }
}

/** Maximum number of legend entries: Vega's default. */
const maxLegendEntries = 30;

/** Estimated width of a character of a label, and minimum height of a category with two lines, px. */
const labelCharacter = 6.5;
const twoLines = 28;

/**
 * Splits the labels of categories next to the plot into two lines if they exceed their limit, both lines fit, and the
 * categories are tall enough. Does not change labels that the specification formats.
 */
function wrapLabels(axis: JsonObject, limit: string): void {
  const { encode = {}, labelOverlap, orient, scale } = axis;
  // Only axes of categories have this overlap method (see `vegaLiteConfig`).
  if (labelOverlap !== 'parity' || (orient !== 'left' && orient !== 'right')) return;
  if (typeof scale !== 'string' || !isObject(encode)) return;
  const labels = isObject(encode.labels) ? encode.labels : {};
  const update = isObject(labels.update) ? labels.update : {};
  if (update.text !== undefined) return;
  const text = "('' + datum.label)";
  // Find the last space before 70% of the text, because the first line may be the longer one.
  const at = `lastindexof(slice(${text}, 0, ceil(0.7 * length(${text}))), ' ')`;
  const isLong = `length(${text}) * ${labelCharacter} > ${limit} && bandwidth(${JSON.stringify(scale)}) >= ${twoLines}`;
  const longest = `max(${at}, length(${text}) - ${at} - 1) * ${labelCharacter}`;
  const wrapped = `${at} > 0 && ${longest} <= ${limit} ? [slice(${text}, 0, ${at}), slice(${text}, ${at} + 1)] : datum.label`;
  const signal = `${isLong} ? (${wrapped}) : datum.label`;
  axis.encode = { ...encode, labels: { ...labels, update: { ...update, text: { signal } } } };
}

/**
 * Limits the labels of each axis to a part of the chart: 40% of the width (in a narrow chart 43%, up to 96 px), 20% if
 * there are axes on both sides, and 25% of the height for rotated labels. Returns the signals that compute the limits,
 * so that each is computed once and not per label.
 */
function fitAxes(nodes: SpecNodes): { readonly name: string; readonly update: string }[] {
  const limits = new Map<string, string>();
  const axes: JsonObject[] = [];
  for (const [node, key] of nodes) {
    if (key === 'axes') axes.push(node);
  }
  const hasBoth = ['left', 'right'].every(side =>
    axes.some(({ orient, labels }) => orient === side && labels !== false),
  );
  for (const axis of axes) {
    const { labelLimit = 180, labelAngle, orient } = axis;
    const isTurned = labelAngle && orient !== 'left' && orient !== 'right';
    const width = `${sizeSignal}.width`;
    const beside = hasBoth ? `0.2 * ${width}` : `max(0.4 * ${width}, min(96, 0.43 * ${width}))`;
    const part = isTurned ? `0.25 * ${sizeSignal}.height` : beside;
    if (typeof labelLimit !== 'number') continue;
    // Vega interprets 0 as no limit.
    const update = labelLimit > 0 ? `min(${labelLimit}, ${part})` : part;
    const name = limits.get(update) ?? `paLimit${limits.size}`;
    limits.set(update, name);
    axis.labelLimit = { signal: name };
    wrapLabels(axis, name);
  }
  return [...limits].map(([update, name]) => ({ name, update }));
}

/**
 * Configures the rotation of overlapping labels, with at most 30% of the height. In a mirrored plot, they rise to the
 * left.
 */
function rotateLabels(nodes: SpecNodes, { isMirrored }: { readonly isMirrored: boolean }): void {
  for (const [node, key] of nodes) {
    if (key !== 'axes' || node.labelOverlap !== rotatedLabels) continue;
    const sign = isMirrored ? 1 : -1;
    const align = (node.orient === 'top') === isMirrored ? 'right' : 'left';
    const options = `maxHeight: min(140, 0.3 * ${sizeSignal}.height), width: ${sizeSignal}.width`;
    node.labelOverlap = { signal: `{${options}, sign: ${sign}, align: '${align}'}` };
  }
}

/**
 * Limits the entries of legends to the available space; the last entry shows the number of hidden entries. A legend
 * next to the chart gets a single column, so that it does not take the width of the chart. In a narrow chart, it moves
 * above the plot.
 */
function fitLegends(nodes: SpecNodes, { columns, lines, isNarrow }: LegendSpace): void {
  const legends = nodes.filter(([, key]) => key === 'legends').map(([node]) => node);
  const isTitled = nodes.some(([{ orient, title }, key]) => key === 'axes' && orient === 'left' && title);
  const sideLegends = legends.filter(({ orient }) => !isNarrow && (orient === 'left' || orient === 'right'));
  const share = Math.floor(lines / Math.max(1, legends.length - sideLegends.length));
  const entries = (count: number) => Math.min(maxLegendEntries, Math.max(2, count));
  for (const legend of legends.filter(other => !sideLegends.includes(other))) {
    if (legend.orient === 'left' || legend.orient === 'right') {
      for (const name of ['orient', 'direction', 'columns']) delete legend[name];
    }
    // Vega-Lite computes the length from the height, as for a legend next to the chart.
    if (isObject(legend.gradientLength)) delete legend.gradientLength;
    // Leaves space for the title of a left axis, which is above the axis.
    if (isTitled && legend.orient !== 'bottom') legend.offset ??= 24;
    legend.symbolLimit ??= entries(columns * share);
  }
  for (const legend of sideLegends) {
    legend.direction ??= 'vertical';
    legend.labelLimit ??= { signal: `min(100, 0.2 * ${sizeSignal}.width)` };
    if (legend.direction !== 'vertical') continue;
    legend.columns ??= 1;
    legend.symbolLimit ??= entries(Math.floor((lines * 2 + 5) / sideLegends.length));
  }
}

function hasLegends(nodes: SpecNodes): boolean {
  return nodes.some(([, key]) => key === 'legends');
}

/**
 * Replaces local time with UTC, because local time would shift a wall-clock date by the viewer's UTC offset.
 * Expressions are handled by the interpreter.
 */
function readTimeAsUtc(nodes: SpecNodes): void {
  for (const [node, key] of nodes) {
    if (key === 'scales' && node.type === 'time') node.type = 'utc';
    if (node.formatType === 'time') node.formatType = 'utc';
    if (key === 'transform' && node.type === 'timeunit') node.timezone = 'utc';
    if (key !== 'parse') continue;
    for (const [field, type] of Object.entries(node)) {
      if (typeof type === 'string') node[field] = type.replace(/^date:/, 'utc:');
    }
  }
}

/**
 * Removes the transforms with which Vega-Lite copies nested values to flat names, because the rows already have them as
 * numbers and dates. Vega would interpret each transform for every row and copy every row.
 */
function dropCopyTransforms(spec: JsonObject, columns: readonly Column[]): void {
  for (const data of objects(spec.data)) {
    if (!Array.isArray(data.transform)) continue;
    const needed = objects(data.transform).filter(transform => !columns.some(column => isCopy(transform, column)));
    if (needed.length > 0) data.transform = needed;
    else delete data.transform;
  }
}

/** Vega-Lite's conversion functions by column type; the values in the rows are already converted. */
const readers: ReadonlyMap<string, string> = new Map([
  ['time', 'toDate'],
  ['number', 'toNumber'],
]);

/**
 * Matches `datum["orders"] && datum["orders"]["total"]` as `orders.total`, including in `toDate(…)` for times and
 * `toNumber(…)` for numbers.
 */
function isCopy({ type, expr, as }: JsonObject, { member, annotation }: Column): boolean {
  if (type !== 'formula' || as !== member) return false;
  const path = member.split('.');
  const steps = path.map(
    (_, depth) =>
      `datum${path
        .slice(0, depth + 1)
        .map(part => `["${part}"]`)
        .join('')}`,
  );
  const copy = steps.join(' && ');
  const read = readers.get(annotation.type);
  return expr === copy || (read !== undefined && expr === `${read}(${copy})`);
}

function titleColumns(nodes: SpecNodes, columns: readonly Column[]): void {
  const readable = readableTitle(columns);
  for (const [node, key] of nodes) {
    if ((key === 'axes' || key === 'legends') && typeof node.title === 'string') node.title = readable(node.title);
  }
}

const day = 86_400_000;
const minDurationMs: Readonly<Record<string, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day,
  week: 7 * day,
  month: 28 * day,
  quarter: 90 * day,
  year: 365 * day,
};

const discrete = new Set(['band', 'point', 'ordinal']);
/** Legend channels that reference a scale. */
const channels = ['fill', 'stroke', 'shape', 'size', 'opacity', 'strokeDash', 'strokeWidth'];

/**
 * Limits the tick step of time axes to the granularity of the column, so that an axis of months has no ticks for weeks.
 * Discrete scales, such as those of bars, label each period as in a table instead of by its first millisecond.
 */
function applyGranularity(nodes: SpecNodes, columns: readonly Column[]): void {
  const steps = new Map<string, number>();
  const patterns = new Map<string, string>();
  for (const [node, key] of nodes) {
    if (key !== 'scales' || !isObject(node.domain)) continue;
    const fields = new Set(fieldsOf(node.domain).map(field => field.replaceAll('\\.', '.')));
    const column = columns.find(({ member, annotation }) => fields.has(member) && annotation.granularity);
    if (!column || fields.size > 1) continue;
    const step = minDurationMs[column.annotation.granularity?.name ?? ''];
    if (step !== undefined) steps.set(String(node.name), step);
    if (!discrete.has(String(node.type))) continue;
    // Hours and minutes start at second zero, and a label with seconds would be truncated.
    const pattern = timePattern(column);
    patterns.set(String(node.name), step === undefined ? pattern : pattern.replace(':%S', ''));
  }
  for (const [node, key] of nodes) {
    for (const scale of scalesOf(key, node)) {
      const [step, format] = [steps.get(String(scale)), patterns.get(String(scale))];
      if (format !== undefined && !formatsLabels(node)) Object.assign(node, { format, formatType: 'utc' });
      else if (key === 'axes' && step !== undefined && node.tickMinStep === undefined) node.tickMinStep = step;
    }
  }
}

/** Labels the numbers of weekdays and months on discrete scales with their names, unless the labels have a format. */
function nameCalendars(nodes: SpecNodes, columns: readonly Column[], locale: string): void {
  const calendars = columns.filter(isCalendar);
  if (calendars.length === 0) return;
  const texts = new Map<string, string>();
  for (const [node, key] of nodes) {
    if (key !== 'scales' || !isObject(node.domain) || !discrete.has(String(node.type))) continue;
    const fields = new Set(fieldsOf(node.domain).map(field => field.replaceAll('\\.', '.')));
    const column = calendars.find(({ member }) => fields.has(member));
    const name = column && fields.size === 1 ? calendarNamer(column, locale) : null;
    if (!name) continue;
    const names = Array.from({ length: 13 }, (_, number) => [String(number), name(number)] as const);
    const known = Object.fromEntries(names.filter(([, text]) => text !== null));
    texts.set(String(node.name), `${JSON.stringify(known)}[datum.value] || datum.label`);
  }
  for (const [node, key] of nodes) {
    const signal = scalesOf(key, node)
      .map(scale => texts.get(String(scale)))
      .find(Boolean);
    if (signal === undefined || formatsLabels(node)) continue;
    const encode = isObject(node.encode) ? node.encode : {};
    const labels = isObject(encode.labels) ? encode.labels : {};
    const update = isObject(labels.update) ? labels.update : {};
    node.encode = { ...encode, labels: { ...labels, update: { ...update, text: { signal } } } };
  }
}

/** Returns the names of the scales that an item of `axes` or `legends` references. */
function scalesOf(key: string, node: JsonObject): readonly unknown[] {
  if (key === 'axes') return [node.scale];
  return key === 'legends' ? channels.map(channel => node[channel]) : [];
}

/** True if an axis or legend sets the format of its labels. */
function formatsLabels({ format, formatType, encode }: JsonObject): boolean {
  return format !== undefined || formatType !== undefined || JSON.stringify(encode ?? '').includes('"text"');
}

/**
 * Returns a function that replaces the field names which Vega-Lite writes into titles: `orders.total` becomes `Total`,
 * `Sum of orders.total` becomes `Sum of Total`, and the time unit after a field name is removed.
 */
export function readableTitle(columns: readonly Column[]): (title: string) => string {
  const byNameLength = [...columns].sort((a, b) => b.member.length - a.member.length);
  return title => {
    const plain = title.replaceAll('\\.', '.');
    const column = byNameLength.find(({ member }) => plain.includes(member));
    if (!column) return title;
    return plain.replace(/ \([a-z-]+\)$/, '').replace(column.member, () => columnTitle(column));
  };
}
