import { SqlProblem } from './sql-problem.js';

/**
 * Type of a value in SQL, by Postgres' rules (PostgreSQL 18, chapters 8 and 10). `unknown` is a literal whose type hangs on what stands
 * beside it; `other` is what can only be read as text.
 */
export const SqlType = {
  boolean: 'boolean',
  /** Of four bytes or less. */
  integer: 'integer',
  bigint: 'bigint',
  /** Exact, with a fraction; also whole numbers that are longer than a bigint. */
  numeric: 'numeric',
  /**
   * Postgres' numeric, too, but one that DuckDB can't make exactly: a quotient, a mean, a root. It holds it as a double of 15 digits. To be
   * treated as `numeric` everywhere but in how an expression is printed.
   */
  ratio: 'ratio',
  double: 'double',
  text: 'text',
  date: 'date',
  /** Without a zone: time dimensions stand in the zone of the query. */
  timestamp: 'timestamp',
  interval: 'interval',
  unknown: 'unknown',
  other: 'other',
} as const;
/** Type of a value in SQL. */
export type SqlType = (typeof SqlType)[keyof typeof SqlType];

/** Numbers, each beside what it is widened to. */
const numbers: readonly SqlType[] = [SqlType.integer, SqlType.bigint, SqlType.numeric, SqlType.ratio, SqlType.double];

/** Whether a value can be counted with. */
export function isNumber(type: SqlType): boolean {
  return numbers.includes(type);
}

/** Whether a value can travel to whoever asked: an interval stands inside expressions only. */
export function isOutput(type: SqlType): boolean {
  return type !== SqlType.interval;
}

/** As Postgres calls a type, for messages. */
export function typeWords(type: SqlType): string {
  if (type === SqlType.ratio) return SqlType.numeric;
  return type === SqlType.double ? 'double precision' : type;
}

/** Whether a value becomes another type without being asked to. What `other` is, is read as text. */
export function widens(from: SqlType, to: SqlType): boolean {
  if (from === to || from === SqlType.unknown) return true;
  if (from === SqlType.ratio && to === SqlType.numeric) return true;
  if (isNumber(from) && isNumber(to)) return numbers.indexOf(from) < numbers.indexOf(to);
  return (from === SqlType.date && to === SqlType.timestamp) || (from === SqlType.other && to === SqlType.text);
}

/**
 * The type that values have together (UNION, CASE, COALESCE, IN, a comparison), by Postgres' rules: unknown literals take the type of the
 * others, text where there is none.
 * @throws SqlProblem where there is no such type.
 */
export function commonType(types: readonly SqlType[], at?: number): SqlType {
  let common: SqlType = SqlType.unknown;
  for (const one of types) {
    const type = one === SqlType.other ? SqlType.text : one;
    // What is no longer exact stays so.
    if (widens(common, type) && !(common === SqlType.ratio && type === SqlType.numeric)) common = type;
    else if (!widens(type, common)) throw mismatch(common, type, at);
  }
  return common === SqlType.unknown ? SqlType.text : common;
}

function mismatch(one: SqlType, other: SqlType, at: number | undefined): SqlProblem {
  return new SqlProblem(`${typeWords(one)} and ${typeWords(other)} can't stand together: cast one of them`, at);
}
