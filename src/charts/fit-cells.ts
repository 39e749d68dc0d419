import type { JsonObject } from '../contract/wire.js';
import { isObject, objects, walk } from './spec.js';
import { sizeSignal } from './theme.js';

/** Data set with a row for each cell. */
const cellsName = 'paCells';

/** Least size of a cell, px: what has less room than that is scrolled. */
const least = { child_width: 60, child_height: 40 };

/**
 * Cells of a facet, as Vega-Lite compiles it, share what is left of the chart's size when axes and headers have theirs: `across` and `down`
 * of `sizeSignal`, which the view sets.
 * @returns False for what is no facet, or one whose cells have sizes of their own.
 */
export function fitCells(spec: JsonObject): boolean {
  const facet = objects(spec.marks)
    .map(({ from }) => isObject(from) && from.facet)
    .find(isObject);
  const { columns } = isObject(spec.layout) ? spec.layout : {};
  if (!facet || !spec.layout || !Array.isArray(facet.groupby)) return false;
  const cells = `max(1, length(data('${cellsName}')))`;
  const given = isObject(columns) ? columns.signal : columns;
  const across = given ? `max(1, min(${given}, ${cells}))` : cells;
  const hasRows = objects(spec.data).some(({ name }) => name === 'row_domain');
  const rows = hasRows ? "length(data('row_domain'))" : `ceil(${cells} / ${across})`;
  const isShared = [
    share(spec, 'child_width', `${sizeSignal}.across / ${across}`),
    share(spec, 'child_height', `${sizeSignal}.down / max(1, ${rows})`),
  ].includes(true);
  if (!isShared) return false;
  const transform = [{ type: 'aggregate', groupby: facet.groupby }];
  spec.data = [...objects(spec.data), { name: cellsName, source: facet.data, transform }];
  return true;
}

/** Gives cells a side of so many whole px, whatever steps it was made of, and keeps headers within it. */
function share(spec: JsonObject, side: keyof typeof least, room: string): boolean {
  const signal = objects(spec.signals).find(({ name }) => name === side);
  if (!signal) return false;
  const [, step] = / \* (\w+)$/.exec(String(signal.update)) ?? [];
  walk(spec, (scale, key) => {
    const { range } = scale;
    if (!step || key !== 'scales' || !isObject(range) || !isObject(range.step)) return;
    if (range.step.signal === step) scale.range = [0, { signal: side }];
  });
  signal.update = `max(${least[side]}, floor(${room}))`;
  for (const { role, title } of objects(spec.marks)) {
    const isAlong = (role === 'row-header') === (side === 'child_height');
    if (isAlong && isObject(title)) title.limit ??= { signal: side };
  }
  return true;
}
