import * as z from 'zod/mini';
import { EmbedUserProfile, ExternalId, GroupDefinition, GroupNames } from './embed-grant.js';
import { lowerAscii } from './lower-ascii.js';
import { operation } from './operation.js';
import { EmbedTenantName, IdParam, optional, PageQuery, pageOf, SearchQuery } from './wire.js';

/** A group of an embed tenant (spec 2.1); `userCount` is its number of members. */
export const UserGroup = z.looseObject({
  id: z.int(),
  name: z.string(),
  description: optional(z.string()),
  userCount: optional(z.int()),
});
/** A group of an embed tenant (spec 2.1). */
export type UserGroup = z.infer<typeof UserGroup>;

/** An embed tenant: a customer of a host. `userCount` is its number of embed users. */
export const EmbedTenant = z.looseObject({
  id: z.int(),
  name: z.string(),
  userCount: z.int(),
  createdAt: optional(z.string()),
  displayName: optional(z.string()),
});
/** An embed tenant: a customer of a host. */
export type EmbedTenant = z.infer<typeof EmbedTenant>;

/** A user of an embed tenant. `username` is the external id, because embed users have no other user name. */
export const EmbedUser = z.looseObject({
  id: z.int(),
  username: z.string(),
  createdAt: optional(z.string()),
  email: optional(z.string()),
  externalId: optional(z.string()),
  firstName: optional(z.string()),
  lastLogin: optional(z.string()),
});
/** A user of an embed tenant. */
export type EmbedUser = z.infer<typeof EmbedUser>;

const embedTenants = '/api/v1/embed-tenants';

/** Path parameters of all operations below an embed tenant: its name, ignoring case. */
export const EmbedTenantParams = z.strictObject({
  embedTenantName: z.pipe(z.string().check(z.overwrite(lowerAscii)), EmbedTenantName),
});
const GroupParams = z.extend(EmbedTenantParams, { id: IdParam });

const noTenant = { 404: 'The embed tenant does not exist.' } as const;
const noGroup = { 404: 'The group does not exist in this embed tenant.' } as const;

/** Lists the embed tenants by name. `search` matches part of the name, ignoring case. */
export const listEmbedTenants = operation({
  id: 'listEmbedTenants',
  api: 'platform',
  method: 'GET',
  path: embedTenants,
  access: 'admin',
  query: SearchQuery,
  response: pageOf(EmbedTenant),
  errors: {},
});

/**
 * Deletes an embed tenant with its users, groups, memberships, attribute values, shares, comments, chats, sessions and
 * the content that was created in its creator mode (spec 4.5). Its tokens are rejected from then on. Succeeds if the
 * tenant does not exist. The name is case-sensitive: a different case returns 400. The account's own tenant cannot be
 * deleted.
 *
 * The path has a trailing slash in the specification but not in the operations document; both are served.
 */
export const deleteEmbedTenant = operation({
  id: 'deleteEmbedTenant',
  api: 'platform',
  method: 'DELETE',
  path: `${embedTenants}/{embedTenantName}`,
  access: 'admin',
  params: z.strictObject({ embedTenantName: EmbedTenantName }),
  response: null,
  errors: {},
});

/**
 * Lists the groups of an embed tenant, newest first. The internal group that represents the tenant in shares is not
 * included.
 */
export const getTenantGroups = operation({
  id: 'getGroups',
  api: 'platform',
  method: 'GET',
  path: `${embedTenants}/{embedTenantName}/groups`,
  access: 'admin',
  params: EmbedTenantParams,
  query: PageQuery,
  response: pageOf(UserGroup),
  errors: noTenant,
});

/**
 * Creates a group of an embed tenant. Returns 400 if the name is in use or starts with `system:`. Access policies of
 * the model reference it as `system:tenant:{embedTenantName}:group:{name}`.
 *
 * The operations document omits `group:` from that name here but includes it for sessions; this platform includes it.
 */
export const createTenantGroup = operation({
  id: 'createGroup',
  api: 'platform',
  method: 'POST',
  path: `${embedTenants}/{embedTenantName}/groups`,
  access: 'admin',
  params: EmbedTenantParams,
  body: GroupDefinition,
  response: UserGroup,
  errors: noTenant,
});

