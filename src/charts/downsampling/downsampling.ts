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

/** Most points that are drawn one by one; of more, one stands for those in its cell. */
const maxPoints = 10_000;
/** Values of a column in words, of which each must be seen by its scale. */
const maxNames = 1_000;

/** What the view says of the place on which it draws. */
export interface Place {
  /** A scale of the view, by name: from a value to px of the plot. */
  readonly scale: (name: string) => (value: number) => number;
  /** Where the plot begins, px of the drawing. */
  readonly left: number;
  /** Size of the plot, px. */
  readonly width: number;
  readonly height: number;
  /** Device pixels of one px. */
  readonly ratio: number;
}

/** What places the marks of all rows: one `y` for each line or layer. */
interface PlacedRows {
  readonly x: Float64Array;
  readonly y: readonly Float64Array[];
}

/** The rows of a chart that is drawn from a part of them. */
export class RowDownsampler {
  readonly #plan: DownsamplingPlan;
  readonly #total: number;
  readonly #x: Float64Array;
  readonly #y: readonly Float64Array[];
  readonly #series: Uint32Array | null;
  readonly #seriesCount: number;
  readonly #order: Uint32Array | null;
  /** Rows from which scales, axes and legends come out as they do from all. */
  readonly corners: Uint32Array;

  private constructor(plan: DownsamplingPlan, rowSet: RowSet, { x, y }: PlacedRows, corners: Uint32Array) {
    this.#plan = plan;
    this.#total = rowSet.rows.length;
    this.#x = x;
    this.#y = y;
    const { numbers, count } = seriesOf(plan, rowSet);
    this.#series = numbers;
    this.#seriesCount = count;
    this.#order = plan.kind === 'points' || this.#isInOrder() ? null : orderOf(x);
    this.corners = corners;
  }

  /** Whether points stand for others that they would cover. */
  get isOfPoints(): boolean {
    return this.#plan.kind === 'points';
  }

  /** Null where all rows are drawn: there are few, or a part would not look the same. */
  static of(plan: DownsamplingPlan, rowSet: RowSet): RowDownsampler | null {
    if (rowSet.rows.length <= (plan.kind === 'line' ? maxFullRows : maxPoints)) return null;
    const placed = {
      x: columnNumbers(rowSet, plan.x.column),
      y: plan.y.map(({ column }) => columnNumbers(rowSet, column)),
    };
    const corners = cornersOf(plan, rowSet, placed);
    if (!corners) return null;
    const made = new RowDownsampler(plan, rowSet, placed, corners);
    return made.#isSound() ? made : null;
  }

  /** Rows that look like all of them at this place. */
  rowsFor(place: Place): Uint32Array {
    const kept = new RowSelection(this.#total);
    for (const index of this.corners) kept.keep(index);
    const scale = place.scale(this.#plan.x.scale);
    for (const [layer, y] of this.#y.entries()) {
      const points: Points = { x: this.#x, y, series: this.#series };
      if (this.#plan.kind === 'line') {
        const columnAt = (x: number) => Math.floor((scale(x) + place.left) * place.ratio);
        downsampleLine(points, columnAt, kept, { order: this.#order, seriesCount: this.#seriesCount });
      } else {
        const along = place.scale(this.#plan.y[layer]?.scale ?? '');
        const placed = { x: this.#x.map(scale), y: y.map(along), series: this.#series };
        const most = Math.ceil((maxPoints - this.corners.length) / this.#y.length);
        downsamplePoints(placed, kept, {
          width: place.width,
          height: place.height,
          most,
          seriesCount: this.#seriesCount,
        });
      }
    }
    return kept.list();
  }

  #isInOrder(): boolean {
    return isAscending({ x: this.#x, y: this.#x, series: this.#series }, this.#seriesCount);
  }

  #isSound(): boolean {
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

/** The least and the greatest of every number, and one row for every name. Null where there are too many names. */
function cornersOf(plan: DownsamplingPlan, rowSet: RowSet, { x, y }: PlacedRows): Uint32Array | null {
  const kept = new RowSelection(rowSet.rows.length);
  const keepEnds = (values: Float64Array) => {
    const { low, high } = extremesOf(values);
    kept.keep(low);
    kept.keep(high);
  };
  keepEnds(x);
  for (const values of y) {
    keepEnds(values);
    // A row without a place is left out of the domain of the other axis too.
    keepEnds(x.map((at, row) => (Number.isNaN(values[row] ?? Number.NaN) ? Number.NaN : at)));
    keepEnds(values.map((value, row) => (Number.isNaN(x[row] ?? Number.NaN) ? Number.NaN : value)));
  }
  const hasPlace = (row: number) =>
    y.some(values => !Number.isNaN((x[row] ?? Number.NaN) + (values[row] ?? Number.NaN)));
  for (const column of new Set([...plan.series, ...plan.domains])) {
    const { type } = column.annotation;
    if (type === 'number' || type === 'time') keepEnds(columnNumbers(rowSet, column));
    else if (!keepNames(column, rowSet, kept, hasPlace)) return null;
  }
  return kept.list();
}

/** Keeps the first row of every name, and the first that is drawn. */
function keepNames(
  { member }: Column,
  { rows }: RowSet,
  kept: RowSelection,
  hasPlace: (row: number) => boolean,
): boolean {
  const names = new Map<unknown, boolean>();
  for (let row = 0; row < rows.length; row++) {
    const name = rows[row]?.[member] ?? null;
    const drawn = names.get(name);
    if (drawn === true || (drawn === false && !hasPlace(row))) continue;
    if (names.size === maxNames) return false;
    names.set(name, hasPlace(row));
    kept.keep(row);
  }
  return true;
}
