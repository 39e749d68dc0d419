import type { Column, RowSet } from '../../contract/row-set.js';
import {
  downsampleLine,
  downsamplePoints,
  extremesOf,
  isAscending,
  numberSeries,
  orderOf,
  type Points,
  RowSelection,
} from '../../report/chart/downsample.js';
import { columnNumbers, maxFullRows } from '../chart-rows.js';
import type { DownsamplingPlan } from './downsampling-plan.js';

export { planDownsampling } from './downsampling-plan.js';

/**
 * Maximum number of points that are rendered individually. Beyond it, one point represents all points in its grid cell.
 */
const maxPoints = 10_000;
/** Maximum number of distinct values in a text column; the scale needs a row for each of them. */
const maxCategories = 1_000;

/** The scales and size of the plot area. */
export interface PlotGeometry {
  /** Returns a scale of the view by name; a scale maps a value to px within the plot. */
  readonly scale: (name: string) => (value: number) => number;
  /** Left edge of the plot, px from the left edge of the drawing. */
  readonly left: number;
  /** Width of the plot, px. */
  readonly width: number;
  readonly height: number;
  /** Device pixels per CSS px. */
  readonly ratio: number;
}

/** Positions of the marks of all rows, with one `y` for each line or layer. */
interface PlacedRows {
  readonly x: Float64Array;
  readonly y: readonly Float64Array[];
}

/** Selects the rows that a downsampled chart renders. */
export class RowDownsampler {
  readonly #plan: DownsamplingPlan;
  readonly #total: number;
  readonly #x: Float64Array;
  readonly #y: readonly Float64Array[];
  readonly #series: Uint32Array | null;
  readonly #seriesCount: number;
  readonly #order: Uint32Array | null;
  /** Rows that give scales, axes and legends the same domains as all rows. */
  readonly domainRows: Uint32Array;

  private constructor(plan: DownsamplingPlan, rowSet: RowSet, { x, y }: PlacedRows, domainRows: Uint32Array) {
    this.#plan = plan;
    this.#total = rowSet.rows.length;
    this.#x = x;
    this.#y = y;
    const { numbers, count } = seriesOf(plan, rowSet);
    this.#series = numbers;
    this.#seriesCount = count;
    this.#order = plan.kind === 'points' || this.#isInOrder() ? null : orderOf(x);
    this.domainRows = domainRows;
  }

  /** True if a rendered point represents the points that it would cover. */
  get isPoints(): boolean {
    return this.#plan.kind === 'points';
  }

  /** Returns `null` if all rows must be rendered: there are few of them, or a subset would look different. */
  static of(plan: DownsamplingPlan, rowSet: RowSet): RowDownsampler | null {
    if (rowSet.rows.length <= (plan.kind === 'line' ? maxFullRows : maxPoints)) return null;
    const placed = {
      x: columnNumbers(rowSet, plan.x.column),
      y: plan.y.map(({ column }) => columnNumbers(rowSet, column)),
    };
    const domainRows = domainRowsOf(plan, rowSet, placed);
    if (!domainRows) return null;
    const made = new RowDownsampler(plan, rowSet, placed, domainRows);
    return made.#isSupported() ? made : null;
  }

  /** Returns a subset of the rows that looks like all rows at this plot size. */
  rowsFor(place: PlotGeometry): Uint32Array {
    const selection = new RowSelection(this.#total);
    for (const index of this.domainRows) selection.add(index);
    const scale = place.scale(this.#plan.x.scale);
    for (const [layer, y] of this.#y.entries()) {
      const points: Points = { x: this.#x, y, series: this.#series };
      if (this.#plan.kind === 'line') {
        const columnAt = (x: number) => Math.floor((scale(x) + place.left) * place.ratio);
        downsampleLine(points, columnAt, selection, { order: this.#order, seriesCount: this.#seriesCount });
      } else {
        const along = place.scale(this.#plan.y[layer]?.scale ?? '');
        const placed = { x: this.#x.map(scale), y: y.map(along), series: this.#series };
        const max = Math.ceil((maxPoints - this.domainRows.length) / this.#y.length);
        downsamplePoints(placed, selection, {
          width: place.width,
          height: place.height,
          max,
          seriesCount: this.#seriesCount,
        });
      }
    }
    return selection.list();
  }

  #isInOrder(): boolean {
    return isAscending({ x: this.#x, y: this.#x, series: this.#series }, this.#seriesCount);
  }

  #isSupported(): boolean {
    const { kind, sorts, stacks } = this.#plan;
    if (kind === 'line' && !sorts && this.#order) return false;
    if (!stacks) return true;
    let last = Number.NaN;
    for (let step = 0; step < this.#total; step++) {
      const at = this.#x[this.#order?.[step] ?? step] ?? Number.NaN;
      if (at === last) return false;
      last = at;
    }
    return true;
  }
}

function seriesOf(plan: DownsamplingPlan, rowSet: RowSet): { numbers: Uint32Array | null; count: number } {
  if (plan.series.length === 0) return { numbers: null, count: 1 };
  return numberSeries(
    rowSet.rows.length,
    plan.series.map(
      ({ member }) =>
        row =>
          rowSet.rows[row]?.[member] ?? null,
    ),
  );
}

/**
 * Returns the rows with the minimum and maximum of each number, and one row for each category. `null` if there are too
 * many categories.
 */
function domainRowsOf(plan: DownsamplingPlan, rowSet: RowSet, { x, y }: PlacedRows): Uint32Array | null {
  const selection = new RowSelection(rowSet.rows.length);
  const addExtremes = (values: Float64Array) => {
    const { low, high } = extremesOf(values);
    selection.add(low);
    selection.add(high);
  };
  addExtremes(x);
  for (const values of y) {
    addExtremes(values);
    // Exclude rows that have no position on the other axis, because scales ignore them.
    addExtremes(x.map((at, row) => (Number.isNaN(values[row] ?? Number.NaN) ? Number.NaN : at)));
    addExtremes(values.map((value, row) => (Number.isNaN(x[row] ?? Number.NaN) ? Number.NaN : value)));
  }
  const hasPlace = (row: number) =>
    y.some(values => !Number.isNaN((x[row] ?? Number.NaN) + (values[row] ?? Number.NaN)));
  for (const column of new Set([...plan.series, ...plan.domains])) {
    const { type } = column.annotation;
    if (type === 'number' || type === 'time') addExtremes(columnNumbers(rowSet, column));
    else if (!addCategories(column, rowSet, selection, hasPlace)) return null;
  }
  return selection.list();
}

/**
 * Selects the first row of each category, and its first row with a position if that is a later one. Returns false if
 * there are too many categories.
 */
function addCategories(
  { member }: Column,
  { rows }: RowSet,
  selection: RowSelection,
  hasPlace: (row: number) => boolean,
): boolean {
  const names = new Map<unknown, boolean>();
  for (let row = 0; row < rows.length; row++) {
    const name = rows[row]?.[member] ?? null;
    const drawn = names.get(name);
    if (drawn === true || (drawn === false && !hasPlace(row))) continue;
    if (names.size === maxCategories) return false;
    names.set(name, hasPlace(row));
    selection.add(row);
  }
  return true;
}
