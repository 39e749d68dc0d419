import * as z from 'zod/mini';
import { DeploymentParams } from './deployments.js';
import { SessionId } from './embed.js';
import { ExternalId, UserAttributeInput } from './embed-grant.js';
import { MailAddress } from './notification-recipients.js';
import { DashboardFilterInput, DashboardMemberSwitcherInput, DashboardTimeGrainInput } from './notifications.js';
import { operation } from './operation.js';
import { EmbedTenantName, IdParam, JsonObject, openEnum, optional } from './wire.js';

/**
 * File formats of an export. `xlsx` (one sheet per report) and `csv` (requires `widgetId` or `reportId`) are
 * extensions.
 */
export const exportFormats = ['png', 'pdf', 'xlsx', 'csv'] as const;

/** States of an export. `pending` and `processing` mean that the file is not ready yet. */
export const exportStatuses = ['pending', 'processing', 'completed', 'failed'] as const;

/**
 * Types of subjects that an export is rendered for: a user of the console, a user of an embed tenant, or an embed
 * session (extension).
 */
export const exportSubjectTypes = ['USER', 'EMBED_USER', 'EMBED_SESSION'] as const;

/** Reason why an export failed. Programs and pages compare these codes. */
export const exportFailures = [
  'export_failed',
  'export_too_large',
  'export_too_slow',
  'export_dashboard_gone',
  'export_widget_unknown',
  'export_no_model',
] as const;
/** Reason why an export failed. */
export type ExportFailure = (typeof exportFailures)[number];

const maxControls = 100;

/**
 * The subject whose permissions an export has (`ExportSubjectInput`). USER requires `userId` or `email`. EMBED_USER
 * requires `embedTenantName` and `externalId`; a missing user is created, and `groups`, `userAttributes` and
 * `securityContext` apply to this export only. EMBED_SESSION requires the `sessionId` of a session that has not been
 * exchanged yet. The export consumes the session and uses its permissions (including `DownloadData`), language, time
 * zone and theme.
 */
export const ExportSubjectInput = z.strictObject({
  type: z.enum(exportSubjectTypes),
  userId: optional(z.int().check(z.positive())),
  email: optional(MailAddress),
  embedTenantName: optional(EmbedTenantName),
  externalId: optional(ExternalId),
  groups: optional(z.array(z.string().check(z.minLength(1), z.maxLength(255))).check(z.maxLength(100))),
  userAttributes: optional(z.array(UserAttributeInput).check(z.maxLength(100))),
  securityContext: optional(JsonObject),
  sessionId: optional(SessionId),
});
/** The subject whose permissions an export has. */
export type ExportSubjectInput = z.infer<typeof ExportSubjectInput>;

/**
 * Input for starting an export. Requires exactly one of `dashboardId` and `dashboardPublicId`. Control values replace
 * the published defaults. Without `renderAs`, the export has the permissions of the caller. Extensions: `widgetId` or
 * `reportId` (numeric id or public id) to export a single report, and the file's `locale` and `timezone`.
 */
export const StartDashboardExport = z.strictObject({
  dashboardId: optional(z.int().check(z.positive())),
  dashboardPublicId: optional(z.string().check(z.minLength(1), z.maxLength(255))),
  format: z.enum(exportFormats),
  filters: optional(z.array(DashboardFilterInput).check(z.maxLength(maxControls))),
  memberSwitchers: optional(z.array(DashboardMemberSwitcherInput).check(z.maxLength(maxControls))),
  timeGrains: optional(z.array(DashboardTimeGrainInput).check(z.maxLength(maxControls))),
  widgetId: optional(z.string().check(z.minLength(1), z.maxLength(255))),
  reportId: optional(z.union([z.int().check(z.positive()), z.string().check(z.minLength(1), z.maxLength(255))])),
  locale: optional(z.string().check(z.regex(/^[\w-]{1,35}$/, 'must be a language'))),
  timezone: optional(z.string().check(z.minLength(1), z.maxLength(64))),
  renderAs: optional(ExportSubjectInput),
});
/** Input for starting an export. */
export type StartDashboardExport = z.infer<typeof StartDashboardExport>;

/** An export that a page requests from its host. The host's back end decides which permissions it has. */
export const PageExport = z.omit(StartDashboardExport, { dashboardId: true, renderAs: true });
/** An export that a page requests from its host. */
export type PageExport = z.infer<typeof PageExport>;

const ExportParams = z.strictObject({ deploymentId: IdParam, jobId: z.string().check(z.maxLength(64)) });

const notThere = 'The export does not exist, has expired, or was started by another user.';

/** Starts an export of a published dashboard. The job and its file are deleted at `expiresAt`, after 5 minutes. */
export const startExport = operation({
  id: 'startExport',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/dashboard-exports',
  access: 'user',
  params: DeploymentParams,
  body: StartDashboardExport,
  response: z.looseObject({ jobId: z.string(), expiresAt: z.string() }),
  errors: {
    404: 'The deployment, published dashboard or user does not exist.',
    429: 'The user has too many exports in progress.',
  },
});

/**
 * Returns the state of an export. Poll while it is `pending` or `processing`; `error` and `errorCode` contain the
 * reason of a failure.
 */
export const getExportStatus = operation({
  id: 'getExportStatus',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/dashboard-exports/{jobId}',
  access: 'user',
  params: ExportParams,
  response: z.looseObject({
    status: openEnum(exportStatuses),
    /** Fraction of the tiles that are ready, from 0 to 1. */
    progress: optional(z.number()),
    contentType: optional(z.string()),
    error: optional(z.string()),
    /** Code of the reason why the export failed (extension). */
    errorCode: optional(openEnum(exportFailures)),
  }),
  errors: { 404: notThere },
});

/** Cancels an export and deletes its file. An extension. */
export const cancelExport = operation({
  id: 'cancelExport',
  api: 'platform',
  method: 'DELETE',
  path: '/api/v1/deployments/{deploymentId}/dashboard-exports/{jobId}',
  access: 'user',
  params: ExportParams,
  response: null,
  errors: { 404: notThere },
});

/**
 * Downloads the file of a completed export as an attachment. `filename` is the name without the extension. Returns 403
 * if downloads have been restricted since the export was started.
 */
export const downloadExport = operation({
  id: 'downloadExport',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/dashboard-exports/{jobId}/download',
  access: 'user',
  params: ExportParams,
  query: z.strictObject({ filename: optional(z.string().check(z.minLength(1), z.maxLength(200))) }),
  response: null,
  file: [
    'application/pdf',
    'image/png',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'text/csv; charset=utf-8',
  ],
  errors: {
    404: notThere,
    409: 'The export is not finished.',
    422: 'Rendering failed. Start another export.',
  },
});
