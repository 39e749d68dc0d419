import * as z from 'zod/mini';
import { operation } from './operation.js';
import { IdParam, optional, PageQuery, pageOf } from './wire.js';

/** A group of the account. Access policies of the model refer to its name. */
export const AccountGroup = z.looseObject({
  id: z.int(),
  name: z.string(),
  description: optional(z.string()),
  /** Role of the group. Members that are users of the account have it in addition to their own roles. */
  role: optional(z.looseObject({ id: z.int(), name: z.string() })),
  /** Id of the group in the directory that provisions it. */
  externalId: optional(z.string()),
  /** Number of members, including embed users. */
  userCount: z.int(),
  createdAt: z.string(),
});
/** A group of the account. */
export type AccountGroup = z.infer<typeof AccountGroup>;

/** A member of a group of the account: a user of the account, or an embed user who is a member by a grant. */
export const AccountGroupMember = z.looseObject({
  id: z.int(),
  /** Username, or the external id of an embed user. */
  username: z.string(),
  email: optional(z.string()),
  firstName: optional(z.string()),
  /** Tenant of an embed user. */
  embedTenantName: optional(z.string()),
  isDeactivated: z.boolean(),
});
/** A member of a group of the account. */
export type AccountGroupMember = z.infer<typeof AccountGroupMember>;

/** Name of a group of the account. */
export const GroupName = z.string().check(z.trim(), z.minLength(1), z.maxLength(100));
/** Description of a group of the account. */
export const GroupDescription = z.string().check(z.maxLength(500));
const RoleId = z.int().check(z.positive());
const GroupParams = z.strictObject({ id: IdParam });
const SearchQuery = z.extend(PageQuery, { search: z.optional(z.string().check(z.maxLength(255))) });
const Members = z.strictObject({
  userIds: z.array(z.int().check(z.positive())).check(z.minLength(1), z.maxLength(1000)),
});

const groups = '/api/v1/groups';
const common = { api: 'platform', access: 'admin' } as const;
const noGroup = { 404: 'The group does not exist.' } as const;
const nameTaken = { 409: 'Another group has this name.' } as const;

/**
 * Lists the groups of the account by name. `search` matches part of the name, ignoring case. All operations on groups
 * of the account are extensions and require an API key with the admin role.
 */
export const listAccountGroups = operation({
  ...common,
  id: 'listAccountGroups',
  method: 'GET',
  path: groups,
  query: SearchQuery,
  response: pageOf(AccountGroup),
  errors: {},
});

/**
 * Creates a group of the account. Names that start with `system:` are reserved. With `roleId`, all members that are
 * users of the account have this role; the Admin role returns 404, because it cannot be assigned to groups.
 */
export const createAccountGroup = operation({
  ...common,
  id: 'createAccountGroup',
  method: 'POST',
  path: groups,
  body: z.strictObject({ name: GroupName, description: optional(GroupDescription), roleId: optional(RoleId) }),
  response: AccountGroup,
  errors: { 404: 'The role does not exist.', ...nameTaken },
});

/** Returns a group of the account. */
export const getAccountGroup = operation({
  ...common,
  id: 'getAccountGroup',
  method: 'GET',
  path: `${groups}/{id}`,
  params: GroupParams,
  response: AccountGroup,
  errors: noGroup,
});

/**
 * Updates a group. Omitted fields stay unchanged. An empty description and `roleId: null` clear the field. A new name
 * ends the embed sessions of the members, because their tokens contain the previous name.
 */
export const updateAccountGroup = operation({
  ...common,
  id: 'updateAccountGroup',
  method: 'PATCH',
  path: `${groups}/{id}`,
  params: GroupParams,
  body: z.strictObject({
    name: optional(GroupName),
    description: optional(GroupDescription),
    roleId: z.optional(z.nullable(RoleId)),
  }),
  response: AccountGroup,
  errors: { 404: 'The group or role does not exist.', ...nameTaken },
});

/** Deletes a group. Its members are not deleted; their embed sessions end. */
export const deleteAccountGroup = operation({
  ...common,
  id: 'deleteAccountGroup',
  method: 'DELETE',
  path: `${groups}/{id}`,
  params: GroupParams,
  response: null,
  errors: noGroup,
});

/**
 * Lists the members of a group by username. `search` matches part of the username, email or display name, ignoring
 * case.
 */
export const listAccountGroupMembers = operation({
  ...common,
  id: 'listAccountGroupMembers',
  method: 'GET',
  path: `${groups}/{id}/users`,
  params: GroupParams,
  query: SearchQuery,
  response: pageOf(AccountGroupMember),
  errors: noGroup,
});

/** Adds users of the account to a group atomically. Users who are already members are ignored. */
export const addAccountGroupMembers = operation({
  ...common,
  id: 'addAccountGroupMembers',
  method: 'POST',
  path: `${groups}/{id}/users`,
  params: GroupParams,
  body: Members,
  response: null,
  errors: { 404: 'The group does not exist, or the account has no such user.' },
});

/**
 * Removes members from a group. Users who are not members are ignored. The removal takes effect with the next request:
 * the users lose the role of the group, and their embed sessions end, so that pages create new ones.
 */
export const removeAccountGroupMembers = operation({
  ...common,
  id: 'removeAccountGroupMembers',
  method: 'DELETE',
  path: `${groups}/{id}/users`,
  params: GroupParams,
  body: Members,
  response: null,
  errors: noGroup,
});
