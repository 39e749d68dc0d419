import { SqlProblem } from './sql-problem.js';

/**
 * Type of a SQL value, by the rules of Postgres (PostgreSQL 18, chapters 8 and 10). `unknown` is a literal whose type
 * depends on its context; `other` is a type that can only be read as text.
 */
export const SqlType = {
  boolean: 'boolean',
  /** Integer of at most four bytes. */
  integer: 'integer',
  bigint: 'bigint',
  /** Exact number with a fraction, or a whole number that does not fit into a bigint. */
  numeric: 'numeric',
  /**
   * A Postgres numeric that DuckDB cannot compute exactly, such as a quotient, a mean or a root. DuckDB represents it
   * as a double of 15 digits. Treated as `numeric` everywhere except when an expression is printed.
   */
  ratio: 'ratio',
  double: 'double',
  text: 'text',
  date: 'date',
  /** Timestamp without time zone. Time dimensions are in the time zone of the query. */
  timestamp: 'timestamp',
  interval: 'interval',
  unknown: 'unknown',
  other: 'other',
} as const;
/** Type of a value in SQL. */
export type SqlType = (typeof SqlType)[keyof typeof SqlType];

/** Number types in the order of widening. */
const numbers: readonly SqlType[] = [SqlType.integer, SqlType.bigint, SqlType.numeric, SqlType.ratio, SqlType.double];

/** Whether a type is numeric. */
export function isNumber(type: SqlType): boolean {
  return numbers.includes(type);
}

/** Whether a value of the type can be returned to the client. Intervals are supported only inside expressions. */
export function isOutput(type: SqlType): boolean {
  return type !== SqlType.interval;
}

/** Returns the Postgres name of a type, for messages. */
export function typeWords(type: SqlType): string {
  if (type === SqlType.ratio) return SqlType.numeric;
  return type === SqlType.double ? 'double precision' : type;
}

/** Whether a type is converted to another implicitly. `other` is read as text. */
export function widens(from: SqlType, to: SqlType): boolean {
  if (from === to || from === SqlType.unknown) return true;
  if (from === SqlType.ratio && to === SqlType.numeric) return true;
  if (isNumber(from) && isNumber(to)) return numbers.indexOf(from) < numbers.indexOf(to);
  return (from === SqlType.date && to === SqlType.timestamp) || (from === SqlType.other && to === SqlType.text);
}

/**
 * Returns the common type of values in UNION, CASE, COALESCE, IN or a comparison, by the rules of Postgres. Unknown
 * literals take the type of the other values, or text if all are unknown.
 * @throws SqlProblem if there is no common type.
 */
export function commonType(types: readonly SqlType[], at?: number): SqlType {
  let common: SqlType = SqlType.unknown;
  for (const one of types) {
    const type = one === SqlType.other ? SqlType.text : one;
    // An inexact type stays inexact: `numeric` does not replace `ratio`.
    if (widens(common, type) && !(common === SqlType.ratio && type === SqlType.numeric)) common = type;
    else if (!widens(type, common)) throw mismatch(common, type, at);
  }
  return common === SqlType.unknown ? SqlType.text : common;
}

function mismatch(one: SqlType, other: SqlType, at: number | undefined): SqlProblem {
  return new SqlProblem(`Types ${typeWords(one)} and ${typeWords(other)} cannot be matched: cast one of them`, at);
}
