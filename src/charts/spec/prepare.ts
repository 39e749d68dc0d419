import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { Column } from '../../contract/row-set.js';
import type { JsonObject } from '../../contract/wire.js';
import { timePattern } from '../../report/format/format.js';
import type { localeDirections } from '../../report/format/locale.js';
import { columnTitle } from '../../report/table/table.js';
import {
  accentSignal,
  type ChartTheme,
  type LegendRoom,
  legendRoom,
  sizeSignal,
  textSignal,
  turnedLabels,
} from '../theme.js';
import { fieldsOf, formatByColumns } from './column-formats.js';
import { mirrorSpec } from './mirror.js';
import { simplifyBars } from './plain-bars.js';
import { isObject, objects, readSpec, rejectExternalResources, rowsName, walk } from './spec.js';

/** Size of a chart on the page, px. */
export interface ChartSize {
  readonly width: number;
  readonly height: number;
}

/** A Vega specification made ready to be drawn. */
export interface PreparedSpec {
  readonly spec: JsonObject;
  /** Data set that takes the rows of the report; null for a specification that brings all its data. */
  readonly dataName: string | null;
  /** True where the chart takes the size it is given; false where the specification sizes itself. */
  readonly fits: boolean;
  readonly hasLegends: boolean;
  /** True if the plot is mirrored for a right-to-left language. */
  readonly isMirrored: boolean;
  /** True for a facet whose cells share the room of the chart. */
  readonly hasCells: boolean;
}

/** What a specification is prepared for. */
export interface Preparation {
  readonly theme: ChartTheme;
  readonly size: ChartSize;
  readonly columns: readonly Column[];
  /** Formats of columns that the report sets over those of the model. */
  readonly formats?: NonNullable<ReportSnapshot['preferences']>['columnFormats'];
  /** Directions of the reader's language; left to right by default. */
  readonly directions?: ReturnType<typeof localeDirections>;
  /** Has the cells of a facet share the room of the chart; false where the specification has none. */
  readonly fitCells?: ((spec: JsonObject) => boolean) | undefined;
}

/** Which event sources a chart may listen to: itself, and the pointer while it is dragged out of the chart. */
const events = {
  bind: 'none',
  container: false,
  selector: false,
  timer: false,
  window: ['pointermove', 'pointerup', 'mousemove', 'mouseup', 'touchmove', 'touchend'],
  defaults: { prevent: [] },
};

/** Half a line's width, and what letters take below the line that Vega reckons with. */
export const edge = { top: 2, right: 4, bottom: 4, left: 2 };

/** Signals that a specification may not define, because Vega writes them to the page. */
const reserved = ['background', 'cursor', accentSignal, textSignal, sizeSignal];

/**
 * Makes a compiled (Vega) specification ready: it is copied and checked, takes the size it is given, follows the theme's first
 * colour, reads time as UTC, names columns by their titles, and listens to nothing outside the chart.
 * @throws ChartError as `readSpec` and `rejectExternalResources` do.
 */
