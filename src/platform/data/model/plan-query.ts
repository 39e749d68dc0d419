import { type Order, type Query, RowLimit, type TimeDimension } from '../../../contract/query.js';
import { PlatformError } from '../../errors.js';
import type { PlannedColumn, QueryPlan, Statement } from '../semantic-model.js';
import type { Access } from './access.js';
import { type AnnotatedColumn, annotate, hasGranularity } from './annotate.js';
import { conditionValues } from './condition-values.js';
import { DayEdge, findTimezone, localTime, type TimeZone, utcZone } from './dates.js';
import { type DimensionDefinition, type MemberDefinition, MemberKind } from './definition.js';
import type { RowFilter } from './policy.js';
import { readFilters } from './query-filters.js';
import type { SqlCompiler, SqlQuery, SqlResult } from './sql-compiler.js';
import { type SqlFilter, sqlFilterOf } from './sql-filter.js';

type Grouping = { readonly member: DimensionDefinition; readonly granularity: string };
type Direction = 'asc' | 'desc';

const memberLimit = 100;
const joinHintLimit = 20;
const later = ['total', 'ungrouped'] as const;

/** Plans one query for one caller. */
export class QueryPlanner {
  readonly #access: Access;
  readonly #query: Query;
  readonly #timezone: TimeZone;
  readonly #limit: number;
  /** Every member that the query names, wherever it stands. */
  readonly #named = new Set<MemberDefinition>();

  /** @throws PlatformError 400 for settings that are invalid or not supported yet. */
  constructor(access: Access, query: Query) {
    for (const key of later) if (query[key] === true) throw new PlatformError(400, `${key} is not supported yet`);
    // The contract refuses it at the edge; a caller inside the process gets the same answer.
    if ('subqueryJoins' in query) throw new PlatformError(400, 'subqueryJoins is not supported yet');
    const timezone = findTimezone(query.timezone ?? utcZone.name);
    if (timezone === undefined) throw new PlatformError(400, 'timezone must be an IANA name such as Europe/Berlin');
    this.#access = access;
    this.#query = query;
    this.#timezone = timezone;
    this.#limit = Math.min(query.limit ?? RowLimit.default, RowLimit.max);
  }

  /** @throws PlatformError 400 for what is invalid, unknown or hidden. */
  plan(compiler: SqlCompiler): QueryPlan {
    const query = this.#query;
    const measures = this.#members(query.measures, MemberKind.measure);
    const segments = this.#members(query.segments, MemberKind.segment);
    const { dimensions, groupings } = this.#groupings();
    const count = measures.length + dimensions.length + groupings.length;
    if (count === 0)
      throw new PlatformError(400, 'a query needs measures, dimensions or time dimensions with a granularity');
    if (count + segments.length > memberLimit) throw new PlatformError(400, `a query may name ${memberLimit} members`);
    const columns: AnnotatedColumn[] = [
      ...dimensions.map(member => ({ member })),
      ...groupings,
      ...measures.map(member => ({ member })),
    ];
    const order = this.#order(columns);
    const filters = this.#filters();
    const rows = this.#access.rowsFor(this.#named);
    const sqlQuery: SqlQuery = {
      measures: measures.map(({ path }) => path),
      dimensions: dimensions.map(({ path }) => path),
      segments: segments.map(({ path }) => path),
      timeDimensions: groupings.map(({ member, granularity }) => ({ dimension: member.path, granularity })),
      filters: [...filters, ...this.#viewFilters(rows)],
      order: order.map(([id, direction]) => ({ id, desc: direction === 'desc' })),
      limit: this.#limit,
      offset: query.offset ?? 0,
      timezone: this.#timezone.name,
      joinHints: this.#joinHints(),
    };
    const filtered = [...rows];
    return {
      key: JSON.stringify([sqlQuery, filtered]),
      columns: columns.map(plannedColumn),
      annotation: annotate(this.#access, [...columns, ...segments.map(member => ({ member }))]),
      query: this.#understood(order),
      statement: () => statementOf(compiler.compile(sqlQuery, filtered)),
      totalStatement: () => statementOf(compiler.compile(sqlQuery, filtered)),
    };
  }

  #member(path: string): MemberDefinition {
    const member = this.#access.members.get(path);
    if (member === undefined) throw new PlatformError(400, `${path} is not a member of the model`);
    this.#named.add(member);
    return member;
  }

  #members<K extends MemberKind>(paths: readonly string[] = [], kind: K): Extract<MemberDefinition, { kind: K }>[] {
    return [...new Set(paths)].map(path => {
      const member = this.#member(path);
      if (!isKind(member, kind)) throw new PlatformError(400, `${path} is not a ${kind}`);
      return member;
    });
  }

  /** `orders.created.month` among the dimensions is the time dimension `orders.created` by month. */
  #groupings(): { dimensions: DimensionDefinition[]; groupings: Grouping[] } {
    const isGrouping = (path: string) => path.split('.').length === 3;
    const paths = this.#query.dimensions ?? [];
    const found = new Map<string, Grouping>();
    const add = (path: string, granularity: string) => {
      found.set(`${path}.${granularity}`, { member: this.#timeDimension(path, granularity), granularity });
    };
    for (const path of paths.filter(isGrouping)) {
      const end = path.lastIndexOf('.');
      add(path.slice(0, end), path.slice(end + 1));
    }
    for (const { dimension, granularity } of this.#query.timeDimensions ?? []) {
      if (typeof granularity === 'string') add(dimension, granularity);
      else this.#timeDimension(dimension);
    }
    const dimensions = this.#members(
      paths.filter(path => !isGrouping(path)),
      MemberKind.dimension,
    );
    return { dimensions, groupings: [...found.values()] };
  }

