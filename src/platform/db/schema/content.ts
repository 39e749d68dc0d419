import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  boolean,
  check,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { CommentContext, ControlValues } from '../../../contract/control-values.js';
import type { DashboardConfigInput, ReportMeta } from '../../../contract/dashboard-input.js';
import type { ReportSnapshot } from '../../../contract/dashboards.js';
import type { ResultChecksum } from '../../../contract/report-placements.js';
import type { CreateReport } from '../../../contract/reports.js';
import type { JsonObject } from '../../../contract/wire.js';
import { embedTenants, groups, users } from './accounts.js';
import { createdAt, id, moment, ref } from './columns.js';
import { deploymentRef } from './deployments.js';

// `Omit` would drop the named keys of a record with an index signature.
type Frozen<T> = { [K in keyof T as K extends 'id' ? never : K]: T[K] };

// Every reference to a user has an index, because deleting an embed tenant can delete thousands of users at once.
const owned = {
  createdBy: ref()
    .notNull()
    .references(() => users.id),
  /**
   * The embed tenant whose users created the row in creator mode; the row is deleted with the tenant. `null` for
   * content of the account.
   */
  embedTenantId: ref().references(() => embedTenants.id, { onDelete: 'cascade' }),
  createdAt: createdAt(),
  updatedAt: createdAt(),
};

const folderRef = () => ref().references(() => folders.id, { onDelete: 'set null' });

/** Folders that contain workbooks, reports and folders. */
export const folders = pgTable(
  'folders',
  {
    id: id(),
    deploymentId: deploymentRef(),
    /** The parent folder; `null` at the root. */
    parentId: ref().references((): AnyPgColumn => folders.id),
    name: text().notNull(),
    position: integer().notNull().default(0),
    updatedBy: ref().references(() => users.id, { onDelete: 'set null' }),
    ...owned,
  },
  table => [
    index().on(table.deploymentId, table.parentId, table.position, table.id),
    index().on(table.parentId),
    index().on(table.createdBy),
    index().on(table.updatedBy),
    index().on(table.embedTenantId),
    check('folders_not_in_itself', sql`${table.parentId} <> ${table.id}`),
  ],
);

/** Workbooks. `meta.dashboardDraft` contains the draft of the dashboard. */
export const workbooks = pgTable(
  'workbooks',
  {
    id: id(),
    deploymentId: deploymentRef(),
    folderId: folderRef(),
    slug: text(),
    name: text().notNull(),
    meta: json().$type<JsonObject>().notNull(),
    ...owned,
  },
  table => [
    // Slugs are unique in the account and per tenant, so that a tenant cannot detect the slugs of another tenant.
    uniqueIndex().on(table.deploymentId, table.slug).where(sql`${table.embedTenantId} is null`),
    unique().on(table.deploymentId, table.embedTenantId, table.slug),
    index().on(table.deploymentId, table.updatedAt, table.id),
    index().on(table.folderId),
    index().on(table.createdBy, table.id),
    index().on(table.embedTenantId),
  ],
);

/** Reports. `publicId` is `null` until a caller sets it. */
export const reports = pgTable(
  'reports',
  {
    id: id(),
    deploymentId: deploymentRef(),
    workbookId: ref().references(() => workbooks.id, { onDelete: 'cascade' }),
    folderId: folderRef(),
    publicId: text().unique(),
    name: text().notNull(),
    title: text(),
    description: text(),
    jsonQuery: text(),
    sqlQuery: text(),
    meta: json().$type<ReportMeta>(),
    pivotItems: json().$type<NonNullable<CreateReport['pivotItems']>>(),
    source: text().$type<NonNullable<CreateReport['source']>>(),
    externalWorkbookId: text(),
    resultLocation: text(),
    endResultCell: text(),
    version: integer().notNull().default(1),
    refreshedBy: ref().references(() => users.id, { onDelete: 'set null' }),
    refreshedAt: moment(),
    ...owned,
  },
  table => [
    index().on(table.deploymentId, table.id),
    index().on(table.deploymentId, table.name, table.id),
    index().on(table.deploymentId, table.createdAt, table.id),
    index().on(table.deploymentId, table.updatedAt, table.id),
    // Index for lists of callers that own few of many reports.
    index().on(table.createdBy, table.name, table.id),
    index().on(table.createdBy, table.createdAt, table.id),
    index().on(table.createdBy, table.updatedAt, table.id),
    index().on(table.workbookId),
    index().on(table.folderId),
    index().on(table.externalWorkbookId),
    index().on(table.refreshedBy),
    index().on(table.embedTenantId),
  ],
);

/** Placements of reports in spreadsheets. */
export const reportPlacements = pgTable(
  'report_placements',
  {
    id: uuid().primaryKey().defaultRandom(),
    reportId: ref()
      .notNull()
      .references(() => reports.id, { onDelete: 'cascade' }),
    externalWorkbookId: text().notNull(),
    workbookName: text(),
    host: text(),
    sheetId: text(),
    sheetName: text(),
    anchorCell: text(),
    resultLocation: text().notNull(),
    endResultCell: text(),
    resultChecksum: json().$type<ResultChecksum>(),
    queryChecksum: text(),
    placedBy: ref().references(() => users.id, { onDelete: 'set null' }),
    placedAt: createdAt(),
    refreshedBy: ref().references(() => users.id, { onDelete: 'set null' }),
    refreshedAt: moment(),
  },
  table => [
    index().on(table.reportId),
    index().on(table.externalWorkbookId),
    index().on(table.placedBy),
    index().on(table.refreshedBy),
  ],
);

