import * as z from 'zod/mini';
import { operation } from './operation.js';
import { JsonObject, optional } from './wire.js';

/** A member (`cube.member`), with a granularity where it is a time dimension (`cube.member.month`). */
export const MemberName = z
  .string()
  .check(z.regex(/^[A-Za-z_]\w*(\.[A-Za-z_]\w*){1,2}$/, 'must be a member name such as orders.status'));

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

/** Condition on one member; `values` are ORed. */
export interface MemberFilter {
  member: string;
  operator: FilterOperator;
  values?: FilterValue[] | undefined;
}

/** Condition on one member, or a nesting of such. */
export type Filter = MemberFilter | { and: Filter[] } | { or: Filter[] };

const MemberFilter = z.strictObject({
  member: MemberName,
  operator: z.enum(filterOperators),
  values: z.optional(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
});

/** Condition on one member, or a nesting of such. */
export const Filter: z.ZodMiniType<Filter, Filter> = z.lazy(() =>
  z.union([MemberFilter, z.strictObject({ and: z.array(Filter) }), z.strictObject({ or: z.array(Filter) })]),
);

/** A date range: `[from, to]`, one date, or a relative phrase, in the query's time zone. */
export const DateRange = z.union([z.string(), z.array(z.string()).check(z.minLength(1), z.maxLength(2))]);
/** A date range: `[from, to]`, one date, or a relative phrase, in the query's time zone. */
export type DateRange = z.infer<typeof DateRange>;

/** A time dimension: grouped by where `granularity` stands, filtered by where `dateRange` stands. */
export const TimeDimension = z.strictObject({
  dimension: MemberName,
  granularity: z.optional(z.nullable(z.string().check(z.regex(/^[A-Za-z_]\w*$/)))),
  dateRange: z.optional(z.nullable(DateRange)),
  compareDateRange: z.optional(z.array(DateRange)),
});
/** A time dimension: grouped by where `granularity` stands, filtered by where `dateRange` stands. */
export type TimeDimension = z.infer<typeof TimeDimension>;

const Direction = z.enum(['asc', 'desc']);
/** Order of rows: `{member: 'asc' | 'desc'}` or `[[member, direction], …]`; `[]` asks for none. */
export const Order = z.union([z.record(MemberName, Direction), z.array(z.tuple([MemberName, Direction]))]);
/** Order of rows: `{member: 'asc' | 'desc'}` or `[[member, direction], …]`; `[]` asks for none. */
export type Order = z.infer<typeof Order>;

/** Most rows that one query returns, and how many it returns when it doesn't say. */
export const RowLimit = { default: 10_000, max: 50_000 } as const;

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
  joinHints: z.optional(z.array(z.array(z.string()))),
});
/** A query against the semantic model (`V1LoadRequestQuery`). */
export type Query = z.infer<typeof Query>;

/** How a cached answer may be used. */
export const cacheModes = ['stale-if-slow', 'stale-while-revalidate', 'must-revalidate', 'no-cache'] as const;

/** Body of `POST /v1/load` (`V1LoadRequest`). */
export const LoadRequest = z.strictObject({
  query: Query,
  queryType: z.optional(z.string()),
  cache: z.optional(z.enum(cacheModes)),
});
/** Body of `POST /v1/load` (`V1LoadRequest`). */
export type LoadRequest = z.infer<typeof LoadRequest>;

/** How the values of a member are shown: a named format, a link, or a d3 or strftime pattern of its own. */
export const MemberFormat = z.union([
  z.string(),
  z.looseObject({ type: z.string(), value: z.optional(z.string()), label: z.optional(z.string()) }),
]);
/** How the values of a member are shown: a named format, a link, or a d3 or strftime pattern of its own. */
export type MemberFormat = z.infer<typeof MemberFormat>;

