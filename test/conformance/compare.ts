import { expect } from 'vitest';
import { CellKind, type Expected } from './reference.js';

/** A row of the client's result. */
export type Row = Readonly<Record<string, unknown>>;

/** Relative tolerance for doubles, because their sums depend on the order of addition. Other values must be equal. */
const tolerance = 1e-9;

/**
 * Compares rows with those of a hand-written statement: same columns, cells and number of rows, in the same order if
 * the statement has an order. Numbers must be sent as text. Extra keys that the protocol defines are allowed.
 */
export function expectRows(rows: readonly Row[], expected: Expected | undefined): void {
  if (!expected) throw new Error('There is no statement for this result.');
  const names = expected.columns.map(column => column.name);
  const extra = new Set(rows.flatMap(row => Object.keys(row)).filter(key => !names.includes(key)));
  expect([...extra].filter(key => !isBare(key, names) && key !== 'compareDateRange')).toEqual([]);
  const got = rows.map(row => names.map(name => row[name]));
  const [left, right] = expected.ordered ? [got, expected.rows] : [sorted(got), sorted(expected.rows)];
  expect(left.length, 'number of rows').toBe(right.length);
  const wrong = left.findIndex((cells, index) => !equal(cells, right[index] ?? [], expected));
  if (wrong >= 0) expect(named(left[wrong], names), `row ${wrong}`).toEqual(named(right[wrong], names));
}

/** Returns true if the rows equal those of the statement. */
export function matches(rows: readonly Row[], expected: Expected | undefined): boolean {
  if (!expected) return false;
  const got = sorted(rows.map(row => expected.columns.map(column => row[column.name])));
  const reference = sorted(expected.rows);
  return got.length === reference.length && got.every((cells, index) => equal(cells, reference[index] ?? [], expected));
}

/** Returns true for `cube.time` if `cube.time.day` is present: the deprecated name of the same column. */
function isBare(key: string, names: readonly string[]): boolean {
  return names.some(name => name.startsWith(`${key}.`));
}

function equal(cells: readonly unknown[], reference: readonly unknown[], { columns }: Expected): boolean {
  return columns.every(({ kind }, index) => equalCell(cells[index], reference[index], kind));
}

function equalCell(cell: unknown, reference: unknown, kind: CellKind): boolean {
  if (reference === null || kind === CellKind.text) return cell === reference;
  if (typeof cell !== 'string') return false;
  if (kind === CellKind.exact) return plain(cell) === plain(String(reference));
  const number = Number(reference);
  return Math.abs(Number(cell) - number) <= tolerance * Math.max(1, Math.abs(number));
}

/** Removes trailing zeros of a decimal. */
function plain(number: string): string {
  return number.includes('.') ? number.replace(/\.?0+$/, '') : number;
}

/** Sorts by exact columns first, so that the last digits of doubles do not affect the order. */
function sorted(rows: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] {
  const key = (cells: readonly unknown[]) => JSON.stringify(cells.map(cell => rounded(cell)));
  return rows
    .map(cells => [key(cells), cells] as const)
    .sort(([a], [b]) => (a < b ? -1 : Number(a > b)))
    .map(([, cells]) => cells);
}

function rounded(cell: unknown): unknown {
  const number =
    typeof cell === 'number' || (typeof cell === 'string' && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(cell))
      ? Number(cell)
      : Number.NaN;
  return Number.isNaN(number) ? cell : number.toPrecision(7);
}

function named(cells: readonly unknown[] | undefined, names: readonly string[]): Row {
  return Object.fromEntries(names.map((name, index) => [name, cells?.[index]]));
}
