import type { JsonObject } from '../../contract/wire.js';
import type { OptionField, OptionName, Roles } from './look-options.js';

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
  const mark: JsonObject = isObject(given) ? { ...given } : { type: given };
  const channels: Record<string, unknown> = { ...encoding };
  const at = valueChannel(encoding);
  const measure = isObject(encoding[at]) ? { ...encoding[at] } : {};
  const [points, stack, title, legend] = [value('points'), value('stack'), value('axisTitle').trim(), value('legend')];
  if (points === 'true' || points === 'false') mark.point = points === 'true';
  if (value('zero') === 'false') measure.scale = { zero: false };
  if (value('hole') === 'false') mark.innerRadius = 0;
  if (title) measure.title = title;
  if (stack === 'normalized') measure.stack = 'normalize';
  if (stack === 'layered') measure.stack = null;
  const series = isObject(encoding.color) ? encoding.color : null;
  if (stack === 'grouped' && series && groups.length > 1) {
    channels[at === 'y' ? 'xOffset' : 'yOffset'] = { field: series.field, type: 'nominal' };
  }
  if (series && legend && legend !== 'auto') {
    channels.color = { ...series, legend: legend === 'none' ? null : { orient: legend } };
  }
  return { ...rest, mark: Object.keys(mark).length > 1 ? mark : mark.type, encoding: { ...channels, [at]: measure } };
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
  const earlier = { ...measure, field: columnOf(before).replaceAll('.', '\\.') };
  const isBar = type === 'bar';
  return {
    ...rest,
    layer: [
      { mark, encoding: { ...encoding, color: { datum: String(measure.title) } } },
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
