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

/** Where a report came from (spec 2.2). */
export const reportSources = ['ONLINE_SHEETS', 'DESKTOP_SHEETS', 'PLAYGROUND', 'D3'] as const;

/** A role that reaches a report, and what it may do there (spec 2.2). */
export const RoleWithAccess = z.looseObject({ actions: z.array(Action), id: z.int(), name: z.string() });
/** A role that reaches a report, and what it may do there (spec 2.2). */
export type RoleWithAccess = z.infer<typeof RoleWithAccess>;

/**
 * A report: a query and how it is drawn (spec 2.2). `jsonQuery` is JSON text, `sqlQuery` semantic SQL; a report that has both is asked
 * as `jsonQuery` says. `publicId` is a placeholder, `0000` and the id in base 36, until a caller has chosen one. `externalWorkbookId`,
 * `resultLocation` and `endResultCell` are those of the last placement. Until the report is refreshed, `refreshedByUser` is its owner.
 * `rolesWithAccess` is told to those who may manage the report, but to no embed session without the admin role. `currentQueryChecksum`
 * is of the query as it is now. `embedTenantName` is the embed tenant whose users made it in creator mode.
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
/** A report: a query and how it is drawn (spec 2.2). */
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
 * Body of creating or upserting a report (`CreateReportInput`). `sqlQuery` is read when a dashboard with the report is published, since
 * the model may come after the report: SQL that can't be run is refused there. An empty text for `jsonQuery` or `sqlQuery` clears it.
 * `folderId` and `workbookId` need edit access there.
 */
export const CreateReport = z.strictObject({ ...writtenFields, source: optional(z.enum(reportSources)) });
/** Body of creating or upserting a report. */
export type CreateReport = z.infer<typeof CreateReport>;

/**
 * Body of updating a report (spec 4.2): what is left out, or null, stays; an empty text for `jsonQuery` or `sqlQuery` clears it.
 * `placementId` says which placement the other fields are of.
 */
export const UpdateReport = z.strictObject({
  ...writtenFields,
  placementId: optional(z.string().check(z.maxLength(64))),
});
/** Body of updating a report (spec 4.2). */
export type UpdateReport = z.infer<typeof UpdateReport>;

const ReportParams = z.strictObject({ deploymentId: IdParam, reportId: IdParam });
const noReport = 'no such report, or none that the caller may read';

/** What a list of reports is sorted by (spec 4.5). */
export const reportSorts = ['name', 'createdAt', 'updatedAt', 'lastViewedAt'] as const;

/**
 * Which reports of a deployment are listed (spec 4.5). `search` is a part of name or title, in either case; `folderId` takes what lies in
 * that very folder. `sortDirection` is ASC for names and DESC for moments unless it is given. `page` counts from 1.
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
/** Which reports of a deployment are listed, and how (spec 4.5). */
export type GetReportsQuery = z.infer<typeof GetReportsQuery>;

/**
 * Lists the reports that the caller may read, those changed last first (spec 4.5). It pages by `first` and `after`, or by `page` and
 * `limit`, which alone can follow `sortBy=lastViewedAt` (spec 8): that is when the caller last looked, never being the longest ago. The
 * deprecated `count` counts to 10,000: a longer list says 10,000 and `countIsCapped`, so that a page takes as long in a long list as in
 * a short one.
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
  errors: { 404: 'no such deployment' },
});

/** Creates a report; an own `publicId` adopts it into as-code management, placeholder ids are refused (spec 4.2). */
export const createReport = operation({
  id: 'createReport',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/reports',
  access: 'user',
  params: DeploymentParams,
  body: CreateReport,
  response: Report,
  errors: { 404: 'no such deployment, folder or workbook', 409: 'the publicId is used by another report' },
});

/**
 * Creates or updates the report of a `publicId`; only sent fields change, the same request again changes nothing, and `source` is of
 * creating alone. A placeholder finds the report that shows it, and becomes its id for good.
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
    404: 'no such deployment, folder or workbook, or a report that the caller may not read',
    409: 'the publicId belongs to another deployment; upsert_branch_changed: another writer came between, retry; ambiguous_legacy_id: a placeholder of two reports',
  },
});

/** One report. That the caller looked at it is noted, at most once a minute, for `sortBy=lastViewedAt`. */
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
 * Changes what is sent of a report (spec 4.2); needs edit access, and manage access to put it where the caller would manage it.
 * `publicId` is written once: another one is 400, as is a placeholder.
 * The operations document has `deploymentId` as text here; the specification makes it a number everywhere.
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
  errors: { 404: `${noReport}; no such folder or workbook`, 409: 'the publicId is used by another report' },
});

/** Deletes a report; needs to manage it, or edit access and the action `ReportManage`. What was published of it stays as it is. */
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
 * Records that the report stands in the caller's own spreadsheet (spec 4.5); reading it is enough, and its definition, `version` and
 * `updatedAt` stay. One report has 100 placements at most.
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
  errors: { 404: noReport, 409: 'the report stands in as many places as it can' },
});

/** Forgets one placement of a report; reading it is enough. Where none is addressed nothing changes. */
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

/** Notes who has made a report's result anew, and of a placement that it now holds that result; reading the report is enough. */
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