/** Returns a group of an embed tenant (spec 4.1). */
export const getTenantGroup = operation({
  id: 'getGroup',
  api: 'platform',
  method: 'GET',
  path: `${embedTenants}/{embedTenantName}/groups/{id}`,
  access: 'admin',
  params: GroupParams,
  response: UserGroup,
  errors: noGroup,
});

/** Updates a group. An empty string clears the description. The name cannot be changed. */
export const updateTenantGroup = operation({
  id: 'updateGroup',
  api: 'platform',
  method: 'PATCH',
  path: `${embedTenants}/{embedTenantName}/groups/{id}`,
  access: 'admin',
  params: GroupParams,
  body: z.strictObject({ description: optional(z.string().check(z.maxLength(500))) }),
  response: UserGroup,
  errors: noGroup,
});

/** Deletes a group. Returns 400 if it has members. */
export const deleteTenantGroup = operation({
  id: 'deleteGroup',
  api: 'platform',
  method: 'DELETE',
  path: `${embedTenants}/{embedTenantName}/groups/{id}`,
  access: 'admin',
  params: GroupParams,
  response: null,
  errors: noGroup,
});

/** Members of a group, each identified by exactly one of its ids. */
export const EmbedGroupMembers = z.strictObject({
  members: z
    .array(
      z
        .strictObject({ embedUserId: optional(z.int().check(z.positive())), externalId: optional(ExternalId) })
        .check(
          z.refine(
            ({ embedUserId, externalId }) => (embedUserId == null) !== (externalId == null),
            'send exactly one of embedUserId and externalId',
          ),
        ),
    )
    .check(z.minLength(1), z.maxLength(1000)),
});
/** Members of a group. */
export type EmbedGroupMembers = z.infer<typeof EmbedGroupMembers>;

/** Lists the members of a group, last added first. */
export const getTenantGroupMembers = operation({
  id: 'getGroupMembers',
  api: 'platform',
  method: 'GET',
  path: `${embedTenants}/{embedTenantName}/groups/{id}/users`,
  access: 'admin',
  params: GroupParams,
  query: PageQuery,
  response: pageOf(EmbedUser),
  errors: noGroup,
});

/** Added members, and users who were already members. Each is listed once, in the order of the request. */
export const AddedGroupMembers = z.looseObject({
  addedMembers: z.array(EmbedUser),
  unchangedMembers: z.array(EmbedUser),
});
/** Added members, and users who were already members. */
export type AddedGroupMembers = z.infer<typeof AddedGroupMembers>;

/**
 * Adds members to a group atomically. An unknown external id is provisioned; an `embedUserId` of another tenant returns
 * 404.
 */
export const addTenantGroupMembers = operation({
  id: 'addGroupMembers',
  api: 'platform',
  method: 'POST',
  path: `${embedTenants}/{embedTenantName}/groups/{id}/users`,
  access: 'admin',
  params: GroupParams,
  body: EmbedGroupMembers,
  response: AddedGroupMembers,
  errors: {
    404: 'The group or user does not exist in this embed tenant.',
    429: 'The account has reached its limit of embed users.',
  },
});

/** Removes members from a group. Users who are not members are ignored, and no user is provisioned. */
export const removeTenantGroupMembers = operation({
  id: 'removeGroupMembers',
  api: 'platform',
  method: 'DELETE',
  path: `${embedTenants}/{embedTenantName}/groups/{id}/users`,
  access: 'admin',
  params: GroupParams,
  body: EmbedGroupMembers,
  response: null,
  errors: noGroup,
});

/**
 * A user to provision; the fields are those of a session request. `groups` (of the account) and `tenantGroups` (of this
 * tenant) replace the previous groups if sent; `[]` clears them. Every name must exist. Omitted fields stay
 * unchanged.
 */
