import * as z from 'zod/mini';
import { ReportMeta } from './dashboard-input.js';
import { DeploymentParams } from './deployments.js';
import { operation } from './operation.js';
import { PivotItemsInput } from './report-input.js';
import {
  ConnectReport,
  DisconnectReport,
  placementFields,
  RefreshReport,
  ReportPlacement,
} from './report-placements.js';
import { PivotItems } from './report-spec.js';
import { Action } from './roles.js';
import {
  FolderPathEntry,
  IdParam,
  ItemType,
  JsonObject,
  openEnum,
  optional,
  PageQuery,
  PublicId,
  pageOf,
  UserSummary,
} from './wire.js';

/** Sources of a report (spec 2.2). */
export const reportSources = ['ONLINE_SHEETS', 'DESKTOP_SHEETS', 'PLAYGROUND', 'D3'] as const;

/** A role with access to a report, and its actions there (spec 2.2). */
export const RoleWithAccess = z.looseObject({ actions: z.array(Action), id: z.int(), name: z.string() });
/** A role with access to a report, and its actions there (spec 2.2). */
export type RoleWithAccess = z.infer<typeof RoleWithAccess>;

/**
 * A report: a query and its rendering settings (spec 2.2). `jsonQuery` is JSON text, `sqlQuery` is semantic SQL; if
 * both are set, `jsonQuery` is used. Until a caller sets a `publicId`, it is a placeholder: `0000` followed by the id
 * in base 36. `externalWorkbookId`, `resultLocation` and `endResultCell` describe the last placement. `refreshedByUser`
 * is the owner until the first refresh. `rolesWithAccess` is returned only to callers who can manage the report, and to
 * embed sessions only with the admin role. `currentQueryChecksum` is the checksum of the current query.
 * `embedTenantName` is set if users of that embed tenant created the report in creator mode.
 */
export const Report = z.looseObject({
  createdAt: z.string(),
  deploymentId: z.int(),
  id: z.int(),
  name: z.string(),
  publicId: PublicId,
  refreshedByUser: UserSummary,
  type: ItemType,
  updatedAt: z.string(),
  user: UserSummary,
  userId: z.int(),
  canEdit: optional(z.boolean()),
  canManage: optional(z.boolean()),
  createdBy: optional(z.int()),
  currentQueryChecksum: optional(z.string()),
  description: optional(z.string()),
  embedTenantName: optional(z.string()),
  endResultCell: optional(z.string()),
  externalWorkbookId: optional(z.string()),
  externalWorkbookPlacements: optional(z.array(ReportPlacement)),
  folderId: optional(z.int()),
  folderPath: optional(z.array(FolderPathEntry)),
  jsonQuery: optional(z.string()),
  meta: optional(JsonObject),
  pivotItems: optional(PivotItems),
  refreshedBy: optional(z.int()),
  resultLocation: optional(z.string()),
  rolesWithAccess: optional(z.array(RoleWithAccess)),
  source: optional(openEnum(reportSources)),
  sqlQuery: optional(z.string()),
  title: optional(z.string()),
  version: optional(z.int()),
  workbookId: optional(z.int()),
});
/** A report: a query and its rendering settings (spec 2.2). */
export type Report = z.infer<typeof Report>;

const ItemId = z.int().check(z.positive('must be greater than 0'));

const writtenFields = {
  ...placementFields,
  folderId: optional(ItemId),
  jsonQuery: optional(z.string().check(z.maxLength(100_000))),
  meta: optional(ReportMeta),
  name: optional(z.string().check(z.minLength(1), z.maxLength(255))),
  pivotItems: optional(PivotItemsInput),
  publicId: optional(PublicId),
  sqlQuery: optional(z.string().check(z.maxLength(65_536))),
  title: optional(z.string().check(z.maxLength(255))),
  workbookId: optional(ItemId),
};

/**
 * Body of creating or upserting a report (`CreateReportInput`). `sqlQuery` is validated when a dashboard with the
 * report is published, because the model may be added after the report; publishing rejects SQL that cannot run. An
 * empty string clears `jsonQuery` or `sqlQuery`. `folderId` and `workbookId` require edit access to the folder or
 * workbook.
 */
export const CreateReport = z.strictObject({ ...writtenFields, source: optional(z.enum(reportSources)) });
/** Body of creating or upserting a report. */
export type CreateReport = z.infer<typeof CreateReport>;

/**
 * Body of updating a report (spec 4.2). Omitted and `null` fields stay unchanged; an empty string clears `jsonQuery` or
 * `sqlQuery`. `placementId` selects the placement to which the other placement fields apply.
 */
export const UpdateReport = z.strictObject({
  ...writtenFields,
  placementId: optional(z.string().check(z.maxLength(64))),
});
/** Body of updating a report (spec 4.2). */
export type UpdateReport = z.infer<typeof UpdateReport>;

const ReportParams = z.strictObject({ deploymentId: IdParam, reportId: IdParam });
const noReport = 'The report does not exist, or the caller may not read it.';

/** Sort keys for lists of reports (spec 4.5). */
export const reportSorts = ['name', 'createdAt', 'updatedAt', 'lastViewedAt'] as const;

/**
 * Query parameters for listing the reports of a deployment (spec 4.5). `search` matches part of the name or title,
 * ignoring case. `folderId` selects the content of the folder itself, without subfolders. `sortDirection` defaults to
 * ASC for names and DESC for times. `page` starts at 1.
 */