/** Times at which users last viewed workbooks. */
export const workbookViews = pgTable(
  'workbook_views',
  {
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    workbookId: ref()
      .notNull()
      .references(() => workbooks.id, { onDelete: 'cascade' }),
    viewedAt: createdAt(),
  },
  table => [primaryKey({ columns: [table.userId, table.workbookId] }), index().on(table.workbookId)],
);

/** Times at which users last viewed reports. */
export const reportViews = pgTable(
  'report_views',
  {
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    reportId: ref()
      .notNull()
      .references(() => reports.id, { onDelete: 'cascade' }),
    viewedAt: createdAt(),
  },
  table => [primaryKey({ columns: [table.userId, table.reportId] }), index().on(table.reportId)],
);

/** Workbooks that a user has marked as favorites. */
export const workbookFavorites = pgTable(
  'workbook_favorites',
  {
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    workbookId: ref()
      .notNull()
      .references(() => workbooks.id, { onDelete: 'cascade' }),
  },
  table => [primaryKey({ columns: [table.userId, table.workbookId] }), index().on(table.workbookId)],
);

/** Folders that a user has marked as favorites. */
export const folderFavorites = pgTable(
  'folder_favorites',
  {
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    folderId: ref()
      .notNull()
      .references(() => folders.id, { onDelete: 'cascade' }),
  },
  table => [primaryKey({ columns: [table.userId, table.folderId] }), index().on(table.folderId)],
);

/** Reports that a user has marked as favorites. */
export const reportFavorites = pgTable(
  'report_favorites',
  {
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    reportId: ref()
      .notNull()
      .references(() => reports.id, { onDelete: 'cascade' }),
  },
  table => [primaryKey({ columns: [table.userId, table.reportId] }), index().on(table.reportId)],
);

/** Published dashboards, one per workbook. */
export const dashboards = pgTable(
  'dashboards',
  {
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
    /** Incremented with every visible change; identifies cached responses. */
    revision: integer().notNull().default(1),
    createdBy: ref()
      .notNull()
      .references(() => users.id),
  },
  table => [index().on(table.createdBy)],
);

/** Published versions of dashboards; `versionNumber` of the dashboard is the current one. */
export const dashboardVersions = pgTable(
  'dashboard_versions',
  {
    id: id(),
    dashboardId: ref()
      .notNull()
      .references(() => dashboards.id, { onDelete: 'cascade' }),
    versionNumber: integer().notNull(),
    config: json().$type<DashboardConfigInput>().notNull(),
    /** The user who published the version; `null` if the user was deleted, and for versions of older releases. */
    publishedBy: ref().references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  table => [uniqueIndex().on(table.dashboardId, table.versionNumber), index().on(table.publishedBy)],
);

/** Reports at the time when a version was published. */
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

/** Groups that may read a workbook's published dashboard. */
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

/** Groups that may read the published dashboards of all workbooks in a folder, at any depth. */
export const folderShares = pgTable(
  'folder_shares',
  {
    folderId: ref()
      .notNull()
      .references(() => folders.id, { onDelete: 'cascade' }),
    groupId: ref()
      .notNull()
      .references(() => groups.id, { onDelete: 'cascade' }),
  },
  table => [primaryKey({ columns: [table.folderId, table.groupId] }), index().on(table.groupId)],
);

/** Comments of an embed tenant's users on a dashboard. A thread is a comment without a parent, and its replies. */
export const dashboardComments = pgTable(
  'dashboard_comments',
  {
    id: id(),
    dashboardId: ref()
      .notNull()
      .references(() => dashboards.id, { onDelete: 'cascade' }),
    embedTenantId: ref()
      .notNull()
      .references(() => embedTenants.id, { onDelete: 'cascade' }),
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    parentId: ref().references((): AnyPgColumn => dashboardComments.id, { onDelete: 'cascade' }),
    /** Empty if the comment was deleted. */
    body: text().notNull(),
    /** The tile and the control values that the comment refers to. */
    context: json().$type<CommentContext>(),
    createdAt: createdAt(),
    editedAt: moment(),
    removedAt: moment(),
    resolvedAt: moment(),
    resolvedBy: ref().references(() => users.id, { onDelete: 'set null' }),
  },
  table => [
    index().on(table.dashboardId, table.embedTenantId, table.createdAt, table.id),
    index().on(table.parentId),
    index().on(table.embedTenantId),
    index().on(table.userId),
    index().on(table.resolvedBy),
  ],
);

/** Control values of a dashboard that an embed user saved under a name. */
export const dashboardViews = pgTable(
  'dashboard_views',
  {
    id: id(),
    dashboardId: ref()
      .notNull()
      .references(() => dashboards.id, { onDelete: 'cascade' }),
    embedTenantId: ref()
      .notNull()
      .references(() => embedTenants.id, { onDelete: 'cascade' }),
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    state: json().$type<ControlValues>().notNull(),
    /** Whether the other users of the tenant can see the view. */
    isShared: boolean().notNull().default(false),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  table => [
    index().on(table.dashboardId, table.embedTenantId, table.id),
    index().on(table.embedTenantId),
    index().on(table.userId),
  ],
);

/** State of an embed user on a dashboard. */
export const dashboardReaders = pgTable(
  'dashboard_readers',
  {
    dashboardId: ref()
      .notNull()
      .references(() => dashboards.id, { onDelete: 'cascade' }),
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Id of the last comment that the user has read. */
    readUpTo: ref().notNull().default(0),
    /** The user's default view, which is applied when the dashboard opens. */
    defaultViewId: ref().references(() => dashboardViews.id, { onDelete: 'set null' }),
  },
  table => [
    primaryKey({ columns: [table.dashboardId, table.userId] }),
    index().on(table.userId),
    index().on(table.defaultViewId),
  ],
);