  #timeDimension(path: string, granularity?: string): DimensionDefinition {
    const member = this.#member(path);
    if (!isKind(member, MemberKind.dimension) || member.type !== 'time')
      throw new PlatformError(400, `${path} is not a time dimension`);
    if (granularity !== undefined && !hasGranularity(member, granularity)) {
      throw new PlatformError(400, `${path} has no granularity ${granularity}`);
    }
    return member;
  }

  #filters(): SqlFilter[] {
    const member = (path: string) => this.#member(path);
    const filters = readFilters({ timezone: this.#timezone, member }, this.#query.filters ?? []);
    for (const timeDimension of this.#query.timeDimensions ?? []) {
      const range = this.#rangeFilter(timeDimension);
      if (range !== undefined) filters.push(range);
    }
    return filters;
  }

  /** A view has no table of its own for its row filter to stand at: it is a filter of every query that names the view. */
  #viewFilters(rows: ReadonlyMap<string, 'all' | RowFilter>): SqlFilter[] {
    return [...new Set([...this.#named].map(({ entity }) => entity))].flatMap(name => {
      if (this.#access.entities.get(name)?.type !== 'view') return [];
      const own = rows.get(name);
      if (own === undefined) throw new Error('a view without a decision was named');
      return own === 'all' ? [] : [sqlFilterOf(own)];
    });
  }

  #rangeFilter({ dimension, dateRange, compareDateRange }: TimeDimension): SqlFilter | undefined {
    if (compareDateRange !== undefined) throw new PlatformError(400, 'compareDateRange is not supported yet');
    if (dateRange === undefined || dateRange === null) return undefined;
    const dates = typeof dateRange === 'string' ? [dateRange] : dateRange;
    const shape = { type: 'time', operator: 'inDateRange', timezone: this.#timezone, origin: 'caller' } as const;
    const fitting = conditionValues(shape, dates);
    if (!fitting.ok) throw new PlatformError(400, `dateRange of ${dimension}: ${fitting.message}`);
    return { member: dimension, operator: 'inDateRange', values: fitting.values };
  }

  #order(columns: readonly AnnotatedColumn[]): [string, Direction][] {
    const given = this.#query.order;
    if (given === undefined) return defaultOrder(columns);
    return orderPairs(given).map(([path, direction]) => [this.#ordered(columns, path), direction]);
  }

  #ordered(columns: readonly AnnotatedColumn[], path: string): string {
    const column = columns.find(one => columnKey(one) === path) ?? columns.find(one => one.member.path === path);
    if (column !== undefined) return columnKey(column);
    if (path.split('.').length === 2) this.#member(path);
    throw new PlatformError(400, `order: ${path} is not among the members of the query`);
  }

  #joinHints(): readonly (readonly string[])[] {
    const hints = this.#query.joinHints ?? [];
    if (hints.flat().length > joinHintLimit) throw new PlatformError(400, `joinHints may hold ${joinHintLimit} names`);
    for (const name of hints.flat()) {
      if (this.#access.entities.get(name)?.type !== 'cube')
        throw new PlatformError(400, `${name} is not a cube of the model`);
    }
    return hints;
  }

  #understood(order: [string, Direction][]): QueryPlan['query'] {
    const { timeDimensions, ...query } = this.#query;
    const understood = { ...query, order: order as Order, limit: this.#limit, timezone: this.#timezone.name };
    if (timeDimensions === undefined) return understood;
    return { ...understood, timeDimensions: timeDimensions.map(one => this.#padded(one)) };
  }

  #padded(timeDimension: TimeDimension): TimeDimension {
    const { dateRange } = timeDimension;
    if (dateRange === undefined || dateRange === null) return timeDimension;
    const dates = typeof dateRange === 'string' ? [dateRange] : dateRange;
    const from = localTime(dates[0] ?? '', DayEdge.start, this.#timezone);
    const to = localTime(dates.at(-1) ?? '', DayEdge.end, this.#timezone);
    return from === undefined || to === undefined ? timeDimension : { ...timeDimension, dateRange: [from, to] };
  }
}

function statementOf(result: SqlResult): Statement {
  if (result.kind === 'statement') return result;
  throw new PlatformError(400, 'the members of this query can not be joined', { cause: result.cause });
}

function isKind<K extends MemberKind>(
  member: MemberDefinition,
  kind: K,
): member is Extract<MemberDefinition, { kind: K }> {
  return member.kind === kind;
}

function orderPairs(order: Order): [string, Direction][] {
  if (!Array.isArray(order)) return Object.entries(order);
  return order.map(item => (Array.isArray(item) ? item : [item.id, item.desc ? 'desc' : 'asc']));
}

function columnKey({ member, granularity }: AnnotatedColumn): string {
  return granularity === undefined ? member.path : `${member.path}.${granularity}`;
}

function plannedColumn(column: AnnotatedColumn): PlannedColumn {
  const { kind } = column.member;
  if (kind === MemberKind.measure) return { member: columnKey(column), kind };
  return { member: columnKey(column), kind: column.granularity === undefined ? 'dimension' : 'timeDimension' };
}

/** First time dimension ascending, else first measure descending, else first dimension ascending. */
function defaultOrder(columns: readonly AnnotatedColumn[]): [string, Direction][] {
  const time = columns.find(({ granularity }) => granularity !== undefined);
  const measure = columns.find(({ member }) => member.kind === MemberKind.measure);
  const first = time ?? measure ?? columns[0];
  if (first === undefined || columns.every(({ member }) => member.kind === MemberKind.measure)) return [];
  return [[columnKey(first), first === measure ? 'desc' : 'asc']];
}
