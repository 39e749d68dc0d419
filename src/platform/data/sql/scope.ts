import type { Node, SelectStmt } from 'libpg-query';
import type { Expression, SelectStatement } from './tree.js';

/** A reference to a measure in a statement. */
export interface MeasureCall {
  /** `measure`, `sum`, `avg`, `min`, `max` or `count`. */
  readonly call: string;
  readonly distinct: boolean;
}

/** Resolves the names in an expression. One scope exists per clause of each select. */
export interface Scope {
  /** The clause that contains the expression. Used in messages, and determines which expressions are allowed. */
  readonly clause: Clause;
  /** Local time in the query's time zone (`2001-01-31T23:59:59.999`). The value of `now()` for the whole statement. */
  readonly now: string;
  /**
   * Resolves a column or member, such as `status` or `o.status`. A measure of a cube without an aggregate is a
   * `MemberValue`.
   * @throws SqlProblem for an ambiguous name, and for unknown and hidden names, whose messages are identical.
   */
  column(names: readonly string[], at: number | undefined): Expression;
  /**
   * Resolves the measure of an aggregate: `MEASURE(m)`, or the aggregate of the measure's own type, such as `SUM(m)`
   * for a sum. Returns `null` if the name is not a measure, so that the aggregate applies to rows.
   * @throws SqlProblem if the measure has another type. The message states what to write instead.
   */
  measure(aggregate: MeasureCall, names: readonly string[], at: number | undefined): Expression | null;
  /** Returns the count measure to which `COUNT(*)` refers in a select over measures, or `null` if it counts rows. */
  countRows(at: number | undefined): Expression | null;
  /** Reads an inner select. Its correlated names are resolved in this scope. */
  statement(select: SelectStmt, at: number | undefined): SelectStatement;
  /** Returns a window of the WINDOW clause by name. */
  window(name: string, at: number | undefined): Node;
}

/** The clause of a select that contains an expression, as named in messages. */
export const Clause = {
  select: 'the select list',
  where: 'WHERE',
  group: 'GROUP BY',
  having: 'HAVING',
  order: 'ORDER BY',
  on: 'JOIN … ON',
} as const;
/** The clause of a select that contains an expression, as named in messages. */
export type Clause = (typeof Clause)[keyof typeof Clause];

/**
 * Finds items by exact name, otherwise ignoring case. Unquoted names arrive in lower case, regardless of the case in
 * the model; a name with uppercase letters was quoted and must match exactly.
 * @returns all items with the name. More than one item means that the name is ambiguous.
 */
export function findByName<T>(all: readonly T[], name: string, nameOf: (one: T) => string | undefined): readonly T[] {
  const exact = all.filter(one => nameOf(one) === name);
  if (exact.length > 0 || name !== name.toLowerCase()) return exact;
  return all.filter(one => nameOf(one)?.toLowerCase() === name);
}

const maxShownLength = 100;

/** Writes a caller's name as SQL in a message: in quotes unless it is a plain word. */
export function sqlName(...names: readonly string[]): string {
  const name = names.join('.');
  return /^[\w.]+$/.test(name) && name.length <= maxShownLength ? name : quoteName(name);
}

/** Quotes a caller's name for a message, truncated and without invisible characters. */
export function quoteName(...names: readonly string[]): string {
  const name = names.join('.');
  return `"${name.replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '?').slice(0, maxShownLength)}"`;
}