export const GetReportsQuery = z.strictObject({
  ...PageQuery.shape,
  externalWorkbookId: z.optional(z.string().check(z.maxLength(255))),
  folderId: z.optional(IdParam),
  limit: PageQuery.shape.first,
  page: PageQuery.shape.first,
  search: z.optional(z.string().check(z.maxLength(255))),
  sortBy: z.optional(z.enum(reportSorts)),
  sortDirection: z.optional(z.enum(['ASC', 'DESC'])),
  workbookId: z.optional(IdParam),
});
/** Query parameters for listing the reports of a deployment (spec 4.5). */
export type GetReportsQuery = z.infer<typeof GetReportsQuery>;

/**
 * Lists the reports that the caller can read, last changed first (spec 4.5). Pagination uses `first` and `after`, or
 * `page` and `limit`; only the latter supports `sortBy=lastViewedAt` (spec 8). This order uses the time of the caller's
 * last view; reports that the caller has not viewed are treated as oldest. The deprecated `count` stops at 10,000 and
 * sets `countIsCapped`, so that the time to read a page does not depend on the length of the list.
 */
export const getReports = operation({
  id: 'getReports',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/reports',
  access: 'authenticated',
  params: DeploymentParams,
  query: GetReportsQuery,
  response: pageOf(Report),
  errors: { 404: 'The deployment does not exist.' },
});

/**
 * Creates a report. A report with an explicit `publicId` is managed as code; placeholder ids are rejected (spec 4.2).
 */
export const createReport = operation({
  id: 'createReport',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/reports',
  access: 'user',
  params: DeploymentParams,
  body: CreateReport,
  response: Report,
  errors: { 404: 'The deployment, folder or workbook does not exist.', 409: 'Another report has this publicId.' },
});

/**
 * Creates or updates the report with a `publicId`. Omitted fields stay unchanged. Idempotent. `source` is used only on
 * creation. A placeholder id matches the report that currently has it, and becomes the report's permanent id.
 */
export const upsertReportByPublicId = operation({
  id: 'upsertReportByPublicId',
  api: 'platform',
  method: 'PUT',
  path: '/api/v1/deployments/{deploymentId}/reports/by-public-id/{publicId}',
  access: 'user',
  params: z.strictObject({ deploymentId: IdParam, publicId: PublicId }),
  body: CreateReport,
  response: Report,
  errors: {
    404: 'The deployment, folder or workbook does not exist, or the caller cannot read the report.',
    409: 'The publicId belongs to another deployment. `upsert_branch_changed`: a concurrent request created or deleted the report; retry the request. `ambiguous_legacy_id`: the placeholder matches several reports.',
  },
});

/** Returns a report. Records the view for `sortBy=lastViewedAt`, at most once a minute. */
export const getReport = operation({
  id: 'getReport',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/reports/{reportId}',
  access: 'authenticated',
  params: ReportParams,
  response: Report,
  errors: { 404: noReport },
});

/**
 * Updates a report (spec 4.2). Omitted fields stay unchanged. Requires edit access, and manage access to move the
 * report to a folder or workbook where the caller would manage it. `publicId` can be set only once: changing it, or
 * setting a placeholder, returns 400. `deploymentId` is a string in the operations document, but a number in the
 * specification and here.
 */
export const updateReport = operation({
  id: 'updateReport',
  api: 'platform',
  method: 'PUT',
  path: '/api/v1/deployments/{deploymentId}/reports/{reportId}',
  access: 'authenticated',
  params: ReportParams,
  body: UpdateReport,
  response: Report,
  errors: {
    404: `${noReport} Also returned if the folder or workbook does not exist.`,
    409: 'Another report has this publicId.',
  },
});

/**
 * Deletes a report. Requires manage access, or edit access and the action `ReportManage`. Published snapshots of the
 * report stay unchanged.
 */
export const deleteReport = operation({
  id: 'deleteReport',
  api: 'platform',
  method: 'DELETE',
  path: '/api/v1/deployments/{deploymentId}/reports/{reportId}',
  access: 'authenticated',
  params: ReportParams,
  response: null,
  errors: { 404: noReport },
});

/**
 * Records a placement of the report in the caller's own spreadsheet (spec 4.5). Requires only read access; the report's
 * definition, `version` and `updatedAt` stay unchanged. A report can have up to 100 placements.
 */
export const connectReportToWorkbook = operation({
  id: 'connectReportToWorkbook',
  api: 'platform',
  method: 'PUT',
  path: '/api/v1/deployments/{deploymentId}/reports/{reportId}/connect-workbook',
  access: 'authenticated',
  params: ReportParams,
  body: ConnectReport,
  response: Report,
  errors: { 404: noReport, 409: 'The report has reached its limit of placements.' },
});

/** Removes one placement of a report. Requires only read access. Succeeds if the placement does not exist. */
export const disconnectReportFromWorkbook = operation({
  id: 'disconnectReportFromWorkbook',
  api: 'platform',
  method: 'DELETE',
  path: '/api/v1/deployments/{deploymentId}/reports/{reportId}/connect-workbook',
  access: 'authenticated',
  params: ReportParams,
  body: DisconnectReport,
  response: Report,
  errors: { 404: noReport },
});

/** Records that the caller refreshed a report's result, and in which placement. Requires only read access. */
export const refreshReport = operation({
  id: 'refreshReport',
  api: 'platform',
  method: 'PUT',
  path: '/api/v1/deployments/{deploymentId}/reports/{reportId}/refresh',
  access: 'authenticated',
  params: ReportParams,
  body: RefreshReport,
  response: Report,
  errors: { 404: noReport },
});
