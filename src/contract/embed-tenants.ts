import * as z from 'zod/mini';
import { EmbedUserProfile, ExternalId, GroupDefinition, GroupNames } from './embed-grant.js';
import { operation } from './operation.js';
import { EmbedTenantName, IdParam, optional, PageQuery, pageOf } from './wire.js';

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

/** A user of an embed tenant. `username` is the external id, since an embed user has no other name of its own. */
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

/** Path parameter of everything below an embed tenant: its name, whatever the case. */
export const EmbedTenantParams = z.strictObject({
  embedTenantName: z.pipe(z.string().check(z.toLowerCase()), EmbedTenantName),
});
const GroupParams = z.extend(EmbedTenantParams, { id: IdParam });

const SearchQuery = z.extend(PageQuery, { search: z.optional(z.string().check(z.maxLength(255))) });
const noTenant = { 404: 'no such embed tenant' } as const;
const noGroup = { 404: 'no such group in this embed tenant' } as const;

/** Lists the embed tenants by name; `search` is a part of the name, whatever the case. */
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
 * Deletes an embed tenant with its users, groups, memberships, attribute values, shares, comments, chats, sessions and the content
 * that was made in its creator mode (spec 4.5). Its tokens are refused from then on. No tenant of this name is success too. The name
 * must be written as it is stored: another case is 400. The account's own tenant can't be deleted.
 *
 * The specification writes the path with a slash at its end, the operations document without: both are served.
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

/** Lists the groups of an embed tenant, the newest first. The group that stands for the tenant in shares is not among them. */
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
 * Creates a group of an embed tenant; a name that is taken, or begins with `system:`, is 400. The model's policies see it as
 * `system:tenant:{embedTenantName}:group:{name}`.
 *
 * The operations document leaves `group:` out of that name here and has it where sessions are minted: what is minted holds.
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

/** One group of an embed tenant (spec 4.1). */
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

/** Describes a group anew; an empty text clears the description. A name is for good. */
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

/** Deletes a group; 400 while it has members. */
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

/** Members of a group, each by exactly one of its ids. */
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

/** Lists the members of a group, the latest added first. */
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

/** Who was made a member, and who was one before, each once and in the order of the request. */
export const AddedGroupMembers = z.looseObject({
  addedMembers: z.array(EmbedUser),
  unchangedMembers: z.array(EmbedUser),
});
/** Who was made a member, and who was one before. */
export type AddedGroupMembers = z.infer<typeof AddedGroupMembers>;

/** Adds members to a group, all or none; an external id that is new is provisioned, an `embedUserId` of another tenant is 404. */
export const addTenantGroupMembers = operation({
  id: 'addGroupMembers',
  api: 'platform',
  method: 'POST',
  path: `${embedTenants}/{embedTenantName}/groups/{id}/users`,
  access: 'admin',
  params: GroupParams,
  body: EmbedGroupMembers,
  response: AddedGroupMembers,
  errors: { 404: 'no such group or user in this embed tenant', 429: 'the account has all the embed users it may have' },
});

/** Takes members out of a group. Whoever is none is passed over, and nobody is provisioned. */
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
 * A user to be provisioned: the fields of a session request with the same meaning. `groups` (of the account) and `tenantGroups` (of
 * this tenant) replace when they are sent, `[]` clears, and every name must exist; of the rest, what is left out keeps its value.
 */
export const ProvisionEmbedUser = z.strictObject({
  externalId: ExternalId,
  email: optional(z.email().check(z.maxLength(320))),
  userProfile: optional(EmbedUserProfile),
  groups: optional(GroupNames),
  tenantGroups: optional(GroupNames),
});
/** A user to be provisioned. */
export type ProvisionEmbedUser = z.infer<typeof ProvisionEmbedUser>;

/** Creates or updates one embed user, as a session would; the tenant is made where it is missing. */
export const provisionEmbedUser = operation({
  id: 'provisionEmbedUser',
  api: 'platform',
  method: 'POST',
  path: `${embedTenants}/{embedTenantName}/user`,
  access: 'admin',
  params: EmbedTenantParams,
  body: ProvisionEmbedUser,
  response: EmbedUser,
  errors: { 429: 'the account has all the embed users it may have' },
});

/** What became of several users: those that were provisioned, and why the others weren't, each in the order of the request. */
export const ProvisionedEmbedUsers = z.looseObject({
  succeeded: z.array(EmbedUser),
  failed: z.array(
    z.looseObject({ externalId: z.string(), error: z.looseObject({ status: z.int(), message: z.string() }) }),
  ),
});
/** What became of several users. */
export type ProvisionedEmbedUsers = z.infer<typeof ProvisionedEmbedUsers>;

/** Creates or updates up to 100 embed users, one after another and each for itself; of an id that is there twice the last holds. */
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

/** Lists the users of an embed tenant by email; `search` is a part of email or external id, whatever the case. */
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
