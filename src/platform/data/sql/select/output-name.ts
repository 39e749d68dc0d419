import type { Node } from 'libpg-query';
import { stringOf } from './from.js';

/** How sure Postgres is of a name: `CASE` and casts take that of what is inside, where it is sure of it. */
type Named = { readonly name: string; readonly sure: boolean };

const unnamed = '?column?';
const valueFunctions: Readonly<Record<string, string>> = {
  SVFOP_CURRENT_DATE: 'current_date',
  SVFOP_CURRENT_TIME: 'current_time',
  SVFOP_CURRENT_TIMESTAMP: 'current_timestamp',
  SVFOP_LOCALTIME: 'localtime',
  SVFOP_LOCALTIMESTAMP: 'localtimestamp',
};

/** The name that Postgres gives to a column without an alias; `MEASURE(m)`, which Postgres doesn't know, is called as the measure is. */
export function outputName(node: Node): string {
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

/** Forms that are called as they are written. */
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

/** A select that is a value is called as its column is. */
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
