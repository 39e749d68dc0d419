import { PlatformError } from '../../errors.js';
import { asText, type ComputedMember, type OpenPiece, pathsOf, piecesOf } from '../compiler/computed-members.js';
import type { SqlQuery } from '../compiler/sql-compiler.js';
import type { SqlFilter } from '../compiler/sql-filter.js';
import type { SqlDialect } from '../engines/engine.js';
import type { Access } from '../model/access-control.js';
import {
  type DimensionDefinition,
  type EntityDefinition,
  type MeasureDefinition,
  MemberKind,
} from '../model/definition.js';
import type { Statement } from '../semantic-model.js';
import type { CubePlan } from '../sql/sql-model.js';
import type { CubeColumn, CubeQuery, Expression } from '../sql/tree.js';
import type { TimeZone } from '../time/time-zone.js';
import { type ReadFilters, readFilters } from './query-filters.js';
import { QueryMembers } from './query-members.js';
import type { RowMeasures } from './row-measures.js';
import type { Statements } from './statements.js';

/** The columns of a `CubeQuery`, deduplicated and grouped by kind, in the order in which the compiler returns them. */
interface CubeColumns {
  readonly dimensions: readonly DimensionDefinition[];
  readonly values: readonly Expression[];
  readonly times: readonly { readonly dimension: string; readonly granularity: string }[];
  readonly measures: readonly MeasureDefinition[];
  /** The columns in the order of the `CubeQuery`, duplicates included. */
  readonly requested: readonly RequestedColumn[];
}

/** A column of the `CubeQuery`. */
interface RequestedColumn {
  /** Index among the columns of the compiled statement. */
  readonly place: number;
  /** Whether the member has type string. Its column may have another type and is then cast. */
  readonly isText: boolean;
}

/**
 * Groups columns by kind.
 * @throws PlatformError 400 for members that are unknown, hidden or of another kind.
 */
function columnsOf(columns: readonly CubeColumn[], members: QueryMembers): CubeColumns {
  const dimensions = new Map<unknown, DimensionDefinition>();
  const values = new Map<unknown, Expression>();
  const times = new Map<unknown, { dimension: string; granularity: string }>();
  const measures = new Map<unknown, MeasureDefinition>();
  for (const column of columns) {
    const id = idOf(column);
    if (column.kind === 'computed') values.set(id, column.value);
    else if (column.kind === 'time') {
      const { path, granularity } = column;
      times.set(id, { dimension: members.time(path, granularity).path, granularity });
    } else if (column.kind === 'dimension')
      for (const member of members.all([column.path], MemberKind.dimension)) dimensions.set(id, member);
    else for (const member of members.all([column.path], MemberKind.measure)) measures.set(id, member);
  }
  const ids = [dimensions, values, times, measures].flatMap(kind => [...kind.keys()]);
  return {
    dimensions: [...dimensions.values()],
    values: [...values.values()],
    times: [...times.values()],
    measures: [...measures.values()],
    requested: columns.map(idOf).map(id => ({
      place: ids.indexOf(id),
      isText: (dimensions.get(id) ?? measures.get(id))?.type === 'string',
    })),
  };
}

/** Returns a key that is unique per column. A path has two parts; a time dimension with its granularity has three. */
function idOf(column: CubeColumn): unknown {
  if (column.kind === 'computed') return column.value;
  return column.kind === 'time' ? `${column.path}.${column.granularity}` : column.path;
}

/**
 * Wraps a statement so that it returns the requested columns in their order, named `c0`, `c1`, ...
 * @param width - number of columns of the statement.
 */
function withColumnOrder(
  { sql, parameters }: Statement,
  requested: readonly RequestedColumn[],
  width: number,
): Statement {
  const list = requested.map(({ place, isText }, index) => {
    const column = `"k${place}"`;
    return `${isText ? asText(column) : column} AS "c${index}"`;
  });
  const names = Array.from({ length: width }, (_, place) => `"k${place}"`);
  return { sql: `SELECT ${list.join(', ')} FROM (${sql}) AS "cube" (${names.join(', ')})`, parameters };
}

/** How the dates of a query are interpreted. */
export interface QueryDates {
  readonly timezone: TimeZone;
  /** The reference time of relative dates. */
  readonly now: Date;
}