export const ProvisionEmbedUser = z.strictObject({
  externalId: ExternalId,
  email: optional(z.email().check(z.maxLength(320))),
  userProfile: optional(EmbedUserProfile),
  groups: optional(GroupNames),
  tenantGroups: optional(GroupNames),
});
/** A user to provision. */
export type ProvisionEmbedUser = z.infer<typeof ProvisionEmbedUser>;

/** Creates or updates one embed user, as creating a session does. Creates the tenant if it does not exist. */
export const provisionEmbedUser = operation({
  id: 'provisionEmbedUser',
  api: 'platform',
  method: 'POST',
  path: `${embedTenants}/{embedTenantName}/user`,
  access: 'admin',
  params: EmbedTenantParams,
  body: ProvisionEmbedUser,
  response: EmbedUser,
  errors: { 429: 'The account has reached its limit of embed users.' },
});

/**
 * Result of provisioning several users: the provisioned users, and the errors of the others, each in the order of the
 * request.
 */
export const ProvisionedEmbedUsers = z.looseObject({
  succeeded: z.array(EmbedUser),
  failed: z.array(
    z.looseObject({ externalId: z.string(), error: z.looseObject({ status: z.int(), message: z.string() }) }),
  ),
});
/** Result of provisioning several users. */
export type ProvisionedEmbedUsers = z.infer<typeof ProvisionedEmbedUsers>;

/**
 * Creates or updates up to 100 embed users in order and independently. If an id occurs twice, its last entry
 * takes effect.
 */
export const provisionEmbedUsers = operation({
  id: 'provisionEmbedUsers',
  api: 'platform',
  method: 'POST',
  path: `${embedTenants}/{embedTenantName}/users`,
  access: 'admin',
  params: EmbedTenantParams,
  body: z.strictObject({ users: z.array(ProvisionEmbedUser).check(z.minLength(1), z.maxLength(100)) }),
  response: ProvisionedEmbedUsers,
  errors: {},
});

/** A session of an embed user that was exchanged for a token. */
export const EmbedUserSession = z.looseObject({
  /** Identifies the session in `revokeEmbedUserSessions`. It is not a credential. */
  id: z.string(),
  userId: z.int(),
  username: z.string(),
  email: optional(z.string()),
  /** Time of the exchange (ISO 8601). */
  startedAt: z.string(),
});
/** A session of an embed user that was exchanged for a token. */
export type EmbedUserSession = z.infer<typeof EmbedUserSession>;

/**
 * Lists the sessions of the users of an embed tenant whose tokens are valid, newest first. `search` matches part of the
 * email or external id, ignoring case. Sessions of users of the account (`internalId`) are not included. This operation
 * is an extension.
 */
export const listEmbedUserSessions = operation({
  id: 'listEmbedUserSessions',
  api: 'platform',
  method: 'GET',
  path: `${embedTenants}/{embedTenantName}/sessions`,
  access: 'admin',
  params: EmbedTenantParams,
  query: SearchQuery,
  response: pageOf(EmbedUserSession),
  errors: noTenant,
});

/**
 * Revokes sessions of the users of an embed tenant: all of them, those of the user `userId`, or the session `id`. Their
 * tokens are rejected from the next request on, and sessions that are not exchanged yet are deleted. New sessions can
 * be created. Succeeds if no session matches. This operation is an extension.
 */
export const revokeEmbedUserSessions = operation({
  id: 'revokeEmbedUserSessions',
  api: 'platform',
  method: 'DELETE',
  path: `${embedTenants}/{embedTenantName}/sessions`,
  access: 'admin',
  params: EmbedTenantParams,
  query: z.strictObject({
    userId: z.optional(IdParam),
    id: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/, 'must be the id of a listed session'))),
  }),
  response: null,
  errors: noTenant,
});

/** Lists the users of an embed tenant by email. `search` matches part of the email or external id, ignoring case. */
export const listEmbedUsers = operation({
  id: 'listEmbedUsers',
  api: 'platform',
  method: 'GET',
  path: `${embedTenants}/{embedTenantName}/users`,
  access: 'admin',
  params: EmbedTenantParams,
  query: SearchQuery,
  response: pageOf(EmbedUser),
  errors: noTenant,
});
