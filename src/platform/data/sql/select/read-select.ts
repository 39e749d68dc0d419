import type { Node, SelectStmt } from 'libpg-query';
import { readCondition, readExpression } from '../expression/read-expression.js';
import { Clause } from '../scope.js';
import { SqlProblem } from '../sql-problem.js';
import type { CommonTable, OutputColumn, Select, SortKey } from '../tree.js';
import { type From, readFrom } from './from.js';
import { readGroups, readOrder } from './keys.js';
import { Level } from './level.js';
import { lowered } from './lower.js';
import { asksForMeasures } from './measure-use.js';
import { shown } from './names.js';
import { placeOf } from './place.js';
import type { Around, Reading } from './reading.js';
import { namesOf, SelectScope } from './select-scope.js';
import { readTargets } from './targets.js';

/** One select, ready to be printed. */
export interface ReadSelect {
  /** What stands in conditions on rows that are put together: worked out before them. */
  readonly with: readonly CommonTable[];
  readonly body: Select;
  readonly order: readonly SortKey[];
  readonly columns: readonly OutputColumn[];
}

/** How a select is read. */
export interface SelectOptions {
  readonly around: Around;
  /** Whether constants without a type keep none: a set operation gives them that of its other side. */
  readonly keepsUnknown: boolean;
}

/** Reads one select: no set operation, without its WITH and LIMIT. */
export function readSelect(reading: Reading, select: SelectStmt, options: SelectOptions): ReadSelect {
  const { around, keepsUnknown } = options;
  const own = { windows: windowsOf(select), aliases: aliasesOf(select) };
  const conditionOf = (node: Node, clause: Clause, level: Level) =>
    readCondition(node, new SelectScope(clause, namesOf(reading, around, level, own)));
  const { from, relations } = readFrom(reading, select.fromClause ?? [], around, conditionOf);
  const level = new Level(relations, around.outer);
  checkMeasures(select, from, level);
  const names = namesOf(reading, around, level, own);
  const scope = (clause: Clause) => new SelectScope(clause, names);
  const { targetList = [], groupClause, havingClause, sortClause = [], whereClause } = select;
  const distinct = isDistinct(select);
  const isOfGroups = distinct || groupClause !== undefined;
  const targets = readTargets(
    { level, scope: scope(Clause.select), read: readExpression, keepsUnknown, isOfGroups },
    targetList,
  );
  const keys = { level, targets, scope, read: readExpression };
  const groups = groupClause ? readGroups(keys, groupClause) : null;
  const having = havingClause ? conditionOf(havingClause, Clause.having, level) : null;
  const order = readOrder(keys, sortClause);
  const asked = from?.kind === 'cube' ? from.relation.columns.length : 0;
  const where = whereClause ? conditionOf(whereClause, Clause.where, level) : null;
  const columns = targets.map(({ value, ...named }) => ({ ...named, type: value.type }));
  return { columns, ...lowered({ reading, from, relations, targets, groups, having, order, where, distinct, asked }) };
}

function checkMeasures(select: SelectStmt, from: From | null, level: Level): void {
  if (from?.kind !== 'cube') return;
  const { relation } = from;
  relation.grouped = asksForMeasures(select, level, relation.counting() !== undefined);
}

function aliasesOf({ targetList = [] }: SelectStmt): readonly string[] {
  return targetList.flatMap(node => ('ResTarget' in node ? (node.ResTarget.name ?? []) : []));
}

function windowsOf({ windowClause = [] }: SelectStmt): ReadonlyMap<string, Node> {
  const windows = new Map<string, Node>();
  for (const node of windowClause) {
    const name = 'WindowDef' in node ? node.WindowDef.name : undefined;
    if (name === undefined || windows.has(name))
      throw new SqlProblem(`the window ${shown(name ?? '')} is defined more than once`, placeOf(node));
    windows.set(name, node);
  }
  return windows;
}

function isDistinct({ distinctClause }: SelectStmt): boolean {
  const [first] = distinctClause ?? [];
  if (first !== undefined && Object.keys(first).length > 0)
    throw new SqlProblem('DISTINCT ON is not supported: use GROUP BY', placeOf(distinctClause ?? []));
  return distinctClause !== undefined;
}
