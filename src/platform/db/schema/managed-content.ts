import { sql } from 'drizzle-orm';
import { check, index, pgTable, text } from 'drizzle-orm/pg-core';
import { groups, roles } from './accounts.js';
import { id, ref } from './columns.js';
import { folders, reports, workbooks } from './content.js';
import { deploymentRef, environmentVariables } from './deployments.js';
import { notifications } from './notifications.js';

/** Objects that content files created or adopted. Each row refers to one object, and is deleted with it. */
export const managedContent = pgTable(
  'managed_content',
  {
    id: id(),
    /** The deployment to which the files were applied, even for roles and groups of the account. */
    deploymentId: deploymentRef(),
    /** Name of the set of content files. */
    owner: text().notNull(),
    folderId: ref()
      .unique()
      .references(() => folders.id, { onDelete: 'cascade' }),
    reportId: ref()
      .unique()
      .references(() => reports.id, { onDelete: 'cascade' }),
    workbookId: ref()
      .unique()
      .references(() => workbooks.id, { onDelete: 'cascade' }),
    notificationId: ref()
      .unique()
      .references(() => notifications.id, { onDelete: 'cascade' }),
    roleId: ref()
      .unique()
      .references(() => roles.id, { onDelete: 'cascade' }),
    groupId: ref()
      .unique()
      .references(() => groups.id, { onDelete: 'cascade' }),
    variableId: ref()
      .unique()
      .references(() => environmentVariables.id, { onDelete: 'cascade' }),
  },
  table => [
    index().on(table.deploymentId, table.id),
    check(
      'managed_content_one_object',
      sql`num_nonnulls(${table.folderId}, ${table.reportId}, ${table.workbookId}, ${table.notificationId}, ${table.roleId}, ${table.groupId}, ${table.variableId}) = 1`,
    ),
  ],
);
