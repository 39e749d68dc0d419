import type { CaseExpr, CoalesceExpr, MinMaxExpr, Node, SortBy, SubLink } from 'libpg-query';
import type { Scope } from '../scope.js';
import { SqlProblem } from '../sql-problem.js';
import { commonType, SqlType } from '../sql-type.js';
import type { Case, Expression, SelectStatement, SortKey, Subquery } from '../tree.js';
import { resolveUnknownType } from './aggregates.js';
import { readCast } from './casts.js';
import { checkExpressionSize } from './expression-size.js';
import { readFunction } from './functions.js';
import { coerce, readConstant, readMoment } from './literals.js';
import { call } from './operations.js';
import { readLogic, readNullTest, readOperator, readTruthTest, truthOf } from './operators.js';
import {
  checkRepetition,
  placeOf,
  present,
  type Reader,
  readArguments,
  sortKey,
  Within,
  wordOf,
  wordsOf,
} from './reader.js';

/** Reads CASE. If it has an operand, each branch compares with it. */
function readCase({ arg, args = [], defresult, location: at }: CaseExpr, reader: Reader): Case {
  const operand = arg && reader.read(arg);
  if (operand) checkRepetition([operand], args.length, at);
  const branches = args.map(node => {
    if (!('CaseWhen' in node)) throw new SqlProblem('CASE requires WHEN', at);
    const { expr, result, location } = node.CaseWhen;
    const given = reader.read(present(expr));
    const when = operand ? call('=', [operand, given], location) : truthOf(given, 'WHEN', location);
    return { when, value: reader.read(present(result)) };
  });
  const otherwise = defresult ? reader.read(defresult) : null;
  const results: Expression[] = [...branches.map(({ value }) => value), ...(otherwise ? [otherwise] : [])];
  const type = commonType(
    results.map(result => result.type),
    at,
  );
  return {
    kind: 'case',
    type,
    branches: branches.map(({ when, value }) => ({ when, value: coerce(value, type, at) })),
    otherwise: otherwise && coerce(otherwise, type, at),
  };
}

/** Reads COALESCE. */
function readCoalesce({ args, location }: CoalesceExpr, reader: Reader): Expression {
  return call('coalesce', readArguments(args, reader, location), location);
}

/** Reads GREATEST and LEAST, which ignore NULL. */
function readExtreme({ op, args, location }: MinMaxExpr, reader: Reader): Expression {
  return call(op === 'IS_LEAST' ? 'least' : 'greatest', readArguments(args, reader, location), location);
}

/** Reads a select used as a value: scalar, EXISTS or IN. */
function readSubquery(link: SubLink, reader: Reader): Subquery {
  const at = link.location;
  switch (link.subLinkType) {
    case 'EXPR_SUBLINK': {
      const select = selectOf(link, reader);
      return { kind: 'subquery', type: onlyColumn(select, at), form: 'scalar', operand: null, select };
    }
    case 'EXISTS_SUBLINK':
      return {
        kind: 'subquery',
        type: SqlType.boolean,
        form: 'exists',
        operand: null,
        select: selectOf(link, reader),
      };
    case 'ANY_SUBLINK':
      return readIn(link, reader);
    default:
      throw new SqlProblem('A subquery is supported only as a value, after IN or after EXISTS', at);
  }
}

/** Reads `x IN (select …)` and the equivalent `x = ANY (select …)`. */
function readIn(link: SubLink, reader: Reader): Subquery {
  const at = link.location;
  if (link.operName && wordOf(link.operName) !== '=')
    throw new SqlProblem('ANY is supported only after =: use EXISTS', at);
  const operand = reader.read(present(link.testexpr));
  const select = selectOf(link, reader);
  const type = commonType([operand.type, onlyColumn(select, at)], at);
  return { kind: 'subquery', type: SqlType.boolean, form: 'in', operand: coerce(operand, type, at), select };
}

function selectOf({ subselect, location: at }: SubLink, { scope }: Reader): SelectStatement {
  if (!subselect || !('SelectStmt' in subselect)) throw new SqlProblem('A subquery must be a SELECT', at);
  return scope.statement(subselect.SelectStmt, at);
}

function onlyColumn({ columns }: SelectStatement, at: number | undefined): SqlType {
  const [column, ...others] = columns;
  if (!column || others.length > 0) throw new SqlProblem('The subquery must return exactly one column', at);
  return column.type;
}

/** Maximum depth of an expression. */
const maxDepth = 100;

/** Unsupported kinds of expressions, for messages. */
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
 * Converts an expression of the parse tree. Only expressions on the allowlist are supported.
 * @throws SqlProblem for other expressions and for expressions that Postgres rejects.
 */
export function readExpression(node: Node, scope: Scope): Expression {
  const expression = readerOf(scope, Within.clause, 0).read(node);
  checkExpressionSize(expression, placeOf(node));
  return expression;
}

/**
 * Reads a boolean expression: WHERE, HAVING or ON.
 * @throws SqlProblem as `readExpression` does, and if the value is not a boolean.
 */
export function readCondition(node: Node, scope: Scope): Expression {
  return truthOf(readExpression(node, scope), scope.clause, placeOf(node));
}

/**
 * Reads a key of ORDER BY with the default order of NULLs in Postgres.
 * @param read - reads the value if it can also be a name or a position of the select list.
 * @throws SqlProblem as `readExpression` does.
 */
export function readSortKey(
  key: SortBy,
  scope: Scope,
  read: (node: Node) => Expression = node => readExpression(node, scope),
): SortKey {
  const node = present(key.node);
  return sortKey(key, resolveUnknownType(read(node), placeOf(node)));
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
  if (depth >= maxDepth) throw new SqlProblem(`The expression exceeds the limit of ${maxDepth} levels`, placeOf(node));
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
  if ('SubLink' in node) return readSubquery(node.SubLink, reader);
  const [kind = ''] = Object.keys(node);
  const name = Object.hasOwn(refused, kind) ? refused[kind] : 'This kind of expression is';
  throw new SqlProblem(`${name} not supported`, placeOf(node));
}

function readColumn(fields: Node[] | undefined, at: number | undefined, { scope }: Reader): Expression {
  const words = wordsOf(fields);
  if (words === null) throw new SqlProblem('* is supported only in the select list and in COUNT(*)', at);
  return scope.column(words, at);
}
