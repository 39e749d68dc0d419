import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type * as z from 'zod/mini';
import type { EmbedSessionSettings } from '../../../contract/embed.js';
import type { EmbedTheme, UserAttributeType, UserAttributeValue } from '../../../contract/embed-grant.js';
import type { BuiltInRole, Policy } from '../../../contract/roles.js';
import type { JsonObject } from '../../../contract/wire.js';
import { lowerAsciiSql } from '../lower-ascii.js';
import { createdAt, id, jsonValue, moment, ref } from './columns.js';

/** Whether a user has the admin role directly. Other rights come from assigned roles. */
export const Role = { admin: 'admin', user: 'user' } as const;
/** Whether a user has the admin role directly. */
export type Role = (typeof Role)[keyof typeof Role];

/**
 * Purpose of a group: input of the model's policies for the whole account, input for one embed tenant, or sharing of
 * content.
 */
export const GroupKind = { account: 'account', tenant: 'tenant', sharing: 'sharing' } as const;
/** Purpose of a group. */
export type GroupKind = (typeof GroupKind)[keyof typeof GroupKind];

/** Claims of an embed session, determined when it is created and copied into its token. */
export interface SessionClaims {
  readonly userId: number;
  readonly role: Role;
  readonly deploymentId: number;
  /** The branch whose model answers queries; production if not set. */
  readonly branchName?: string | undefined;
  readonly embedTenantId: number;
  readonly embedTenantName: string;
  readonly creatorMode: boolean;
  /**
   * Set if the roles that the grant assigns, or the roles of an internal user, allow `DownloadData`. Checked again at
   * each request, because roles can change.
   */
  readonly mayDownload?: true | undefined;
  /** Names of the granted roles, if `mayDownload` is set; missing for an internal user, who has roles of its own. */
  readonly downloadRoles?: readonly string[] | undefined;
  /** The keys of `securityContext` in the grant, and the key `platform` with groups and attributes. */
  readonly securityContext: {
    readonly platform: { readonly groups: readonly string[]; readonly userAttributes: JsonObject };
    readonly [key: string]: unknown;
  };
  readonly settings: EmbedSessionSettings;
  readonly embedTheme: z.infer<typeof EmbedTheme> | null;
}

/** The account of the platform. The table has exactly one row. */
export const accounts = pgTable('accounts', {
  id: id(),
  name: text().notNull().unique(),
  /** Settings that an administrator changed; missing keys have their defaults. */
  appConfig: json().$type<JsonObject>().notNull().default({}),
  tenantSettings: json().$type<JsonObject>().notNull().default({}),
});

/** Embed tenants: customers of a host. */
export const embedTenants = pgTable('embed_tenants', {
  id: id(),
  name: text().notNull().unique(),
  displayName: text(),
  createdAt: createdAt(),
});

/**
 * Users. Internal users have a username, embed users have a tenant, and an external id that is unique in the tenant.
 */
export const users = pgTable(
  'users',
  {
    id: id(),
    username: text().unique(),
    embedTenantId: ref().references(() => embedTenants.id, { onDelete: 'cascade' }),
    externalId: text(),
    role: text().$type<Role>().notNull(),
    email: text(),
    displayName: text(),
    title: text(),
    picture: text(),
    /** Id of an internal user in the directory that provisions it; not unique. */
    directoryId: text(),
    /** Attributes of an internal user as its directory sent them (SCIM), except those that have columns. */
    directory: jsonb().$type<JsonObject>(),
    /** Personal settings; missing keys have their defaults. */
    settings: json().$type<JsonObject>().notNull().default({}),
    /** Set while the user is deactivated. A deactivated user has no access. */
    deactivatedAt: moment(),
    lastLoginAt: moment(),
    /** Version for the entity tag. Incremented by every change that directories can see. */
    revision: integer().notNull().default(1),
    updatedAt: createdAt(),
    createdAt: createdAt(),
  },
  table => [
    unique().on(table.embedTenantId, table.externalId),
    uniqueIndex('users_username_lower').on(lowerAsciiSql(table.username)),
    uniqueIndex('users_email_lower').on(lowerAsciiSql(table.email)).where(sql`${table.embedTenantId} is null`),
    index().on(table.email),
    check('users_role', sql`${table.role} in ('admin', 'user')`),
    check(
      'users_kind',
      sql`(${table.username} is null) = (${table.externalId} is not null) and (${table.externalId} is null) = (${table.embedTenantId} is null)`,
    ),
  ],
);

