import type { Node, SelectStmt } from 'libpg-query';
import { SqlProblem } from '../sql-problem.js';
import type { SelectStatement } from '../tree.js';
import { placeOf } from './place.js';

/** What a select may be made of. Everything else is refused, by its name where we know it. */
const known: ReadonlySet<string> = new Set<keyof SelectStmt>([
  'distinctClause',
  'targetList',
  'fromClause',
  'whereClause',
  'groupClause',
  'havingClause',
  'windowClause',
  'sortClause',
  'limitOffset',
  'limitCount',
  'limitOption',
  'withClause',
  'op',
  'all',
  'larg',
  'rarg',
]);
const refused: Readonly<Record<string, string>> = {
  intoClause: 'INTO',
  groupDistinct: 'GROUP BY DISTINCT',
  valuesLists: 'VALUES',
  lockingClause: 'FOR UPDATE',
};

/** Each key is compared with each other, and with all that is selected. */
const maxKeys = 100;

/** @throws SqlProblem for a clause that is not on our list, or one too long. */
export function checkClauses(select: SelectStmt): void {
  const other = Object.keys(select).find(clause => !known.has(clause));
  if (other !== undefined)
    throw new SqlProblem(`${refused[other] ?? 'a clause of this SELECT'} is not supported`, placeOf(select));
  checkKeys(keysIn(select.groupClause), 'GROUP BY');
  checkKeys(select.sortClause ?? [], 'ORDER BY');
}

function checkKeys(keys: readonly Node[], clause: string): void {
  const tooMany = keys[maxKeys];
  if (tooMany) throw new SqlProblem(`${clause} may have ${maxKeys} keys`, placeOf(tooMany));
}

/** What stands in parentheses together is a list of keys. */
function keysIn(nodes: readonly Node[] = []): readonly Node[] {
  return nodes.flatMap(node => ('RowExpr' in node ? keysIn(node.RowExpr.args) : node));
}

/** Reads LIMIT and OFFSET: whole numbers, since what they leave out must not hang on a value. */
export function limitsOf(select: SelectStmt): Pick<SelectStatement, 'limit' | 'offset'> {
  const { limitOption, limitCount, limitOffset } = select;
  if (limitOption === 'LIMIT_OPTION_WITH_TIES')
    throw new SqlProblem('WITH TIES is not supported', placeOf(limitCount ?? select));
  return { limit: countOf(limitCount, 'LIMIT'), offset: countOf(limitOffset, 'OFFSET') ?? 0 };
}

function countOf(node: Node | undefined, clause: string): number | null {
  if (node === undefined) return null;
  const constant = 'A_Const' in node ? node.A_Const : {};
  if (constant.isnull === true) return null;
  const count = constant.ival ? (constant.ival.ival ?? 0) : Number(constant.fval?.fval ?? Number.NaN);
  if (Number.isSafeInteger(count) && count >= 0) return count;
  throw new SqlProblem(`${clause} takes a whole number, not below 0`, placeOf(node));
}
