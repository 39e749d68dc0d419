import * as z from 'zod/mini';
import { operation } from './operation.js';
import { JsonObject, optional } from './wire.js';

/** Base path of the Provisioning API (operations.md, Provisioning API; RFC 7644). */
export const scimPath = '/api/scim/v2';

/** URNs of the schemas and messages of SCIM (RFC 7643, section 8.7; RFC 7644, section 3). */
export const ScimUrn = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  enterpriseUser: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
} as const;

/** Metadata of a resource. */
export const ScimMeta = z.looseObject({
  resourceType: z.string(),
  created: optional(z.string()),
  lastModified: optional(z.string()),
  location: optional(z.string()),
  /** Weak entity tag, for `If-Match` and `If-None-Match`. */
  version: optional(z.string()),
});

const ScimEmail = z.looseObject({
  value: optional(z.string()),
  type: optional(z.string()),
  primary: optional(z.boolean()),
});
const ScimName = z.looseObject({
  formatted: optional(z.string()),
  givenName: optional(z.string()),
  familyName: optional(z.string()),
});

/** A user of the account as directories see it, with the attributes of the core schema and the enterprise extension. */
export const ScimUser = z.looseObject({
  schemas: z.array(z.string()),
  id: z.string(),
  externalId: optional(z.string()),
  userName: z.string(),
  name: optional(ScimName),
  displayName: optional(z.string()),
  emails: optional(z.array(ScimEmail)),
  active: z.boolean(),
  /** Groups of the user, read-only. */
  groups: optional(z.array(z.looseObject({ value: z.string(), display: z.string() }))),
  meta: ScimMeta,
});
/** A user of the account as directories see it. */
export type ScimUser = z.infer<typeof ScimUser>;

/** A member of a group. */
export const ScimMember = z.looseObject({ value: z.string(), display: optional(z.string()) });

/** A group of the account. Policies of the model and grants refer to it by name. */
export const ScimGroup = z.looseObject({
  schemas: z.array(z.string()),
  id: z.string(),
  externalId: optional(z.string()),
  displayName: z.string(),
  members: optional(z.array(ScimMember)),
  meta: ScimMeta,
});
/** A group of the account as directories see it. */
export type ScimGroup = z.infer<typeof ScimGroup>;

/** An error of the Provisioning API (RFC 7644, section 3.12). */
export const ScimError = z.looseObject({
  schemas: z.array(z.string()),
  /** HTTP status as text. */
  status: z.string(),
  /** Code of the problem, for example `uniqueness`. */
  scimType: optional(z.string()),
  detail: z.string(),
});
/** An error of the Provisioning API. */
export type ScimError = z.infer<typeof ScimError>;

/**
 * A user to create or to replace. Attribute names are case-insensitive and booleans can be text, so the platform parses
 * the attributes itself and reports invalid ones by name. `userName` is required. Unknown attributes are ignored.
 */
export const ScimUserInput = z.looseObject({
  schemas: optional(z.array(z.string())),
  userName: optional(z.string()),
  active: optional(z.union([z.boolean(), z.string()])),
});

/** A group to create or to replace. `displayName` is required. */
export const ScimGroupInput = z.looseObject({
  schemas: optional(z.array(z.string())),
  displayName: optional(z.string()),
  externalId: optional(z.string()),
});

/** Changes to a resource. `op` is `add`, `remove` or `replace`, ignoring case. */
export const ScimPatch = z.looseObject({
  schemas: optional(z.array(z.string())),
  Operations: z
    .array(z.looseObject({ op: z.string(), path: optional(z.string()), value: z.optional(z.unknown()) }))
    .check(z.minLength(1), z.maxLength(1000)),
});

const listOf = <T extends z.ZodMiniType>(item: T) =>
  z.looseObject({
    schemas: z.array(z.string()),
    totalResults: z.int(),
    startIndex: z.int(),
    itemsPerPage: z.int(),
    Resources: z.array(item),
  });

/** A page of users. */
export const ScimUserList = listOf(ScimUser);
/** A page of groups. */
export const ScimGroupList = listOf(ScimGroup);
/** A list of discovery documents. */
export const ScimDocumentList = listOf(JsonObject);

const wholeNumber = z.pipe(
  z.union([z.number(), z.string().check(z.regex(/^-?\d{1,9}$/, 'must be a whole number'))]),
  z.pipe(z.transform(Number), z.int()),
);

/** Ids are strings in SCIM. An unknown id returns 404. */
const params = z.strictObject({ id: z.string() });
const excludedAttributes = z.optional(z.string().check(z.maxLength(1000)));
const attributes = z.optional(z.string().check(z.maxLength(1000)));
const listQuery = z.strictObject({
  filter: z.optional(z.string()),
  startIndex: z.optional(wholeNumber),
  count: z.optional(wholeNumber),
  /** Ignored, as is `sortOrder`, because sorting is not supported. */
  sortBy: z.optional(z.string()),
  sortOrder: z.optional(z.string()),
  attributes,
  excludedAttributes,
});
/** `id`, `schemas`, `meta` and the required attributes are always returned. */
const itemQuery = z.strictObject({ attributes, excludedAttributes });

const common = { api: 'platform', access: 'admin', mediaType: 'application/scim+json' } as const;
const missing = { 404: 'The resource does not exist.' } as const;
const changed = { ...missing, 412: 'The resource has changed since the version in If-Match.' } as const;
const taken = { 409: '`uniqueness`: another resource has this name.' } as const;
/** Large enough for a change of 10,000 members. */
const maxBodyBytes = 4 * 1024 * 1024;

