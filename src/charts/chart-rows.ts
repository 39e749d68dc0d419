import type { Cell } from '../contract/data.js';
import type { Column, RowSet } from '../contract/row-set.js';
import { wallClockDate, wallClockTime } from '../report/dates/wall-clock.js';
import { toNumber } from '../report/format/numeric-value.js';

/** Charts with at most this many rows render every row: four rows for each of 1,000 pixel columns. */
export const maxFullRows = 4_000;

/** A row in the form that a specification reads. */
export type ChartRow = Record<string, unknown>;

/**
 * Converts a row set for a chart: numeric cells become numbers, times become dates. A date holds the wall-clock time as
 * UTC, so that `2001-01-01T00:00:00.000` is January 1 in every time zone; the scales and expressions of the chart read
 * UTC only. Each value is available under its flat key (`datum['orders.status']`) and nested (`datum.orders.status`),
 * because Vega interprets a dot in a field name as nesting. Nested objects have no prototype. Each call returns new
 * rows, because Vega adds an ID to the rows that it ingests.
 * @param indices Indices of the rows to convert; all rows by default.
 */
export function chartRows({ columns, rows }: RowSet, indices?: Iterable<number>): ChartRow[] {
  const readers = columns.map(column => ({
    member: column.member,
    path: nestingPath(column.member, columns),
    read: cellReader(column),
  }));
  const chartRow = (row: RowSet['rows'][number]): ChartRow => {
    const result: ChartRow = Object.create(null);
    for (const { member, path, read } of readers) {
      const value = read(row[member] ?? null);
      result[member] = value;
      nest(result, path, value);
    }
    return result;
  };
  if (!indices) return rows.map(chartRow);
  return Array.from(indices, index => chartRow(rows[index] ?? {}));
}

/** Returns the function that converts the cells of a column for a chart. */
export function cellReader({ annotation }: Column): (cell: Cell) => unknown {
  const { type } = annotation;
  if (type === 'number') return toNumber;
  return type === 'time' ? toDate : identity;
}

/** Caches columns of large row sets as numbers: downsampling and chart descriptions both scan them. */
const columnCache = new WeakMap<RowSet['rows'], Map<string, Float64Array>>();
/** Minimum number of rows for which a column is cached. */
const minCachedRows = 4_000;

/**
 * Returns the cells of a column as the numbers that a scale reads: times in milliseconds, and NaN for cells without a
 * number.
 */
export function columnNumbers({ rows }: RowSet, column: Column): Float64Array {
  const cache = columnCache.get(rows) ?? new Map<string, Float64Array>();
  const numbers = cache.get(column.member) ?? readNumbers(rows, column);
  if (rows.length >= minCachedRows) columnCache.set(rows, cache.set(column.member, numbers));
  return numbers;
}

function readNumbers(rows: RowSet['rows'], { member, annotation }: Column): Float64Array {
  const numbers = new Float64Array(rows.length);
  const read = annotation.type === 'time' ? textTime : toNumber;
  for (let index = 0; index < rows.length; index++) {
    numbers[index] = read(rows[index]?.[member] ?? null) ?? Number.NaN;
  }
  return numbers;
}

function textTime(cell: Cell): number | null {
  return typeof cell === 'string' ? wallClockTime(cell) : null;
}

/**
 * Returns the path of a member; empty if the member cannot be nested. `a.b` and `a.b.c` in one result both need the key
 * `b`.
 */
function nestingPath(member: string, columns: RowSet['columns']): readonly string[] {
  const taken = columns.some(other => other.member.startsWith(`${member}.`));
  return taken ? [] : member.split('.');
}

function nest(row: ChartRow, path: readonly string[], value: unknown): void {
  const last = path.length - 1;
  const name = path[last];
  if (last < 1 || name === undefined) return;
  let level = row;
  for (let depth = 0; depth < last; depth++) {
    const part = path[depth] ?? '';
    const next = level[part];
    const child: ChartRow = isLevel(next) ? next : Object.create(null);
    level[part] = child;
    level = child;
  }
  level[name] = value;
}

function isLevel(value: unknown): value is ChartRow {
  return typeof value === 'object' && value !== null && !(value instanceof Date);
}

function toDate(value: Cell): Date | null {
  return typeof value === 'string' ? wallClockDate(value) : null;
}

function identity(value: Cell): Cell {
  return value;
}
