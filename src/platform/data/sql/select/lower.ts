import type { Access } from '../../model/access-control.js';
import { MemberKind } from '../../model/definition.js';
import { isPredefined } from '../../model/references.js';
import { conjunction, conjuncts, splitFilters } from '../cube-filters.js';
import { holdsAggregate, isSame, type Replace, rewrite, someOf } from '../rewrite.js';
import { quoteName, sqlName } from '../scope.js';
import { SqlProblem } from '../sql-problem.js';
import type {
  Aggregate,
  ColumnValue,
  CommonTable,
  CubeColumn,
  CubeQuery,
  Expression,
  Select,
  SelectStatement,
  SortKey,
  Source,
  Subquery,
} from '../tree.js';
import { columnsOf, selectOver, statementOf } from './build-select.js';
import { type From, sourceOf } from './from.js';
import { CubeRelation, type Relation } from './relation.js';
import { type NamePlaces, placeIn, type StatementContext } from './select-context.js';
import type { Target } from './select-list.js';

/** The query of a cube that groups rows. */
interface CubeRequest extends Pick<CubeQuery, 'filters' | 'conditions'> {
  /** The grouping keys, as columns of the cube. */
  readonly keys: readonly Expression[];
  /** Tables of WITH for the selects that conditions and keys use as values. */
  readonly with: readonly CommonTable[];
}

/**
 * Builds the query of a cube that groups rows. The whole WHERE clause becomes part of it, because it applies before
 * grouping.
 */
function requestGroups(
  reading: StatementContext,
  relation: CubeRelation,
  { keys, where }: { readonly keys: readonly Expression[]; readonly where: Expression | null },
): CubeRequest {
  const tables: CommonTable[] = [];
  const separate = (value: Expression): Expression =>
    rewrite(value, part => {
      if (part.kind !== 'subquery') return undefined;
      checkNames(reading, part);
      const { table, select } = tableOf(reading, part);
      tables.push(table);
      return { ...part, operand: part.operand && separate(part.operand), select };
    });
  const { filters, rest } = splitFilters(conjuncts(where), {
    ...reading.model,
    pathOf: value => (value.kind === 'member' ? value.path : undefined),
  });
  return {
    keys: keys.map(key => relation.column(cubeColumn(separate(key), reading.model.access))),
    filters,
    conditions: rest.map(separate),
    with: tables,
  };
}

/**
 * Rejects correlated selects in keys of the select list, because they are moved to WITH and evaluated only once.
 */
function checkNames({ places }: StatementContext, inside: Subquery): void {
  someOf(inside, (part, level) => {
    if (level === 'own' || part.kind !== 'member') return false;
    throw new SqlProblem(
      `${columnName(places, part)} belongs to the outer query: a subquery in GROUP BY can only use its own columns`,
      places.get(part)?.at,
    );
  });
}

/**
 * Builds an ungrouped query. Conditions of WHERE that a load query supports as filters become part of the query of the
 * cube.
 */
function requestRows(parts: {
  readonly reading: StatementContext;
  readonly from: From | null;
  readonly where: Expression | null;
  readonly columnCount: number;
}): { readonly source: Source | null; readonly where: Expression | null } {
  const { reading, from, where, columnCount } = parts;
  if (from?.kind !== 'cube') return { source: from && sourceOf(from), where };
  const { relation } = from;
  const isOwn = (value: Expression) => value.kind === 'column' && value.source === relation.source;
  const columnOf = (value: Expression) => (value.kind === 'column' && isOwn(value) ? value.column : -1);
  const { filters, rest } = splitFilters(conjuncts(where), {
    ...reading.model,
    pathOf: value => {
      const column = relation.columns[columnOf(value)];
      return column?.kind === 'dimension' ? column.path : undefined;
    },
  });
  // Remove columns that only filters use.
  if (!rest.some(one => someOf(one, value => columnOf(value) >= columnCount))) relation.keep(columnCount);
  return { source: sourceOf(from, { filters, conditions: [] }), where: conjunction(rest) };
}

/**
 * Converts a key to a column of a cube. `date_trunc` to a predefined granularity is a time dimension of a load query.
 */
