import { expect } from 'vitest';
import { SqlType } from '../../../../../src/platform/data/sql/sql-type.js';

/** Result of a statement from any source. */
export interface Answer {
  readonly columns: readonly { readonly name: string; readonly type: SqlType }[];
  /** Numbers as decimal text, times in the protocol's format, booleans as `true` and `false`. */
  readonly rows: readonly (readonly (string | null)[])[];
}

const numbers: readonly SqlType[] = [SqlType.integer, SqlType.bigint, SqlType.numeric, SqlType.double];

/** How strictly results are compared. */
export interface Strictness {
  /** Whether the statement determines the order of rows. */
  readonly ordered: boolean;
  /** Whether types must equal those of Postgres; the numeric type of measures depends on the engine. */
  readonly exactTypes: boolean;
}

/** Compares a result with that of Postgres: names, types, and rows with numbers by value. */
export function expectEqual(answer: Answer, expected: Answer, { ordered, exactTypes }: Strictness): void {
  expect(answer.columns.map(({ name }) => name)).toEqual(expected.columns.map(({ name }) => name));
  const typesOf = ({ columns }: Answer) => columns.map(({ type }) => (exactTypes ? written(type) : classOf(type)));
  expect(typesOf(answer)).toEqual(typesOf(expected));
  const normalized = ({ rows }: Answer) => {
    const read = rows.map(row => row.map((cell, index) => readable(cell, expected.columns[index]?.type)));
    return ordered ? read : read.map(row => JSON.stringify(row)).sort();
  };
  expect(normalized(answer)).toEqual(normalized(expected));
}

/** `ratio` denotes a numeric whose last digits depend on the engine. */
const written = (type: SqlType): SqlType => (type === SqlType.ratio ? SqlType.numeric : type);
const classOf = (type: SqlType): string => (numbers.includes(written(type)) ? 'number' : type);

/** Inexact numbers are rounded to ten digits; others are compared exactly. */
function readable(cell: string | null, type: SqlType | undefined): string | null {
  if (cell === null || type === undefined || !numbers.includes(type)) return cell;
  const plain = cell.includes('.') ? cell.replace(/\.?0*$/, '') : cell;
  if (type !== SqlType.double && /^-?\d+$/.test(plain)) return plain === '-0' ? '0' : plain;
  const value = Number(cell);
  return Number.isFinite(value) ? String(Number(value.toPrecision(10))) : cell;
}