/** Roles: built-in ones, which cannot be changed, and those that administrators create. */
export const roles = pgTable('roles', {
  id: id(),
  name: text().notNull().unique(),
  description: text(),
  isBuiltIn: boolean().notNull().default(false),
  policies: json().$type<readonly Policy[]>().notNull(),
  createdAt: createdAt(),
});

/** Roles of users. The policies of all roles of a user are combined. */
export const userRoles = pgTable(
  'user_roles',
  {
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    roleId: ref()
      .notNull()
      .references(() => roles.id, { onDelete: 'cascade' }),
  },
  table => [primaryKey({ columns: [table.userId, table.roleId] }), index().on(table.roleId)],
);

/** API keys, stored as hashes. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: id(),
    name: text().notNull().unique(),
    keyHash: text().notNull().unique(),
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Role that caps the rights of the key; `null` if the key has all rights of its user. */
    role: text().$type<BuiltInRole>(),
    /** Time from which the key is rejected; `null` if it does not expire. */
    expiresAt: moment(),
    lastUsedAt: moment(),
    createdAt: createdAt(),
  },
  table => [index().on(table.userId)],
);

/** Keys of the Provisioning API (SCIM), stored as hashes. */
export const scimKeys = pgTable('scim_keys', {
  id: id(),
  name: text().notNull().unique(),
  keyHash: text().notNull().unique(),
  lastUsedAt: moment(),
  createdAt: createdAt(),
});

/** Groups of every kind. The platform creates the groups for sharing, whose members are implicit. */
export const groups = pgTable(
  'groups',
  {
    id: id(),
    kind: text().$type<GroupKind>().notNull(),
    embedTenantId: ref().references(() => embedTenants.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    description: text(),
    /** Id of an account group in the directory that provisions it; not unique. */
    directoryId: text(),
    /** Role that the members of an account group have. */
    roleId: ref().references(() => roles.id, { onDelete: 'set null' }),
    /** Version for the entity tag. Incremented by every change that directories can see. */
    revision: integer().notNull().default(1),
    updatedAt: createdAt(),
    createdAt: createdAt(),
  },
  table => [
    index().on(table.roleId),
    unique().on(table.kind, table.embedTenantId, table.name).nullsNotDistinct(),
    check('groups_kind', sql`${table.kind} in ('account', 'tenant', 'sharing')`),
  ],
);

/** Members of the groups that appear in the session context. */
export const groupMembers = pgTable(
  'group_members',
  {
    groupId: ref()
      .notNull()
      .references(() => groups.id, { onDelete: 'cascade' }),
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    addedAt: createdAt(),
  },
  table => [
    primaryKey({ columns: [table.userId, table.groupId] }),
    index().on(table.groupId, table.addedAt, table.userId),
  ],
);

/** Definitions of user attributes. */
export const userAttributes = pgTable('user_attributes', {
  id: id(),
  name: text().notNull().unique(),
  type: text().$type<UserAttributeType>().notNull(),
  displayName: text(),
  defaultValue: text(),
  description: text(),
});

/** Values of user attributes. */
export const userAttributeValues = pgTable(
  'user_attribute_values',
  {
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    attributeId: ref()
      .notNull()
      .references(() => userAttributes.id, { onDelete: 'cascade' }),
    value: jsonValue<NonNullable<UserAttributeValue>>().notNull(),
  },
  table => [primaryKey({ columns: [table.userId, table.attributeId] })],
);

/** One-time embed sessions that are not exchanged yet. */
export const embedSessions = pgTable(
  'embed_sessions',
  {
    sessionKey: text().primaryKey(),
    claims: json().$type<SessionClaims>().notNull(),
    expiresAt: moment().notNull(),
  },
  table => [index().on(table.expiresAt)],
);

/**
 * Sessions that were exchanged, until their tokens expire. The claims are in the tokens; this table is used only to
 * find the sessions of a user.
 */
export const exchangedSessions = pgTable(
  'exchanged_sessions',
  {
    sessionKey: text().primaryKey(),
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: moment().notNull(),
  },
  table => [index().on(table.userId), index().on(table.expiresAt)],
);

/** Revoked sessions, stored until every token of the session has expired. */
export const revokedSessions = pgTable(
  'revoked_sessions',
  { sessionKey: text().primaryKey(), expiresAt: moment().notNull() },
  table => [index().on(table.expiresAt)],
);