function cubeColumn(value: Expression, { members }: Access): CubeColumn {
  const { type } = value;
  const isSegment = value.kind === 'member' && members.get(value.path)?.kind === MemberKind.segment;
  if (value.kind === 'member' && !isSegment) return { kind: 'dimension', path: value.path, type };
  if (value.kind === 'call' && value.name === 'date_trunc') {
    const [unit, time] = value.args;
    const granularity = unit?.kind === 'literal' ? String(unit.value).toLowerCase() : '';
    if (time?.kind === 'member' && isPredefined(granularity))
      return { kind: 'time', path: time.path, granularity, type };
  }
  return { kind: 'computed', value, type };
}

/** Moves a select to a table of WITH, and returns the table and a select from it. */
function tableOf(
  reading: StatementContext,
  { select }: Subquery,
): { readonly table: CommonTable; readonly select: SelectStatement } {
  const id = reading.next();
  const source = reading.next();
  const { columns } = select;
  const from: Source = { kind: 'common-table', source, id, columns };
  return { table: { id, statement: select }, select: selectOver(from, columnsOf(source, columns), columns) };
}

/** Maximum number of aggregates of a select. Each is compared with all others. */
const maxAggregates = 200;

/** A parsed select. */
interface SelectParts {
  readonly reading: StatementContext;
  readonly from: From | null;
  readonly relations: readonly Relation[];
  readonly targets: readonly Target[];
  readonly groups: readonly Expression[] | null;
  readonly having: Expression | null;
  readonly order: readonly SortKey[];
  readonly where: Expression | null;
  readonly distinct: boolean;
  /** Number of columns that were requested from the cube before WHERE was read. */
  readonly columnCount: number;
}

/** A select that can be printed. */
interface LoweredSelect {
  readonly with: readonly CommonTable[];
  readonly body: Select;
  readonly order: readonly SortKey[];
}

/**
 * Splits a select with groups into an inner part, which groups rows, and an outer select with the expressions over the
 * groups. The inner part is a cube or a grouped select.
 */
export function lowerSelect(parts: SelectParts): LoweredSelect {
  const { from, targets, order } = parts;
  if (from?.kind === 'cube' && from.relation.grouped) return overMeasures(parts, from.relation);
  if (isOfGroups(parts)) return overGroups(parts);
  const { where, source } = requestRows(parts);
  return lowerOrder(parts, { from: source, where, columns: targets.map(({ value }) => value) }, order);
}

/** Converts a select over one cube that groups rows itself. */
function overMeasures(parts: SelectParts, relation: CubeRelation): LoweredSelect {
  const { reading, groups, distinct, targets, where } = parts;
  const keys = groups ?? (isOfValues(parts) ? targets.map(({ value }) => value) : []);
  const groupQuery = requestGroups(reading, relation, { keys, where });
  const replace: Replace = (part, level) => {
    const key = keyOf(keys, part);
    if (key >= 0) return groupQuery.keys[key];
    if (part.kind === 'measure') return relation.column(part);
    if (part.kind === 'member') throw ungroupedProblem(reading, part);
    if (part.kind === 'aggregate' && level === 'own')
      throw new SqlProblem(
        'Aggregates over rows cannot be combined with measures: compute them in a subquery and join it',
        placeIn(reading.places, part),
      );
    return undefined;
  };
  const { order, ...rewritten } = rewriteParts(parts, replace);
  const from = relation.toSource(groupQuery);
  // Rows that contain all keys of their groups are distinct.
  const isDistinct = distinct && !groupQuery.keys.every(key => rewritten.columns.some(column => isSame(column, key)));
  const lower = lowerOrder({ ...parts, distinct: isDistinct }, { ...rewritten, from }, order);
  return { ...lower, with: [...groupQuery.with, ...lower.with] };
}

