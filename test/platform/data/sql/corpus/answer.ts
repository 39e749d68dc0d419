import { expect } from 'vitest';
import { SqlType } from '../../../../../src/platform/data/sql/sql-type.js';

/** What a statement returned, from whomever. */
export interface Answer {
  readonly columns: readonly { readonly name: string; readonly type: SqlType }[];
  /** Numbers as decimal text, times as in the protocol, booleans as `true` and `false`. */
  readonly rows: readonly (readonly (string | null)[])[];
}

const numbers: readonly SqlType[] = [SqlType.integer, SqlType.bigint, SqlType.numeric, SqlType.double];

/** What one statement is held to. */
export interface Strictness {
  /** Whether the order of the rows is settled by the statement. */
  readonly ordered: boolean;
  /** Whether types are those of Postgres to the letter; an engine gives measures the kind of number that it has. */
  readonly exactTypes: boolean;
}

/** Holds an answer against that of Postgres: names, types, and rows, numbers by their value. */
export function expectEqual(answer: Answer, expected: Answer, { ordered, exactTypes }: Strictness): void {
  expect(answer.columns.map(({ name }) => name)).toEqual(expected.columns.map(({ name }) => name));
  const typesOf = ({ columns }: Answer) => columns.map(({ type }) => (exactTypes ? written(type) : classOf(type)));
  expect(typesOf(answer)).toEqual(typesOf(expected));
  const told = ({ rows }: Answer) => {
    const read = rows.map(row => row.map((cell, index) => readable(cell, expected.columns[index]?.type)));
    return ordered ? read : read.map(row => JSON.stringify(row)).sort();
  };
  expect(told(answer)).toEqual(told(expected));
}

/** A ratio is what we call a numeric whose last digits hang on the engine. */
const written = (type: SqlType): SqlType => (type === SqlType.ratio ? SqlType.numeric : type);
const classOf = (type: SqlType): string => (numbers.includes(written(type)) ? 'number' : type);

/** A number that is inexact, to ten digits; any other by its value, to its last digit. */
function readable(cell: string | null, type: SqlType | undefined): string | null {
  if (cell === null || type === undefined || !numbers.includes(type)) return cell;
  const plain = cell.includes('.') ? cell.replace(/\.?0*$/, '') : cell;
  if (type !== SqlType.double && /^-?\d+$/.test(plain)) return plain === '-0' ? '0' : plain;
  const value = Number(cell);
  return Number.isFinite(value) ? String(Number(value.toPrecision(10))) : cell;
}
