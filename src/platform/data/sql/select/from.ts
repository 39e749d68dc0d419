import type { Alias, JoinExpr, Node, RangeSubselect, RangeVar } from 'libpg-query';
import { nearestName } from '../../../../contract/nearest-name.js';
import { conjuncts } from '../cube-filters.js';
import { someOf } from '../rewrite.js';
import { Clause, findByName, quoteName } from '../scope.js';
import { SqlProblem } from '../sql-problem.js';
import type { CubeQuery, Expression, Join, OutputColumn, Source } from '../tree.js';
import { CubeRelation, type Relation, TableRelation } from './relation.js';
import { Level, placeOf, type SelectContext, type StatementContext } from './select-context.js';

/** An item of FROM while the select is being read. The queries of its cubes are not known yet. */
export type From =
  | { readonly kind: 'cube'; readonly relation: CubeRelation }
  | { readonly kind: 'table'; readonly source: Source }
  | (Omit<Join, 'left' | 'right'> & { readonly left: From; readonly right: From });

/** A parsed FROM clause. */
export interface ReadFrom {
  readonly from: From | null;
  readonly relations: readonly Relation[];
}

/** Reads a condition that can use the names of some level. */
export type ReadCondition = (node: Node, clause: Clause, level: Level) => Expression;

const nothing: ReadFrom = { from: null, relations: [] };
const joins = { JOIN_INNER: 'inner', JOIN_LEFT: 'left', JOIN_RIGHT: 'right', JOIN_FULL: 'full' } as const;
/** Items of FROM in the Postgres grammar that are not supported, for messages. */
const refused: Readonly<Record<string, string>> = {
  RangeFunction: 'A function in FROM',
  RangeTableSample: 'TABLESAMPLE',
  RangeTableFunc: 'XMLTABLE',
  JsonTable: 'JSON_TABLE',
};

/**
 * Reads FROM: visible cubes and views, tables of WITH, subqueries, and joins of them.
 * @throws SqlProblem for any other item.
 */
export function readFrom(
  reading: StatementContext,
  nodes: readonly Node[],
  around: SelectContext,
  readCondition: ReadCondition,
): ReadFrom {
  const reader = new FromReader(reading, around, readCondition);
  const read = nodes.map(node => reader.item(node)).reduce(crossJoin, nothing);
  checkNames(read.relations, nodes);
  return read;
}

/** Returns the sources of FROM. Call it after all columns of cubes have been requested. */
export function sourceOf(from: From, conditions: Pick<CubeQuery, 'filters' | 'conditions'> = unfiltered): Source {
  if (from.kind === 'cube') return from.relation.toSource(conditions);
  if (from.kind === 'table') return from.source;
  return { ...from, left: sourceOf(from.left), right: sourceOf(from.right) };
}

const unfiltered: Pick<CubeQuery, 'filters' | 'conditions'> = { filters: [], conditions: [] };

class FromReader {
  constructor(
    readonly reading: StatementContext,
    readonly around: SelectContext,
    readonly readCondition: ReadCondition,
  ) {}

  item(node: Node): ReadFrom {
    if ('RangeVar' in node) return this.#table(node.RangeVar);
    if ('RangeSubselect' in node) return this.#subquery(node.RangeSubselect);
    if ('JoinExpr' in node) return this.#join(node.JoinExpr);
    const [kind = ''] = Object.keys(node);
    throw new SqlProblem(
      `${(Object.hasOwn(refused, kind) ? refused[kind] : undefined) ?? 'This item of FROM'} is not supported: select from cubes, views and subqueries`,
      placeOf(node),
    );
  }

