import type { CommonTableExpr, Node, SelectStmt, WithClause } from 'libpg-query';
import { isoTime } from '../../time/time-zone.js';
import { Clause, quoteName } from '../scope.js';
import type { MemberTypes, SqlModel } from '../sql-model.js';
import { SqlProblem } from '../sql-problem.js';
import { commonType } from '../sql-type.js';
import type { CommonTable, CubeQuery, SelectStatement, SetOperation } from '../tree.js';
import { columnsOf, selectOver, withTypes } from './build-select.js';
import { renameColumns } from './from.js';
import { readOrder } from './group-order-keys.js';
import { readSelect } from './read-select.js';
import {
  type CommonTableName,
  Level,
  type NamePlaces,
  placeOf,
  type SelectContext,
  type StatementContext,
} from './select-context.js';
import { namesOf, SelectScope } from './select-scope.js';

/** Supported parts of a select. All other parts are rejected. */
const supportedClauses: ReadonlySet<string> = new Set<keyof SelectStmt>([
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

/** Maximum number of keys of GROUP BY and ORDER BY. Each is compared with every other key and with every column. */
const maxKeys = 100;

/** @throws SqlProblem for an unsupported clause and for a clause with too many keys. */
function checkClauses(select: SelectStmt): void {
  const other = Object.keys(select).find(clause => !supportedClauses.has(clause));
  if (other !== undefined)
    throw new SqlProblem(`${refused[other] ?? 'A clause of this SELECT'} is not supported`, placeOf(select));
  checkKeys(keysIn(select.groupClause), 'GROUP BY');
  checkKeys(select.sortClause ?? [], 'ORDER BY');
}

function checkKeys(keys: readonly Node[], clause: string): void {
  const tooMany = keys[maxKeys];
  if (tooMany) throw new SqlProblem(`${clause} can have at most ${maxKeys} keys`, placeOf(tooMany));
}

/** Flattens rows in parentheses, which are lists of keys. */
function keysIn(nodes: readonly Node[] = []): readonly Node[] {
  return nodes.flatMap(node => ('RowExpr' in node ? keysIn(node.RowExpr.args) : node));
}

/** Reads LIMIT and OFFSET. Only constants are supported, because a limit must not depend on data. */
function limitsOf(select: SelectStmt): Pick<SelectStatement, 'limit' | 'offset'> {
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
  throw new SqlProblem(`${clause} must be a whole number, 0 or greater`, placeOf(node));
}

/**
 * A parsed WITH clause: its tables, and all names to which the statement can refer, including those of outer
 * statements.
 */
interface ReadWith {
  readonly tables: readonly CommonTable[];
  readonly names: ReadonlyMap<string, CommonTableName>;
}

/** Reads WITH. Each table can refer only to the tables before it. */
function readWith(reading: StatementContext, clause: WithClause | undefined, around: SelectContext): ReadWith {
  const names = new Map(around.tables);
  if (clause?.recursive === true) throw new SqlProblem('WITH RECURSIVE is not supported', clause.location);
  const own = new Set<string>();
  const tables = (clause?.ctes ?? []).map(node => {
    if (!('CommonTableExpr' in node)) throw new SqlProblem('This item of WITH is not supported', placeOf(node));
    const { CommonTableExpr: table } = node;
    const name = table.ctename ?? '';
    if (own.has(name))
      throw new SqlProblem(`WITH query name ${quoteName(name)} is specified more than once`, table.location);
    own.add(name);
    const statement = reading.statement(selectOf(table), { ...around, tables: new Map(names) });
    const alias = { aliasname: name, ...(table.aliascolnames && { colnames: table.aliascolnames }) };
    const id = reading.next();
    names.set(name, { id, columns: renameColumns(statement.columns, alias, table.location) });
    return { id, statement };
  });
  return { tables, names };
}

function selectOf({ ctequery, search_clause, cycle_clause, location }: CommonTableExpr) {
  if (search_clause || cycle_clause) throw new SqlProblem('SEARCH and CYCLE are not supported', location);
  if (ctequery === undefined || !('SelectStmt' in ctequery))
    throw new SqlProblem('A query in WITH must be a SELECT', location);
  return ctequery.SelectStmt;
}

const operators: Readonly<Record<string, SetOperation['operator']>> = {
  SETOP_UNION: 'union',
  SETOP_INTERSECT: 'intersect',
  SETOP_EXCEPT: 'except',
};

/** Returns the set operator of a statement, or `undefined` for a plain select. */
function operatorOf({ op = 'SETOP_NONE' }: SelectStmt): SetOperation['operator'] | undefined {
  return operators[op];
}

/**
 * Builds a set operation. The columns have the names of the left side, and both sides are converted to common types.
 */
function setOf(
  reading: StatementContext,
  select: SelectStmt,
  left: SelectStatement,
  right: SelectStatement,
): SelectStatement {
  const operator = operatorOf(select) ?? 'union';
  const at = placeOf(select.rarg ?? {});
  if (left.columns.length !== right.columns.length)
    throw new SqlProblem(`Each ${operator.toUpperCase()} query must have the same number of columns`, at);
  const types = left.columns.map(({ type }, index) => commonType([type, right.columns[index]?.type ?? type], at));
  const [a, b] = [left, right].map(side => withTypes(side, types, reading.next));
  return {
    with: [],
    body: { kind: 'set', operator, all: select.all === true, left: a ?? left, right: b ?? right },
    order: [],
    limit: null,
    offset: 0,
    columns: left.columns.map(({ name }, index) => ({ name, type: types[index] ?? 'text' })),
  };
}

/** Maximum number of selects, tables of WITH and items of FROM in a statement. */
const maxSources = 200;

/** A statement, and all its queries of cubes and views. */
export interface ReadQuery {
  readonly statement: SelectStatement;
  readonly queries: readonly CubeQuery[];
  readonly places: NamePlaces;
}

/**
 * Converts the parse tree of a SELECT to a `SelectStatement`.
 * @param types - types, by path, of the members that may occur in the statement.
 * @throws SqlProblem for SQL that is not supported and for SQL that Postgres rejects.
 */
export function readQuery(select: SelectStmt, model: SqlModel, types: ReadonlyMap<string, MemberTypes>): ReadQuery {
  const { access, now, timezone } = model;
  const queries: CubeQuery[] = [];
  const places: NamePlaces = new WeakMap();
  let last = 0;
  const reading: StatementContext = {
    model,
    cubes: { access, types, queries },
    now: isoTime(now.getTime() + timezone.offsetAt(now.getTime())),
    places,
    next: () => {
      if (++last > maxSources) throw new SqlProblem(`A statement can have at most ${maxSources} tables and queries`);
      return last;
    },
    statement: (inside, around) => readWhole(reading, inside, { around, keepsUnknown: false }),
  };
  return { statement: reading.statement(select, { tables: new Map(), outer: null }), queries, places };
}

interface WholeOptions {
  readonly around: SelectContext;
  readonly keepsUnknown: boolean;
}

function readWhole(
  reading: StatementContext,
  select: SelectStmt,
  { around, keepsUnknown }: WholeOptions,
): SelectStatement {
  checkClauses(select);
  const common = readWith(reading, select.withClause, around);
  const inner = { ...around, tables: common.names };
  const limits = limitsOf(select);
  if (operatorOf(select) !== undefined) {
    const statement = readSet(reading, select, inner);
    return { ...statement, ...limits, with: common.tables };
  }
  const read = readSelect(reading, select, { around: inner, keepsUnknown });
  return { ...read, ...limits, with: [...common.tables, ...read.with] };
}

function readSet(reading: StatementContext, select: SelectStmt, around: SelectContext): SelectStatement {
  const { larg = {}, rarg = {}, sortClause = [] } = select;
  const [left, right] = [larg, rarg].map(side => readWhole(reading, side, { around, keepsUnknown: true }));
  if (left === undefined || right === undefined) throw new Error('A set operation requires two queries');
  const set = setOf(reading, select, left, right);
  if (sortClause.length === 0) return set;
  const source = reading.next();
  const values = columnsOf(source, set.columns);
  const level = new Level([], null);
  const order = readOrder(
    {
      level,
      targets: values.map((value, index) => ({ name: set.columns[index]?.name ?? '', value })),
      scope: clause => new SelectScope(clause, namesOf(reading, around, level)),
      read: node => {
        throw new SqlProblem(
          `${Clause.order} of a set operation must use names or positions of its columns`,
          placeOf(node),
        );
      },
    },
    sortClause,
  );
  return { ...selectOver({ kind: 'statement', source, statement: set }, values, set.columns), order };
}
