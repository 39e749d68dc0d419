import type { JsonObject } from '../../contract/wire.js';
import { ChartError, ChartErrorCode } from '../chart-error.js';
import { isObject } from './spec.js';

/** Maximum number of views in a specification, including layers and repeated views. */
const maxViews = 300;
const maxDepth = 60;

/**
 * Limits the number of views of a Vega-Lite specification before it is compiled, because each view takes about one
 * millisecond.
 * @throws ChartError if there are more than `maxViews`.
 */
export function checkViewCount(spec: JsonObject): void {
  if (countViews(spec, 1, 0) > maxViews) {
    throw new ChartError(
      ChartErrorCode.tooLarge,
      `The chart specification has more than ${maxViews} views. Use fewer layers, and fewer concatenated or repeated views.`,
    );
  }
}

function countViews(value: unknown, times: number, depth: number): number {
  if (depth > maxDepth) return 0;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + countViews(item, times, depth + 1), 0);
  if (!isObject(value)) return 0;
  const own = 'mark' in value ? times : 0;
  const inside = times * repeats(value.repeat);
  return Object.entries(value).reduce(
    (sum, [key, child]) => (key === 'data' || key === 'datasets' ? sum : sum + countViews(child, inside, depth + 1)),
    own,
  );
}

/** Returns how often `repeat` repeats its view: by a list, or by lists for rows, columns and layers. */
function repeats(repeat: unknown): number {
  if (Array.isArray(repeat)) return repeat.length;
  if (!isObject(repeat)) return 1;
  return Object.values(repeat).reduce((product: number, list) => product * (Array.isArray(list) ? list.length : 1), 1);
}
