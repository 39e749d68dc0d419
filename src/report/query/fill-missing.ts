import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { Cell, Row } from '../../contract/data.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import { addSpan, bucketSpan, multiplySpan, type Span, wallText, wallTime } from '../dates/time-buckets.js';
import { compareCells } from '../format/decimal.js';
import { cellOf, rowKey } from './groups.js';

/** How missing rows are filled in. */
export interface Filling {
  /** Column whose missing values are filled in. */
  readonly column: Column;
  /** Bucket length of a time column. */
  readonly span: Span | null;
  /** First and last moment of the buckets; `null` to use the range of the rows. */
  readonly range: readonly [string, string] | null;
  /** Columns that do not count toward the combinations that get a row for each value; see `fillMissing`. */
  readonly excluded: ReadonlySet<string>;
  /** Returns the value of a measure without rows. */
  readonly nothing: (column: Column) => Cell;
}

/** Maximum number of rows including filled-in ones; if there would be more, no rows are filled in. */
export const maxFilledRows = 50_000;

/**
 * Returns how to fill in the missing rows of a report (`fillMissingRows`); `null` if the report does not request it, or
 * if its member is not a column.
 */
export function fillingOf(
  { fillMissingRows }: ReportSnapshot,
  { columns, dateRanges }: RowSet,
  { keyOf, nothing }: { readonly keyOf: (column: string) => string; readonly nothing: Filling['nothing'] },
): Filling | null {
  if (!fillMissingRows) return null;
  const { member, excludedDimensions } = fillMissingRows;
  const groups = columns.filter(({ kind }) => kind !== 'measure');
  const named = (name: unknown) =>
    groups.find(column => column.member === name) ??
    groups.find(column => keyOf(column.member) === name || keyOf(column.member).startsWith(`${String(name)}.`));
  const column = named(member);
  if (!column) return null;
  const key = keyOf(column.member);
  const [cube, dimension, granularity] = key.split('.');
  const excluded = Array.isArray(excludedDimensions)
    ? excludedDimensions.flatMap(name => named(name)?.member ?? [])
    : [];
  return {
    column,
    span: column.annotation.type === 'time' && granularity ? bucketSpan({ ...column, member: key }) : null,
    range: dateRanges?.get(`${cube}.${dimension}`) ?? null,
    excluded: new Set(excluded.filter(name => name !== column.member)),
    nothing,
  };
}

/**
 * Fills in missing rows: for each existing combination of the other columns, a row for each value of the column. For
 * times, the values are the buckets of the date range, otherwise those from the first to the last time; for other
 * columns, the values in the rows. Excluded columns are not combined: a new row has their value if all rows of its
 * combination have the same, otherwise `null`. Times are sorted within a combination, descending if they were; new rows
 * of other columns follow the existing rows.
 */
export function fillMissing(rowSet: RowSet, filling: Filling): RowSet {
  const { column, excluded } = filling;
  const groups = rowSet.columns.filter(({ kind, member }) => kind !== 'measure' && member !== column.member);
  const combined = groups.map(({ member }) => member).filter(member => !excluded.has(member));
  const values = wantedValues(rowSet, filling);
  const combinations = combinationsOf(rowSet, combined);
  if (values.length === 0 || values.length * combinations.length > maxFilledRows) return rowSet;
  const added = combinations.flatMap(rows => missingRows(rows, values, { rowSet, filling }));
  if (added.length === 0) return rowSet;
  return {
    ...rowSet,
    rows: filling.span ? inTime([...rowSet.rows, ...added], rowSet, column) : [...rowSet.rows, ...added],
  };
}

function combinationsOf({ rows }: RowSet, columns: readonly string[]): (readonly Row[])[] {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const key = rowKey(row, columns);
    const known = found.get(key);
    if (known) known.push(row);
    else found.set(key, [row]);
  }
  // Without other groups there are buckets even if there are no rows.
  return found.size === 0 && columns.length === 0 ? [[]] : [...found.values()];
}

