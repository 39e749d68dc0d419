import * as z from 'zod/mini';
import { operation } from './operation.js';
import { Policy } from './roles.js';
import { NewPassword } from './sign-in.js';
import { IdParam, JsonObject, optional, PageQuery, pageOf } from './wire.js';

/** Settings of a user's spreadsheet add-in. The platform stores them for the add-in. */
const SheetsUserSettings = z.strictObject({
  autoRunQueryOnChange: optional(z.boolean()),
  openExplorationFromSheet: optional(z.boolean()),
  revealSheetOnOpen: optional(z.boolean()),
  showAppliedFilters: optional(z.boolean()),
  suppressDuplicateValues: optional(z.boolean()),
});

/** Personal settings of a user. */
export const UserSettings = z.strictObject({
  alternatingRowColors: optional(z.boolean()),
  defaultDeploymentId: optional(z.int().check(z.positive())),
  lastSeenChangelogId: optional(z.int().check(z.gte(0))),
  /** BCP 47 language tag, for example `de-AT`. */
  locale: optional(z.string().check(z.maxLength(35))),
  sheets: optional(SheetsUserSettings),
  theme: optional(z.string().check(z.maxLength(64))),
  /** IANA time zone, for example `Europe/Berlin`. */
  timezone: optional(z.string().check(z.maxLength(64))),
});
/** Personal settings of a user. */
export type UserSettings = z.infer<typeof UserSettings>;

/**
 * A policy of a role that a user has, with the email, display name and picture of the user. The specification mentions
 * these fields of policy records (release note 2026-06-17), but no operation that lists the users with access.
 */
const UserPolicy = z.extend(Policy, {
  email: optional(z.string()),
  firstName: optional(z.string()),
  picture: optional(z.string()),
});

/**
 * A user of the account, that is, a person who administers the platform or creates content. Embed users are not
 * included.
 */
export const User = z.looseObject({
  id: z.int(),
  username: z.string(),
  /** Email address; empty if the user has none. */
  email: z.string(),
  /** Whether the user has the admin role directly, not through a group. */
  isAdmin: z.boolean(),
  isDeactivated: optional(z.boolean()),
  /** Display name. */
  firstName: optional(z.string()),
  title: optional(z.string()),
  /** Absolute URL of a picture. */
  picture: optional(z.string()),
  /** Id of the user in the directory that provisions it. Not unique. */
  externalId: optional(z.string()),
  /** Names of the roles that the user has. */
  defaultRoles: optional(z.array(z.string())),
  settings: optional(JsonObject),
  /** Always empty, because the platform sends no messages about the account. */
  notifications: JsonObject,
  createdAt: optional(z.string()),
  lastLogin: optional(z.string()),
  /** Policies of the roles that the user has, directly or through groups. Only `getMe` returns them. */
  userPolicies: optional(z.array(UserPolicy)),
});
/** A user of the account. */
export type User = z.infer<typeof User>;

const text = (maxLength: number) => z.string().check(z.trim(), z.maxLength(maxLength));
/** Names that look the same must not differ in characters that are not visible. */
const Username = text(255).check(
  z.minLength(1),
  z.refine(name => !/[\p{Cc}\p{Cf}]/u.test(name), 'must not contain invisible characters'),
);
const Email = text(320).check(z.regex(/^[^\s@]+@[^\s@]+$/, 'must be an email address'));
const Picture = z
  .url({ protocol: /^https?$/, error: 'must be an absolute http or https URL' })
  .check(z.maxLength(2048));

/** Actions of `bulkUserAction`. */
export const bulkUserActions = ['DEACTIVATE', 'ACTIVATE', 'DELETE'] as const;
/** An action of `bulkUserAction`. */
export type BulkUserAction = (typeof bulkUserActions)[number];

/** Status of users in a list. */
export const userStatuses = ['active', 'deactivated'] as const;

const common = { api: 'platform', access: 'admin' } as const;
const noUser = { 404: 'The user does not exist.' } as const;
const busy = { 503: 'There are too many concurrent sign-ins. Retry after the delay in Retry-After.' } as const;
const nameTaken = { 409: 'Another user has this username or email.' } as const;

/**
 * Lists the users of the account by username. `search` matches part of the username, email or display name, ignoring
 * case; `status` is `active` or `deactivated`; `role` is the name of an assigned role, or `Admin`. An extension: the
 * operations document has no list. All operations on users, except those on `me`, require an API key with the admin
 * role.
 */
