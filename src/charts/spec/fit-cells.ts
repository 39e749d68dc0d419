// Loaded by dynamic import alone: few charts are facets.
import type { View } from 'vega';
import type { JsonObject } from '../../contract/wire.js';
import { sizeSignal } from '../theme.js';
import { type ChartSize, edge } from './prepare.js';
import { isObject, objects, walk } from './spec.js';

/** Data set with a row for each cell. */
const cellsName = 'paCells';

/** Least size of a cell, px: what has less room than that is scrolled. */
const least = { child_width: 60, child_height: 40 };

/**
 * Cells of a facet, as Vega-Lite compiles it, share what is left of the chart's size when axes and headers have theirs: `across` and `down`
 * of `sizeSignal`, which `fillCells` sets.
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

/** By so much a facet turns out larger than it was reckoned to be, px. */
const rounding = 3;

/** Runs a view so that its cells have what is left; how much other parts take is known once they are drawn, or twice. */
export async function fillCells(view: View, { width, height }: ChartSize): Promise<void> {
  // Vega says nowhere else how large the whole is.
  const drawn: View & { readonly _viewWidth?: number; readonly _viewHeight?: number } = view;
  let [across, down, isWhole] = [width, height, false];
  for (let run = 0; run < 3 && !isWhole; run++) {
    await view.resize().signal(sizeSignal, { width, height, across, down }).runAsync();
    const beside = width - edge.left - edge.right - (drawn._viewWidth ?? 0);
    const below = height - edge.top - edge.bottom - (drawn._viewHeight ?? 0);
    isWhole = beside >= 0 && below >= 0;
    across += beside - rounding;
    down += below - rounding;
  }
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
