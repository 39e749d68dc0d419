import type { Node, TypeCast, TypeName } from 'libpg-query';
import { SqlProblem } from '../sql-problem.js';
import { SqlType, typeWords, widens } from '../sql-type.js';
import type { Expression } from '../tree.js';
import { maxDigits } from './decimals.js';
import { intervalText } from './interval-literal.js';
import { coerce, literal, literalOf } from './literals.js';
import { present, type Reader, wordsOf } from './reader.js';

/** The target type of a cast. */
interface Target {
  readonly type: SqlType;
  /** Total number of digits, or number of characters of `varchar(n)`. */
  readonly precision?: number;
  /** Number of digits after the decimal point. */
  readonly scale?: number;
  /** Unit of an interval whose text contains none: `INTERVAL '3' DAY`. */
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

/** Replacements to suggest for unsupported types. */
const instead: Readonly<Record<string, string>> = {
  int2: 'integer',
  float4: 'double precision',
  bpchar: 'varchar',
  string: 'text',
  datetime: 'timestamp',
  timestamptz: "timestamp, which is in the query's time zone",
};

/** Bit masks with which the parser encodes the unit of an interval. */
const unitBits: Readonly<Record<number, string>> = {
  2: 'month',
  4: 'year',
  8: 'day',
  1024: 'hour',
  2048: 'minute',
  4096: 'second',
};

/**
 * Reads a type name.
 * @throws SqlProblem for an unsupported type.
 */
function readTypeName(name: TypeName): Target {
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

/** Returns the value of an integer constant. The parser omits the value if it is 0. */
function wholeOf(node: Node): number | undefined {
  return 'A_Const' in node && node.A_Const.ival ? (node.A_Const.ival.ival ?? 0) : undefined;
}

function withModifiers(type: SqlType, word: string, name: TypeName): Target {
  const modifiers = (name.typmods ?? []).map(node => wholeOf(node));
  const [first, second = 0] = modifiers;
  if (modifiers.includes(undefined))
    throw new SqlProblem(`${word} requires whole numbers in parentheses`, name.location);
  if (modifiers.length === 0) return { type };
  if (first !== undefined && type === SqlType.interval && modifiers.length === 1) {
    const unit = unitBits[first];
    if (unit !== undefined) return { type, unit };
  }
  if (first !== undefined && first > 0 && word === 'varchar') return { type, precision: first };
  if (first !== undefined && type === SqlType.numeric) {
    if (first > 0 && first <= maxDigits && second >= 0 && second <= first)
      return { type, precision: first, scale: second };
    throw new SqlProblem(
      `The precision of numeric must be from 1 to ${maxDigits}, and its scale from 0 to the precision`,
      name.location,
    );
  }
  throw new SqlProblem(`${word} does not support a length or a precision here`, name.location);
}

const { boolean, integer, bigint, numeric, ratio, double, text, date, timestamp, other } = SqlType;

/**
 * Supported casts: source types by target type. Excludes casts whose results differ between engines (a double, a
 * quotient or an interval to text).
 */
const allowed: Readonly<Record<SqlType, readonly SqlType[]>> = {
  boolean: [integer, text],
  integer: [boolean, bigint, numeric, ratio, double, text],
  bigint: [integer, numeric, ratio, double, text],
  numeric: [integer, bigint, ratio, double, text],
  ratio: [],
  double: [integer, bigint, numeric, ratio, text],
  text: [boolean, integer, bigint, numeric, date, timestamp, other],
  date: [text, timestamp],
  timestamp: [text, date],
  interval: [],
  unknown: [],
  other: [],
};

/** Reads `CAST(x AS type)`, `x::type` and `type 'text'`. */
export function readCast(cast: TypeCast, reader: Reader): Expression {
  const target = readTypeName(present(cast.typeName));
  const at = cast.location !== undefined && cast.location >= 0 ? cast.location : cast.typeName?.location;
  return castTo(reader.read(present(cast.arg)), target, at);
}

/**
 * Casts a value to a type.
 * @throws SqlProblem if the cast is not supported or a constant is not valid for the type.
 */
export function castTo(expression: Expression, target: Target, at: number | undefined): Expression {
  const value = readable(expression, target, at);
  const { type, precision, scale } = target;
  if (precision !== undefined)
    return { kind: 'cast', type, value: checkCast(value, type, at), precision, ...(scale !== undefined && { scale }) };
  if (value.type === type || (type === numeric && value.type === ratio)) return value;
  if (type === numeric && (value.type === double || value.type === text)) {
    return { kind: 'cast', type: ratio, value };
  }
  const from = checkCast(value, type, at);
  return widens(from.type, type) ? coerce(from, type, at) : { kind: 'cast', type, value: from };
}

/** Casts a value to text for concatenation. */
export function textOf(expression: Expression, at: number | undefined): Expression {
  return castTo(expression, { type: text }, at);
}

/** Reads a literal without a type as the target type, and casts values of type `other` to text. */
function readable(expression: Expression, { type, unit }: Target, at: number | undefined): Expression {
  if (expression.type === other) return { kind: 'cast', type: text, value: expression };
  if (expression.kind !== 'literal' || expression.type !== SqlType.unknown) return expression;
  if (expression.value === null) return literal(type, null);
  if (unit === undefined) return literalOf(type, String(expression.value), at);
  const interval = intervalText(String(expression.value), unit);
  if (interval === undefined) throw new SqlProblem('The interval must be a number of the given unit', at);
  return literal(type, interval);
}

function checkCast(value: Expression, type: SqlType, at: number | undefined): Expression {
  if (value.type === type || allowed[type].includes(value.type)) return value;
  const advice =
    type === text && (value.type === double || value.type === ratio)
      ? ': round it first, as in round(x::numeric, 2)::text'
      : '';
  throw new SqlProblem(`Cannot cast ${typeWords(value.type)} to ${typeWords(type)}${advice}`, at);
}
