import { boolean, index, json, pgTable, text, unique } from 'drizzle-orm/pg-core';
import type { JsonObject } from '../../../contract/wire.js';
import { users } from './accounts.js';
import { createdAt, id, ref } from './columns.js';
import { dashboards } from './content.js';
import { deploymentRef } from './deployments.js';

/** Scheduled deliveries of a dashboard. */
export const notifications = pgTable(
  'notifications',
  {
    id: id(),
    deploymentId: deploymentRef(),
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
    createdBy: ref().references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  table => [index().on(table.deploymentId, table.id), index().on(table.dashboardId), index().on(table.createdBy)],
);

/** Recipients of notifications: internal users, or embed users with the context that their rendering requires. */
export const notificationRecipients = pgTable(
  'notification_recipients',
  {
    id: id(),
    notificationId: ref()
      .notNull()
      .references(() => notifications.id, { onDelete: 'cascade' }),
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** `securityContext`, `userAttributes` and `groups` of an embed user. */
    embed: json().$type<JsonObject>(),
    createdAt: createdAt(),
  },
  table => [unique().on(table.notificationId, table.userId), index().on(table.userId)],
);
