import type { Node, SortBy } from 'libpg-query';
import type { Scope } from '../scope.js';
import { SqlProblem } from '../sql-problem.js';
import type { Expression, SortKey } from '../tree.js';
import { settled } from './aggregates.js';
import { readCase, readCoalesce, readExtreme } from './cases.js';
import { readCast } from './casts.js';
import { readConstant, readMoment } from './constants.js';
import { readFunction } from './functions.js';
import { readLogic, readNullTest, readOperator, readTruthTest, truthOf } from './operators.js';
import { placeOf, present, type Reader, Within, wordsOf } from './reader.js';
import { sortKey } from './sort-key.js';
import { readSubSelect } from './sub-selects.js';
import { checkWeight } from './weight.js';

/** How deep an expression may go. */
const maxDepth = 100;

/** Names of what is refused, for messages. */
const refused: Readonly<Record<string, string>> = {
  ParamRef: 'Parameters like $1 are',
  RowExpr: 'A row in parentheses is',
  A_ArrayExpr: 'ARRAY is',
  A_Indirection: 'A subscript or a field of a value is',
  CollateClause: 'COLLATE is',
  NamedArgExpr: 'A named argument is',
  GroupingFunc: 'GROUPING is',
  XmlExpr: 'XML is',
  SetToDefault: 'DEFAULT is',
};

/**
 * Reads an expression of the parser's tree into ours. Only what is on our list is read.
 * @throws SqlProblem for everything else, and for what Postgres would refuse.
 */
export function readExpression(node: Node, scope: Scope): Expression {
  const expression = readerOf(scope, Within.clause, 0).read(node);
  checkWeight(expression, placeOf(node));
  return expression;
}

/**
 * Reads what has to be true, false or NULL: WHERE, HAVING, ON.
 * @throws as `readExpression` does.
 */
export function readCondition(node: Node, scope: Scope): Expression {
  return truthOf(readExpression(node, scope), scope.clause, placeOf(node));
}

/**
 * Reads a key of ORDER BY, with the place of NULLs that Postgres gives them.
 * @param read - reads the value, where it may also be a name or a number of the select list.
 * @throws as `readExpression` does.
 */
export function readSortKey(
  key: SortBy,
  scope: Scope,
  read: (node: Node) => Expression = node => readExpression(node, scope),
): SortKey {
  const node = present(key.node);
  return sortKey(key, settled(read(node), placeOf(node)));
}

function readerOf(scope: Scope, within: Within, depth: number): Reader {
  return {
    scope,
    within,
    read: node => readNode(node, readerOf(scope, within, depth + 1), depth),
    inside: inner => readerOf(scope, inner, depth),
  };
}

function readNode(node: Node, reader: Reader, depth: number): Expression {
  if (depth >= maxDepth) throw new SqlProblem(`An expression may be ${maxDepth} levels deep at most`, placeOf(node));
  if ('ColumnRef' in node) return readColumn(node.ColumnRef.fields, node.ColumnRef.location, reader);
  if ('A_Const' in node) return readConstant(node.A_Const);
  if ('A_Expr' in node) return readOperator(node.A_Expr, reader);
  if ('BoolExpr' in node) return readLogic(node.BoolExpr, reader);
  if ('NullTest' in node) return readNullTest(node.NullTest, reader);
  if ('BooleanTest' in node) return readTruthTest(node.BooleanTest, reader);
  if ('FuncCall' in node) return readFunction(node.FuncCall, reader);
  if ('SQLValueFunction' in node) return readMoment(node.SQLValueFunction, reader.scope);
  if ('TypeCast' in node) return readCast(node.TypeCast, reader);
  if ('CaseExpr' in node) return readCase(node.CaseExpr, reader);
  if ('CoalesceExpr' in node) return readCoalesce(node.CoalesceExpr, reader);
  if ('MinMaxExpr' in node) return readExtreme(node.MinMaxExpr, reader);
  if ('SubLink' in node) return readSubSelect(node.SubLink, reader);
  const [kind = ''] = Object.keys(node);
  const name = Object.hasOwn(refused, kind) ? refused[kind] : 'This kind of expression is';
  throw new SqlProblem(`${name} not supported`, placeOf(node));
}

function readColumn(fields: Node[] | undefined, at: number | undefined, { scope }: Reader): Expression {
  const words = wordsOf(fields);
  if (words === null) throw new SqlProblem('* can stand alone in the select list, or in COUNT(*)', at);
  return scope.column(words, at);
}
