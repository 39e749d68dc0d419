import * as z from 'zod/mini';
import { operation } from './operation.js';
import type { LoadRequest } from './query.js';
import { JsonObject, optional, recordOf } from './wire.js';

/** Format of a member's values: a named format, a link, or a custom d3 or strftime specifier. */
export const MemberFormat = z.union([
  z.string(),
  z.looseObject({ type: z.string(), value: z.optional(z.string()), label: z.optional(z.string()) }),
]);
/** Format of a member's values: a named format, a link, or a custom d3 or strftime specifier. */
export type MemberFormat = z.infer<typeof MemberFormat>;

/** Name and d3 specifier of a number format. */
export const FormatDescription = z.looseObject({
  name: z.string(),
  specifier: z.string(),
  currency: optional(z.string()),
});
/** Name and d3 specifier of a number format. */
export type FormatDescription = z.infer<typeof FormatDescription>;

/** Describes a column of a result: titles, type, format and drill members. */
export const MemberAnnotation = z.looseObject({
  title: z.string(),
  shortTitle: z.string(),
  type: z.string(),
  format: optional(MemberFormat),
  currency: optional(z.string()),
  meta: optional(JsonObject),
  formatDescription: optional(FormatDescription),
  drillMembers: optional(z.array(z.string())),
  drillMembersGrouped: optional(z.looseObject({ measures: z.array(z.string()), dimensions: z.array(z.string()) })),
  granularity: optional(
    z.looseObject({
      name: z.string(),
      title: z.string(),
      interval: optional(z.string()),
      offset: optional(z.string()),
      origin: optional(z.string()),
    }),
  ),
});
/** Describes a column of a result: titles, type, format and drill members. */
export type MemberAnnotation = z.infer<typeof MemberAnnotation>;

const annotations = () => recordOf(MemberAnnotation);

/** Descriptions of the columns of a result, keyed by member; time dimensions by `member.granularity`. */
export const Annotation = z.looseObject({
  measures: annotations(),
  dimensions: annotations(),
  segments: annotations(),
  timeDimensions: annotations(),
});
/** Descriptions of the columns of a result, keyed by member; time dimensions by `member.granularity`. */
export type Annotation = z.infer<typeof Annotation>;

/** A cell in a response. Numbers are strings, as the protocol defines. */
export type Cell = string | number | boolean | null;
/** A row in the default format, keyed by member. */
export type Row = Record<string, Cell>;

/**
 * Response to one query. The client validates `data` in a plain loop, because validating each cell with a schema would
 * be slow.
 */
export const LoadResponse = z.looseObject({
  query: z.looseObject({ limit: optional(z.number()), timezone: optional(z.string()) }),
  data: z.unknown(),
  annotation: Annotation,
  lastRefreshTime: optional(z.string()),
  requestId: optional(z.string()),
  slowQuery: optional(z.boolean()),
});
/** Response to one query. */
export type LoadResponse = z.infer<typeof LoadResponse>;

/**
 * `POST {data_api_url}/v1/load`: runs a query (spec 4.5). The path is relative to the base path of the Data API. The
 * body has a type but no schema here, so that pages do not load the schema; the service validates it with
 * `LoadRequest`.
 */
export const load = operation({
  id: 'loadV1',
  api: 'data',
  method: 'POST',
  path: '/v1/load',
  access: 'authenticated',
  body: z.custom<LoadRequest>(),
  response: LoadResponse,
  errors: {},
});
