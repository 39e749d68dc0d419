import { type Filter, maxQueries, type Query, type QuerySet, type TimeDimension } from '../../../contract/query.js';
import { PlatformError } from '../../errors.js';
import type { EngineCell } from '../engines/engine.js';
import type { NormalizedQuery } from '../semantic-model.js';
import type { Table } from './row-json.js';

/** How the queries of one request are related. */
export const QueryType = {
  regular: 'regularQuery',
  /** One query over several date ranges. */
  compareDateRange: 'compareDateRangeQuery',
  /** Several queries over the same time axis. */
  blending: 'blendingQuery',
} as const;
/** How the queries of one request are related. */
export type QueryType = (typeof QueryType)[keyof typeof QueryType];

/** The queries of one request. Each is planned and run separately. */
export interface ReadQuerySet {
  readonly queryType: QueryType;
  readonly queries: readonly Query[];
}

/**
 * Splits a request into queries. A query with `compareDateRange` becomes one query per range, and a list becomes a
 * blending query.
 * @throws PlatformError 400 for combinations that are not supported.
 */
export function readQuerySet(querySet: QuerySet): ReadQuerySet {
  const set = splitQuerySet(querySet);
  // Each query parses its filters synchronously, so limit their total size.
  const values = set.queries.length > 1 ? set.queries.reduce((sum, { filters }) => sum + valuesIn(filters), 0) : 0;
  if (values > maxValues)
    throw new PlatformError(400, `The queries of a request can have at most ${maxValues} filter values`);
  return set;
}

/** Maximum number of filter values in a request with several queries. A filter itself counts as ten values. */
const maxValues = 10_000;

function valuesIn(filters: readonly Filter[] = []): number {
  let sum = 0;
  const rest = [...filters];
  for (let next = rest.pop(); next; next = rest.pop()) {
    if ('and' in next) rest.push(...next.and);
    else if ('or' in next) rest.push(...next.or);
    else sum += 10 + (next.values?.length ?? 0);
  }
  return sum;
}

function splitQuerySet(querySet: QuerySet): ReadQuerySet {
  if (Array.isArray(querySet)) return { queryType: QueryType.blending, queries: checkBlending(querySet) };
  const compared = querySet.timeDimensions?.filter(({ compareDateRange }) => compareDateRange !== undefined) ?? [];
  const [first] = compared;
  if (first === undefined) return { queryType: QueryType.regular, queries: [querySet] };
  if (compared.length > 1) throw new PlatformError(400, 'Only one time dimension can have a compareDateRange');
  return { queryType: QueryType.compareDateRange, queries: comparisons(querySet, first) };
}

/**
 * Returns one query per range. The compared time dimension comes first, because clients read the ranges and the time
 * axis from there.
 */
function comparisons(query: Query, compared: TimeDimension): Query[] {
  const { compareDateRange = [], dateRange, ...timeDimension } = compared;
  if (dateRange !== undefined && dateRange !== null)
    throw new PlatformError(400, `${timeDimension.dimension} can have either a dateRange or a compareDateRange`);
  if (compareDateRange.length === 0 || compareDateRange.length > maxQueries)
    throw new PlatformError(400, `compareDateRange of ${timeDimension.dimension} requires 1 to ${maxQueries} ranges`);
  const others = query.timeDimensions?.filter(one => one !== compared) ?? [];
  return compareDateRange.map(range => ({
    ...query,
    timeDimensions: [{ ...timeDimension, dateRange: range }, ...others],
  }));
}

function checkBlending(queries: readonly Query[]): readonly Query[] {
  if (queries.length === 0 || queries.length > maxQueries)
    throw new PlatformError(400, `A request must have 1 to ${maxQueries} queries`);
  if (queries.some(query => query.timeDimensions?.some(({ compareDateRange }) => compareDateRange !== undefined)))
    throw new PlatformError(400, 'compareDateRange is only supported in a request with a single query');
  const granularities = new Set(queries.map(query => granularityOf(query)));
  if (granularities.size > 1 || granularities.has(undefined))
    throw new PlatformError(400, 'All queries of a request must have a time dimension with the same granularity');
  if (new Set(queries.map(query => query.responseFormat ?? 'default')).size > 1)
    throw new PlatformError(400, 'All queries of a request must have the same responseFormat');
  return queries;
}

/** Returns the granularity of the first time dimension of a query. */
function granularityOf({ timeDimensions = [], dimensions = [] }: Query): string | undefined {
  const own = timeDimensions.find(({ granularity }) => granularity)?.granularity;
  return own ?? dimensions.map(path => path.split('.')[2]).find(name => name !== undefined);
}

/** The query from which clients derive how to pivot the rows of all queries. */
export type PivotQuery = Partial<NormalizedQuery> & { readonly queryType: QueryType };

/** Combines all queries of a request into one (spec: `pivotQuery` of `/v1/load`). */
export function pivotQueryOf(queryType: QueryType, queries: readonly NormalizedQuery[]): PivotQuery {
  const [first] = queries;
  if (queryType === QueryType.regular || first === undefined) return { ...first, queryType };
  if (queryType === QueryType.compareDateRange)
    return { ...first, dimensions: [comparedKey, ...(first.dimensions ?? [])], queryType };
  const granularity = axisOf(first)?.granularity;
  return {
    measures: [...new Set(queries.flatMap(({ measures = [] }) => measures))],
    dimensions: [...new Set(queries.flatMap(({ dimensions = [] }) => dimensions))],
    timeDimensions: [{ dimension: 'time', granularity }],
    queryType,
  };
}

/** A column that is added to the rows of a response: a constant text, or a copy of another column. */
export type ExtraColumn =
  | { readonly key: string; readonly kind: 'text'; readonly text: string }
  | { readonly key: string; readonly kind: 'copy'; readonly member: string };

const comparedKey = 'compareDateRange';

/**
 * Returns the columns by which clients distinguish the rows of the queries in every layout.
 * @param query - the normalized query of the plan.
 */
export function extraColumns(queryType: QueryType, query: NormalizedQuery): readonly ExtraColumn[] {
  if (queryType === QueryType.compareDateRange) {
    const { dateRange } = query.timeDimensions?.[0] ?? {};
    const text = Array.isArray(dateRange) ? dateRange.join(' - ') : (dateRange ?? '');
    return [{ key: comparedKey, kind: 'text', text }];
  }
  const axis = queryType === QueryType.blending ? axisOf(query) : undefined;
  if (!axis) return [];
  return [{ key: `time.${axis.granularity}`, kind: 'copy', member: `${axis.dimension}.${axis.granularity}` }];
}

/** Appends extra columns to a table. */
export function withExtraColumns(table: Table, extra: readonly ExtraColumn[]): Table {
  if (extra.length === 0) return table;
  const members = [...table.members];
  const columns = [...table.columns];
  for (const added of extra) {
    members.push(added.key);
    columns.push(added.kind === 'text' ? textColumn(table, added.text) : columnOf(table, added.member));
  }
  return { members, columns };
}

function textColumn({ columns }: Table, text: string): readonly EngineCell[] {
  return Array<EngineCell>(columns[0]?.length ?? 0).fill(text);
}

function columnOf({ members, columns }: Table, member: string): readonly EngineCell[] {
  return columns[members.indexOf(member)] ?? [];
}

function axisOf({ timeDimensions = [] }: NormalizedQuery): TimeDimension | undefined {
  return timeDimensions.find(({ granularity }) => granularity);
}
