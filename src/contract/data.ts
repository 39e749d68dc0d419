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
