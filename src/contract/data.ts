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

const described = { description: optional(z.string()), meta: optional(JsonObject) };
/** `public` is the newer name of `isVisible`. */
const shown = { isVisible: optional(z.boolean()), public: optional(z.boolean()) };
const valued = {
  type: z.string(),
  format: optional(MemberFormat),
  formatDescription: optional(FormatDescription),
  currency: optional(z.string()),
};
/** The cube's member that a view's stands for. */
const aliased = { aliasMember: optional(z.string()) };

/** A measure of `/v1/meta`. */
export const MetaMeasure = z.looseObject({
  name: z.string(),
  title: z.string(),
  shortTitle: z.string(),
  ...described,
  ...shown,
  ...valued,
  ...aliased,
  aggType: optional(z.string()),
  cumulative: optional(z.boolean()),
  cumulativeTotal: optional(z.boolean()),
  drillMembers: optional(z.array(z.string())),
  drillMembersGrouped: optional(z.looseObject({ measures: z.array(z.string()), dimensions: z.array(z.string()) })),
});

/** A dimension of `/v1/meta`. */
export const MetaDimension = z.looseObject({
  name: z.string(),
  title: z.string(),
  shortTitle: z.string(),
  ...described,
  ...shown,
  ...valued,
  ...aliased,
  primaryKey: optional(z.boolean()),
  suggestFilterValues: optional(z.boolean()),
  order: optional(z.string()),
  key: optional(z.string()),
  granularities: optional(
    z.array(
      z.looseObject({
        name: z.string(),
        title: z.string(),
        interval: optional(z.string()),
        offset: optional(z.string()),
        origin: optional(z.string()),
      }),
    ),
  ),
});

/** A segment of `/v1/meta`. */
export const MetaSegment = z.looseObject({
  name: z.string(),
  title: z.string(),
  shortTitle: z.string(),
  ...described,
  ...shown,
  ...aliased,
});

/** Dimensions from the coarse to the fine, of `/v1/meta`. */
export const MetaHierarchy = z.looseObject({
  name: z.string(),
  title: optional(z.string()),
  public: optional(z.boolean()),
  levels: z.array(z.string()),
  ...aliased,
});
/** Dimensions from the coarse to the fine, of `/v1/meta`. */
export type MetaHierarchy = z.infer<typeof MetaHierarchy>;

/** Members of a view that were put together, with folders inside. */
export type MetaFolder = { name: string; members: (string | MetaFolder)[] };
/** Members of a view that were put together, with folders inside. */
export const MetaFolder: z.ZodMiniType<MetaFolder> = z.looseObject({
  name: z.string(),
  members: z.array(z.union([z.string(), z.lazy(() => MetaFolder)])),
});

/** A cube that another one joins. */
export const MetaJoin = z.looseObject({ name: z.string(), relationship: z.string() });
/** A cube that another one joins. */
export type MetaJoin = z.infer<typeof MetaJoin>;

/** A cube or view of `/v1/meta`, as far as the caller may see it. */
export const MetaCube = z.looseObject({
  name: z.string(),
  title: z.string(),
  type: z.string(),
  ...described,
  ...shown,
  connectedComponent: optional(z.number()),
  measures: z.array(MetaMeasure),
  dimensions: z.array(MetaDimension),
  segments: z.array(MetaSegment),
  hierarchies: optional(z.array(MetaHierarchy)),
  folders: optional(z.array(z.looseObject({ name: z.string(), members: z.array(z.string()) }))),
  nestedFolders: optional(z.array(MetaFolder)),
  joins: optional(z.array(MetaJoin)),
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