/** Converts a select over any other source. The groups become an inner select. */
function overGroups(parts: SelectParts): LoweredSelect {
  const { reading, relations, groups } = parts;
  const keys = groups ?? [];
  const aggregates: Aggregate[] = [];
  const inner = reading.next();
  const own = new Set(relations.map(({ source }) => source));
  const isOwn = (part: Expression) => part.kind === 'column' && own.has(part.source);
  const replace: Replace = (part, level) => {
    const key = keyOf(keys, part);
    if (key >= 0) return columnOf(inner, key, part);
    if (isOwn(part))
      throw isMeasure(relations, part) ? unaggregatedProblem(parts, part) : ungroupedProblem(reading, part);
    if (part.kind !== 'aggregate' || level === 'inner') return undefined;
    if (someOf(part, (one, innerLevel) => innerLevel === 'own' && isName(one) && !isOwn(one)))
      throw new SqlProblem('An aggregate can only use columns of its own SELECT', placeIn(reading.places, part));
    const known = aggregates.findIndex(one => isSame(one, part));
    if (known < 0 && aggregates.length === maxAggregates)
      throw new SqlProblem(`A SELECT can have at most ${maxAggregates} aggregates`, placeIn(reading.places, part));
    return columnOf(inner, keys.length + (known >= 0 ? known : aggregates.push(part) - 1), part);
  };
  const { order, ...rewritten } = rewriteParts(parts, replace);
  const { where, source } = requestRows(parts);
  const columns = [...keys, ...aggregates];
  if (columns.length === 0) throw new SqlProblem('HAVING and GROUP BY () require an aggregate');
  const statement = statementOf({ kind: 'select', distinct: false, from: source, columns, where, grouped: true });
  return lowerOrder(parts, { ...rewritten, from: { kind: 'statement', source: inner, statement } }, order);
}

function isOfGroups({ groups, having, targets, order }: SelectParts): boolean {
  const values = [...targets, ...order].map(({ value }) => value);
  return groups !== null || having !== null || values.some(holdsAggregate);
}

/** Whether a select only removes duplicate rows, because it groups by all its columns. */
function isOfValues(parts: SelectParts): boolean {
  return parts.distinct && !isOfGroups(parts);
}

/** Returns the index of the key that equals a value, or -1. Returns -1 for constants, which are not replaced. */
function keyOf(keys: readonly Expression[], value: Expression): number {
  return value.kind === 'literal' ? -1 : keys.findIndex(key => isSame(key, value));
}

/** Builds the select over groups, in which HAVING is an ordinary condition. */
function rewriteParts({ targets, having, order }: SelectParts, replace: Replace) {
  return {
    columns: targets.map(({ value }) => rewrite(value, replace)),
    where: having && rewrite(having, replace),
    order: order.map(key => ({ ...key, value: rewrite(key.value, replace) })),
  };
}

/** Orders a distinct select in an outer select, because a distinct select can be ordered only by its own columns. */
function lowerOrder(
  { reading, distinct }: SelectParts,
  select: Pick<Select, 'from' | 'where' | 'columns'>,
  order: readonly SortKey[],
): LoweredSelect {
  const body: Select = { kind: 'select', grouped: false, ...select, distinct };
  if (!distinct || order.length === 0) return { with: [], body, order };
  const source = reading.next();
  const columns = select.columns.map((value, index) => columnOf(source, index, value));
  const keys = order.map(key => {
    const value = columns[select.columns.findIndex(one => isSame(one, key.value))];
    if (value === undefined)
      throw new SqlProblem(
        'For SELECT DISTINCT, ORDER BY expressions must appear in the select list',
        placeIn(reading.places, key.value),
      );
    return { ...key, value };
  });
  const from = { kind: 'statement', source, statement: statementOf(body) } as const;
  return {
    with: [],
    body: { kind: 'select', distinct: false, grouped: false, from, where: null, columns },
    order: keys,
  };
}

function columnOf(source: number, column: number, { type }: Expression): ColumnValue {
  return { kind: 'column', source, column, type };
}

function isName({ kind }: Expression): boolean {
  return kind === 'column' || kind === 'member';
}

function isMeasure(relations: readonly Relation[], part: Expression): boolean {
  if (part.kind !== 'column') return false;
  const relation = relations.find(({ source }) => source === part.source);
  return relation instanceof CubeRelation && relation.columns[part.column]?.kind === 'measure';
}

function unaggregatedProblem({ reading: { places }, relations }: SelectParts, part: Expression): SqlProblem {
  const { names = [], at } = places.get(part) ?? {};
  const name = sqlName(...names);
  return new SqlProblem(
    relations.length > 1
      ? `${name} is a measure, which cannot be aggregated over a join: select from a view, or join two subqueries`
      : `${name} is a measure: write MEASURE(${name})`,
    at,
  );
}

function ungroupedProblem({ places }: StatementContext, part: Expression): SqlProblem {
  return new SqlProblem(
    `${columnName(places, part)} must appear in the GROUP BY clause or be used in an aggregate function`,
    places.get(part)?.at,
  );
}

/** Returns the name of a column for a message, such as `Column "status"`. */
function columnName(places: NamePlaces, part: Expression): string {
  const { names } = places.get(part) ?? {};
  return names ? `Column ${quoteName(...names)}` : 'A column';
}
