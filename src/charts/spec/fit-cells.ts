// This module is only imported dynamically, because few charts are facets.
import type { View } from 'vega';
import type { JsonObject } from '../../contract/wire.js';
import { sizeSignal } from '../theme.js';
import { type ChartSize, edge } from './prepare.js';
import { isObject, objects, walk } from './spec.js';

/** Data set with one row per cell. */
const cellsName = 'paCells';

/** Minimum size of a cell, px. A chart with smaller cells is scrolled. */
const minSize = { child_width: 60, child_height: 40 };

/**
 * Distributes the space that axes and headers do not use to the cells of a facet that Vega-Lite compiled. `fillCells`
 * sets the size of a cell as `across` and `down` of `sizeSignal`.
 * @returns False if the specification is not a facet or sets cell sizes.
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

/** Difference between the computed and the rendered size of a facet, px. */
const rounding = 3;

/**
 * Runs a view until its cells fill the available space. The space of axes and headers is known only after a run, so up
 * to three runs are needed.
 */
export async function fillCells(view: View, { width, height }: ChartSize): Promise<void> {
  // Vega exposes the total size only in these private fields.
  const measuredView: View & { readonly _viewWidth?: number; readonly _viewHeight?: number } = view;
  let [across, down, isFitting] = [width, height, false];
  for (let run = 0; run < 3 && !isFitting; run++) {
    await view.resize().signal(sizeSignal, { width, height, across, down }).runAsync();
    const freeWidth = width - edge.left - edge.right - (measuredView._viewWidth ?? 0);
    const freeHeight = height - edge.top - edge.bottom - (measuredView._viewHeight ?? 0);
    isFitting = freeWidth >= 0 && freeHeight >= 0;
    across += freeWidth - rounding;
    down += freeHeight - rounding;
  }
}

/** Sets one side of the cells to whole px, even if it was defined by a band step, and limits headers to it. */
function share(spec: JsonObject, side: keyof typeof minSize, cellSize: string): boolean {
  const signal = objects(spec.signals).find(({ name }) => name === side);
  if (!signal) return false;
  const [, step] = / \* (\w+)$/.exec(String(signal.update)) ?? [];
  walk(spec, (scale, key) => {
    const { range } = scale;
    if (!step || key !== 'scales' || !isObject(range) || !isObject(range.step)) return;
    if (range.step.signal === step) scale.range = [0, { signal: side }];
  });
  signal.update = `max(${minSize[side]}, floor(${cellSize}))`;
  for (const { role, title } of objects(spec.marks)) {
    const isAlong = (role === 'row-header') === (side === 'child_height');
    if (isAlong && isObject(title)) title.limit ??= { signal: side };
  }
  return true;
}