export function prepareSpec(
  source: string | JsonObject,
  { theme, size, columns, formats, directions, fitCells }: Preparation,
): PreparedSpec {
  const spec = readSpec(source);
  rejectExternalResources(spec);
  readTimeAsUtc(spec);
  hideParts(spec);
  const limits = fitAxes(spec);
  fitLegends(spec, legendRoom(size));
  nameColumns(spec, columns);
  keepGranularity(spec, columns);
  formatByColumns(spec, columns, formats);
  dropCopies(spec, columns);
  simplifyBars(spec);
  const isMirrored = directions?.text === 'rtl' && mirrorSpec(spec, columns, directions.time);
  turnAxes(spec, isMirrored);
  const fits = sizesItself(spec) === false;
  const hasCells = fitCells?.(spec) ?? false;
  const ours = [...reserved, ...limits.map(({ name }) => name)];
  const others = (signals: unknown) => objects(signals).filter(({ name }) => !ours.includes(String(name)));
  const signals = others(spec.signals);
  const config = isObject(spec.config) ? spec.config : {};
  const dataName = openDataset(spec);
  delete spec.background;
  return {
    dataName,
    fits,
    hasCells,
    isMirrored,
    hasLegends: hasLegends(spec),
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

/** A chart has no form controls: they would stand outside the tile's own layout, names and styles. */
function withoutInput(signal: JsonObject): JsonObject {
  const { bind: _, ...rest } = signal;
  return rest;
}

/** True for facets, and for a specification that computes its own size from anything but its container. */
function sizesItself(spec: JsonObject): boolean {
  if ('layout' in spec) return true;
  const autosize = isObject(spec.autosize) ? spec.autosize.type : spec.autosize;
  if (autosize === 'none') return true;
  const computed = objects(spec.signals).filter(({ name }) => name === 'width' || name === 'height');
  return computed.some(signal => !JSON.stringify(signal).includes('containerSize') && !('value' in signal));
}

/**
 * The data set that a specification leaves open: the one named `rows`, else the first without values, source or generator.
 * Stores of selections (`*_store`) are Vega-Lite's own.
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

/** To assistive technology a chart is one image: `mount` names it, and no part of it needs a name of its own. */
function hideParts(spec: JsonObject): void {
  walk(spec, (node, key) => {
    if (key === 'marks' || key === 'axes' || key === 'legends' || key === 'title') node.aria = false;
  });
}

/** As many entries as Vega shows by itself. */
const maxLegendEntries = 30;

/**
 * Labels of an axis take no more than a part of the chart, however long they are, and half of it with axes at both sides; those that are
 * turned take it of the height. Returns the signals that say how much: each is reckoned once, and not for each label.
 */
function fitAxes(spec: JsonObject): { readonly name: string; readonly update: string }[] {
  const limits = new Map<string, string>();
  const axes: JsonObject[] = [];
  walk(spec, (node, key) => {
    if (key === 'axes') axes.push(node);
  });
  const hasBoth = ['left', 'right'].every(side =>
    axes.some(({ orient, labels }) => orient === side && labels !== false),
  );
  for (const axis of axes) {
    const { labelLimit = 180, labelAngle, orient } = axis;
    const isTurned = labelAngle && orient !== 'left' && orient !== 'right';
    const part = isTurned ? `0.25 * ${sizeSignal}.height` : `${hasBoth ? '0.2' : '0.4'} * ${sizeSignal}.width`;
    if (typeof labelLimit !== 'number') continue;
    // For Vega, 0 is no limit.
    const update = labelLimit > 0 ? `min(${labelLimit}, ${part})` : part;
    const name = limits.get(update) ?? `paLimit${limits.size}`;
    limits.set(update, name);
    axis.labelLimit = { signal: name };
  }
  return [...limits].map(([update, name]) => ({ name, update }));
}

/** Labels that overlap are turned and have a third of the height at most. They rise to the left in a mirrored plot. */
function turnAxes(spec: JsonObject, isMirrored: boolean): void {
  walk(spec, (node, key) => {
    if (key !== 'axes' || node.labelOverlap !== turnedLabels) return;
    const sign = isMirrored ? 1 : -1;
    const align = (node.orient === 'top') === isMirrored ? 'right' : 'left';
    const room = `room: min(140, 0.3 * ${sizeSignal}.height), width: ${sizeSignal}.width`;
    node.labelOverlap = { signal: `{${room}, sign: ${sign}, align: '${align}'}` };
  });
}

/**
 * Legends share the room that they have: a last entry says how many are left out. One beside the chart is a single column, or it would
 * take the chart's own width; where that is narrow, it stands above.
 */
function fitLegends(spec: JsonObject, { columns, lines, narrow }: LegendRoom): void {
  const legends: JsonObject[] = [];
  let isTitled = false;
  walk(spec, (node, key) => {
    if (key === 'legends') legends.push(node);
    if (key === 'axes' && node.orient === 'left' && node.title) isTitled = true;
  });
  const beside = legends.filter(({ orient }) => !narrow && (orient === 'left' || orient === 'right'));
  const share = Math.floor(lines / Math.max(1, legends.length - beside.length));
  const entries = (most: number) => Math.min(maxLegendEntries, Math.max(2, most));
  for (const legend of legends.filter(other => !beside.includes(other))) {
    if (legend.orient === 'left' || legend.orient === 'right') {
      for (const name of ['orient', 'direction', 'columns']) delete legend[name];
    }
    // Vega-Lite reckons with the height, as for one beside the chart.
    if (isObject(legend.gradientLength)) delete legend.gradientLength;
    // The title of an axis on the left stands above it.
    if (isTitled && legend.orient !== 'bottom') legend.offset ??= 24;
    legend.symbolLimit ??= entries(columns * share);
  }
  for (const legend of beside) {
    legend.direction ??= 'vertical';
    legend.labelLimit ??= { signal: `min(100, 0.2 * ${sizeSignal}.width)` };
    if (legend.direction !== 'vertical') continue;
    legend.columns ??= 1;
    legend.symbolLimit ??= entries(Math.floor((lines * 2 + 5) / beside.length));
  }
}

function hasLegends(spec: JsonObject): boolean {
  let found = false;
  walk(spec, (_node, key) => {
    if (key === 'legends') found = true;
  });
  return found;
}

/** Local time would shift a wall-clock date by the viewer's zone. Expressions are seen to by the interpreter. */
function readTimeAsUtc(spec: JsonObject): void {
  walk(spec, (node, key) => {
    if (key === 'scales' && node.type === 'time') node.type = 'utc';
    if (node.formatType === 'time') node.formatType = 'utc';
    if (key === 'transform' && node.type === 'timeunit') node.timezone = 'utc';
    if (key !== 'parse') return;
    for (const [field, type] of Object.entries(node)) {
      if (typeof type === 'string') node[field] = type.replace(/^date:/, 'utc:');
    }
  });
}

/**
 * Takes out the steps by which Vega-Lite copies nested values under flat names: rows hold them there already, as numbers and dates.
 * Each would be interpreted for every row, and every row copied for them.
 */
function dropCopies(spec: JsonObject, columns: readonly Column[]): void {
  for (const data of objects(spec.data)) {
    if (!Array.isArray(data.transform)) continue;
    const needed = objects(data.transform).filter(transform => !columns.some(column => isCopy(transform, column)));
    if (needed.length > 0) data.transform = needed;
    else delete data.transform;
  }
}

/** What Vega-Lite reads values of a type by; rows hold them read. */
const readers: ReadonlyMap<string, string> = new Map([
  ['time', 'toDate'],
  ['number', 'toNumber'],
]);

/** `datum["orders"] && datum["orders"]["total"]` as `orders.total`; of times also `toDate(…)` of it, of numbers `toNumber(…)`. */
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

function nameColumns(spec: JsonObject, columns: readonly Column[]): void {
  const readable = readableTitle(columns);
  walk(spec, (node, key) => {
    if ((key === 'axes' || key === 'legends') && typeof node.title === 'string') node.title = readable(node.title);
  });
}

const day = 86_400_000;
const shortest: Readonly<Record<string, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day,
  week: 7 * day,
  month: 28 * day,
  quarter: 90 * day,
  year: 365 * day,
};

const discrete = new Set(['band', 'point', 'ordinal']);
/** What of a legend names its scale. */
const channels = ['fill', 'stroke', 'shape', 'size', 'opacity', 'strokeDash', 'strokeWidth'];

/**
 * An axis of months has no ticks for weeks: its steps are no finer than the granularity of its column. Where each month stands for itself,
 * as bars do, it is named as in a table, and not by its first millisecond.
 */
function keepGranularity(spec: JsonObject, columns: readonly Column[]): void {
  const steps = new Map<string, number>();
  const patterns = new Map<string, string>();
  walk(spec, (node, key) => {
    if (key !== 'scales' || !isObject(node.domain)) return;
    const fields = new Set(fieldsOf(node.domain).map(field => field.replaceAll('\\.', '.')));
    const column = columns.find(({ member, annotation }) => fields.has(member) && annotation.granularity);
    if (!column || fields.size > 1) return;
    const step = shortest[column.annotation.granularity?.name ?? ''];
    if (step !== undefined) steps.set(String(node.name), step);
    if (!discrete.has(String(node.type))) return;
    // The seconds of an hour or a minute say nothing, and would be cut off.
    const pattern = timePattern(column);
    patterns.set(String(node.name), step === undefined ? pattern : pattern.replace(':%S', ''));
  });
  walk(spec, (node, key) => {
    const scales = key === 'axes' ? [node.scale] : key === 'legends' ? channels.map(channel => node[channel]) : [];
    for (const scale of scales) {
      const [step, format] = [steps.get(String(scale)), patterns.get(String(scale))];
      if (format !== undefined && !saysLabels(node)) Object.assign(node, { format, formatType: 'utc' });
      else if (key === 'axes' && step !== undefined && node.tickMinStep === undefined) node.tickMinStep = step;
    }
  });
}

/** Whether an axis or a legend says itself how its labels read. */
function saysLabels({ format, formatType, encode }: JsonObject): boolean {
  return format !== undefined || formatType !== undefined || JSON.stringify(encode ?? '').includes('"text"');
}

/**
 * Puts titles of columns where Vega-Lite writes field names: `orders.total` becomes `Total`, `Sum of orders.total` becomes
 * `Sum of Total`, and the time unit behind a field's name goes.
 */
export function readableTitle(columns: readonly Column[]): (title: string) => string {
  const longestFirst = [...columns].sort((a, b) => b.member.length - a.member.length);
  return title => {
    const plain = title.replaceAll('\\.', '.');
    const column = longestFirst.find(({ member }) => plain.includes(member));
    if (!column) return title;
    return plain.replace(/ \([a-z-]+\)$/, '').replace(column.member, () => columnTitle(column));
  };
}
