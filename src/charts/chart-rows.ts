import type { Cell } from '../contract/data.js';
import type { Column, RowSet } from '../contract/row-set.js';
import { wallClockDate, wallClockTime } from '../report/dates/wall-clock.js';
import { toNumber } from '../report/format/numeric-value.js';

/** Up to so many rows a chart is drawn from all of them: four for each of a thousand columns of pixels. */
export const maxFullRows = 4_000;

/** A row as a specification reads it. */
export type ChartRow = Record<string, unknown>;

/**
 * Rows for a chart: figures as numbers, times as dates. A date holds the clock on the wall in UTC, so that
 * `2001-01-01T00:00:00.000` is 1 January wherever the chart is looked at; the chart's scales and expressions read UTC alone.
 * Every value stands under its flat key (`datum['orders.status']`) and nested (`datum.orders.status`), because in Vega a dot in
 * a field name means nesting. Nested objects have no prototype. Each call makes new rows: Vega marks the ones it holds.
 * @param indices Which rows; all where it is missing.
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

/** How a chart reads the cells of a column. */
export function cellReader({ annotation }: Column): (cell: Cell) => unknown {
  return annotation.type === 'number' ? toNumber : annotation.type === 'time' ? toDate : same;
}

/** Columns of long answers, read once: what thins them and what tells their range look at all of them. */
const known = new WeakMap<RowSet['rows'], Map<string, Float64Array>>();
/** Rows from which on a column is kept. */
const worthKeeping = 4_000;

/** The cells of a column as a chart places them: numbers, and times in milliseconds; NaN where there is none. */
export function columnNumbers({ rows }: RowSet, column: Column): Float64Array {
  const kept = known.get(rows) ?? new Map<string, Float64Array>();
  const numbers = kept.get(column.member) ?? readNumbers(rows, column);
  if (rows.length >= worthKeeping) known.set(rows, kept.set(column.member, numbers));
  return numbers;
}

function readNumbers(rows: RowSet['rows'], { member, annotation }: Column): Float64Array {
  const numbers = new Float64Array(rows.length);
  const isTime = annotation.type === 'time';
  for (let index = 0; index < rows.length; index++) {
    const cell = rows[index]?.[member] ?? null;
    numbers[index] = isTime
      ? typeof cell === 'string'
        ? wallClockTime(cell)
        : Number.NaN
      : (toNumber(cell) ?? Number.NaN);
  }
  return numbers;
}

/** Path of a member, empty where it can't be nested: `a.b` and `a.b.c` in one answer would both want `b`. */
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

function same(value: Cell): Cell {
  return value;
}