/** Dependencies of `planCube`. */
interface CubeScope extends QueryDates {
  readonly access: Access;
  readonly statements: Statements;
  readonly rowLevel: RowMeasures;
  readonly dialect: SqlDialect;
}

/** The validated parts of a `CubeQuery`. */
interface Parts {
  readonly columns: CubeColumns;
  readonly filters: ReadFilters;
  /** One member per computed column, followed by one per condition. */
  readonly computed: readonly ComputedMember<OpenPiece>[];
}

const memberLimit = 100;

/**
 * Plans the part of a SQL statement that reads one cube or view. The names were resolved when the statement was read,
 * but are checked again here, as in a load query, because this is the only access check before rows are read.
 * @throws PlatformError 400 for an invalid query and for unknown or hidden members.
 */
export function planCube(scope: CubeScope, query: CubeQuery): CubePlan {
  const { access, statements, now } = scope;
  const entity = access.entities.get(query.entity);
  if (entity === undefined) throw new PlatformError(400, `No cube or view named "${query.entity}" is visible to you`);
  if (query.columns.length === 0) throw new PlatformError(400, `A query of ${entity.name} requires a column`);
  if (query.columns.length > memberLimit || query.conditions.length > memberLimit) throw tooMany();
  const members = new QueryMembers(access);
  const parts = read(scope, members, query);
  if (members.named.size > memberLimit) throw tooMany();
  for (const { path, entity: own } of members.named)
    if (own !== entity.name) throw new PlatformError(400, `${path} is not a member of ${entity.name}`);
  const hints = members.named.size === 0 ? [[rootOf(entity)]] : [];
  const sql = sqlOf(query, parts, { timezone: scope.timezone.name, joinHints: hints });
  const governed = statements.govern({ access, members: members.named, entity: entity.name, sql, now });
  const { requested } = parts.columns;
  const width = sql.dimensions.length + sql.computed.length + sql.timeDimensions.length + sql.measures.length;
  return {
    key: JSON.stringify([governed.key, requested]),
    statement: place => withColumnOrder(governed.statement(place), requested, width),
  };
}

function read({ rowLevel, dialect, timezone, now }: CubeScope, members: QueryMembers, query: CubeQuery): Parts {
  const columns = columnsOf(query.columns, members);
  const filters = readFilters({ timezone, now, member: path => members.one(path) }, query.filters);
  const isText = (path: string) => {
    const member = members.one(path);
    return member.kind !== MemberKind.segment && member.type === 'string';
  };
  const computed = [...columns.values, ...query.conditions].map((value: Expression, index) => ({
    cubeName: query.entity,
    index,
    sql: piecesOf(value, { dialect, isText }),
  }));
  const inside = computed.flatMap(({ sql }) => pathsOf(sql)).map(path => members.one(path));
  const measures = inside.filter(member => member.kind === MemberKind.measure);
  if (!query.grouped) rowLevel.check([...columns.measures, ...measures], filters);
  else if (measures[0]) throw new PlatformError(400, `${measures[0].path} has no value per row: do not group by it`);
  return { columns, filters, computed };
}

function sqlOf(
  { grouped }: CubeQuery,
  { columns, filters, computed }: Parts,
  rest: Pick<SqlQuery, 'timezone' | 'joinHints'>,
): SqlQuery<OpenPiece> {
  return {
    measures: columns.measures.map(({ path }) => path),
    dimensions: columns.dimensions.map(({ path }) => path),
    segments: [],
    computed: computed.slice(0, columns.values.length),
    conditions: computed.slice(columns.values.length),
    timeDimensions: columns.times,
    filters: filters.sql.map(asDateRange),
    order: [],
    limit: null,
    offset: 0,
    fenced: true,
    ungrouped: !grouped,
    ...rest,
  };
}

/** Marks an `inDateRange` filter as the date range of the query, so that rolling windows can extend beyond it. */
function asDateRange(filter: SqlFilter): SqlFilter {
  return 'operator' in filter && filter.operator === 'inDateRange' ? { ...filter, dateRange: true } : filter;
}

/** Returns the cube that provides the rows if the query has no members. */
function rootOf({ name, members }: EntityDefinition): string {
  const [first] = members.values();
  return first?.joinPath?.split('.')[0] ?? name;
}

function tooMany(): PlatformError {
  return new PlatformError(400, `A statement can use at most ${memberLimit} members of one cube or view`);
}
