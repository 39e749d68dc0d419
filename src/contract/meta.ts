import * as z from 'zod/mini';
import { FormatDescription, MemberFormat } from './data.js';
import { operation } from './operation.js';
import { JsonObject, optional } from './wire.js';

// The metadata of a data model. Separate from `data.ts`, so that pages that only render rows do not load it.

const described = { description: optional(z.string()), meta: optional(JsonObject) };
/** `public` is the newer name of `isVisible`. */
const shown = { isVisible: optional(z.boolean()), public: optional(z.boolean()) };
const valued = {
  type: z.string(),
  format: optional(MemberFormat),
  formatDescription: optional(FormatDescription),
  currency: optional(z.string()),
};
/** The cube member that a view member refers to. */
const aliased = { aliasMember: optional(z.string()) };

/** Fields that measures and dimensions have in common. */
const valuedMember = {
  name: z.string(),
  title: z.string(),
  shortTitle: z.string(),
  ...described,
  ...shown,
  ...valued,
  ...aliased,
};

/** A measure of `/v1/meta`. */
export const MetaMeasure = z.looseObject({
  ...valuedMember,
  aggType: optional(z.string()),
  cumulative: optional(z.boolean()),
  cumulativeTotal: optional(z.boolean()),
  drillMembers: optional(z.array(z.string())),
  drillMembersGrouped: optional(z.looseObject({ measures: z.array(z.string()), dimensions: z.array(z.string()) })),
});

/** A dimension of `/v1/meta`. */
export const MetaDimension = z.looseObject({
  ...valuedMember,
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

/** A hierarchy of `/v1/meta`: dimensions from coarse to fine. */
export const MetaHierarchy = z.looseObject({
  name: z.string(),
  title: optional(z.string()),
  public: optional(z.boolean()),
  levels: z.array(z.string()),
  ...aliased,
});
/** A hierarchy of `/v1/meta`: dimensions from coarse to fine. */
export type MetaHierarchy = z.infer<typeof MetaHierarchy>;

/** A folder of view members, which can contain folders. */
export type MetaFolder = { name: string; members: (string | MetaFolder)[] };
/** A folder of view members, which can contain folders. */
export const MetaFolder: z.ZodMiniType<MetaFolder> = z.looseObject({
  name: z.string(),
  members: z.array(z.union([z.string(), z.lazy(() => MetaFolder)])),
});

/** A cube that another cube joins. */
export const MetaJoin = z.looseObject({ name: z.string(), relationship: z.string() });
/** A cube that another cube joins. */
export type MetaJoin = z.infer<typeof MetaJoin>;

/** A cube or view of `/v1/meta`, with the members that the caller can see. */
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
/** A cube or view of `/v1/meta`, with the members that the caller can see. */
export type MetaCube = z.infer<typeof MetaCube>;

/** Response of `/v1/meta`. */
export const MetaResponse = z.looseObject({ cubes: z.array(MetaCube), compilerId: optional(z.string()) });
/** Response of `/v1/meta`. */
export type MetaResponse = z.infer<typeof MetaResponse>;

/** `GET {data_api_url}/v1/meta`: returns the part of the model that the caller can see (spec 4.5). */
export const meta = operation({
  id: 'metaV1',
  api: 'data',
  method: 'GET',
  path: '/v1/meta',
  access: 'authenticated',
  response: MetaResponse,
  errors: {},
});
