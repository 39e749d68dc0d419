import * as z from 'zod/mini';
import { RowLimit } from './row-limit.js';

// Separate from the response schemas: pages send queries without validating them, so they need not load these schemas.

/** Name of a member (`cube.member`), or of a time dimension with a granularity (`cube.member.month`). */
export const MemberName = z
  .string()
  .check(z.regex(/^[A-Za-z_]\w{0,99}(\.[A-Za-z_]\w{0,99}){1,2}$/, 'must be a member name such as orders.status'));

/** Filter operators of the Data API; requests accept no others. */
export const filterOperators = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'startsWith',
  'notStartsWith',
  'endsWith',
  'notEndsWith',
  'gt',
  'gte',
  'lt',
  'lte',
  'set',
  'notSet',
  'inDateRange',
  'notInDateRange',
  'beforeDate',
  'beforeOrOnDate',
  'afterDate',
  'afterOrOnDate',
] as const;
/** Operator of one filter. */
export type FilterOperator = (typeof filterOperators)[number];

/** A filter value in a request: a string, or another primitive that lenient clients send. */
export type FilterValue = string | number | boolean | null;

/**
 * Operator that keeps the rows that match the measure's own filters. Clients use it to request the rows behind a
 * number.
 */
export const measureFilter = 'measureFilter';

/** Condition on one member; `values` are combined with OR. */
export interface MemberFilter {
  member: string;
  operator: FilterOperator | typeof measureFilter;
  values?: FilterValue[] | undefined;
}

/** Condition on one member, or a combination of conditions. */
export type Filter = MemberFilter | { and: Filter[] } | { or: Filter[] };

const condition = {
  operator: z.enum([...filterOperators, measureFilter]),
  values: z.optional(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
};
const MemberFilter = z.strictObject({ member: MemberName, ...condition });
/** Older clients use `dimension` instead of `member`. */
const DimensionFilter = z.pipe(
  z.strictObject({ dimension: MemberName, ...condition }),
  z.transform(({ dimension: member, ...rest }): MemberFilter => ({ member, ...rest })),
);

/** Condition on one member, or a combination of conditions. */
export const Filter: z.ZodMiniType<Filter> = z.lazy(() =>
  z.union([
    MemberFilter,
    z.strictObject({ and: z.array(Filter) }),
    z.strictObject({ or: z.array(Filter) }),
    DimensionFilter,
  ]),
);

/**
 * A date range: `[from, to]`, one date, or a relative phrase such as `last 7 days`. Dates are in the query's time zone.
 */
export const DateRange = z.union([z.string(), z.array(z.string()).check(z.minLength(1), z.maxLength(2))]);
/**
 * A date range: `[from, to]`, one date, or a relative phrase such as `last 7 days`. Dates are in the query's time zone.
 */
export type DateRange = z.infer<typeof DateRange>;

/** Maximum number of queries per request, and maximum number of compared date ranges per query. */
export const maxQueries = 24;

/** A time dimension. Groups the rows if `granularity` is set, and filters them if `dateRange` is set. */
export const TimeDimension = z.strictObject({
  dimension: MemberName,
  granularity: z.optional(
    z.nullable(z.string().check(z.regex(/^[A-Za-z_]\w{0,99}$/, 'must be the name of a granularity such as month'))),
  ),
  dateRange: z.optional(z.nullable(DateRange)),
  compareDateRange: z.optional(z.array(DateRange).check(z.minLength(1), z.maxLength(maxQueries))),
});
/** A time dimension. Groups the rows if `granularity` is set, and filters them if `dateRange` is set. */
export type TimeDimension = z.infer<typeof TimeDimension>;

const Direction = z.enum(['asc', 'desc']);
/**
 * Order of rows: `{member: 'asc' | 'desc'}`, `[[member, direction], …]`, or `[{id, desc}, …]` as in responses. `[]`
 * disables the default order.
 */
export const Order = z.union([
  z.record(MemberName, Direction),
  z.array(z.tuple([MemberName, Direction])),
  z.array(z.strictObject({ id: MemberName, desc: z.boolean() })),
]);
/**
 * Order of rows: `{member: 'asc' | 'desc'}`, `[[member, direction], …]` or `[{id, desc}, …]`. `[]` disables the default
 * order.
 */
export type Order = z.infer<typeof Order>;

/** Layouts of rows in a response. */
export const responseFormats = ['default', 'compact', 'columnar'] as const;

/** A query against the semantic model (`V1LoadRequestQuery`). */
export const Query = z.strictObject({
  measures: z.optional(z.array(MemberName)),
  dimensions: z.optional(z.array(MemberName)),
  segments: z.optional(z.array(MemberName)),
  timeDimensions: z.optional(z.array(TimeDimension)),
  filters: z.optional(z.array(Filter)),
  order: z.optional(Order),
  limit: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(RowLimit.max)))),
  offset: z.optional(z.nullable(z.int().check(z.gte(0)))),
  total: z.optional(z.boolean()),
  timezone: z.optional(z.string()),
  ungrouped: z.optional(z.boolean()),
  renewQuery: z.optional(z.boolean()),
  responseFormat: z.optional(z.enum(responseFormats)),
  joinHints: z.optional(
    z.array(z.array(z.string().check(z.regex(/^[A-Za-z_]\w{0,99}$/, 'must be the name of a cube')))),
  ),
});
/** A query against the semantic model (`V1LoadRequestQuery`). */
export type Query = z.infer<typeof Query>;

/** How cached results may be used. */
export const CacheMode = {
  /** Waits for new rows, but returns cached rows if that takes too long. */
  staleIfSlow: 'stale-if-slow',
  /** Returns cached rows immediately, and refreshes them for the next request. */
  staleWhileRevalidate: 'stale-while-revalidate',
  /** Never returns outdated rows. */
  mustRevalidate: 'must-revalidate',
  /** Runs the query even if its result is cached. */
  noCache: 'no-cache',
} as const;
/** How cached results may be used. */
export type CacheMode = (typeof CacheMode)[keyof typeof CacheMode];

/** One query, or several queries that are charted together. */
export const QuerySet = z.union([Query, z.array(Query).check(z.minLength(1), z.maxLength(maxQueries))]);
/** One query, or several queries that are charted together. */
export type QuerySet = z.infer<typeof QuerySet>;

/** Body of `POST /v1/load` (`V1LoadRequest`). */
export const LoadRequest = z.strictObject({
  query: QuerySet,
  queryType: z.optional(z.string()),
  cache: z.optional(z.enum(CacheMode)),
});
/** Body of `POST /v1/load` (`V1LoadRequest`). */
export type LoadRequest = z.infer<typeof LoadRequest>;