  #table({ catalogname, schemaname, relname = '', inh, alias, location: at }: RangeVar): ReadFrom {
    if (inh !== true) throw new SqlProblem('ONLY is not supported', at);
    const isPlain = catalogname === undefined && schemaname === undefined;
    const table = isPlain ? this.around.tables.get(relname) : undefined;
    const source = this.reading.next();
    if (table) {
      const columns = renameColumns(table.columns, alias, at);
      return alone(new TableRelation(alias?.aliasname ?? relname, source, columns), {
        kind: 'table',
        source: { kind: 'common-table', source, id: table.id, columns },
      });
    }
    const { access } = this.reading.model;
    const [entity, other] = isPlain ? findByName([...access.entities.values()], relname, one => one.name) : [];
    const quotedName = quoteName(...[catalogname, schemaname, relname].filter(part => part !== undefined));
    if (entity === undefined || other !== undefined) {
      const near = isPlain
        ? nearestName(relname, [...access.entities.keys(), ...this.around.tables.keys()])
        : undefined;
      const advice = near === undefined ? '' : `: did you mean ${quoteName(near)}?`;
      throw new SqlProblem(`No cube or view named ${quotedName} is visible to you${advice}`, at);
    }
    if (alias?.colnames)
      throw new SqlProblem(
        `Columns of ${quoteName(relname)} cannot be renamed in FROM: rename them in the select list`,
        at,
      );
    const relation = new CubeRelation(alias?.aliasname ?? relname, source, entity, this.reading.cubes);
    return alone(relation, { kind: 'cube', relation });
  }

  #subquery({ lateral, subquery, alias }: RangeSubselect): ReadFrom {
    if (lateral === true) throw new SqlProblem('LATERAL is not supported: join a subquery', placeOf(subquery ?? {}));
    if (subquery === undefined || !('SelectStmt' in subquery))
      throw new SqlProblem('A subquery in FROM must be a SELECT', placeOf(subquery ?? {}));
    const statement = this.reading.statement(subquery.SelectStmt, this.around);
    const source = this.reading.next();
    return alone(
      new TableRelation(alias?.aliasname, source, renameColumns(statement.columns, alias, placeOf(subquery))),
      {
        kind: 'table',
        source: { kind: 'statement', source, statement },
      },
    );
  }

  #join({ jointype, isNatural, larg, rarg, usingClause, quals, alias }: JoinExpr): ReadFrom {
    const at = placeOf(rarg ?? {});
    if (isNatural === true || usingClause) throw new SqlProblem('NATURAL and USING are not supported: write ON', at);
    if (alias) throw new SqlProblem('A join cannot have an alias: set aliases for the joined tables', at);
    const type = Object.entries(joins).find(([name]) => name === jointype)?.[1];
    if (type === undefined || larg === undefined || rarg === undefined)
      throw new SqlProblem('This kind of join is not supported', at);
    const [left, right] = [this.item(larg), this.item(rarg)];
    if (left.from === null || right.from === null) throw new SqlProblem('A join requires two tables', at);
    if (quals === undefined) return crossJoin(left, right);
    const relations = [...left.relations, ...right.relations];
    const on = this.readCondition(quals, Clause.on, new Level(relations, this.around.outer));
    if (type === 'full') checkFull(on, [left, right], placeOf(quals));
    return { relations, from: { kind: 'join', type, left: left.from, right: right.from, on } };
  }
}

/** Rejects a FULL JOIN without an equality condition, which Postgres does not support. */
function checkFull(on: Expression, sides: readonly ReadFrom[], at: number | undefined): void {
  const [left, right] = sides.map(({ relations }) => new Set(relations.map(({ source }) => source)));
  const isOf = (value: Expression | undefined, own: ReadonlySet<number> | undefined, other = own) =>
    value !== undefined &&
    someOf(value, part => part.kind === 'column' && own?.has(part.source) === true) &&
    !someOf(value, part => part.kind === 'column' && other?.has(part.source) === true);
  const isEquality = (one: Expression) => {
    if (one.kind !== 'call' || one.name !== '=') return false;
    const [first, second] = one.args;
    return (
      (isOf(first, left, right) && isOf(second, right, left)) || (isOf(first, right, left) && isOf(second, left, right))
    );
  };
  if (on.kind !== 'literal' && !conjuncts(on).some(isEquality))
    throw new SqlProblem('FULL JOIN requires an equality condition between the two tables in ON', at);
}

function alone(relation: Relation, from: From): ReadFrom {
  return { relations: [relation], from };
}

function crossJoin(left: ReadFrom, right: ReadFrom): ReadFrom {
  if (left.from === null || right.from === null) return left.from === null ? right : left;
  const relations = [...left.relations, ...right.relations];
  return { relations, from: { kind: 'join', type: 'cross', left: left.from, right: right.from, on: null } };
}

/**
 * Renames columns by an alias with column names. If there are fewer names than columns, the other columns retain their
 * names.
 */
export function renameColumns(columns: readonly OutputColumn[], alias: Alias | undefined, at?: number): OutputColumn[] {
  const names = (alias?.colnames ?? []).map(stringOf);
  if (names.length > columns.length)
    throw new SqlProblem(
      `Table ${quoteName(alias?.aliasname ?? '')} has ${columns.length} columns available but ${names.length} columns specified`,
      at,
    );
  return columns.map((column, index) => ({ ...column, name: names[index] ?? column.name }));
}

/** Returns the text of a name, or `''` for any other node. */
export function stringOf(node: Node): string {
  return 'String' in node ? (node.String.sval ?? '') : '';
}

function checkNames(relations: readonly Relation[], nodes: readonly Node[]): void {
  const names = relations.flatMap(({ name }) => name ?? []);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new SqlProblem(
      `Table name ${quoteName(twice)} is specified more than once in FROM: set an alias`,
      placeOf(nodes),
    );
}
