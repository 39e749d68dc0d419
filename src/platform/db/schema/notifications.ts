import { sql } from 'drizzle-orm';
import {
  boolean,
  doublePrecision,
  index,
  integer,
  json,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { NotificationAlert } from '../../../contract/notifications.js';
import type { JsonObject } from '../../../contract/wire.js';
import { embedTenants, users } from './accounts.js';
import { createdAt, id, moment, ref } from './columns.js';
import { dashboards } from './content.js';
import { deploymentRef } from './deployments.js';

/** Scheduled deliveries of a dashboard. */
export const notifications = pgTable(
  'notifications',
  {
    id: id(),
    deploymentId: deploymentRef(),
    /** Name that content files use; `null` if there is none. */
    name: text(),
    dashboardId: ref()
      .notNull()
      .references(() => dashboards.id, { onDelete: 'cascade' }),
    cronExpression: text().notNull(),
    timezone: text().notNull(),
    isEnabled: boolean().notNull(),
    notificationEnabled: boolean().notNull(),
    notificationAiSummary: boolean().notNull(),
    notificationFormat: text().notNull(),
    filters: json().$type<readonly JsonObject[]>(),
    memberSwitchers: json().$type<readonly JsonObject[]>(),
    timeGrains: json().$type<readonly JsonObject[]>(),
    /** Condition for sending; `null` if the notification is always sent. */
    alert: json().$type<NotificationAlert>(),
    /** Time of the next scheduled run; `null` if it is not computed yet, or nothing is scheduled. */
    nextRunAt: moment(),
    createdBy: ref().references(() => users.id, { onDelete: 'set null' }),
    /**
     * The viewer who subscribed on an embedded page and is the only recipient; `null` for notifications of
     * administrators.
     */
    subscriberId: ref().references(() => users.id, { onDelete: 'cascade' }),
    /** Language of the messages; `null` for that of the account. */
    locale: text(),
    createdAt: createdAt(),
  },
  table => [
    index().on(table.deploymentId, table.id),
    unique().on(table.deploymentId, table.name),
    index().on(table.dashboardId),
    index().on(table.createdBy),
    index().on(table.subscriberId),
    index().on(table.nextRunAt),
  ],
);

/** Recipients of notifications: internal users, or embed users with the context that their rendering requires. */
export const notificationRecipients = pgTable(
  'notification_recipients',
  {
    id: id(),
    notificationId: ref()
      .notNull()
      .references(() => notifications.id, { onDelete: 'cascade' }),
    /** The user; `null` for a channel. */
    userId: ref().references(() => users.id, { onDelete: 'cascade' }),
    /** Key of a channel, `slack:` and its id or `webhook:` and its URL; `null` for a user. */
    channel: text(),
    channelName: text(),
    /** Tenant of a channel; `null` for the account. */
    embedTenantId: ref().references(() => embedTenants.id, { onDelete: 'cascade' }),
    /** `securityContext`, `userAttributes` and `groups` of an embed user or a channel. */
    embed: json().$type<JsonObject>(),
    createdAt: createdAt(),
  },
  table => [
    unique().on(table.notificationId, table.userId),
    uniqueIndex().on(table.notificationId, table.channel).where(sql`${table.userId} is null`),
    index().on(table.userId),
    index().on(table.embedTenantId),
  ],
);

/** Reason why a run started: its schedule, or a request to send it now. */
export type RunTrigger = 'schedule' | 'test';
/** `skipped` means that no platform was running at the scheduled time, and that a later run replaces this one. */
export type RunState = 'running' | 'done' | 'skipped';

/** Runs of notifications: one per scheduled time. */
export const notificationRuns = pgTable(
  'notification_runs',
  {
    id: id(),
    notificationId: ref()
      .notNull()
      .references(() => notifications.id, { onDelete: 'cascade' }),
    scheduledAt: moment().notNull(),
    trigger: text().$type<RunTrigger>().notNull(),
    state: text().$type<RunState>().notNull(),
    createdAt: createdAt(),
    endedAt: moment(),
  },
  table => [
    // Only one replica can insert a scheduled run; the others get a conflict.
    unique().on(table.notificationId, table.scheduledAt, table.trigger),
    index().on(table.state).where(sql`${table.state} = 'running'`),
    index().on(table.createdAt),
  ],
);

/** What a delivery contains: the dashboard, or the list of failed deliveries for the owner of the notification. */
export type DeliveryPurpose = 'dashboard' | 'failure-notice';

/**
 * State of a delivery. `failed` waits for its next attempt; `sent`, `dead`, `canceled` and `skipped` are final. After a
 * crash in `handing-over` it is not known whether the mail server has accepted the message.
 */
export type DeliveryState =
  | 'pending'
  | 'rendering'
  | 'handing-over'
  | 'sent'
  | 'failed'
  | 'dead'
  | 'canceled'
  | 'skipped';

/** Delivery log of notifications, with one row per run and recipient. */
export const notificationDeliveries = pgTable(
  'notification_deliveries',
  {
    id: id(),
    runId: ref()
      .notNull()
      .references(() => notificationRuns.id, { onDelete: 'cascade' }),
    /** The user; `null` for a channel. */
    userId: ref().references(() => users.id, { onDelete: 'cascade' }),
    /** Key of a channel, as in its recipient; `null` for a user. */
    channel: text(),
    purpose: text().$type<DeliveryPurpose>().notNull(),
    state: text().$type<DeliveryState>().notNull(),
    /** The job attempt that works on this row. Statements of earlier attempts have no effect. */
    claim: uuid(),
    /** Number of times that the message was handed over. */
    attempts: integer().notNull().default(0),
    /** Earliest time of the next attempt. */
    dueAt: moment().notNull().defaultNow(),
    /** Local part of the `Message-ID` header, the same for all attempts. */
    messageId: text().notNull(),
    /** Reply code of the mail server, if it replied. */
    responseCode: integer(),
    /** Reason why the last attempt failed. Contains no content of the message. */
    problem: text(),
    updatedAt: createdAt(),
  },
  table => [
    unique().on(table.runId, table.userId, table.purpose),
    uniqueIndex().on(table.runId, table.channel, table.purpose).where(sql`${table.userId} is null`),
    index().on(table.userId),
    index().on(table.state).where(sql`${table.state} <> 'sent'`),
  ],
);

/** Evaluations of alerts: one per run and security context of recipients. */
export const notificationEvaluations = pgTable(
  'notification_evaluations',
  {
    id: id(),
    runId: ref()
      .notNull()
      .references(() => notificationRuns.id, { onDelete: 'cascade' }),
    /** Hash of the tenant and the security context. */
    contextKey: text().notNull(),
    /** Tenant of the recipients; `null` for the account. */
    embedTenantId: ref().references(() => embedTenants.id, { onDelete: 'set null' }),
    recipientCount: integer().notNull(),
    /** Whether the condition is met; `null` if the evaluation failed. */
    holds: boolean(),
    /** The value of the measure, or the number of rows. */
    value: doublePrecision(),
    /** The value of the measure at the last scheduled run. */
    previousValue: doublePrecision(),
    problem: text(),
    createdAt: createdAt(),
  },
  table => [unique().on(table.runId, table.contextKey), index().on(table.contextKey), index().on(table.embedTenantId)],
);
