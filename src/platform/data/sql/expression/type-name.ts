import type { Node, TypeName } from 'libpg-query';
import { SqlProblem } from '../sql-problem.js';
import { SqlType } from '../sql-type.js';
import { maxDigits } from './decimal-text.js';
import { wordsOf } from './reader.js';

/** A type as a cast names it. */
export interface Target {
  readonly type: SqlType;
  /** Digits in all; characters, of `varchar(n)`. */
  readonly precision?: number;
  /** Digits after the point. */
  readonly scale?: number;
  /** What a bare number counts, of an interval: `INTERVAL '3' DAY`. */
  readonly unit?: string;
}

const types: Readonly<Record<string, SqlType>> = {
  bool: SqlType.boolean,
  boolean: SqlType.boolean,
  int4: SqlType.integer,
  int: SqlType.integer,
  integer: SqlType.integer,
  int8: SqlType.bigint,
  bigint: SqlType.bigint,
  numeric: SqlType.numeric,
  decimal: SqlType.numeric,
  float8: SqlType.double,
  text: SqlType.text,
  varchar: SqlType.text,
  date: SqlType.date,
  timestamp: SqlType.timestamp,
  interval: SqlType.interval,
};

/** What to write in place of types that we don't have. */
const instead: Readonly<Record<string, string>> = {
  int2: 'integer',
  float4: 'double precision',
  bpchar: 'varchar',
  string: 'text',
  datetime: 'timestamp',
  timestamptz: "timestamp: times are those of the query's time zone",
};

/** Bits by which the parser tells the unit of an interval. */
const unitBits: Readonly<Record<number, string>> = {
  2: 'month',
  4: 'year',
  8: 'day',
  1024: 'hour',
  2048: 'minute',
  4096: 'second',
};

/**
 * Reads the name of a type.
 * @throws SqlProblem for every type that isn't on our list.
 */
export function readTypeName(name: TypeName): Target {
  const words = wordsOf(name.names) ?? [];
  const [word = '', schema] = [...words].reverse();
  const isPlain = words.length > 0 && words.length <= 2 && (schema === undefined || schema === 'pg_catalog');
  const type = isPlain && Object.hasOwn(types, word) ? types[word] : undefined;
  if (type === undefined || name.arrayBounds || name.setof || name.pct_type) throw unknownType(name, words);
  return withModifiers(type, word, name);
}

function unknownType(name: TypeName, words: readonly string[]): SqlProblem {
  const word = words.at(-1) ?? '';
  const advice = Object.hasOwn(instead, word) ? `: use ${instead[word]}` : '';
  return new SqlProblem(
    `The type ${words.slice(-1)}${name.arrayBounds ? '[]' : ''} is not supported${advice}`,
    name.location,
  );
}

/** A whole number that is written out; the parser leaves out what is zero. */
function wholeOf(node: Node): number | undefined {
  return 'A_Const' in node && node.A_Const.ival ? (node.A_Const.ival.ival ?? 0) : undefined;
}

function withModifiers(type: SqlType, word: string, name: TypeName): Target {
  const modifiers = (name.typmods ?? []).map(node => wholeOf(node));
  const [first, second = 0] = modifiers;
  if (modifiers.includes(undefined))
    throw new SqlProblem(`${word} takes whole numbers in its parentheses`, name.location);
  if (modifiers.length === 0) return { type };
  if (first !== undefined && type === SqlType.interval && modifiers.length === 1) {
    const unit = unitBits[first];
    if (unit !== undefined) return { type, unit };
  }
  if (first !== undefined && first > 0 && word === 'varchar') return { type, precision: first };
  if (first !== undefined && type === SqlType.numeric) {
    if (first > 0 && first <= maxDigits && second >= 0 && second <= first)
      return { type, precision: first, scale: second };
    throw new SqlProblem(`numeric has ${maxDigits} digits at most, with some of them after the point`, name.location);
  }
  throw new SqlProblem(`${word} can't be given a length or a precision here`, name.location);
}
