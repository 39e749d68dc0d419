import type { Cell } from '../contract/data.js';
import type { RowSet } from '../contract/row-set.js';
import { wallClockDate } from '../report/time.js';

/** A row as a specification reads it. */
export type ChartRow = Record<string, unknown>;

/**
 * Rows for a chart: figures as numbers, times as dates. A date holds the clock on the wall in UTC, so that
 * `2001-01-01T00:00:00.000` is 1 January wherever the chart is looked at; the chart's scales and expressions read UTC alone.
 * Every value stands under its flat key (`datum['orders.status']`) and nested (`datum.orders.status`), because in Vega a dot in
 * a field name means nesting. Nested objects have no prototype. Each call makes new rows: Vega marks the ones it holds.
 */
export function chartRows({ columns, rows }: RowSet): ChartRow[] {
  const readers = columns.map(({ member, annotation }) => ({
    member,
    path: nestingPath(member, columns),
    read: annotation.type === 'number' ? toNumber : annotation.type === 'time' ? toDate : same,
  }));
  return rows.map(row => {
    const result: ChartRow = Object.create(null);
    for (const { member, path, read } of readers) {
      const value = read(row[member] ?? null);
      result[member] = value;
      nest(result, path, value);
    }
    return result;
  });
}

/** Path of a member, empty where it can't be nested: `a.b` and `a.b.c` in one answer would both want `b`. */
function nestingPath(member: string, columns: RowSet['columns']): readonly string[] {
  const taken = columns.some(other => other.member.startsWith(`${member}.`));
  return taken ? [] : member.split('.');
}

function nest(row: ChartRow, path: readonly string[], value: unknown): void {
  const last = path.at(-1);
  if (path.length < 2 || last === undefined) return;
  let level = row;
  for (const part of path.slice(0, -1)) {
    const next = level[part];
    const child: ChartRow = isLevel(next) ? next : Object.create(null);
    level[part] = child;
    level = child;
  }
  level[last] = value;
}

function isLevel(value: unknown): value is ChartRow {
  return typeof value === 'object' && value !== null && !(value instanceof Date);
}

function toNumber(value: Cell): number | null {
  if (value === null || value === '') return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

function toDate(value: Cell): Date | null {
  return typeof value === 'string' ? wallClockDate(value) : null;
}

function same(value: Cell): Cell {
  return value;
}
