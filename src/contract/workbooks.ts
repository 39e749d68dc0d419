import * as z from 'zod/mini';
import { DashboardConfigInput, DashboardDraftInput } from './dashboard-input.js';
import { Dashboard, DashboardConfig } from './dashboards.js';
import { DeploymentParams } from './deployments.js';
import { operation } from './operation.js';
import { FolderPathEntry, IdParam, ItemType, JsonObject, optional, PageQuery, pageOf, UserSummary } from './wire.js';

/**
 * A workbook: the drafts of reports and a dashboard, and what was published of them (spec 2.3). `dashboardDraft`, which is
 * `meta.dashboardDraft` with an id for every widget, and `meta.dashboardDraft` itself are shown to whoever may edit the workbook.
 */
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
  embedTenantName: optional(z.string()),
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

/** Bodies that hold the config of a dashboard may be larger than others. */
export const maxDashboardBytes = 5 * 1024 * 1024;

const Id = z.int().check(z.positive());
const Name = z.string().check(z.minLength(1), z.maxLength(255));

/** Body of creating a workbook, and of creating or updating it by slug (`CreateWorkbookInput`). `folderId: null` is the root. */
export const CreateWorkbook = z.strictObject({
  folderId: optional(Id),
  meta: optional(JsonObject),
  name: optional(Name),
});
/** Body of creating a workbook. */
export type CreateWorkbook = z.infer<typeof CreateWorkbook>;

/**
 * The workbooks of a deployment that the caller may read, the newest first. `folderId` keeps those of one folder, 0 those at the root.
 * A list tells neither drafts (`meta.dashboardDraft` among them) nor what was published: read one workbook for those.
 */
export const getWorkbooks = operation({
  id: 'getWorkbooks',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/workbooks',
  access: 'viewer',
  params: DeploymentParams,
  query: z.extend(PageQuery, {
    folderId: z.optional(
      z.pipe(
        z.union([z.number(), z.string().check(z.regex(/^\d{1,15}$/, 'must be a whole number'))]),
        z.pipe(z.transform(Number), z.int().check(z.gte(0))),
      ),
    ),
  }),
  response: pageOf(Workbook),
  errors: { 404: 'no such deployment' },
});

/** Creates a workbook, at the root or in a folder that the caller may edit; it belongs to the caller. */
export const createWorkbook = operation({
  id: 'createWorkbook',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/workbooks',
  access: 'user',
  params: DeploymentParams,
  body: CreateWorkbook,
  maxBodyBytes: maxDashboardBytes,
  response: Workbook,
  errors: { 404: 'no such deployment or folder' },
});

/**
 * Creates or updates the workbook of a slug (spec 4.3): sent fields alone change, `meta` is merged by its own keys, and the same
 * request again changes nothing. Updating needs edit access, with `folderId` manage access and edit access to the folder. A session in
 * creator mode has the slugs of its tenant, everybody else those of the account: no tenant learns of another one's.
 */
export const upsertWorkbookBySlug = operation({
  id: 'upsertWorkbookBySlug',
  api: 'platform',
  method: 'PUT',
  path: '/api/v1/deployments/{deploymentId}/workbooks/by-slug/{slug}',
  access: 'user',
  params: z.strictObject({ deploymentId: IdParam, slug: Slug }),
  body: CreateWorkbook,
  maxBodyBytes: maxDashboardBytes,
  response: Workbook,
  errors: {
    404: 'no such deployment or folder, or the slug is held by a workbook that the caller may not read',
    409: 'upsert_branch_changed: another writer came between, retry',
  },
});

/** One workbook. Reading it counts as the caller's look at it. */
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
 * Changes a workbook: sent fields alone change, `meta` is replaced, `folderId: null` moves it to the root. It needs edit access, with
 * `folderId` manage access and edit access to the folder. A slug that another workbook holds is taken from it with `slugTakeover` by
 * whoever may edit that one too; it is left without. The operations document says that the answer is empty; the specification (4.5)
 * that it is the workbook, which wins.
 */
