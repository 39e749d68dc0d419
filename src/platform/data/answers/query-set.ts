import { type Filter, maxQueries, type Query, type QuerySet, type TimeDimension } from '../../../contract/query.js';
import { PlatformError } from '../../errors.js';
import type { EngineCell } from '../engines/engine.js';
import type { NormalizedQuery } from '../semantic-model.js';
import type { Table } from './row-json.js';

/** What the queries of one request have to do with each other. */
export const QueryType = {
  regular: 'regularQuery',
  /** One query over several date ranges. */
  compareDateRange: 'compareDateRangeQuery',
  /** Several queries over one axis of time. */
  blending: 'blendingQuery',
} as const;
/** What the queries of one request have to do with each other. */
export type QueryType = (typeof QueryType)[keyof typeof QueryType];

/** The queries of one request, each of which is planned and answered by itself. */
export interface ReadQuerySet {
  readonly queryType: QueryType;
  readonly queries: readonly Query[];
}

/**
 * Takes apart what a request asks for: a query that compares date ranges becomes one query for each, a list is a blending query.
 * @throws PlatformError 400 for what can't be asked together.
 */
export function readQuerySet(given: QuerySet): ReadQuerySet {
  const set = takeApart(given);
  // Every query reads its filters anew, at one go.
  const values = set.queries.length > 1 ? set.queries.reduce((sum, { filters }) => sum + valuesIn(filters), 0) : 0;
  if (values > maxValues)
    throw new PlatformError(400, `the queries of a request may hold ${maxValues} values of filters`);
  return set;
}

/** Values of all filters of a request that holds several queries; a filter itself counts as ten. */
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

function takeApart(given: QuerySet): ReadQuerySet {
  if (Array.isArray(given)) return { queryType: QueryType.blending, queries: blended(given) };
  const compared = given.timeDimensions?.filter(({ compareDateRange }) => compareDateRange !== undefined) ?? [];
  const [first] = compared;
  if (first === undefined) return { queryType: QueryType.regular, queries: [given] };
  if (compared.length > 1) throw new PlatformError(400, 'only one time dimension may have a compareDateRange');
  return { queryType: QueryType.compareDateRange, queries: comparisons(given, first) };
}

/** One query per range. The time dimension comes first: clients take the ranges and the axis of time from there. */
function comparisons(query: Query, compared: TimeDimension): Query[] {
  const { compareDateRange = [], dateRange, ...timeDimension } = compared;
  if (dateRange !== undefined && dateRange !== null)
    throw new PlatformError(400, `${timeDimension.dimension} may have a dateRange or a compareDateRange, not both`);
  if (compareDateRange.length === 0 || compareDateRange.length > maxQueries)
    throw new PlatformError(400, `compareDateRange of ${timeDimension.dimension} needs 1 to ${maxQueries} ranges`);
  const others = query.timeDimensions?.filter(one => one !== compared) ?? [];
  return compareDateRange.map(range => ({
    ...query,
    timeDimensions: [{ ...timeDimension, dateRange: range }, ...others],
  }));
}

function blended(queries: readonly Query[]): readonly Query[] {
  if (queries.length === 0 || queries.length > maxQueries)
    throw new PlatformError(400, `a request may hold 1 to ${maxQueries} queries`);
  if (queries.some(query => query.timeDimensions?.some(({ compareDateRange }) => compareDateRange !== undefined)))
    throw new PlatformError(400, 'compareDateRange is for a single query: send its query alone');
  const granularities = new Set(queries.map(query => granularityOf(query)));
  if (granularities.size > 1 || granularities.has(undefined))
    throw new PlatformError(
      400,
      'queries that are sent together need a time dimension of one and the same granularity',
    );
  if (new Set(queries.map(query => query.responseFormat ?? 'default')).size > 1)
    throw new PlatformError(400, 'queries that are sent together need one responseFormat');
  return queries;
}

/** By what a query groups time first. */
function granularityOf({ timeDimensions = [], dimensions = [] }: Query): string | undefined {
  const own = timeDimensions.find(({ granularity }) => granularity)?.granularity;
  return own ?? dimensions.map(path => path.split('.')[2]).find(name => name !== undefined);
}

/** What a client lays out the rows of all queries by. */
export type PivotQuery = Partial<NormalizedQuery> & { readonly queryType: QueryType };

/** The query that stands for all queries of a request (spec: `pivotQuery` of `/v1/load`). */
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

/** What is added to each row of an answer: one text in every row, or a copy of a column. */
export type ExtraColumn =
  | { readonly key: string; readonly kind: 'text'; readonly text: string }
  | { readonly key: string; readonly kind: 'copy'; readonly member: string };

const comparedKey = 'compareDateRange';

/**
 * What is added to the rows of one query so that a client can tell them from those of the others, in every layout.
 * @param query - as its plan has it.
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

/** The columns of an answer with what is added to them. */
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
