import * as z from 'zod/mini';
import { DashboardConfigInput, DashboardDraftInput } from './dashboard-input.js';
import { Dashboard, DashboardConfig, ReportSnapshot } from './dashboards.js';
import { DeploymentParams } from './deployments.js';
import { operation } from './operation.js';
import {
  digits,
  FolderPathEntry,
  IdParam,
  ItemType,
  JsonObject,
  optional,
  pageOf,
  SearchQuery,
  UserSummary,
} from './wire.js';

/**
 * A workbook: drafts of reports and a dashboard, and their published versions (spec 2.3). `meta.dashboardDraft`, and
 * `dashboardDraft` (the same with an id for every widget), are returned only to callers who can edit the workbook. The
 * same applies to `draftRevision` (extension), which changes with the draft.
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
  draftRevision: optional(z.string()),
  embedTenantName: optional(z.string()),
  folderId: optional(z.int()),
  folderPath: optional(z.array(FolderPathEntry)),
  isFavorite: optional(z.boolean()),
  publishedDashboard: optional(Dashboard),
  slug: optional(z.string()),
  user: optional(UserSummary),
  userId: optional(z.int()),
});
/** A workbook: drafts of reports and a dashboard, and their published versions (spec 2.3). */
export type Workbook = z.infer<typeof Workbook>;

/** Path parameters of a workbook. */
export const WorkbookParams = z.strictObject({ deploymentId: IdParam, workbookId: IdParam });

/** Slug of a workbook. Trimmed and lowercased before it is matched (spec 4.3). */
export const Slug = z.string().check(z.trim(), z.toLowerCase(), z.minLength(1), z.maxLength(255));

/**
 * Maximum size of request bodies with a dashboard configuration, in bytes. Larger than the default of other operations.
 */
export const maxDashboardBytes = 5 * 1024 * 1024;

const Id = z.int().check(z.positive());
const Name = z.string().check(z.minLength(1), z.maxLength(255));

/**
 * Body of creating a workbook, and of creating or updating it by slug (`CreateWorkbookInput`). `folderId: null` means
 * the root.
 */
export const CreateWorkbook = z.strictObject({
  folderId: optional(Id),
  meta: optional(JsonObject),
  name: optional(Name),
});
/** Body of creating a workbook. */
export type CreateWorkbook = z.infer<typeof CreateWorkbook>;

/**
 * Lists the workbooks of a deployment that the caller can read, newest first. `folderId` selects the workbooks of one
 * folder, or of the root with 0. `search` (extension) matches part of the name, ignoring case. Lists contain neither
 * drafts (such as `meta.dashboardDraft`) nor published versions; read a single workbook for those.
 */
export const getWorkbooks = operation({
  id: 'getWorkbooks',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/workbooks',
  access: 'viewer',
  params: DeploymentParams,
  query: z.extend(SearchQuery, {
    folderId: z.optional(
      z.pipe(z.union([z.number(), digits(15, 0)]), z.pipe(z.transform(Number), z.int().check(z.gte(0)))),
    ),
  }),
  response: pageOf(Workbook),
  errors: { 404: 'The deployment does not exist.' },
});

/** Creates a workbook at the root, or in a folder that the caller can edit. The caller is its owner. */
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
  errors: { 404: 'The deployment or folder does not exist.' },
});

/**
 * Creates or updates the workbook with a slug (spec 4.3). Omitted fields stay unchanged, and `meta` is merged by its
 * top-level keys. Idempotent. Updating requires edit access; with `folderId`, it requires manage access, and edit
 * access to the folder. Slugs are scoped: a session in creator mode uses those of its tenant, other callers those of
 * the account, so that tenants cannot detect each other's slugs.
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
    404: 'The deployment or folder does not exist, or the slug belongs to a workbook that the caller cannot read.',
    409: '`upsert_branch_changed`: a concurrent request created or deleted the resource. Retry the request.',
  },
});

/** Returns a workbook, and records that the caller has viewed it. */
export const getWorkbook = operation({
  id: 'getWorkbook',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}',
  access: 'authenticated',
  params: WorkbookParams,
  response: Workbook,
  errors: { 404: 'The workbook does not exist.' },
});

/**
 * Updates a workbook. Omitted fields stay unchanged, `meta` is replaced, and `folderId: null` moves the workbook to the
 * root. Requires edit access; with `folderId`, it requires manage access, and edit access to the folder. With
 * `slugTakeover`, the slug is taken from another workbook, which then has none; this also requires edit access to that
 * workbook. The response is the workbook, as in the specification (4.5); the operations document says that it is empty.
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
  errors: { 404: 'The workbook or folder does not exist.', 409: '`slug_taken`: another workbook has this slug.' },
});

/** Deletes a workbook with its reports, its published dashboard and all shares. Requires manage access. */
export const deleteWorkbook = operation({
  id: 'deleteWorkbook',
  api: 'platform',
  method: 'DELETE',
  path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}',
  access: 'user',
  params: WorkbookParams,
  response: null,
  errors: { 404: 'The workbook does not exist.' },
});

