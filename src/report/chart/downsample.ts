import { compareByOrder } from '../format/compare.js';

/** Points in row order: one number per row, NaN if the row has none. */
export interface Points {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Zero-based series of each point; `null` if there is one series. */
  readonly series: Uint32Array | null;
}

/** Series numbers of rows, in order of first occurrence. */
export interface SeriesNumbers {
  readonly numbers: Uint32Array;
  readonly count: number;
}

/** A set of row indices that is listed in ascending order. */
export class RowSelection {
  readonly #selected: Uint8Array;

  constructor(readonly total: number) {
    this.#selected = new Uint8Array(total);
  }

  /** Adds a row; ignores -1. */
  add(index: number): void {
    if (index >= 0) this.#selected[index] = 1;
  }

  /** Returns the indices of the selected rows in ascending order. */
  list(): Uint32Array {
    let count = 0;
    for (const isSelected of this.#selected) count += isSelected;
    const list = new Uint32Array(count);
    let next = 0;
    for (let index = 0; index < this.total; index++) if (this.#selected[index]) list[next++] = index;
    return list;
  }
}

/** True if `x` never decreases within a series. Skips rows without an `x`. */
export function isAscending({ x, series }: Points, seriesCount: number): boolean {
  const last = new Float64Array(seriesCount).fill(Number.NEGATIVE_INFINITY);
  for (let row = 0; row < x.length; row++) {
    const at = x[row] ?? Number.NaN;
    const of = series?.[row] ?? 0;
    if (at < (last[of] ?? 0)) return false;
    if (!Number.isNaN(at)) last[of] = at;
  }
  return true;
}

/** Returns the rows in ascending order of `x`, in row order if `x` is equal. Rows without an `x` come last. */
export function orderOf(x: Float64Array): Uint32Array {
  const order = Uint32Array.from(x.keys());
  const at = (row: number): number => {
    const value = x[row] ?? Number.NaN;
    return Number.isNaN(value) ? Number.POSITIVE_INFINITY : value;
  };
  return order.sort((a, b) => {
    return compareByOrder(at(a), at(b)) || a - b;
  });
}

/**
 * Selects the rows that give a line the same appearance as all rows: for each series and pixel column the first, last,
 * lowest and highest point, and a row without a value if the line has a gap that is wider than a pixel column.
 * @param columnAt Returns the pixel column in which an `x` is drawn.
 * @param order Rows in ascending order of `x`; `null` if the rows are already in this order.
 */
export function downsampleLine(
  points: Points,
  columnAt: (x: number) => number,
  selection: RowSelection,
  { order, seriesCount }: { readonly order: Uint32Array | null; readonly seriesCount: number },
): void {
  const { x, y, series } = points;
  const open = new OpenColumns(y, selection, seriesCount);
  for (let step = 0; step < x.length; step++) {
    const row = order?.[step] ?? step;
    const at = x[row] ?? Number.NaN;
    if (Number.isNaN(at)) continue;
    open.add(row, series?.[row] ?? 0, columnAt(at));
  }
  open.close();
}

/** The current pixel column of each series, and the rows selected for it so far. */
class OpenColumns {
  readonly #column: Float64Array;
  readonly #first: Int32Array;
  readonly #low: Int32Array;
  readonly #high: Int32Array;
  readonly #last: Int32Array;
  readonly #gap: Int32Array;

  constructor(
    private readonly y: Float64Array,
    private readonly selection: RowSelection,
    private readonly count: number,
  ) {
    const none = () => new Int32Array(count).fill(-1);
    this.#column = new Float64Array(count).fill(Number.NaN);
    this.#first = none();
    this.#low = none();
    this.#high = none();
    this.#last = none();
    this.#gap = none();
  }

  add(row: number, of: number, column: number): void {
    const value = this.y[row] ?? Number.NaN;
    if (Number.isNaN(value)) {
      if (this.#gap[of] === -1) this.#gap[of] = row;
      return;
    }
    if (column === this.#column[of]) {
      if (value < (this.y[this.#low[of] ?? 0] ?? 0)) this.#low[of] = row;
      if (value > (this.y[this.#high[of] ?? 0] ?? 0)) this.#high[of] = row;
    } else {
      this.#closeOne(of);
      this.selection.add(this.#gap[of] ?? -1);
      this.#column[of] = column;
      this.#first[of] = row;
      this.#low[of] = row;
      this.#high[of] = row;
    }
    this.#last[of] = row;
    this.#gap[of] = -1;
  }

  close(): void {
    for (let of = 0; of < this.count; of++) this.#closeOne(of);
  }

  #closeOne(of: number): void {
    for (const rows of [this.#first, this.#low, this.#high, this.#last]) this.selection.add(rows[of] ?? -1);
  }
}

/** Points within this distance cover each other, px. */
const minCellSize = 2;
/** Maximum number of cells for a flat array; a map is used for more. */
const maxFlatCells = 4_000_000;

/**
 * Selects one point for each grid cell and series: the last, which is drawn on top. Cells grow until at most `max`
 * points are selected. Positions are in px; points without a position are omitted.
 */
export function downsamplePoints(
  { x, y, series }: Points,
  selection: RowSelection,
  bounds: { readonly width: number; readonly height: number; readonly max: number; readonly seriesCount: number },
): void {
  const { width, height, max, seriesCount } = bounds;
  for (let size = minCellSize; ; size *= Math.SQRT2) {
    const across = Math.ceil(width / size) + 2;
    const cells = across * (Math.ceil(height / size) + 2) * seriesCount;
    const last = new LastRows(cells);
    for (let row = 0; row < x.length && last.count <= max; row++) {
      const column = clamp(Math.floor((x[row] ?? Number.NaN) / size) + 1, across - 1);
      const line = clamp(Math.floor((y[row] ?? Number.NaN) / size) + 1, cells);
      const cell = (line * across + column) * seriesCount + (series?.[row] ?? 0);
      if (!Number.isNaN(cell)) last.set(Math.min(cell, cells - 1), row);
    }
    if (last.count > max && size < width + height) continue;
    for (const row of last.rows()) selection.add(row);
    return;
  }
}

/** The last row of each cell. */
class LastRows {
  readonly #flat: Int32Array | null;
  readonly #map = new Map<number, number>();
  #count = 0;

  constructor(cells: number) {
    this.#flat = cells <= maxFlatCells ? new Int32Array(cells).fill(-1) : null;
  }

  get count(): number {
    return this.#flat ? this.#count : this.#map.size;
  }

  set(cell: number, row: number): void {
    if (!this.#flat) {
      this.#map.set(cell, row);
      return;
    }
    if (this.#flat[cell] === -1) this.#count++;
    this.#flat[cell] = row;
  }

  rows(): Iterable<number> {
    return this.#flat ?? this.#map.values();
  }
}

function clamp(value: number, max: number): number {
  return Math.max(0, Math.min(value, max));
}

/** Returns the rows with the minimum and the maximum; -1 if there are no numbers. */
export function extremesOf(values: Float64Array): { readonly low: number; readonly high: number } {
  let [low, high] = [-1, -1];
  for (let row = 0; row < values.length; row++) {
    const value = values[row] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    if (low < 0 || value < (values[low] ?? 0)) low = row;
    if (high < 0 || value > (values[high] ?? 0)) high = row;
  }
  return { low, high };
}

/** Numbers the series of rows by the values of columns, each given as a function. */
export function numberSeries(total: number, columns: readonly ((row: number) => unknown)[]): SeriesNumbers {
  const numbers = new Uint32Array(total);
  const [only] = columns;
  const keyOf =
    columns.length === 1 && only ? only : (row: number) => JSON.stringify(columns.map(cellAt => cellAt(row)));
  const numberByKey = new Map<unknown, number>();
  for (let row = 0; row < total; row++) {
    const key = keyOf(row);
    let number = numberByKey.get(key);
    if (number === undefined) {
      number = numberByKey.size;
      numberByKey.set(key, number);
    }
    numbers[row] = number;
  }
  return { numbers, count: Math.max(1, numberByKey.size) };
}
