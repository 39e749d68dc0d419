import type { JsonObject } from '../../contract/wire.js';

/** A chart that is safe to render, or the reason for its rejection, addressed to the author. */
export type AnswerChart = { readonly chart: JsonObject } | { readonly problem: string };

/** Reads one value; returns `undefined` to omit it. */
type Read = (value: unknown) => unknown;

const maxLayers = 6;
const maxNames = 100;
const maxTextLength = 200;

const oneOf =
  (...allowed: readonly unknown[]): Read =>
  value =>
    allowed.includes(value) ? value : undefined;
const flag = oneOf(true, false);
const text: Read = value => (typeof value === 'string' ? value.slice(0, maxTextLength) : undefined);
const title: Read = value => (value === null ? null : text(value));
const number =
  (min: number, max: number): Read =>
  value =>
    typeof value === 'number' && value >= min && value <= max ? value : undefined;
/** Reads a d3 format. Limits its width and precision, because a large value would produce a long string. */
const format: Read = value =>
  typeof value === 'string' && /^(?!.*\d{3})[^\\<>]{1,32}$/.test(value) ? value : undefined;
const color: Read = value =>
  typeof value === 'string' && /^(#[\da-f]{3,8}|[a-z]{3,20})$/i.test(value) ? value : undefined;
const either =
  (...reads: readonly Read[]): Read =>
  value =>
    reads.map(read => read(value)).find(read => read !== undefined);
const record =
  (fields: Readonly<Record<string, Read>>): Read =>
  value => {
    if (!isRecord(value)) return undefined;
    const entries = Object.entries(fields).map(([key, read]) => [
      key,
      Object.hasOwn(value, key) ? read(value[key]) : undefined,
    ]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  };

const markType = oneOf('bar', 'line', 'area', 'point', 'circle', 'square', 'tick', 'rect', 'arc', 'text', 'rule');
const mark = either(
  markType,
  record({
    type: markType,
    tooltip: flag,
    point: flag,
    line: flag,
    filled: flag,
    interpolate: oneOf('linear', 'monotone', 'step', 'step-after', 'step-before'),
    orient: oneOf('horizontal', 'vertical'),
    opacity: number(0, 1),
    size: number(1, 500),
    strokeWidth: number(0, 10),
    cornerRadius: number(0, 20),
    cornerRadiusEnd: number(0, 20),
    innerRadius: number(0, 200),
    color,
    align: oneOf('left', 'center', 'right'),
    baseline: oneOf('top', 'middle', 'bottom'),
    dx: number(-100, 100),
    dy: number(-100, 100),
  }),
);

const aggregate = oneOf('count', 'sum', 'mean', 'average', 'median', 'min', 'max', 'distinct');
const units = [
  'year',
  'quarter',
  'month',
  'week',
  'day',
  'date',
  'hours',
  'yearquarter',
  'yearmonth',
  'yearmonthdate',
  'monthdate',
];
const order = oneOf('ascending', 'descending', null);

/** Properties of a channel other than its field. */
const channelFields: Readonly<Record<string, Read>> = {
  type: oneOf('quantitative', 'temporal', 'ordinal', 'nominal'),
  aggregate,
  timeUnit: oneOf(...units, ...units.map(unit => `utc${unit}`)),
  bin: flag,
  stack: oneOf(true, false, null, 'zero', 'normalize', 'center'),
  title,
  format,
  value: either(color, number(0, 1000), flag),
  datum: text,
  axis: either(
    oneOf(null),
    record({
      title,
      format,
      grid: flag,
      labels: flag,
      ticks: flag,
      labelAngle: number(-90, 90),
      orient: oneOf('left', 'right', 'top', 'bottom'),
    }),
  ),
  legend: either(oneOf(null), record({ title, format, orient: oneOf('left', 'right', 'top', 'bottom', 'none') })),
  scale: either(
    oneOf(null),
    record({
      type: oneOf('linear', 'log', 'sqrt', 'symlog', 'time', 'utc', 'ordinal', 'band', 'point'),
      zero: flag,
      reverse: flag,
      scheme: either(color),
    }),
  ),
};

const resolution = oneOf('shared', 'independent');
/** Reads whether layers share their scales, with the axes and legends of these. */
const resolve = record({
  scale: record({ x: resolution, y: resolution, color: resolution }),
  axis: record({ x: resolution, y: resolution }),
  legend: record({ color: resolution }),
});

const channels = [
  'x',
  'y',
  'x2',
  'y2',
  'xOffset',
  'yOffset',
  'theta',
  'radius',
  'color',
  'fill',
  'stroke',
  'opacity',
  'size',
  'shape',
  'strokeDash',
  'detail',
  'order',
  'text',
  'tooltip',
] as const;

const allowedKeys: ReadonlySet<string> = new Set([
  '$schema',
  'title',
  'description',
  'mark',
  'encoding',
  'layer',
  'resolve',
  'width',
  'height',
  'autosize',
  'background',
  'padding',
  'config',
  'data',
  'datasets',
  'name',
  'usermeta',
  'bounds',
]);

/**
 * Reduces a chart that an agent wrote to a safe subset of Vega-Lite: marks and encodings, with every part checked
 * against an allowlist. An agent can repeat content of the data, so its charts are less trusted than those of a
 * report's author: an expression, a transform or a step of one billionth could block the page.
 * @param members The columns of its rows.
 */
export function readAnswerChart(spec: JsonObject, members: readonly string[]): AnswerChart {
  const unknown = Object.keys(spec).find(key => !allowedKeys.has(key));
  if (unknown !== undefined) {
    return {
      problem: `${text(unknown)} is not supported in this chart: use mark, encoding and layer, and compute everything else in the query.`,
    };
  }
  try {
    const layers = Array.isArray(spec.layer) ? spec.layer.slice(0, maxLayers) : null;
    const top = omitUndefined({ title: title(spec.title), description: text(spec.description) });
    if (!layers) return { chart: { ...top, ...readUnit(spec, members) } };
    const shared = isRecord(spec.encoding) ? { encoding: readEncoding(spec.encoding, members) } : {};
    const units = layers.map(layer => readUnit(isRecord(layer) ? layer : {}, members));
    return { chart: { ...top, ...shared, layer: units, ...omitUndefined({ resolve: resolve(spec.resolve) }) } };
  } catch (error) {
    if (error instanceof UnsupportedPart) return { problem: error.message };
    throw error;
  }
}

class UnsupportedPart extends Error {}

function readUnit(unit: JsonObject, members: readonly string[]): JsonObject {
  const markValue = mark(unit.mark);
  const isTyped = typeof markValue === 'string' || (isRecord(markValue) && markValue.type !== undefined);
  if (!isTyped)
    throw new UnsupportedPart(
      'mark must be one of bar, line, area, point, circle, square, tick, rect, arc, text and rule.',
    );
  return { mark: markValue, encoding: isRecord(unit.encoding) ? readEncoding(unit.encoding, members) : {} };
}

function readEncoding(encoding: JsonObject, members: readonly string[]): JsonObject {
  const read = (value: unknown): unknown => (isRecord(value) ? readChannel(value, members) : undefined);
  return omitUndefined(
    Object.fromEntries(
      channels.map(channel => {
        const value = Object.hasOwn(encoding, channel) ? encoding[channel] : undefined;
        return [channel, Array.isArray(value) ? value.slice(0, maxNames).map(read).filter(Boolean) : read(value)];
      }),
    ),
  );
}

function readChannel(channel: JsonObject, members: readonly string[]): JsonObject {
  const rest = record(channelFields)(channel);
  return omitUndefined({
    ...(isRecord(rest) ? rest : {}),
    field: readField(channel.field, members),
    sort: readSort(channel.sort, members),
  });
}

/** Returns a column as a Vega field. Its dots are escaped, because they would mean nesting. */
function readField(field: unknown, members: readonly string[]): string | undefined {
  if (typeof field !== 'string') return undefined;
  const member = field.replaceAll('\\.', '.');
  if (!members.includes(member)) throw new UnsupportedPart(`the field ${text(member)} is not a column of the query.`);
  return member.replaceAll('.', '\\.');
}

function readSort(sort: unknown, members: readonly string[]): unknown {
  if (Array.isArray(sort))
    return sort.slice(0, maxNames).filter(name => typeof name === 'string' || typeof name === 'number');
  if (typeof sort === 'string' && /^-?(x|y|color|size)$/.test(sort)) return sort;
  if (!isRecord(sort)) return order(sort);
  return omitUndefined({ field: readField(sort.field, members), op: aggregate(sort.op), order: order(sort.order) });
}

function omitUndefined(record: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Whether a chart shows the distribution of all rows, as points or in bins. Such a chart would be misleading if it
 * showed only the first rows.
 */
export function showsDistribution(spec: JsonObject | null): boolean {
  if (spec === null) return false;
  const mark = isRecord(spec.mark) ? spec.mark.type : spec.mark;
  if (mark === 'point' || mark === 'circle') return true;
  const channels = isRecord(spec.encoding) ? Object.values(spec.encoding) : [];
  return channels.some(channel => isRecord(channel) && channel.bin !== undefined && channel.bin !== false);
}
