import type { Order, Query } from '../../../contract/query.js';
import { RowLimit } from '../../../contract/row-limit.js';
import { PlatformError } from '../../errors.js';
import type { SqlCompiler, SqlQuery } from '../compiler/sql-compiler.js';
import type { SqlFilter } from '../compiler/sql-filter.js';
import type { SqlDialect } from '../engines/engine.js';
import type { Access } from '../model/access-control.js';
import { type AnnotatedColumn, annotate } from '../model/annotation.js';
import { utcRange } from '../model/conditions.js';
import { type MeasureDefinition, MemberKind } from '../model/definition.js';
import type { NormalizedQuery, PlannedColumn, QueryPlan } from '../semantic-model.js';
import type { CubePlan } from '../sql/sql-model.js';
import type { CubeQuery } from '../sql/tree.js';
import { type TimeZone, TimeZones, utcZone } from '../time/time-zone.js';
import { planCube, type QueryDates } from './plan-cube.js';
import { type ReadFilters, readFilters } from './query-filters.js';
import { type QueryGroups, QueryMembers, readGroups } from './query-members.js';
import type { Reach } from './reach.js';
import type { RowMeasures } from './row-measures.js';
import { Statements } from './statements.js';

/** Dependencies of the `QueryPlanner`. */
export interface PlannerOptions {
  readonly compiler: SqlCompiler;
  readonly reach: Reach;
  readonly rowLevel: RowMeasures;
  /** SQL dialect for values computed from members. */
  readonly dialect: SqlDialect;
  /** Returns the reference time of relative dates. Default: the current time. */
  readonly now?: () => Date;
}

/** A query as returned in responses, with all properties that clients read. */
export type ResponseQuery = NormalizedQuery & { readonly rowLimit: number };

type SortedBy = readonly { readonly id: string; readonly desc: boolean }[];
/** Sort keys with their resolved column: `orders.created` resolves to its first granularity. */
type SortedColumns = readonly { readonly id: string; readonly desc: boolean; readonly column: string }[];

const memberLimit = 100;
const joinHintLimit = 20;

/** Plans the queries of all callers of one model. */
export class QueryPlanner {
  readonly #options: PlannerOptions;
  readonly #timezones = new TimeZones();
  readonly #statements: Statements;

  constructor(options: PlannerOptions) {
    this.#options = options;
    this.#statements = new Statements(options.compiler, options.reach);
  }

  /** @throws PlatformError 400 for an invalid query and for unknown or hidden members. */
  plan(access: Access, query: Query): QueryPlan {
    const { rowLevel } = this.#options;
    // The HTTP contract also rejects both. These checks are for callers in the same process.
    if ('subqueryJoins' in query) throw new PlatformError(400, 'subqueryJoins is not supported');
    if ((query.limit ?? 0) > RowLimit.max) throw new PlatformError(400, `limit must not exceed ${RowLimit.max}`);
    checkLengths(query);
    const scope = this.dates(query.timezone);
    const members = new QueryMembers(access);
    const measures = members.all(query.measures, MemberKind.measure);
    const segments = members.all(query.segments, MemberKind.segment);
    const groups = readGroups(members, query, scope);
    const columns = columnsOf(groups, measures);
    if (columns.length === 0)
      throw new PlatformError(400, 'A query requires measures, dimensions or time dimensions with a granularity');
    if (columns.length + segments.length > memberLimit)
      throw new PlatformError(400, `A query can have at most ${memberLimit} members`);
    const filters = readFilters({ ...scope, member: path => members.one(path) }, query.filters ?? []);
    if (query.ungrouped === true) rowLevel.check(measures, filters);
    const order = orderOf(query, columns, members);
    const joinHints = joinHintsOf(query, access);
    const sqlQuery: SqlQuery = {
      measures: measures.map(({ path }) => path),
      dimensions: groups.dimensions.map(({ path }) => path),
      segments: segments.map(({ path }) => path),
      computed: [],
      conditions: [],
      timeDimensions: groups.groupings.map(({ member, granularity }) => ({ dimension: member.path, granularity })),
      filters: [...filters.sql, ...rangeFilters(groups, scope.timezone)],
      order: sortKeys(query, order, columns),
      limit: limitOf(query),
      offset: query.offset ?? 0,
      timezone: scope.timezone.name,
      joinHints,
      fenced: false,
      ungrouped: query.ungrouped === true,
    };
    const sql = this.#statements.govern({ access, members: members.named, sql: sqlQuery, now: scope.now });
    return {
      key: sql.key,
      columns: columns.map(plannedColumn),
      annotation: annotate(access, [...columns, ...segments.map(member => ({ member }))]),
      query: normalizedQuery(query, sqlQuery, { groups, filters, order }),
      statement: () => sql.statement(),
      totalStatement: () => sql.totalStatement(),
    };
  }

