import type { JsonObject } from '../../contract/wire.js';
import { isObject, objects } from './spec.js';

const corners = ['cornerRadiusTopLeft', 'cornerRadiusTopRight', 'cornerRadiusBottomLeft', 'cornerRadiusBottomRight'];

/**
 * Draws bars of one series as bars. Where bars might be stacked and have round ends, Vega-Lite puts each into two groups of its own, with a
 * data flow apiece, so that the ends of whole stacks can be cut: a chart of 50 bars costs as much as 50 charts. Without series there is
 * nothing to cut.
 */
export function simplifyBars(spec: JsonObject): void {
  const unparted = new Set(
    objects(spec.data)
      .filter(isUnparted)
      .map(({ name }) => name),
  );
  if (!Array.isArray(spec.marks) || unparted.size === 0) return;
  spec.marks = spec.marks.map(mark => (isObject(mark) ? (simplifiedBar(mark, unparted) ?? mark) : mark));
}

/** True for data whose stacks have no order: a series would have given them one. */
function isUnparted({ transform }: JsonObject): boolean {
  const stacks = objects(transform).filter(({ type }) => type === 'stack');
  return (
    stacks.length > 0 &&
    stacks.every(({ sort }) => isObject(sort) && Array.isArray(sort.field) && sort.field.length === 0)
  );
}

function simplifiedBar({ from, encode, marks }: JsonObject, unparted: ReadonlySet<unknown>): JsonObject | null {
  const facet = isObject(from) && isObject(from.facet) ? from.facet : {};
  if (!String(facet.name).startsWith('stack_group_') || !unparted.has(facet.data)) return null;
  const [inner, ...others] = objects(marks);
  const [bar, ...more] = objects(inner?.marks);
  const stack = updateOf(encode);
  const own = updateOf(bar?.encode);
  if (bar?.type !== 'rect' || others.length > 0 || more.length > 0 || !stack || !own) return null;
  const across = 'x2' in stack ? ['y', 'yc', 'height'] : ['x', 'xc', 'width'];
  const kept = [...across, ...corners].filter(channel => channel in stack);
  const update = { ...own, ...Object.fromEntries(kept.map(channel => [channel, stack[channel]])) };
  return { ...bar, from: { data: facet.data }, encode: { update } };
}

function updateOf(encode: unknown): JsonObject | null {
  return isObject(encode) && isObject(encode.update) ? encode.update : null;
}