export const updateWorkbook = operation({
  id: 'updateWorkbook',
  api: 'platform',
  method: 'PUT',
  path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}',
  access: 'user',
  params: WorkbookParams,
  body: z.strictObject({
    folderId: optional(Id),
    meta: optional(JsonObject),
    name: optional(Name),
    slug: optional(Slug),
    slugTakeover: optional(z.boolean()),
  }),
  maxBodyBytes: maxDashboardBytes,
  response: Workbook,
  errors: { 404: 'no such workbook or folder', 409: 'slug_taken: another workbook holds the slug' },
});

/** Deletes a workbook with its reports, its published dashboard and all shares; it needs manage access. */
export const deleteWorkbook = operation({
  id: 'deleteWorkbook',
  api: 'platform',
  method: 'DELETE',
  path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}',
  access: 'user',
  params: WorkbookParams,
  response: null,
  errors: { 404: 'no such workbook' },
});

/** Draft and published config of a workbook's dashboard. */
export const WorkbookDashboard = z.looseObject({
  dashboardDraft: optional(DashboardConfig),
  dashboardPublished: optional(DashboardConfig),
});
/** Draft and published config of a workbook's dashboard. */
export type WorkbookDashboard = z.infer<typeof WorkbookDashboard>;

/** Replaces the draft of a workbook's dashboard; null removes it, leaving it out changes nothing. It needs edit access. */
export const updateWorkbookDashboard = operation({
  id: 'updateWorkbookDashboard',
  api: 'platform',
  method: 'PUT',
  path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/dashboard',
  access: 'user',
  params: WorkbookParams,
  body: z.strictObject({ dashboardDraft: optional(DashboardDraftInput) }),
  maxBodyBytes: maxDashboardBytes,
  response: WorkbookDashboard,
  errors: { 404: 'no such workbook' },
});

/**
 * Publishes the dashboard of a workbook: `config`, else the workbook's draft. One snapshot per report that a CHART names is frozen, and
 * the version number grows, unless config and snapshots are what the current version holds: then there is no new version, and
 * `title`, `description` and `allowEmbed` alone change. An AI widget that stays as it is keeps the thread that was attached to it. It
 * needs edit access, with `allowEmbed` manage access, and every report of a chart must be one that the caller may read. The path names
 * the workbook: `workbookId` in the body, which the operations document requires, may be left out.
 */
export const publishDashboard = operation({
  id: 'publishDashboard',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/publish',
  access: 'user',
  params: WorkbookParams,
  body: z.strictObject({
    allowEmbed: optional(z.boolean()),
    config: optional(DashboardConfigInput),
    dashboardId: optional(Id),
    description: optional(z.string().check(z.maxLength(10_000))),
    title: optional(z.string().check(z.maxLength(255))),
    workbookId: optional(Id),
  }),
  maxBodyBytes: maxDashboardBytes,
  response: Dashboard,
  errors: { 404: 'no such workbook' },
});

/**
 * Copies a workbook as "Copy of …", with its reports and its published dashboard; the copy belongs to the caller, has no slug, is shared
 * with nobody and not embedded. It needs read access; whoever may not edit the original gets what was published as the draft, since its
 * draft is not theirs to see. The copy lies in the original's folder when the caller may edit that, else at the root.
 *
 * `shared: true` copies out of the shared workspace, for sessions in creator mode alone: from the published dashboard, with one new
 * report per snapshot, at the root.
 */
export const duplicateWorkbook = operation({
  id: 'duplicateWorkbook',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/duplicate',
  access: 'user',
  params: WorkbookParams,
  body: z.strictObject({ shared: optional(z.boolean()) }),
  response: Workbook,
  errors: { 404: 'no such workbook, or none that is shared with the caller' },
});

/** Attaches a thread to an AI widget of the published dashboard, in its current version (spec 2.8, 4.5). It needs edit access. */
export const updatePublishedDashboardAiWidgetThread = operation({
  id: 'updatePublishedDashboardAiWidgetThread',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/dashboard/ai-widget-thread',
  access: 'user',
  params: WorkbookParams,
  body: z.strictObject({
    threadId: Name,
    widgetId: z.string().check(z.minLength(1), z.maxLength(128)),
    checksum: optional(z.string().check(z.maxLength(255))),
  }),
  response: Dashboard,
  errors: { 404: 'no such workbook, or its dashboard was never published' },
});
