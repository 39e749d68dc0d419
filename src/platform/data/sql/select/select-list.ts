import type { ColumnRef, Node, SelectStmt } from 'libpg-query';
import { coerce } from '../expression/literals.js';
import { quoteName, type Scope } from '../scope.js';
import { SqlProblem } from '../sql-problem.js';
import { SqlType } from '../sql-type.js';
import type { Expression } from '../tree.js';
import { stringOf } from './from.js';
import type { Level } from './select-context.js';

/**
 * A column name, and whether it is definite. `CASE` and casts use the name of their inner value only if that name is
 * definite.
 */
type Named = { readonly name: string; readonly sure: boolean };

const unnamed = '?column?';
const valueFunctions: Readonly<Record<string, string>> = {
  SVFOP_CURRENT_DATE: 'current_date',
  SVFOP_CURRENT_TIME: 'current_time',
  SVFOP_CURRENT_TIMESTAMP: 'current_timestamp',
  SVFOP_LOCALTIME: 'localtime',
  SVFOP_LOCALTIMESTAMP: 'localtimestamp',
};

/**
 * Returns the name that Postgres gives to a column without an alias. For `MEASURE(m)`, which Postgres does not have,
 * returns the name of the measure.
 */
function outputName(node: Node): string {
  return nameOf(node)?.name ?? unnamed;
}

function nameOf(node: Node | undefined): Named | undefined {
  if (node === undefined) return undefined;
  if ('ColumnRef' in node) return sure(lastOf(node.ColumnRef.fields));
  if ('FuncCall' in node) {
    const { funcname, args: [first] = [] } = node.FuncCall;
    const name = lastOf(funcname);
    return name === 'measure' && first && 'ColumnRef' in first ? nameOf(first) : sure(name);
  }
  if ('TypeCast' in node) {
    const inside = nameOf(node.TypeCast.arg);
    const type = lastOf(node.TypeCast.typeName?.names);
    return inside?.sure === true ? inside : { name: type, sure: false };
  }
  if ('CaseExpr' in node) {
    const inside = nameOf(node.CaseExpr.defresult);
    return inside?.sure === true ? inside : { name: 'case', sure: false };
  }
  if ('SubLink' in node) return nameOfSubLink(node.SubLink.subLinkType, node.SubLink.subselect);
  if ('CollateClause' in node) return nameOf(node.CollateClause.arg);
  return nameOfForm(node);
}

/** Returns the name of an expression that is named after its keyword. */
function nameOfForm(node: Node): Named | undefined {
  if ('CoalesceExpr' in node) return sure('coalesce');
  if ('MinMaxExpr' in node) return sure(node.MinMaxExpr.op === 'IS_LEAST' ? 'least' : 'greatest');
  if ('A_Expr' in node && node.A_Expr.kind === 'AEXPR_NULLIF') return sure('nullif');
  if ('SQLValueFunction' in node) {
    const name = valueFunctions[node.SQLValueFunction.op ?? ''];
    return name === undefined ? undefined : sure(name);
  }
  return undefined;
}

/** Returns the name of a subquery that is used as a value, which is the name of its column. */
function nameOfSubLink(kind: string | undefined, select: Node | undefined): Named | undefined {
  if (kind === 'EXISTS_SUBLINK') return sure('exists');
  if (kind !== 'EXPR_SUBLINK' || select === undefined || !('SelectStmt' in select)) return undefined;
  const [target] = select.SelectStmt.targetList ?? [];
  if (target === undefined || !('ResTarget' in target)) return undefined;
  const { name, val } = target.ResTarget;
  return name === undefined ? nameOf(val) : sure(name);
}

function sure(name: string): Named {
  return { name, sure: true };
}

function lastOf(names: readonly Node[] | undefined): string {
  const last = names?.at(-1);
  return last === undefined ? unnamed : stringOf(last);
}

/** A column returned by a select. */
export interface Target {
  readonly name: string;
  readonly value: Expression;
  /** Whether AS gives the column a name other than its default name. */
  readonly aliased?: boolean;
}

/** Context in which the select list is read. */
interface TargetReader {
  readonly level: Level;
  readonly scope: Scope;
  read(node: Node, scope: Scope): Expression;
  /** Whether constants without a type remain untyped, because a set operation assigns the types of the other side. */
  readonly keepsUnknown: boolean;
  /** Whether the select groups rows. Each column is then compared with each key. */
  readonly isOfGroups: boolean;
}

/** Maximum number of columns of a select, as in Postgres. Each `*` in a chain of subqueries can double the number. */
const maxTargets = 1600;

/** Maximum number of columns of a select with DISTINCT or GROUP BY. */
const maxGrouped = 200;

/** Reads the select list and expands `*`. */
export function readTargets(reader: TargetReader, list: readonly Node[]): readonly Target[] {
  const targets: Target[] = [];
  const maxColumns = reader.isOfGroups ? maxGrouped : maxTargets;
  const kind = reader.isOfGroups ? 'A SELECT with DISTINCT or GROUP BY' : 'A SELECT';
  for (const node of list) {
    if (!('ResTarget' in node) || node.ResTarget.val === undefined) continue;
    const { name, val, location: at } = node.ResTarget;
    if (isStar(val)) targets.push(...expandStar(reader.level, val.ColumnRef));
    else {
      const value = resolveUnknownType(reader, reader.read(val, reader.scope));
      const own = outputName(val);
      targets.push(name === undefined || name === own ? { name: own, value } : { name, value, aliased: true });
    }
    if (targets.length > maxColumns) throw new SqlProblem(`${kind} can have at most ${maxColumns} columns`, at);
  }
  if (targets.length === 0) throw new SqlProblem('A SELECT requires columns');
  return targets;
}

/** Returns the location of a column of the select list in bytes. For a column of `*`, the location of `*`. */
export function placeOfColumn({ larg, targetList = [] }: SelectStmt, place: number): number | undefined {
  if (larg) return placeOfColumn(larg, place);
  const targets = targetList.flatMap(node => ('ResTarget' in node ? node.ResTarget : []));
  const star = targets.find(({ val }) => isStar(val));
  return targets.slice(0, place + 1).find(target => target === star)?.location ?? targets[place]?.location;
}

function isStar(node: Node | undefined): node is { ColumnRef: ColumnRef } {
  return node !== undefined && 'ColumnRef' in node && node.ColumnRef.fields?.some(field => 'A_Star' in field) === true;
}

function resolveUnknownType({ keepsUnknown }: TargetReader, value: Expression): Expression {
  return value.type === SqlType.unknown && !keepsUnknown ? coerce(value, SqlType.text) : value;
}

function expandStar(level: Level, { fields = [], location: at }: ColumnRef): Target[] {
  const [table, ...rest] = fields.slice(0, -1).map(stringOf);
  const relation = table === undefined || rest.length > 0 ? undefined : level.relation(table, at);
  if (table !== undefined && relation === undefined)
    throw new SqlProblem(`Table ${quoteName(table)} is not in the FROM clause`, at);
  const relations = relation === undefined ? level.relations : [relation];
  if (relations.length === 0) throw new SqlProblem('* requires a FROM clause', at);
  return relations.flatMap(one => one.all().map(column => ({ name: column.name, value: column.value(at) })));
}
