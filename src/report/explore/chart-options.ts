import type { JsonObject } from '../../contract/wire.js';
import type { OptionField, OptionName, Roles } from './visualization-options.js';

/** The earlier period that a chart shows next to its measure. */
export interface EarlierPeriod {
  /** Column of the earlier values by measure. */
  readonly columnOf: (measure: string) => string;
  /** Title of the earlier values, such as "A year earlier". */
  readonly title: string;
}

/** Applies the settings of a form to a chart with one mark. */
export function withOptions(chart: JsonObject, fields: readonly OptionField[], { groups }: Roles): JsonObject {
  const value = (name: OptionName): string => fields.find(field => field.name === name)?.value ?? '';
  const { mark: given, encoding, ...rest } = chart;
  if (!isObject(encoding)) return chart;
  const mark: JsonObject = {
    ...withPoints(isObject(given) ? given : { type: given }, value('points')),
    ...(value('hole') === 'false' && { innerRadius: 0 }),
  };
  const at = valueChannel(encoding);
  const series = isObject(encoding.color) ? encoding.color : null;
  const isGrouped = value('stack') === 'grouped' && series !== null && groups.length > 1;
  return {
    ...rest,
    mark: Object.keys(mark).length > 1 ? mark : mark.type,
    encoding: {
      ...encoding,
      ...(isGrouped && { [at === 'y' ? 'xOffset' : 'yOffset']: { field: series.field, type: 'nominal' } }),
      ...(series && { color: withLegend(series, value('legend')) }),
      [at]: withScale(encoding[at], value),
    },
  };
}

/**
 * Sets the points of a line. Automatic points are an object or missing, so that they differ from the values that users
 * and authors choose.
 */
function withPoints({ point, ...mark }: JsonObject, points: string): JsonObject {
  if (points === 'true' || points === 'false') return { ...mark, point: points === 'true' };
  if (points === 'auto') return point === true ? { ...mark, point: { filled: true } } : mark;
  return point === undefined ? mark : { ...mark, point };
}

function withScale(measure: unknown, value: (name: OptionName) => string): JsonObject {
  const [stack, title] = [value('stack'), value('axisTitle').trim()];
  return {
    ...(isObject(measure) && measure),
    ...(value('zero') === 'false' && { scale: { zero: false } }),
    ...(title && { title }),
    ...(stack === 'normalized' && { stack: 'normalize' }),
    ...(stack === 'layered' && { stack: null }),
  };
}

function withLegend(series: JsonObject, legend: string): JsonObject {
  if (legend === '' || legend === 'auto') return series;
  return { ...series, legend: legend === 'none' ? null : { orient: legend } };
}

/** Adds the values of an earlier period: dashed lines, or ticks on bars. */
export function withEarlier(chart: JsonObject, { columnOf, title }: EarlierPeriod): JsonObject {
  const { mark, encoding, ...rest } = chart;
  if (!isObject(encoding)) return chart;
  const type = isObject(mark) ? mark.type : mark;
  const at = valueChannel(encoding);
  const measure = encoding[at];
  if (at === 'theta' || !isObject(measure)) return chart;
  const before = String(measure.field).replaceAll('\\', '');
  // Omit the axis title. The legend shows the titles and would overlap it.
  const earlier = { ...measure, title: null, field: columnOf(before).replaceAll('.', '\\.') };
  const isBar = type === 'bar';
  return {
    ...rest,
    layer: [
      { mark, encoding: { ...encoding, [at]: { ...measure, title: null }, color: { datum: String(measure.title) } } },
      {
        mark: isBar ? { type: 'tick', thickness: 3 } : { type: 'line', strokeDash: [4, 4], point: false },
        encoding: { ...encoding, [at]: earlier, color: { datum: title } },
      },
    ],
  };
}

/** Returns the channel of the measure. */
function valueChannel(encoding: JsonObject): 'theta' | 'x' | 'y' {
  if (isObject(encoding.theta)) return 'theta';
  return isObject(encoding.y) && encoding.y.type === 'quantitative' ? 'y' : 'x';
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
