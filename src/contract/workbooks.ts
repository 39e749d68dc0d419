import * as z from 'zod/mini';
import { DashboardConfigInput } from './dashboard-input.js';
import { Dashboard, DashboardConfig } from './dashboards.js';
import { operation } from './operation.js';
import { FolderPathEntry, IdParam, ItemType, JsonObject, optional, UserSummary } from './wire.js';

/** A workbook: the drafts of reports and a dashboard, and what was published of them (spec 2.3). */
export const Workbook = z.looseObject({
  calculatedFields: JsonObject,
  createdAt: z.string(),
  deploymentId: z.int(),
  id: z.int(),
  meta: JsonObject,
  name: z.string(),
  type: ItemType,
  updatedAt: z.string(),
  createdBy: optional(z.int()),
  dashboardDraft: optional(DashboardConfig),
  dashboardPublished: optional(DashboardConfig),
  folderId: optional(z.int()),
  folderPath: optional(z.array(FolderPathEntry)),
  isFavorite: optional(z.boolean()),
  publishedDashboard: optional(Dashboard),
  slug: optional(z.string()),
  user: optional(UserSummary),
  userId: optional(z.int()),
});
/** A workbook: the drafts of reports and a dashboard, and what was published of them (spec 2.3). */
export type Workbook = z.infer<typeof Workbook>;

/** Path parameters of one workbook. */
export const WorkbookParams = z.strictObject({ deploymentId: IdParam, workbookId: IdParam });

/** Slug of a workbook: trimmed and lower-cased before it is matched (spec 4.3). */
export const Slug = z.string().check(z.trim(), z.toLowerCase(), z.minLength(1), z.maxLength(255));

/** Creates or updates the workbook of a slug (spec 4.3): sent fields alone change, `meta` is merged. */
export const upsertWorkbookBySlug = operation({
  id: 'upsertWorkbookBySlug',
  api: 'platform',
  method: 'PUT',
  path: '/api/v1/deployments/{deploymentId}/workbooks/by-slug/{slug}',
  access: 'authenticated',
  params: z.strictObject({ deploymentId: IdParam, slug: Slug }),
  body: z.strictObject({
    folderId: optional(z.int()),
    meta: optional(JsonObject),
    name: optional(z.string().check(z.minLength(1), z.maxLength(255))),
  }),
  response: Workbook,
  errors: { 404: 'no such deployment or folder', 409: 'upsert_branch_changed: another writer came between, retry' },
});

/** One workbook. */
export const getWorkbook = operation({
  id: 'getWorkbook',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}',
  access: 'authenticated',
  params: WorkbookParams,
  response: Workbook,
  errors: { 404: 'no such workbook' },
});

/**
 * Publishes the dashboard of a workbook: `config`, else the workbook's draft. One snapshot per report that a CHART names is
 * frozen, and the version number grows.
 */
export const publishDashboard = operation({
  id: 'publishDashboard',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/publish',
  access: 'authenticated',
  params: WorkbookParams,
  body: z.strictObject({
    allowEmbed: optional(z.boolean()),
    config: optional(DashboardConfigInput),
    dashboardId: optional(z.int()),
    description: optional(z.string()),
    title: optional(z.string().check(z.maxLength(255))),
    workbookId: optional(z.int()),
  }),
  response: Dashboard,
  errors: { 404: 'no such workbook' },
});

/** Attaches an AI widget's thread to a published dashboard (spec 2.8). */
export const AiWidgetThread = z.strictObject({
  threadId: z.string(),
  widgetId: z.string(),
  checksum: optional(z.string()),
});
