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
  uuid,
} from 'drizzle-orm/pg-core';
import type { ChatFrame, ChatImage, ChatUsage, FinishReason } from '../../contract/chat.js';
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

/** Where a turn of a chat stands: under way, or why it ended. */
export type TurnStatus = 'running' | 'finished' | Exclude<FinishReason, 'stop'>;

/** Threads of the chat. Who may see one is in `ownerKey` alone; the other columns tell what goes when a user or an agent does. */
export const chatThreads = pgTable(
  'chat_threads',
  {
    id: uuid().primaryKey().defaultRandom(),
    ownerKey: text().notNull(),
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    deploymentId: deploymentRef(),
    agentId: ref()
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
    title: text().notNull(),
    // In milliseconds, as a cursor tells them.
    createdAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
    updatedAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
  },
  table => [index().on(table.ownerKey, table.updatedAt, table.id)],
);

/**
 * Messages of users, each with how its answer went. A turn that is `running` belongs to the process that holds its lease; once the
 * lease has run out it is suspended, whoever looks. A suspended turn can be resumed as long as `leaseExpiresAt` is less than 24 hours
 * ago; null ends that.
 */
export const chatTurns = pgTable(
  'chat_turns',
  {
    id: id(),
    threadId: uuid()
      .notNull()
      .references(() => chatThreads.id, { onDelete: 'cascade' }),
    ownerKey: text().notNull(),
    /** Place in the thread, from 1. */
    number: integer().notNull(),
    messageId: text().notNull(),
    input: text().notNull(),
    images: json().$type<readonly ChatImage[]>().notNull(),
    /** Of input and images: tells whether a message that is sent again is the same. */
    promptHash: text().notNull(),
    status: text().$type<TurnStatus>().notNull(),
    /** Why it failed, for its owner's eyes. */
    error: text(),
    usage: json().$type<ChatUsage>(),
    /** What the agent's last step said. */
    state: json().$type<JsonObject>(),
    /** How often it was begun; a run writes only under its own number. */
    attempt: integer().notNull().default(1),
    leaseOwner: text(),
    leaseExpiresAt: moment(),
    abortRequested: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  table => [
    unique().on(table.threadId, table.number),
    unique().on(table.threadId, table.messageId),
    index().on(table.ownerKey, table.messageId),
    index().on(table.ownerKey).where(sql`${table.status} = 'running'`),
    check(
      'chat_turns_status',
      sql`${table.status} in ('running', 'finished', 'aborted', 'failed', 'length', 'suspended')`,
    ),
  ],
);

/** What was answered, as it is read back; stored step by step. */
export const chatMessages = pgTable(
  'chat_messages',
  {
    turnId: ref()
      .notNull()
      .references(() => chatTurns.id, { onDelete: 'cascade' }),
    /** Place in the turn, from 1. */
    position: integer().notNull(),
    frame: json().$type<ChatFrame>().notNull(),
  },
  table => [primaryKey({ columns: [table.turnId, table.position] })],
);
