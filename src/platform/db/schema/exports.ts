import { index, integer, json, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { exportFormats, exportStatuses } from '../../../contract/dashboard-exports.js';
import type { EmbedSessionSettings } from '../../../contract/embed.js';
import type { JsonObject } from '../../../contract/wire.js';
import { users } from './accounts.js';
import { bytes, createdAt, moment, ref } from './columns.js';
import { dashboards } from './content.js';
import { deploymentRef } from './deployments.js';

/** The user or session whose permissions an export has. */
export interface ExportSubject {
  readonly userId: number;
  readonly role: 'admin' | 'user';
  readonly embedTenantId: number | null;
  readonly embedTenantName: string | null;
  /** `groups`, `userAttributes` and `securityContext` that apply to this export only. */
  readonly embed: JsonObject | null;
  /** Security context of the caller; `null` for another subject, whose context is read when the file is rendered. */
  readonly context: JsonObject | null;
  /** Theme of the embed session. */
  readonly theme?: JsonObject | null;
  /** Settings of the embed session. */
  readonly settings?: EmbedSessionSettings;
}

/** Files of dashboards that callers requested. Rows are deleted soon after `expiresAt`. */
export const dashboardExports = pgTable(
  'dashboard_exports',
  {
    id: uuid().primaryKey().defaultRandom(),
    deploymentId: deploymentRef(),
    dashboardId: ref()
      .notNull()
      .references(() => dashboards.id, { onDelete: 'cascade' }),
    /** The user who started the export, and the only one who can read it. */
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The user whose permissions the export has. */
    subjectUserId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    subject: json().$type<ExportSubject>().notNull(),
    format: text().$type<(typeof exportFormats)[number]>().notNull(),
    /** `filters`, `memberSwitchers`, `timeGrains`, `widgetId`, `reportId`, `locale` and `timezone` of the request. */
    controls: json().$type<JsonObject>().notNull(),
    status: text().$type<(typeof exportStatuses)[number]>().notNull(),
    /** Percentage of the tiles that are ready. */
    progress: integer().notNull().default(0),
    error: text(),
    contentType: text(),
    content: bytes(),
    /** When the page last requested the state. `null` if the export does not depend on a page. */
    polledAt: moment(),
    createdAt: createdAt(),
    expiresAt: moment().notNull(),
  },
  table => [
    index().on(table.expiresAt),
    index().on(table.subjectUserId),
    index().on(table.userId),
    index().on(table.dashboardId),
  ],
);
