/** Points in the order of their rows: a number for each, NaN where a row has none. */
export interface Points {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Series of each point, from 0; null where all are of one. */
  readonly series: Uint32Array | null;
}

/** Series of some rows, numbered in the order in which they come. */
export interface SeriesNumbers {
  readonly numbers: Uint32Array;
  readonly count: number;
}

/** Marks rows as kept, and lists the kept ones in the order they have. */
export class RowSelection {
  readonly #kept: Uint8Array;

  constructor(readonly total: number) {
    this.#kept = new Uint8Array(total);
  }

  /** Keeps a row; -1 stands for none. */
  keep(index: number): void {
    if (index >= 0) this.#kept[index] = 1;
  }

  /** Indices of the kept rows, ascending. */
  list(): Uint32Array {
    let count = 0;
    for (const kept of this.#kept) count += kept;
    const list = new Uint32Array(count);
    let next = 0;
    for (let index = 0; index < this.total; index++) if (this.#kept[index]) list[next++] = index;
    return list;
  }
}

/** True where no `x` of a series is less than the one before it. Rows without an `x` are passed over. */
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

/** Rows in ascending order of `x`; equal ones, and those without, as they came. */
export function orderOf(x: Float64Array): Uint32Array {
  const order = Uint32Array.from(x.keys());
  const at = (row: number): number => {
    const value = x[row] ?? Number.NaN;
    return Number.isNaN(value) ? Number.POSITIVE_INFINITY : value;
  };
  return order.sort((a, b) => {
    const [left, right] = [at(a), at(b)];
    return left < right ? -1 : left > right ? 1 : a - b;
  });
}

/**
 * Keeps what a line needs to look as it does with all its points: of each series, in each column of pixels, the first and the last
 * point, the lowest and the highest; and a row without a value where the line has a gap that is wider than a column.
 * @param columnAt Column of pixels at which an `x` is drawn.
 * @param order Rows in ascending order of `x`; null where they are in that order already.
 */
export function downsampleLine(
  points: Points,
  columnAt: (x: number) => number,
  kept: RowSelection,
  { order, seriesCount }: { readonly order: Uint32Array | null; readonly seriesCount: number },
): void {
  const { x, y, series } = points;
  const open = new OpenColumns(y, kept, seriesCount);
  for (let step = 0; step < x.length; step++) {
    const row = order?.[step] ?? step;
    const at = x[row] ?? Number.NaN;
    if (Number.isNaN(at)) continue;
    open.add(row, series?.[row] ?? 0, columnAt(at));
  }
  open.close();
}

/** The column of pixels that each series is in, and which of its rows stand for it so far. */
class OpenColumns {
  readonly #column: Float64Array;
  readonly #first: Int32Array;
  readonly #low: Int32Array;
  readonly #high: Int32Array;
  readonly #last: Int32Array;
  readonly #gap: Int32Array;

  constructor(
    private readonly y: Float64Array,
    private readonly kept: RowSelection,
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
      this.kept.keep(this.#gap[of] ?? -1);
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
    for (const rows of [this.#first, this.#low, this.#high, this.#last]) this.kept.keep(rows[of] ?? -1);
  }
}

/** Points nearer than this cover each other, px. */
const smallestCell = 2;
/** Most cells that are told apart by a plain array; more go into a map. */
const maxFlatCells = 4_000_000;

/**
 * Keeps one point for each cell of pixels and series, the last, which is drawn on top; at most `most` of them: cells grow until that
 * holds. Points are placed in pixels; those without a place are left out.
 */
export function downsamplePoints(
  { x, y, series }: Points,
  kept: RowSelection,
  bounds: { readonly width: number; readonly height: number; readonly most: number; readonly seriesCount: number },
): void {
  const { width, height, most, seriesCount } = bounds;
  for (let size = smallestCell; ; size *= Math.SQRT2) {
    const across = Math.ceil(width / size) + 2;
    const cells = across * (Math.ceil(height / size) + 2) * seriesCount;
    const last = new LastOf(cells);
    for (let row = 0; row < x.length && last.count <= most; row++) {
      const column = clamp(Math.floor((x[row] ?? Number.NaN) / size) + 1, across - 1);
      const line = clamp(Math.floor((y[row] ?? Number.NaN) / size) + 1, cells);
      const cell = (line * across + column) * seriesCount + (series?.[row] ?? 0);
      if (!Number.isNaN(cell)) last.set(Math.min(cell, cells - 1), row);
    }
    if (last.count > most && size < width + height) continue;
    for (const row of last.rows()) kept.keep(row);
    return;
  }
}

/** The last row of each cell. */
class LastOf {
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

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(value, most));
}

/** Rows with the least and the greatest number, -1 where there is none. */
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

/** Numbers the series of rows by the values of some columns, told by a function for each. */
export function numberSeries(total: number, columns: readonly ((row: number) => unknown)[]): SeriesNumbers {
  const numbers = new Uint32Array(total);
  const [only] = columns;
  const keyOf =
    columns.length === 1 && only ? only : (row: number) => JSON.stringify(columns.map(cellAt => cellAt(row)));
  const known = new Map<unknown, number>();
  for (let row = 0; row < total; row++) {
    const key = keyOf(row);
    let number = known.get(key);
    if (number === undefined) {
      number = known.size;
      known.set(key, number);
    }
    numbers[row] = number;
  }
  return { numbers, count: Math.max(1, known.size) };
}