/**
 * Lists the users of the account. `filter` supports all operators of RFC 7644 on the attributes of users (including
 * multi-valued ones), on `groups.value` and on `meta`. `count` is at most 200, and 0 returns only the total. All
 * operations of the Provisioning API require a SCIM key (`createScimKey`), or an API key with the admin role. The
 * built-in administrator and embed users are not in the directory.
 */
export const listScimUsers = operation({
  ...common,
  id: 'listScimUsers',
  method: 'GET',
  path: `${scimPath}/Users`,
  query: listQuery,
  response: ScimUserList,
  errors: {},
});

/** Creates a user without roles. Returns 409 `uniqueness` if another user has this `userName` or primary email. */
export const createScimUser = operation({
  ...common,
  id: 'createScimUser',
  method: 'POST',
  path: `${scimPath}/Users`,
  body: ScimUserInput,
  response: ScimUser,
  isCreation: true,
  errors: taken,
});

/** Returns a user. */
export const getScimUser = operation({
  ...common,
  id: 'getScimUser',
  method: 'GET',
  path: `${scimPath}/Users/{id}`,
  params,
  query: itemQuery,
  response: ScimUser,
  errors: missing,
});

/** Replaces a user: attributes that are not sent are cleared, except `active`, which stays unchanged. */
export const replaceScimUser = operation({
  ...common,
  id: 'replaceScimUser',
  method: 'PUT',
  path: `${scimPath}/Users/{id}`,
  params,
  body: ScimUserInput,
  response: ScimUser,
  errors: { ...changed, ...taken },
});

/** Changes a user. `active: false` deactivates the user, with the same consequences as in `updateUser`. */
export const patchScimUser = operation({
  ...common,
  id: 'patchScimUser',
  method: 'PATCH',
  path: `${scimPath}/Users/{id}`,
  params,
  body: ScimPatch,
  response: ScimUser,
  errors: { ...changed, ...taken },
});

/**
 * Deletes a user, with the same consequences as `deleteUser`. The built-in administrator becomes the owner of the
 * user's content.
 */
export const deleteScimUser = operation({
  ...common,
  id: 'deleteScimUser',
  method: 'DELETE',
  path: `${scimPath}/Users/{id}`,
  params,
  response: null,
  errors: changed,
});

/** Lists the groups of the account. `filter` supports displayName, externalId, id, members.value and meta. */
export const listScimGroups = operation({
  ...common,
  id: 'listScimGroups',
  method: 'GET',
  path: `${scimPath}/Groups`,
  query: listQuery,
  response: ScimGroupList,
  errors: {},
});

/** Creates a group. Members are ids of users. */
export const createScimGroup = operation({
  ...common,
  id: 'createScimGroup',
  method: 'POST',
  path: `${scimPath}/Groups`,
  body: ScimGroupInput,
  maxBodyBytes,
  response: ScimGroup,
  isCreation: true,
  errors: taken,
});

/** Returns a group. With `excludedAttributes=members`, the members are neither read nor returned. */
export const getScimGroup = operation({
  ...common,
  id: 'getScimGroup',
  method: 'GET',
  path: `${scimPath}/Groups/{id}`,
  params,
  query: itemQuery,
  response: ScimGroup,
  errors: missing,
});

/**
 * Replaces a group, including the whole list of members. Embed users who are members because of a grant stay members.
 */
export const replaceScimGroup = operation({
  ...common,
  id: 'replaceScimGroup',
  method: 'PUT',
  path: `${scimPath}/Groups/{id}`,
  params,
  body: ScimGroupInput,
  maxBodyBytes,
  response: ScimGroup,
  errors: { ...changed, ...taken },
});

/** Changes a group: adds and removes members, or renames it. */
export const patchScimGroup = operation({
  ...common,
  id: 'patchScimGroup',
  method: 'PATCH',
  path: `${scimPath}/Groups/{id}`,
  params,
  query: itemQuery,
  body: ScimPatch,
  maxBodyBytes,
  response: ScimGroup,
  errors: { ...changed, ...taken },
});

/** Deletes a group. Its members are not deleted. */
export const deleteScimGroup = operation({
  ...common,
  id: 'deleteScimGroup',
  method: 'DELETE',
  path: `${scimPath}/Groups/{id}`,
  params,
  response: null,
  errors: changed,
});

/** Returns what the Provisioning API supports (RFC 7643, section 5). Discovery and entity tags are extensions. */
export const getScimServiceProviderConfig = operation({
  ...common,
  id: 'getScimServiceProviderConfig',
  method: 'GET',
  path: `${scimPath}/ServiceProviderConfig`,
  response: JsonObject,
  errors: {},
});

/** Lists the resource types (RFC 7643, section 6). */
export const listScimResourceTypes = operation({
  ...common,
  id: 'listScimResourceTypes',
  method: 'GET',
  path: `${scimPath}/ResourceTypes`,
  response: ScimDocumentList,
  errors: {},
});

/** Lists the schemas of the resources (RFC 7643, section 7). */
export const listScimSchemas = operation({
  ...common,
  id: 'listScimSchemas',
  method: 'GET',
  path: `${scimPath}/Schemas`,
  response: ScimDocumentList,
  errors: {},
});

/** Returns a resource type: `User` or `Group`. */
export const getScimResourceType = operation({
  ...common,
  id: 'getScimResourceType',
  method: 'GET',
  path: `${scimPath}/ResourceTypes/{id}`,
  params,
  response: JsonObject,
  errors: missing,
});

/** Returns a schema by its URN. */
export const getScimSchema = operation({
  ...common,
  id: 'getScimSchema',
  method: 'GET',
  path: `${scimPath}/Schemas/{id}`,
  params,
  response: JsonObject,
  errors: missing,
});