export const listUsers = operation({
  ...common,
  id: 'listUsers',
  method: 'GET',
  path: '/api/v1/users',
  query: z.extend(PageQuery, {
    search: z.optional(z.string().check(z.maxLength(255))),
    status: z.optional(z.enum(userStatuses)),
    role: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
  }),
  response: pageOf(User),
  errors: {},
});

/**
 * Returns the caller's user with the policies of the user's roles. An API key that is limited to a role has fewer
 * permissions than its user. An extension. Returns 403 for embed users.
 */
export const getMe = operation({
  ...common,
  access: 'authenticated',
  id: 'getMe',
  method: 'GET',
  path: '/api/v1/users/me',
  response: User,
  errors: {},
});

/**
 * Updates the caller's own settings. Omitted settings stay unchanged and `null` clears a setting; `sheets` is merged
 * per field. Returns 403 for embed users.
 */
export const updateMySettings = operation({
  ...common,
  access: 'authenticated',
  id: 'updateMySettings',
  method: 'PATCH',
  path: '/api/v1/users/me/settings',
  body: UserSettings,
  response: User,
  errors: {},
});

/** Returns a user. An extension. */
export const getUser = operation({
  ...common,
  id: 'getUser',
  method: 'GET',
  path: '/api/v1/users/{id}',
  params: z.strictObject({ id: IdParam }),
  response: User,
  errors: noUser,
});

/**
 * Creates a user. Usernames and emails are unique, ignoring case. Returns 400 for a username with invisible characters,
 * such as a soft hyphen. `defaultRoles` are names of roles to assign;
 * the admin role is assigned by `isAdmin`. With a `password`, the user can sign in with the email and the password.
 */
export const createUser = operation({
  ...common,
  id: 'createUser',
  method: 'POST',
  path: '/api/v1/users',
  body: z.strictObject({
    username: Username,
    email: Email,
    firstName: optional(text(255)),
    password: optional(NewPassword),
    picture: optional(Picture),
    externalId: optional(text(255)),
    isAdmin: optional(z.boolean()),
    defaultRoles: optional(z.array(z.string().check(z.minLength(1), z.maxLength(255))).check(z.maxLength(100))),
    settings: optional(UserSettings),
  }),
  response: User,
  errors: { ...nameTaken, ...busy },
});

/**
 * Updates a user. Omitted fields stay unchanged; `settings` is merged. `isDeactivated: true` ends all access of the
 * user immediately. API keys are revoked, and sessions and tokens are rejected from the next request on. A user
 * that is activated again needs new keys. Returns 403 if the user to deactivate is the caller, the last active
 * administrator or the built-in administrator. A `password` replaces the user's password and ends the user's
 * sessions, as `setUserPassword` does.
 */
export const updateUser = operation({
  ...common,
  id: 'updateUser',
  method: 'PUT',
  path: '/api/v1/users/{id}',
  params: z.strictObject({ id: IdParam }),
  body: z.strictObject({
    firstName: optional(text(255)),
    title: optional(text(255)),
    password: optional(NewPassword),
    picture: optional(Picture),
    isAdmin: optional(z.boolean()),
    isDeactivated: optional(z.boolean()),
    settings: optional(UserSettings),
  }),
  response: User,
  errors: { ...noUser, ...busy },
});

/**
 * Deletes a user and ends their access, as deactivation does. The user `reassignTo` (extension; by default the caller)
 * becomes the owner of the workbooks, reports, folders and notifications; the chats are deleted. Returns 400 for the
 * caller's own account, and 403 for the last active administrator and the built-in administrator.
 */
export const deleteUser = operation({
  ...common,
  id: 'deleteUser',
  method: 'DELETE',
  path: '/api/v1/users/{id}',
  params: z.strictObject({ id: IdParam }),
  query: z.strictObject({ reassignTo: z.optional(IdParam) }),
  response: null,
  errors: { 404: 'The user, or the user to whom the content is transferred, does not exist.' },
});

/**
 * Deactivates, activates or deletes up to 100 users, each in a separate transaction, in the given order. Repeated ids
 * count once. Failures are listed with the error that the operation on a single user returns; the other users are
 * changed. Repeating an action has no effect.
 */
export const bulkUserAction = operation({
  ...common,
  id: 'bulkUserAction',
  method: 'POST',
  path: '/api/v1/users/bulk',
  body: z.strictObject({
    action: z.enum(bulkUserActions),
    userIds: z.array(z.int().check(z.positive())).check(z.minLength(1), z.maxLength(100)),
  }),
  response: z.looseObject({
    action: z.string(),
    succeeded: z.array(z.int()),
    failed: z.array(z.looseObject({ userId: z.int(), error: z.looseObject({ status: z.int(), message: z.string() }) })),
  }),
  errors: {},
});
