import type { TypeCast } from 'libpg-query';
import { SqlProblem } from '../sql-problem.js';
import { SqlType } from '../sql-type.js';
import type { Expression } from '../tree.js';
import { typeWords, widens } from './common-type.js';
import { converted } from './conversion.js';
import { intervalText } from './interval-literal.js';
import { literal, literalOf } from './literals.js';
import { present, type Reader } from './reader.js';
import { readTypeName, type Target } from './type-name.js';

const { boolean, integer, bigint, numeric, ratio, double, text, date, timestamp, other } = SqlType;

/**
 * What can be made of what by a cast. Where the engines write a value differently (a double, a quotient, an interval as text), it can't.
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
 * A value as another type, as a cast asks for it.
 * @throws SqlProblem where our list has no such cast, or where a constant can't be read.
 */
export function castTo(expression: Expression, target: Target, at: number | undefined): Expression {
  const value = readable(expression, target, at);
  const { type, precision, scale } = target;
  if (precision !== undefined)
    return { kind: 'cast', type, value: checked(value, type, at), precision, ...(scale !== undefined && { scale }) };
  if (value.type === type || (type === numeric && value.type === ratio)) return value;
  if (type === numeric && (value.type === double || value.type === text)) {
    return { kind: 'cast', type: ratio, value };
  }
  const from = checked(value, type, at);
  return widens(from.type, type) ? converted(from, type, at) : { kind: 'cast', type, value: from };
}

/** A value as text, where it is put together with other text. */
export function textOf(expression: Expression, at: number | undefined): Expression {
  return castTo(expression, { type: text }, at);
}

/** A literal without a type is read as the type; what is only text becomes text. */
function readable(expression: Expression, { type, unit }: Target, at: number | undefined): Expression {
  if (expression.type === other) return { kind: 'cast', type: text, value: expression };
  if (expression.kind !== 'literal' || expression.type !== SqlType.unknown) return expression;
  if (expression.value === null) return literal(type, null);
  if (unit === undefined) return literalOf(type, String(expression.value), at);
  const interval = intervalText(String(expression.value), unit);
  if (interval === undefined) throw new SqlProblem('The interval is a number of one unit here', at);
  return literal(type, interval);
}

function checked(value: Expression, type: SqlType, at: number | undefined): Expression {
  if (value.type === type || allowed[type].includes(value.type)) return value;
  const advice =
    type === text && (value.type === double || value.type === ratio)
      ? ': round it first, as in round(x::numeric, 2)::text'
      : '';
  throw new SqlProblem(`There is no cast from ${typeWords(value.type)} to ${typeWords(type)}${advice}`, at);
}
