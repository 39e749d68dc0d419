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
  const typesOf = ({ columns }: Answer) => columns.map(({ type }) => (exactTypes ? type : classOf(type)));
  expect(typesOf(answer)).toEqual(typesOf(expected));
  const isNumber = expected.columns.map(({ type }) => numbers.includes(type));
  const told = ({ rows }: Answer) => {
    const read = rows.map(row => row.map((cell, index) => (isNumber[index] ? decimal(cell) : cell)));
    return ordered ? read : read.map(row => JSON.stringify(row)).sort();
  };
  expect(told(answer)).toEqual(told(expected));
}

const classOf = (type: SqlType): string => (numbers.includes(type) ? 'number' : type);

/** A number to ten digits; one that is whole, to all of its digits. */
function decimal(text: string | null): string | null {
  if (text === null) return null;
  const plain = text.replace(/\.0*$/, '');
  if (/^-?\d+$/.test(plain)) return String(BigInt(plain));
  const value = Number(text);
  return Number.isNaN(value) ? text : String(Number(value.toPrecision(10)));
}