function wantedValues(rowSet: RowSet, { column, span, range }: Filling): readonly Cell[] {
  const values = [...new Set(rowSet.rows.map(row => cellOf(row, column.member)))];
  if (!span) return values;
  const buckets = values.flatMap(value => wallTime(value) ?? []).sort((a, b) => a - b);
  const [first, last] = [buckets[0], buckets.at(-1)];
  const [from, to] = range ? [wallTime(range[0]), wallTime(range[1])] : [first, last];
  if (from === undefined || to === undefined || from === null || to === null) return [];
  return bucketsBetween({ from, to, anchor: first ?? firstBucket(from, span) }, span).map(wallText);
}

/** Returns the buckets that overlap a range. Each is computed from a known bucket, because months differ in length. */
function bucketsBetween(
  { from, to, anchor }: { readonly from: number; readonly to: number; readonly anchor: number },
  span: Span,
): number[] {
  const length = span.months * 28 * 86_400_000 + span.milliseconds;
  if (length <= 0 || (to - from) / length > 2 * maxFilledRows) return [];
  const at = (place: number) => addSpan(anchor, multiplySpan(span, place));
  let place = Math.floor((from - anchor) / (span.months * 31 * 86_400_000 + span.milliseconds)) - 1;
  while (at(place + 1) <= from) place += 1;
  while (at(place) > from) place -= 1;
  const buckets: number[] = [];
  for (; at(place) <= to && buckets.length <= maxFilledRows; place += 1) buckets.push(at(place));
  return buckets;
}

/** Returns the start of a bucket if the rows contain none: weeks on Monday, months and longer spans on January 1. */
function firstBucket(time: number, { months, milliseconds }: Span): number {
  const year = Date.UTC(new Date(time).getUTCFullYear(), 0, 1);
  // For spans of several years, the reference year is not known here.
  if (months > 0) return months <= 12 ? year : Date.UTC(2000, 0, 1);
  const monday = Date.UTC(2001, 0, 1);
  return monday + Math.floor((time - monday) / milliseconds) * milliseconds;
}

function missingRows(
  rows: readonly Row[],
  values: readonly Cell[],
  { rowSet, filling }: { readonly rowSet: RowSet; readonly filling: Filling },
): Row[] {
  const { column, excluded, nothing } = filling;
  const present = new Set(rows.map(row => cellOf(row, column.member)));
  const cell = (of: Column): Cell => {
    if (of.kind === 'measure') return nothing(of);
    const first = rows[0] ? cellOf(rows[0], of.member) : null;
    return !excluded.has(of.member) || rows.every(row => cellOf(row, of.member) === first) ? first : null;
  };
  const common = rowSet.columns.map((of): [string, Cell] => [of.member, of.member === column.member ? null : cell(of)]);
  return values
    .filter(value => !present.has(value))
    .map(value => Object.fromEntries(common.map(([name, held]) => [name, name === column.member ? value : held])));
}

/** Sorts rows by time if they were sorted by time; otherwise by combination, then by time. */
function inTime(rows: readonly Row[], { rows: before, columns }: RowSet, column: Column): Row[] {
  const time = (row: Row) => cellOf(row, column.member);
  const descending = isOrdered(before, (a, b) => compareTimes(time(b), time(a))) && before.length > 1;
  const ordered = descending || isOrdered(before, (a, b) => compareTimes(time(a), time(b)));
  const byTime = (a: Row, b: Row) => (descending ? compareTimes(time(b), time(a)) : compareTimes(time(a), time(b)));
  const others = columns.filter(({ kind, member }) => kind !== 'measure' && member !== column.member);
  const names = others.map(({ member }) => member);
  const places = new Map<string, number>();
  for (const row of rows) {
    const key = rowKey(row, names);
    if (!places.has(key)) places.set(key, places.size);
  }
  const place = (row: Row) => places.get(rowKey(row, names)) ?? 0;
  const keyed = rows.map(row => ({ row, place: place(row) }));
  keyed.sort((a, b) =>
    ordered ? byTime(a.row, b.row) || a.place - b.place : a.place - b.place || byTime(a.row, b.row),
  );
  return keyed.map(({ row }) => row);
}

/** Compares times; missing values come last. */
function compareTimes(a: Cell, b: Cell): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compareCells(a, b);
}

function isOrdered(rows: readonly Row[], compare: (a: Row, b: Row) => number): boolean {
  return rows.every((row, index) => {
    const above = rows[index - 1];
    return !above || compare(above, row) <= 0;
  });
}
