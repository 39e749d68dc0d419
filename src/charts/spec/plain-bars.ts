import type { JsonObject } from '../../contract/wire.js';
import { isObject, objects } from './spec.js';

const corners = ['cornerRadiusTopLeft', 'cornerRadiusTopRight', 'cornerRadiusBottomLeft', 'cornerRadiusBottomRight'];

/**
 * Simplifies bars of a single series. If bars can be stacked and have rounded ends, Vega-Lite nests each bar in two
 * groups, each with its own data flow, to clip the ends of whole stacks. A chart of 50 bars then costs as much as 50
 * charts. Without series, no clipping is needed.
 */
export function simplifyBars(spec: JsonObject): void {
  const singleSeries = new Set(
    objects(spec.data)
      .filter(hasSingleSeries)
      .map(({ name }) => name),
  );
  if (!Array.isArray(spec.marks) || singleSeries.size === 0) return;
  spec.marks = spec.marks.map(mark => (isObject(mark) ? (simplifiedBar(mark, singleSeries) ?? mark) : mark));
}

/** True for stacks without a sort order; Vega-Lite sorts stacks by series. */
function hasSingleSeries({ transform }: JsonObject): boolean {
  const stacks = objects(transform).filter(({ type }) => type === 'stack');
  return (
    stacks.length > 0 &&
    stacks.every(({ sort }) => isObject(sort) && Array.isArray(sort.field) && sort.field.length === 0)
  );
}

function simplifiedBar({ from, encode, marks }: JsonObject, singleSeries: ReadonlySet<unknown>): JsonObject | null {
  const facet = isObject(from) && isObject(from.facet) ? from.facet : {};
  if (!String(facet.name).startsWith('stack_group_') || !singleSeries.has(facet.data)) return null;
  const [inner, ...others] = objects(marks);
  const [bar, ...more] = objects(inner?.marks);
  const stack = updateOf(encode);
  const own = updateOf(bar?.encode);
  if (bar?.type !== 'rect' || others.length > 0 || more.length > 0 || !stack || !own) return null;
  const across = 'x2' in stack ? ['y', 'yc', 'height'] : ['x', 'xc', 'width'];
  const stackChannels = [...across, ...corners].filter(channel => channel in stack);
  const update = { ...own, ...Object.fromEntries(stackChannels.map(channel => [channel, stack[channel]])) };
  return { ...bar, from: { data: facet.data }, encode: { update } };
}

function updateOf(encode: unknown): JsonObject | null {
  return isObject(encode) && isObject(encode.update) ? encode.update : null;
}
