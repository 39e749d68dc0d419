import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  customType,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { DashboardConfigInput, ReportMeta } from '../../contract/dashboard-input.js';
import type { ReportSnapshot } from '../../contract/dashboards.js';
import type { creationSteps } from '../../contract/deployments.js';
import type { UserAttributeType, UserAttributeValue } from '../../contract/embed-grant.js';
import type { CreateReport } from '../../contract/reports.js';
import type { JsonObject } from '../../contract/wire.js';
import type { EmbedClaims } from '../auth/tokens.js';

// Documents are `json`, not `jsonb`: `jsonb` reorders keys, and in `order: {a: 'asc', b: 'desc'}` the order of keys counts.

// Drizzle's own `json` reads a text that is JSON itself once more: the text '1' would come back as the number.
const attributeValue = customType<{ data: NonNullable<UserAttributeValue> }>({
  dataType: () => 'json',
  toDriver: value => JSON.stringify(value),
});

const id = () => bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity();
const ref = () => bigint({ mode: 'number' });
const moment = () => timestamp({ withTimezone: true });
const createdAt = () => moment().notNull().defaultNow();

/** Roles of a user. */
export const Role = { admin: 'admin', user: 'user' } as const;
/** Role of a user. */
export type Role = (typeof Role)[keyof typeof Role];

/** What a group is for: the model's policies account-wide, the users of one embed tenant, or sharing of content alone. */
export const GroupKind = { account: 'account', tenant: 'tenant', sharing: 'sharing' } as const;
/** What a group is for. */
export type GroupKind = (typeof GroupKind)[keyof typeof GroupKind];

/** What an embed session stands for, settled when it is minted: what its token will say. */
export type SessionClaims = Omit<EmbedClaims, 'sessionKey'>;

// Omit on a record with an index signature would lose its named keys.
type Frozen<T> = { [K in keyof T as K extends 'id' ? never : K]: T[K] };

/** The account of this platform: one row. */
export const accounts = pgTable('accounts', { id: id(), name: text().notNull().unique() });

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

/** API keys, by hash alone. */
export const apiKeys = pgTable('api_keys', {
  id: id(),
  name: text().notNull().unique(),
  keyHash: text().notNull().unique(),
  userId: ref()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  createdAt: createdAt(),
});

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
  },
  table => [primaryKey({ columns: [table.userId, table.groupId] }), index().on(table.groupId)],
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
    value: attributeValue().notNull(),
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

/** Deployments. */
export const deployments = pgTable('deployments', {
  id: id(),
  name: text().notNull(),
  creationStep: text().$type<(typeof creationSteps)[number]>().notNull(),
});

const deploymentRef = () =>
  ref()
    .notNull()
    .references(() => deployments.id, { onDelete: 'cascade' });

/** Agents of the chat. */
export const agents = pgTable('agents', { id: id(), deploymentId: deploymentRef(), name: text().notNull() });

const owned = {
  createdBy: ref()
    .notNull()
    .references(() => users.id),
  createdAt: createdAt(),
  updatedAt: createdAt(),
};

/** Workbooks; the dashboard's draft is `meta.dashboardDraft`. */
export const workbooks = pgTable(
  'workbooks',
  {
    id: id(),
    deploymentId: deploymentRef(),
    slug: text(),
    name: text().notNull(),
    meta: json().$type<JsonObject>().notNull(),
    ...owned,
  },
  table => [unique().on(table.deploymentId, table.slug)],
);

/** Reports. `publicId` is null until a caller chose one. */
export const reports = pgTable(
  'reports',
  {
    id: id(),
    deploymentId: deploymentRef(),
    workbookId: ref().references(() => workbooks.id, { onDelete: 'cascade' }),
    publicId: text().unique(),
    name: text().notNull(),
    title: text(),
    jsonQuery: text(),
    sqlQuery: text(),
    meta: json().$type<ReportMeta>(),
    pivotItems: json().$type<NonNullable<CreateReport['pivotItems']>>(),
    source: text().$type<NonNullable<CreateReport['source']>>(),
    externalWorkbookId: text(),
    resultLocation: text(),
    endResultCell: text(),
    version: integer().notNull().default(1),
    ...owned,
  },
  table => [index().on(table.deploymentId), index().on(table.workbookId)],
);

/** Published dashboards, one per workbook. */
export const dashboards = pgTable('dashboards', {
  id: id(),
  workbookId: ref()
    .notNull()
    .unique()
    .references(() => workbooks.id, { onDelete: 'cascade' }),
  publicId: text().notNull().unique(),
  allowEmbed: boolean().notNull(),
  title: text(),
  description: text(),
  versionNumber: integer().notNull().default(1),
  createdBy: ref()
    .notNull()
    .references(() => users.id),
});

/** What was published, version by version; the current one is the dashboard's `versionNumber`. */
export const dashboardVersions = pgTable(
  'dashboard_versions',
  {
    id: id(),
    dashboardId: ref()
      .notNull()
      .references(() => dashboards.id, { onDelete: 'cascade' }),
    versionNumber: integer().notNull(),
    config: json().$type<DashboardConfigInput>().notNull(),
    createdAt: createdAt(),
  },
  table => [uniqueIndex().on(table.dashboardId, table.versionNumber)],
);

/** Reports as they were when a version was published. */
export const reportSnapshots = pgTable(
  'report_snapshots',
  {
    id: id(),
    versionId: ref()
      .notNull()
      .references(() => dashboardVersions.id, { onDelete: 'cascade' }),
    snapshot: json().$type<Frozen<ReportSnapshot>>().notNull(),
  },
  table => [index().on(table.versionId)],
);

/** Which groups may read a workbook's published dashboard. */
export const workbookShares = pgTable(
  'workbook_shares',
  {
    workbookId: ref()
      .notNull()
      .references(() => workbooks.id, { onDelete: 'cascade' }),
    groupId: ref()
      .notNull()
      .references(() => groups.id, { onDelete: 'cascade' }),
  },
  table => [primaryKey({ columns: [table.workbookId, table.groupId] }), index().on(table.groupId)],
);