  /**
   * Plans the part of a SQL statement that reads one cube or view, with the checks of a load query.
   * @throws PlatformError 400 for an invalid query and for unknown or hidden members.
   */
  planCube(access: Access, query: CubeQuery, { timezone, now }: QueryDates): CubePlan {
    const { rowLevel, dialect } = this.#options;
    return planCube({ access, statements: this.#statements, rowLevel, dialect, timezone, now }, query);
  }

  /**
   * Returns the time zone and the reference time for a query that runs now.
   * @param name - IANA time zone from the caller. Default: UTC.
   * @throws PlatformError 400 for an unknown time zone.
   */
  dates(name = utcZone.name): QueryDates {
    const { now = () => new Date() } = this.#options;
    const timezone = this.#timezones.find(name);
    if (timezone === undefined) throw new PlatformError(400, 'timezone must be an IANA name such as Europe/Berlin');
    return { timezone, now: now() };
  }
}

/** Limits the length of each list before it is processed. Duplicates count. */
function checkLengths({ measures, dimensions, segments, timeDimensions, order }: Query): void {
  for (const list of [measures, dimensions, segments, timeDimensions, order && orderItems(order)]) {
    if (list && list.length > memberLimit)
      throw new PlatformError(400, `A query can have at most ${memberLimit} members`);
  }
}

function limitOf({ limit }: Query): number {
  return limit ?? RowLimit.default;
}

function columnsOf({ dimensions, groupings }: QueryGroups, measures: readonly MeasureDefinition[]): AnnotatedColumn[] {
  return [...dimensions.map(member => ({ member })), ...groupings, ...measures.map(member => ({ member }))];
}

function rangeFilters({ ranges }: QueryGroups, timezone: TimeZone): SqlFilter[] {
  return ranges.map(({ dimension, range }) => ({
    member: dimension,
    operator: 'inDateRange',
    values: utcRange(range, timezone),
    dateRange: true,
  }));
}

function orderOf(
  { order, ungrouped }: Query,
  columns: readonly AnnotatedColumn[],
  members: QueryMembers,
): SortedColumns {
  const implicitOrder = ungrouped === true ? [] : defaultOrder(columns);
  const given = order === undefined ? implicitOrder : orderItems(order);
  return given.map(({ id, desc }) => ({ id, desc, column: orderedColumn(id, columns, members) }));
}

/**
 * Returns the requested order, extended by all columns that distinguish rows. This makes the order deterministic, so
 * that each row appears on exactly one page of a result.
 */
function sortKeys({ ungrouped }: Query, order: SortedColumns, columns: readonly AnnotatedColumn[]): SqlQuery['order'] {
  const given = order.map(({ column, desc }) => ({ id: column, desc }));
  if (given.length === 0) return given;
  const distinguishesRows = ({ member }: AnnotatedColumn) => ungrouped === true || member.kind !== MemberKind.measure;
  const rest = columns.filter(distinguishesRows).map(columnKey);
  const named = new Set(given.map(({ id }) => id));
  return [...given, ...rest.filter(key => !named.has(key)).map(id => ({ id, desc: false }))];
}

function orderItems(order: Order): SortedBy {
  const ofPair = ([id, direction]: readonly [string, 'asc' | 'desc']) => ({ id, desc: direction === 'desc' });
  if (!Array.isArray(order)) return Object.entries(order).map(ofPair);
  return order.map(item => (Array.isArray(item) ? ofPair(item) : item));
}

function orderedColumn(path: string, columns: readonly AnnotatedColumn[], members: QueryMembers): string {
  const column = columns.find(one => columnKey(one) === path) ?? columns.find(one => one.member.path === path);
  if (column !== undefined) return columnKey(column);
  if (path.split('.').length === 2) members.one(path);
  throw new PlatformError(400, `order: ${path} is not a member of the query`);
}

/**
 * Returns the default order: the first time dimension ascending, otherwise the first measure descending, otherwise the
 * first dimension ascending.
 */
function defaultOrder(columns: readonly AnnotatedColumn[]): SortedBy {
  const time = columns.find(({ granularity }) => granularity !== undefined);
  const measure = columns.find(({ member }) => member.kind === MemberKind.measure);
  const first = time ?? measure ?? columns[0];
  if (first === undefined || columns.every(({ member }) => member.kind === MemberKind.measure)) return [];
  return [{ id: first.member.path, desc: first === measure }];
}

function joinHintsOf({ joinHints: hints = [] }: Query, access: Access): readonly (readonly string[])[] {
  const names = hints.flat();
  if (names.length > joinHintLimit) throw new PlatformError(400, `joinHints can have at most ${joinHintLimit} names`);
  for (const name of names) {
    if (access.entities.get(name)?.type !== 'cube') throw new PlatformError(400, `${name} is not a cube of the model`);
  }
  return hints;
}

interface QueryParts {
  readonly groups: QueryGroups;
  readonly filters: ReadFilters;
  readonly order: SortedColumns;
}

function normalizedQuery(query: Query, sql: SqlQuery, { groups, filters, order }: QueryParts): ResponseQuery {
  return {
    ...query,
    measures: [...sql.measures],
    dimensions: [...sql.dimensions],
    segments: [...sql.segments],
    timeDimensions: groups.timeDimensions,
    filters: filters.normalized,
    order: order.map(({ id, desc }) => ({ id, desc })),
    limit: limitOf(query),
    rowLimit: limitOf(query),
    timezone: sql.timezone,
  };
}

function columnKey({ member, granularity }: AnnotatedColumn): string {
  return granularity === undefined ? member.path : `${member.path}.${granularity}`;
}

function plannedColumn(column: AnnotatedColumn): PlannedColumn {
  const { kind } = column.member;
  if (kind === MemberKind.measure) return { member: columnKey(column), kind };
  return { member: columnKey(column), kind: column.granularity === undefined ? 'dimension' : 'timeDimension' };
}
