import * as z from 'zod/mini';
import { ReportMeta } from './dashboard-input.js';
import { DeploymentParams } from './deployments.js';
import { operation } from './operation.js';
import { Action } from './policies.js';
import { FolderPathEntry, IdParam, ItemType, JsonObject, openEnum, optional, PublicId, UserSummary } from './wire.js';

/** Where a report came from (spec 2.2). */
export const reportSources = ['ONLINE_SHEETS', 'DESKTOP_SHEETS', 'PLAYGROUND', 'D3'] as const;

/** A place of a report in the caller's own spreadsheet (spec 2.2). */
export const ReportPlacement = z.looseObject({
  workbookId: z.string(),
  resultLocation: z.string(),
  endResultCell: optional(z.string()),
});

/** Members of a pivot by axis (spec 2.2). */
export const PivotItems = z.looseObject({
  columns: z.array(z.string()),
  filters: z.array(z.string()),
  measures: z.array(z.string()),
  rows: z.array(z.string()),
});

/**
 * A report: a query and how it is drawn (spec 2.2). `jsonQuery` is JSON text, `sqlQuery` semantic SQL; a report that has both is asked
 * as `jsonQuery` says.
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
  description: optional(z.string()),
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
  rolesWithAccess: optional(z.array(z.looseObject({ actions: z.array(Action), id: z.int(), name: z.string() }))),
  source: optional(openEnum(reportSources)),
  sqlQuery: optional(z.string()),
  title: optional(z.string()),
  version: optional(z.int()),
  workbookId: optional(z.int()),
});
/** A report: a query and how it is drawn (spec 2.2). */
export type Report = z.infer<typeof Report>;

/**
 * Body of creating or upserting a report (`CreateReportInput`). `sqlQuery` is read when a dashboard with the report is published, since
 * the model may come after the report: SQL that can't be run is refused there. Folders come with the Platform API, so `folderId` other than
 * null is not accepted here yet.
 */
export const CreateReport = z.strictObject({
  endResultCell: optional(z.string()),
  externalWorkbookId: optional(z.string()),
  folderId: optional(z.int()),
  jsonQuery: optional(z.string().check(z.maxLength(100_000))),
  meta: optional(ReportMeta),
  name: optional(z.string().check(z.minLength(1), z.maxLength(255))),
  pivotItems: optional(
    z.strictObject({
      columns: z.array(z.string()),
      filters: z.array(z.string()),
      measures: z.array(z.string()),
      rows: z.array(z.string()),
    }),
  ),
  publicId: optional(PublicId),
  resultLocation: optional(z.string()),
  source: optional(z.enum(reportSources)),
  sqlQuery: optional(z.string().check(z.maxLength(65_536))),
  title: optional(z.string().check(z.maxLength(255))),
  workbookId: optional(z.int()),
});
/** Body of creating or upserting a report. */
export type CreateReport = z.infer<typeof CreateReport>;

/** Creates a report; an own `publicId` adopts it into as-code management, placeholder ids are refused (spec 4.2). */
export const createReport = operation({
  id: 'createReport',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/reports',
  access: 'authenticated',
  params: DeploymentParams,
  body: CreateReport,
  response: Report,
  errors: { 404: 'no such deployment', 409: 'the publicId is used by another report' },
});

/** Creates or updates the report of a `publicId`; only sent fields change, the same request again changes nothing. */
export const upsertReportByPublicId = operation({
  id: 'upsertReportByPublicId',
  api: 'platform',
  method: 'PUT',
  path: '/api/v1/deployments/{deploymentId}/reports/by-public-id/{publicId}',
  access: 'authenticated',
  params: z.strictObject({ deploymentId: IdParam, publicId: PublicId }),
  body: CreateReport,
  response: Report,
  errors: {
    404: 'no such deployment',
    409: 'the publicId belongs to another deployment, or upsert_branch_changed: another writer came between, retry',
  },
});

/** One report. */
export const getReport = operation({
  id: 'getReport',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/reports/{reportId}',
  access: 'authenticated',
  params: z.strictObject({ deploymentId: IdParam, reportId: IdParam }),
  response: Report,
  errors: { 404: 'no such report' },
});

/** Body of connect-workbook: where the caller placed the report (spec 2.8). */
export const ConnectReport = z.strictObject({
  externalWorkbookId: z.string(),
  resultLocation: z.string(),
  endResultCell: optional(z.string()),
});