/** What a column of an answer is: titles, type, format and what stands behind it. */
export const MemberAnnotation = z.looseObject({
  title: z.string(),
  shortTitle: z.string(),
  type: z.string(),
  format: optional(MemberFormat),
  currency: optional(z.string()),
  meta: optional(JsonObject),
  drillMembers: optional(z.array(z.string())),
  granularity: optional(z.looseObject({ name: z.string(), title: z.string() })),
});
/** What a column of an answer is: titles, type, format and what stands behind it. */
export type MemberAnnotation = z.infer<typeof MemberAnnotation>;

const annotations = () => z.record(z.string(), MemberAnnotation);

/** Annotation of an answer, by member; time dimensions under `member.granularity`. */
export const Annotation = z.looseObject({
  measures: annotations(),
  dimensions: annotations(),
  segments: annotations(),
  timeDimensions: annotations(),
});
/** Annotation of an answer, by member; time dimensions under `member.granularity`. */
export type Annotation = z.infer<typeof Annotation>;

/** A cell as it travels. Numbers come as text, as the protocol has them. */
export type Cell = string | number | boolean | null;
/** A row in the default format, keyed by member. */
export type Row = Record<string, Cell>;

/**
 * Answer to one query. `data` is checked by a plain loop where it is read, not by a schema per cell.
 */
export const LoadResponse = z.looseObject({
  query: z.looseObject({ limit: optional(z.number()), timezone: optional(z.string()) }),
  data: z.unknown(),
  annotation: Annotation,
  lastRefreshTime: optional(z.string()),
  requestId: optional(z.string()),
  slowQuery: optional(z.boolean()),
});
/** Answer to one query. */
export type LoadResponse = z.infer<typeof LoadResponse>;

/** A measure of `/v1/meta`. */
export const MetaMeasure = z.looseObject({
  name: z.string(),
  title: z.string(),
  shortTitle: z.string(),
  description: optional(z.string()),
  type: z.string(),
  aggType: optional(z.string()),
  format: optional(MemberFormat),
  meta: optional(JsonObject),
  drillMembers: optional(z.array(z.string())),
  aliasMember: optional(z.string()),
});

/** A dimension of `/v1/meta`. */
export const MetaDimension = z.looseObject({
  name: z.string(),
  title: z.string(),
  shortTitle: z.string(),
  description: optional(z.string()),
  type: z.string(),
  format: optional(MemberFormat),
  meta: optional(JsonObject),
  primaryKey: optional(z.boolean()),
  granularities: optional(z.array(z.looseObject({ name: z.string(), title: z.string() }))),
  aliasMember: optional(z.string()),
});

/** A segment of `/v1/meta`. */
export const MetaSegment = z.looseObject({ name: z.string(), title: z.string(), shortTitle: z.string() });

/** A cube or view of `/v1/meta`, as far as the caller may see it. */
export const MetaCube = z.looseObject({
  name: z.string(),
  title: z.string(),
  type: z.string(),
  description: optional(z.string()),
  meta: optional(JsonObject),
  measures: z.array(MetaMeasure),
  dimensions: z.array(MetaDimension),
  segments: z.array(MetaSegment),
});
/** A cube or view of `/v1/meta`, as far as the caller may see it. */
export type MetaCube = z.infer<typeof MetaCube>;

/** Answer of `/v1/meta`. */
export const MetaResponse = z.looseObject({ cubes: z.array(MetaCube), compilerId: optional(z.string()) });
/** Answer of `/v1/meta`. */
export type MetaResponse = z.infer<typeof MetaResponse>;

/** `POST {data_api_url}/v1/load`: runs a query (spec 4.5); the path stands below the Data API's base path. */
export const load = operation({
  id: 'loadV1',
  api: 'data',
  method: 'POST',
  path: '/v1/load',
  access: 'authenticated',
  body: LoadRequest,
  response: LoadResponse,
  errors: {},
});

/** `GET {data_api_url}/v1/meta`: the model, as far as the caller may see it (spec 4.5). */
export const meta = operation({
  id: 'metaV1',
  api: 'data',
  method: 'GET',
  path: '/v1/meta',
  access: 'authenticated',
  response: MetaResponse,
  errors: {},
});
