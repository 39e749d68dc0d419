import * as z from 'zod/mini';
import { RowLimit } from './row-limit.js';

// Apart from the answers: a page sends queries and leaves it to the service to check them, so it need not load what does.

/** A member (`cube.member`), with a granularity where it is a time dimension (`cube.member.month`). */
export const MemberName = z
  .string()
  .check(z.regex(/^[A-Za-z_]\w{0,99}(\.[A-Za-z_]\w{0,99}){1,2}$/, 'must be a member name such as orders.status'));

/** Filter operators of the Data API, closed in requests. */
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

/** A value of a filter as it travels: text, or what a lenient client sends in its place. */
export type FilterValue = string | number | boolean | null;

/** Keeps the rows that a measure counts, by the measure's own filters: with it a client asks for the rows behind a number. */
export const measureFilter = 'measureFilter';

/** Condition on one member; `values` are ORed. */
export interface MemberFilter {
  member: string;
  operator: FilterOperator | typeof measureFilter;
  values?: FilterValue[] | undefined;
}

/** Condition on one member, or a nesting of such. */
export type Filter = MemberFilter | { and: Filter[] } | { or: Filter[] };

const condition = {
  operator: z.enum([...filterOperators, measureFilter]),
  values: z.optional(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
};
const MemberFilter = z.strictObject({ member: MemberName, ...condition });
/** The name that `member` had in older clients. */
const DimensionFilter = z.pipe(
  z.strictObject({ dimension: MemberName, ...condition }),
  z.transform(({ dimension: member, ...rest }): MemberFilter => ({ member, ...rest })),
);

/** Condition on one member, or a nesting of such. */
export const Filter: z.ZodMiniType<Filter> = z.lazy(() =>
  z.union([
    MemberFilter,
    z.strictObject({ and: z.array(Filter) }),
    z.strictObject({ or: z.array(Filter) }),
    DimensionFilter,
  ]),
);

/** A date range: `[from, to]`, one date, or a relative phrase, in the query's time zone. */
export const DateRange = z.union([z.string(), z.array(z.string()).check(z.minLength(1), z.maxLength(2))]);
/** A date range: `[from, to]`, one date, or a relative phrase, in the query's time zone. */
export type DateRange = z.infer<typeof DateRange>;

/** Most queries that one request may hold, and most ranges that one of them may compare. */
export const maxQueries = 24;

/** A time dimension: grouped by where `granularity` stands, filtered by where `dateRange` stands. */
export const TimeDimension = z.strictObject({
  dimension: MemberName,
  granularity: z.optional(
    z.nullable(z.string().check(z.regex(/^[A-Za-z_]\w{0,99}$/, 'must be the name of a granularity such as month'))),
  ),
  dateRange: z.optional(z.nullable(DateRange)),
  compareDateRange: z.optional(z.array(DateRange).check(z.minLength(1), z.maxLength(maxQueries))),
});
/** A time dimension: grouped by where `granularity` stands, filtered by where `dateRange` stands. */
export type TimeDimension = z.infer<typeof TimeDimension>;

const Direction = z.enum(['asc', 'desc']);
/**
 * Order of rows: `{member: 'asc' | 'desc'}`, `[[member, direction], …]`, or `[{id, desc}, …]` as it stands in answers; `[]` asks for
 * none.
 */
export const Order = z.union([
  z.record(MemberName, Direction),
  z.array(z.tuple([MemberName, Direction])),
  z.array(z.strictObject({ id: MemberName, desc: z.boolean() })),
]);
/** Order of rows: `{member: 'asc' | 'desc'}`, `[[member, direction], …]` or `[{id, desc}, …]`; `[]` asks for none. */
export type Order = z.infer<typeof Order>;

/** How rows are laid out in an answer. */
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

/** How a cached answer may be used. */
export const CacheMode = {
  /** Waits for new rows, and gives out old ones where that takes too long. */
  staleIfSlow: 'stale-if-slow',
  /** Gives out old rows at once, and fetches new ones for the next request. */
  staleWhileRevalidate: 'stale-while-revalidate',
  /** Never gives out old rows. */
  mustRevalidate: 'must-revalidate',
  /** Runs the query whatever is kept. */
  noCache: 'no-cache',
} as const;
/** How a cached answer may be used. */
export type CacheMode = (typeof CacheMode)[keyof typeof CacheMode];

/** One query, or several whose rows are drawn together. */
export const QuerySet = z.union([Query, z.array(Query).check(z.minLength(1), z.maxLength(maxQueries))]);
/** One query, or several whose rows are drawn together. */
export type QuerySet = z.infer<typeof QuerySet>;

/** Body of `POST /v1/load` (`V1LoadRequest`). */
export const LoadRequest = z.strictObject({
  query: QuerySet,
  queryType: z.optional(z.string()),
  cache: z.optional(z.enum(CacheMode)),
});
/** Body of `POST /v1/load` (`V1LoadRequest`). */
export type LoadRequest = z.infer<typeof LoadRequest>;
