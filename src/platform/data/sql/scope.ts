import type { Node, SelectStmt } from 'libpg-query';
import type { Expression, SelectStatement } from './tree.js';

/** What names mean where an expression stands. Made for each select by whoever reads selects, used by whoever reads expressions. */
export interface Scope {
  /**
   * What stands there, for messages: `WHERE`, `GROUP BY`, `the select list`. Says, too, what is allowed.
   */
  readonly clause: Clause;
  /** What the clock on the wall shows in the query's time zone (`2001-01-31T23:59:59.999`): `now()`, one moment for a whole statement. */
  readonly now: string;
  /**
   * The column or member of a name: `status`, `o.status`. A measure of a cube that is named without an aggregate is a `MemberValue`.
   * @throws SqlProblem for a name that is unknown, hidden (told alike) or ambiguous.
   */
  column(names: readonly string[], at: number | undefined): Expression;
  /**
   * The measure that an aggregate means: `MEASURE(m)`, or the aggregate that the measure is made by (`SUM(m)` of a sum). Null where
   * the name is no measure, so that the aggregate is one over rows.
   * @param call - `measure`, `sum`, `avg`, `min`, `max`, `count`.
   * @throws SqlProblem where the measure is made another way, with what to write instead.
   */
  measure(call: string, distinct: boolean, names: readonly string[], at: number | undefined): Expression | null;
  /** The measure that `COUNT(*)` means: the plain count of a cube, where the select asks for measures. Null where rows are counted. */
  countRows(at: number | undefined): Expression | null;
  /** Reads a select that stands inside this one; `correlated` names are looked up here. */
  statement(select: SelectStmt, at: number | undefined): SelectStatement;
  /** The definition of a window by name, of the WINDOW clause. */
  window(name: string, at: number | undefined): Node;
}

/** Where in a select an expression stands. */
export const Clause = {
  select: 'the select list',
  where: 'WHERE',
  group: 'GROUP BY',
  having: 'HAVING',
  order: 'ORDER BY',
  on: 'JOIN … ON',
} as const;
/** Where in a select an expression stands. */
export type Clause = (typeof Clause)[keyof typeof Clause];

/**
 * Finds by name: exactly, else without regard to case. A name that isn't quoted arrives in small letters, whatever the model writes; one
 * with others was quoted, and is meant exactly.
 * @returns all that have the name: more than one where it is ambiguous.
 */
export function findByName<T>(all: readonly T[], name: string, nameOf: (one: T) => string | undefined): readonly T[] {
  const exact = all.filter(one => nameOf(one) === name);
  if (exact.length > 0 || name !== name.toLowerCase()) return exact;
  return all.filter(one => nameOf(one)?.toLowerCase() === name);
}

const maxShownLength = 100;

/** A caller's name as a message shows it: in quotes where it is no plain word, and without what can't be seen. */
export function quoteName(...names: readonly string[]): string {
  const name = names.join('.');
  if (/^[\w.]+$/.test(name) && name.length <= maxShownLength) return name;
  return `"${name.replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '?').slice(0, maxShownLength)}"`;
}
