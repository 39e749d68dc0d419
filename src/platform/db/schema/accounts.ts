import { sql } from 'drizzle-orm';
import { boolean, check, index, json, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import type * as z from 'zod/mini';
import type { EmbedSessionSettings } from '../../../contract/embed.js';
import type { EmbedTheme, UserAttributeType, UserAttributeValue } from '../../../contract/embed-grant.js';
import type { BuiltInRole, Policy } from '../../../contract/roles.js';
import type { JsonObject } from '../../../contract/wire.js';
import { createdAt, id, jsonValue, moment, ref } from './columns.js';

/** Whether a user has the admin role directly; other rights come by the roles that were assigned. */
export const Role = { admin: 'admin', user: 'user' } as const;
/** Whether a user has the admin role directly. */
export type Role = (typeof Role)[keyof typeof Role];

/** What a group is for: the model's policies account-wide, the users of one embed tenant, or sharing of content alone. */
export const GroupKind = { account: 'account', tenant: 'tenant', sharing: 'sharing' } as const;
/** What a group is for. */
export type GroupKind = (typeof GroupKind)[keyof typeof GroupKind];

/** The claims of an embed session, fixed when it is created. Its token states them. */
export interface SessionClaims {
  readonly userId: number;
  readonly role: Role;
  readonly deploymentId: number;
  readonly embedTenantId: number;
  readonly embedTenantName: string;
  readonly creatorMode: boolean;
  /** Set if the roles that the grant assigns, or an internal user's own roles, allow `DownloadData`. */
  readonly mayDownload?: true | undefined;
  /** The grant's own keys, and `platform` with groups and attributes. */
  readonly securityContext: {
    readonly platform: { readonly groups: readonly string[]; readonly userAttributes: JsonObject };
    readonly [key: string]: unknown;
  };
  readonly settings: EmbedSessionSettings;
  readonly embedTheme: z.infer<typeof EmbedTheme> | null;
}

/** The account of this platform: one row. */
export const accounts = pgTable('accounts', {
  id: id(),
  name: text().notNull().unique(),
  /** What an administrator has set; what is absent has its default. */
  appConfig: json().$type<JsonObject>().notNull().default({}),
  tenantSettings: json().$type<JsonObject>().notNull().default({}),
});

/** Embed tenants: the customers of a host. */
export const embedTenants = pgTable('embed_tenants', {
  id: id(),
  name: text().notNull().unique(),
  displayName: text(),
  createdAt: createdAt(),
});

/** Users: internal ones have a username, embed users a tenant and an external id in it. */
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
    picture: text(),
    lastLoginAt: moment(),
    createdAt: createdAt(),
  },
  table => [
    unique().on(table.embedTenantId, table.externalId),
    index().on(table.email),
    check('users_role', sql`${table.role} in ('admin', 'user')`),
    check(
      'users_kind',
      sql`(${table.username} is null) = (${table.externalId} is not null) and (${table.externalId} is null) = (${table.embedTenantId} is null)`,
    ),
  ],
);

/** Roles: those that every account has, which nobody can change, and those that administrators make. */
export const roles = pgTable('roles', {
  id: id(),
  name: text().notNull().unique(),
  description: text(),
  isBuiltIn: boolean().notNull().default(false),
  policies: json().$type<readonly Policy[]>().notNull(),
  createdAt: createdAt(),
});

/** Roles of users; what a user may do is what one of them allows. */
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

/** API keys, by hash alone. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: id(),
    name: text().notNull().unique(),
    keyHash: text().notNull().unique(),
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The most that the key allows of what its user may; null where it allows all of it. */
    role: text().$type<BuiltInRole>(),
    createdAt: createdAt(),
  },
  table => [index().on(table.userId)],
);

/** Groups of every kind; those for sharing are made by the platform and have implicit members. */
export const groups = pgTable(
  'groups',
  {
    id: id(),
    kind: text().$type<GroupKind>().notNull(),
    embedTenantId: ref().references(() => embedTenants.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    description: text(),
    createdAt: createdAt(),
  },
  table => [
    unique().on(table.kind, table.embedTenantId, table.name).nullsNotDistinct(),
    check('groups_kind', sql`${table.kind} in ('account', 'tenant', 'sharing')`),
  ],
);

/** Members of the groups that a session context names. */
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

/** One-time embed sessions that were not exchanged yet. */
export const embedSessions = pgTable(
  'embed_sessions',
  {
    sessionKey: text().primaryKey(),
    claims: json().$type<SessionClaims>().notNull(),
    expiresAt: moment().notNull(),
  },
  table => [index().on(table.expiresAt)],
);

/** Revoked sessions, for as long as a token of theirs could live. */
export const revokedSessions = pgTable(
  'revoked_sessions',
  { sessionKey: text().primaryKey(), expiresAt: moment().notNull() },
  table => [index().on(table.expiresAt)],
);
