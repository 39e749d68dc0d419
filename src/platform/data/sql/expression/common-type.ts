import { SqlProblem } from '../sql-problem.js';
import { SqlType } from '../sql-type.js';

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