/** Draft and published configuration of a workbook's dashboard. */
export const WorkbookDashboard = z.looseObject({
  dashboardDraft: optional(DashboardConfig),
  dashboardPublished: optional(DashboardConfig),
  draftRevision: optional(z.string()),
});
/** Draft and published configuration of a workbook's dashboard. */
export type WorkbookDashboard = z.infer<typeof WorkbookDashboard>;

/**
 * Replaces the draft of a workbook's dashboard. `null` removes it; omitting it changes nothing. Requires edit access.
 * With `draftRevision` (extension), the draft is replaced only if it still has this revision, so that editors do not
 * overwrite each other's changes.
 */
export const updateWorkbookDashboard = operation({
  id: 'updateWorkbookDashboard',
  api: 'platform',
  method: 'PUT',
  path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/dashboard',
  access: 'user',
  params: WorkbookParams,
  body: z.strictObject({
    dashboardDraft: optional(DashboardDraftInput),
    draftRevision: optional(z.string().check(z.maxLength(64))),
  }),
  maxBodyBytes: maxDashboardBytes,
  response: WorkbookDashboard,
  errors: { 404: 'The workbook does not exist.', 409: '`draft_changed`: the draft has a different revision.' },
});

/**
 * Publishes the dashboard of a workbook: `config`, or the workbook's draft by default. Freezes one snapshot per report
 * that a CHART widget references, and increments the version number. If configuration and snapshots equal those of the
 * current version, no new version is created and only `title`, `description` and `allowEmbed` are updated. An unchanged
 * AI widget retains its attached thread. Requires edit access, or manage access with `allowEmbed`, and read access to
 * the report of every chart. The workbook is identified by the path; `workbookId` in the body, which the operations
 * document requires, is optional.
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
  errors: { 404: 'The workbook does not exist.' },
});

/** A published version of a dashboard, in a list. */
export const DashboardVersion = z.looseObject({
  versionNumber: z.int(),
  createdAt: z.string(),
  /** Whether viewers currently see this version. */
  isCurrent: z.boolean(),
  /** Number of widgets. */
  widgetCount: z.int(),
  /** The user who published the version. */
  publishedBy: optional(UserSummary),
});
/** A published version of a dashboard, in a list. */
export type DashboardVersion = z.infer<typeof DashboardVersion>;

/**
 * Lists the published versions of a workbook's dashboard, newest first. The platform keeps the last 50. Requires edit
 * access. An extension of this platform, as is `getDashboardVersion`.
 */
export const listDashboardVersions = operation({
  id: 'listDashboardVersions',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/dashboard/versions',
  access: 'user',
  params: WorkbookParams,
  response: z.looseObject({ items: z.array(DashboardVersion) }),
  errors: { 404: 'The workbook does not exist.' },
});

/**
 * Returns a published version of a workbook's dashboard, with its reports as they were published. To restore the
 * version, store its `config` as the draft. Requires edit access.
 */
export const getDashboardVersion = operation({
  id: 'getDashboardVersion',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/dashboard/versions/{versionNumber}',
  access: 'user',
  params: z.extend(WorkbookParams, { versionNumber: IdParam }),
  response: z.extend(DashboardVersion, { config: DashboardConfig, reportSnapshots: z.array(ReportSnapshot) }),
  errors: { 404: 'The workbook or version does not exist.' },
});

/**
 * Copies a workbook as "Copy of …", with its reports and its published dashboard. The caller owns the copy; it has no
 * slug, is not shared and embedding is disabled. Requires read access. If the caller cannot edit the original, the
 * draft of the copy is the published dashboard, because drafts are visible only to editors. The copy is created in the
 * original's folder if the caller can edit that folder, else at the root.
 *
 * `shared: true` copies from the shared workspace; it is available only to sessions in creator mode. The copy is made
 * from the published dashboard, with one new report per snapshot, at the root.
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
  errors: { 404: 'The workbook does not exist, or is not shared with the caller.' },
});

/**
 * Pins an answer to an AI widget of the current version of the published dashboard (spec 2.8, 4.5): the widget stores
 * the thread and the checksum of the answer. `checksum` identifies the answer, as in the result of `dataQuery`; without
 * it, the last answer of the thread is pinned. `threadId: null` undoes the last change to the widget (extension): the
 * widget shows its previous answer again, or none. In that case, `checksum` identifies the answer to remove. Requires
 * edit access and a thread of the caller; in an embed session, neither `allowAi` nor `showAiWidgets` may be off.
 */
export const updatePublishedDashboardAiWidgetThread = operation({
  id: 'updatePublishedDashboardAiWidgetThread',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/dashboard/ai-widget-thread',
  access: 'user',
  params: WorkbookParams,
  body: z.strictObject({
    threadId: z.nullable(Name),
    widgetId: z.string().check(z.minLength(1), z.maxLength(128)),
    checksum: optional(z.string().check(z.maxLength(255))),
  }),
  response: Dashboard,
  errors: {
    404: 'The workbook or thread does not exist, or the dashboard was never published.',
    409: '`checksum_conflict`: the thread has no answer with this checksum, or the widget no longer shows the answer.',
  },
});
