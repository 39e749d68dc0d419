import * as z from 'zod/mini';
import { operation } from './operation.js';
import type { LoadRequest } from './query.js';
import { JsonObject, optional, recordOf } from './wire.js';

/** How the values of a member are shown: a named format, a link, or a d3 or strftime pattern of its own. */
export const MemberFormat = z.union([
  z.string(),
  z.looseObject({ type: z.string(), value: z.optional(z.string()), label: z.optional(z.string()) }),
]);
/** How the values of a member are shown: a named format, a link, or a d3 or strftime pattern of its own. */
export type MemberFormat = z.infer<typeof MemberFormat>;

/** How numbers are written: a format's name, and the d3 pattern that it stands for. */
export const FormatDescription = z.looseObject({
  name: z.string(),
  specifier: z.string(),
  currency: optional(z.string()),
});
/** How numbers are written: a format's name, and the d3 pattern that it stands for. */
export type FormatDescription = z.infer<typeof FormatDescription>;

/** What a column of an answer is: titles, type, format and what stands behind it. */
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
/** What a column of an answer is: titles, type, format and what stands behind it. */
export type MemberAnnotation = z.infer<typeof MemberAnnotation>;

const annotations = () => recordOf(MemberAnnotation);

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

/**
 * `POST {data_api_url}/v1/load`: runs a query (spec 4.5); the path stands below the Data API's base path. The body is named by its
 * type alone, so that a page does without its schema: the service checks it by `LoadRequest`.
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
