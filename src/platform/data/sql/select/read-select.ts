import type { ColumnRef, FuncCall, Node, SelectStmt } from 'libpg-query';
import { isAggregate } from '../expression/aggregates.js';
import { readCondition, readExpression } from '../expression/read-expression.js';
import { Clause, quoteName } from '../scope.js';
import { SqlProblem } from '../sql-problem.js';
import type { CommonTable, OutputColumn, Select, SortKey } from '../tree.js';
import { type From, readFrom, stringOf } from './from.js';
import { readGroups, readOrder } from './group-order-keys.js';
import { lowerSelect } from './lower.js';
import { Level, placeOf, type SelectContext, type StatementContext } from './select-context.js';
import { readTargets } from './select-list.js';
import { namesOf, SelectScope } from './select-scope.js';

/** Which kinds of values a select uses, excluding subqueries. */
interface Use {
  /** Whether the select contains an aggregate of a measure. */
  measures: boolean;
  /** Whether the select contains an aggregate over rows. */
  aggregates: boolean;
  /** Whether the select contains `COUNT(*)`. */
  counts: boolean;
  windows: boolean;
  /** Whether the select contains `*` or a measure without an aggregate, which have values only per row. */
  rows: boolean;
  /** Whether the select contains columns of an outer select. */
  outer: boolean;
}

/**
 * Whether a select over one cube or view queries measures of groups instead of rows. This is the case if it contains an
 * aggregate of a measure, or if it groups without an aggregate over rows. `COUNT(*)` is a measure if the cube has one
 * that counts all rows.
 */
function asksForMeasures(select: SelectStmt, level: Level, { hasCount }: { readonly hasCount: boolean }): boolean {
  const use = nothing();
  const inWhere = nothing();
  const { targetList, groupClause, havingClause, sortClause, windowClause, distinctClause } = select;
  const sorted = sortClause?.filter(key => !isOutputName(key, targetList));
  new Uses(level, use).visitAll([targetList, groupClause, havingClause, sorted, windowClause]);
  new Uses(level, inWhere).visitAll(select.whereClause);
  if (use.measures) return true;
  // Columns of an outer select are available per row, not for groups.
  if (use.aggregates || use.rows || use.outer || inWhere.outer) return false;
  if (use.counts) return hasCount;
  return groupClause !== undefined || (distinctClause !== undefined && !use.windows);
}

function nothing(): Use {
  return { measures: false, aggregates: false, counts: false, windows: false, rows: false, outer: false };
}

/** Whether a key of ORDER BY is a name of the select list. Such names take precedence in ORDER BY. */
function isOutputName(key: Node, targets: readonly Node[] = []): boolean {
  const node = 'SortBy' in key ? key.SortBy.node : undefined;
  const [name, ...others] = node && 'ColumnRef' in node ? (node.ColumnRef.fields ?? []).map(stringOf) : [];
  return (
    name !== undefined &&
    others.length === 0 &&
    targets.some(target => 'ResTarget' in target && target.ResTarget.name === name)
  );
}

class Uses {
  constructor(
    readonly level: Level,
    readonly use: Use,
  ) {}

  visitAll(part: unknown): void {
    if (Array.isArray(part)) for (const one of part) this.visitAll(one);
    else if (typeof part === 'object' && part !== null)
      for (const [kind, value] of Object.entries(part)) this.#visitNode(kind, value);
  }

  #visitNode(kind: string, value: unknown): void {
    if (kind === 'SelectStmt') return;
    if (kind === 'ColumnRef') this.#column(value as ColumnRef);
    else if (kind !== 'FuncCall' || this.#call(value as FuncCall)) this.visitAll(value);
  }

  #column({ fields = [], location }: ColumnRef): void {
    const isStar = fields.some(field => 'A_Star' in field);
    const names = fields.map(stringOf);
    const own = isStar ? undefined : this.level.own(names, location);
    this.use.rows ||= isStar || own?.measure !== undefined;
    this.use.outer ||= !isStar && own === undefined && this.level.outer?.find(names, location) !== undefined;
  }

  /** Records the kind of a call. @returns whether to visit the arguments of the call. */
  #call({ funcname = [], args = [], over, agg_star, agg_filter, location }: FuncCall): boolean {
    const name = funcname.map(stringOf).at(-1) ?? '';
    if (over !== undefined) {
      this.use.windows = true;
      return true;
    }
    const [first] = args;
    const ofMeasure = first !== undefined && 'ColumnRef' in first && this.#isMeasure(first.ColumnRef.fields, location);
    if (name === 'measure' || (isAggregate(name) && ofMeasure)) this.use.measures = true;
    else if (agg_star === true && agg_filter === undefined) this.use.counts = true;
    else if (isAggregate(name)) this.use.aggregates = true;
    return name !== 'measure' && !ofMeasure;
  }

  #isMeasure(fields: readonly Node[] = [], at: number | undefined): boolean {
    return this.level.own(fields.map(stringOf), at)?.measure !== undefined;
  }
}

/** A select that can be printed. */
interface ReadSelect {
  /**
   * Selects used in conditions and keys of a cube that groups rows. They are evaluated before the query of the cube.
   */
  readonly with: readonly CommonTable[];
  readonly body: Select;
  readonly order: readonly SortKey[];
  readonly columns: readonly OutputColumn[];
}

interface SelectOptions {
  readonly around: SelectContext;
  /** Whether constants without a type remain untyped, because a set operation assigns the types of the other side. */
  readonly keepsUnknown: boolean;
}

/** Reads one select, except WITH, LIMIT and OFFSET. */
export function readSelect(reading: StatementContext, select: SelectStmt, options: SelectOptions): ReadSelect {
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
  const columnCount = from?.kind === 'cube' ? from.relation.columns.length : 0;
  const where = whereClause ? conditionOf(whereClause, Clause.where, level) : null;
  const columns = targets.map(({ value, ...named }) => ({ ...named, type: value.type }));
  return {
    columns,
    ...lowerSelect({ reading, from, relations, targets, groups, having, order, where, distinct, columnCount }),
  };
}

function checkMeasures(select: SelectStmt, from: From | null, level: Level): void {
  if (from?.kind !== 'cube') return;
  const { relation } = from;
  relation.grouped = asksForMeasures(select, level, { hasCount: relation.counting() !== undefined });
}

function aliasesOf({ targetList = [] }: SelectStmt): readonly string[] {
  return targetList.flatMap(node => ('ResTarget' in node ? (node.ResTarget.name ?? []) : []));
}

function windowsOf({ windowClause = [] }: SelectStmt): ReadonlyMap<string, Node> {
  const windows = new Map<string, Node>();
  for (const node of windowClause) {
    const name = 'WindowDef' in node ? node.WindowDef.name : undefined;
    if (name === undefined || windows.has(name))
      throw new SqlProblem(`Window ${quoteName(name ?? '')} is defined more than once`, placeOf(node));
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
