import type { Hono } from 'hono';
import {
  cancelExport,
  downloadExport,
  type ExportFailure,
  type ExportSubjectInput,
  getExportStatus,
  type StartDashboardExport,
  startExport,
} from '../../../contract/dashboard-exports.js';
import type { JsonObject } from '../../../contract/wire.js';
import { fileName } from '../../../report/format/file-name.js';
import { embedPrincipalOf } from '../../auth/authenticate.js';
import { createDownloadCheck } from '../../auth/download-check.js';
import { requireProduction } from '../../auth/model-target.js';
import { type Principal, securityContextOf } from '../../auth/principal.js';
import { isAllowedOnDeployment } from '../../auth/rights.js';
import { consumeSessions, sessionKeyOf } from '../../auth/sessions.js';
import { Level } from '../../content/content-access.js';
import { findDashboard, isDownloadRestricted } from '../../content/dashboards/dashboard-store.js';
import { findPublishedDashboard } from '../../content/dashboards/published-dashboard-store.js';
import { findViewerDashboard } from '../../content/dashboards/viewer-dashboards.js';
import { requireWorkbook, tenantOf } from '../../content/require-access.js';
import type { Db } from '../../db/database.js';
import { Role } from '../../db/schema.js';
import { applyEmbedUser } from '../../embed/apply-grant.js';
import { ensureLockedTenant } from '../../embed/tenant-store.js';
import { tooManyUsers } from '../../embed/tenants.js';
import { PlatformError } from '../../errors.js';
import { notFound } from '../../http/access.js';
import { FileAnswer } from '../../http/mount.js';
import type { RouteDeps } from '../../http/route-deps.js';
import { serve, write } from '../../http/serve.js';
import { enqueueJob } from '../../jobs/job-store.js';
import { requireDeployment } from '../../models/require-deployment.js';
import { governedBy } from '../channels/governed-by.js';
import { findDashboardRef, lockDashboard } from '../notification-store.js';
import { readDashboard } from '../notifications.js';
import { findRecipientDashboard } from '../recipient-contexts.js';
import { findConsoleUsers } from '../recipient-store.js';
import { checkEntry, checkRendering } from '../recipients.js';
import { isTimezone } from '../schedule.js';
import * as store from './export-store.js';

/** Kind of the jobs that render exports. */
export const exportKind = 'dashboard-export';

/** Maximum number of exports in progress per subject of `renderAs`. */
const maxOpen = 10;
const retryAfterSeconds = 10;
const isId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const extensions: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'text/csv; charset=utf-8': 'csv',
};

/** Mounts the routes that export dashboards as files (operations.md, Dashboard Exports). */
export function mountDashboardExports(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  write(app, startExport, deps, async ({ params: { deploymentId }, body, principal }, tx, target) => {
    await requireDeployment(tx, principal, deploymentId);
    if (principal.kind === 'embed') requireProduction(principal);
    const { dashboardId, publicId } = await requireExportable(tx, principal, deploymentId, body);
    const { renderAs, format } = body;
    checkScope(body);
    const subject = renderAs
      ? await resolveSubject(tx, principal, renderAs, { deploymentId, publicId })
      : await callerAsSubject(tx, principal);
    const created = await store.createExport(
      tx,
      {
        deploymentId,
        dashboardId,
        userId: principal.userId,
        subjectUserId: subject.userId,
        subject,
        format,
        controls: controlsOfRequest(body),
        endsWithPage: renderAs?.type === 'EMBED_SESSION',
      },
      maxOpen,
    );
    if (!created) {
      throw new PlatformError(429, `A user can have at most ${maxOpen} exports in progress. Try again later.`, {
        retryAfter: retryAfterSeconds,
      });
    }
    await enqueueJob(tx, exportKind, { exportId: created.id });
    target.id = created.id;
    return { jobId: created.id, expiresAt: created.expiresAt.toISOString() };
  });

  serve(app, getExportStatus, deps, async ({ params, principal }) => {
    const { id, status, progress, contentType, error, polledAt } = await requireExport(db, principal, params);
    if (polledAt !== null)
      await store.recordPoll(db, { deploymentId: params.deploymentId, id, userId: principal.userId });
    return {
      status,
      progress: progress / 100,
      ...(contentType !== null && { contentType }),
      ...(error !== null && { error: messageOf(error), ...(error in failureMessages && { errorCode: error }) }),
    };
  });

  write(app, cancelExport, deps, async ({ params, principal }, tx, target) => {
    const { id } = await requireExport(tx, principal, params);
    await store.deleteExport(tx, { deploymentId: params.deploymentId, id, userId: principal.userId });
    target.id = id;
    return undefined;
  });

  serve(app, downloadExport, deps, async ({ params, query, principal }) => {
    const { status, contentType, error, dashboardId } = await requireExport(db, principal, params);
    // Downloads may have been restricted since the export was started.
    const { workbookId = null } = (await findDashboardRef(db, dashboardId)) ?? {};
    requireDownload(principal, params.deploymentId, workbookId === null ? null : await findDashboard(db, workbookId));
    if (status === 'failed') throw new PlatformError(422, `${messageOf(error)} Start another export.`);
    const ref = { deploymentId: params.deploymentId, id: params.jobId, userId: principal.userId };
    if (status !== 'completed') throw new PlatformError(409, 'The export is not finished. Poll its status.');
    const content = await store.findExportContent(db, ref);
    if (!content || contentType === null) throw notFound('Export');
    const name = `${fileName(query.filename ?? 'dashboard', 'dashboard')}.${extensions[contentType] ?? 'bin'}`;
    return new FileAnswer({ bytes: new Uint8Array(content), mediaType: contentType, name });
  });
}

const failureMessages: Readonly<Record<ExportFailure, string>> = {
  export_failed: 'The dashboard could not be rendered.',
  export_too_large: 'The file would be larger than 50 MB.',
  export_too_slow: 'Rendering took longer than 4 minutes.',
  export_dashboard_gone: 'The dashboard is no longer available.',
  export_widget_unknown: 'The dashboard has no such widget or report.',
  export_no_model: 'This platform serves no semantic model.',
};

/** Returns the message for a stored failure. */
function messageOf(error: string | null): string {
  return failureMessages[error as ExportFailure] ?? failureMessages.export_failed;
}

/** Checks the format, the scope and the time zone of an export. @throws PlatformError 400 */
function checkScope({ format, widgetId, reportId, timezone }: StartDashboardExport): void {
  if (widgetId != null && reportId != null)
    throw new PlatformError(400, 'body.widgetId: send widgetId or reportId, not both');
  if (format === 'csv' && widgetId == null && reportId == null)
    throw new PlatformError(400, 'body.format: csv requires widgetId or reportId');
  if (timezone != null && !isTimezone(timezone))
    throw new PlatformError(400, 'body.timezone: must be the name of a time zone, such as Europe/Berlin');
}

function controlsOfRequest(body: StartDashboardExport): JsonObject {
  const { filters, memberSwitchers, timeGrains, widgetId, reportId, locale, timezone } = body;
  const values = { filters, memberSwitchers, timeGrains, widgetId, reportId, locale, timezone };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? null]));
}

async function requireExport(
  db: Db,
  principal: Principal,
  { deploymentId, jobId }: { readonly deploymentId: number; readonly jobId: string },
): Promise<store.StoredExport> {
  await requireDeployment(db, principal, deploymentId);
  const ref = { deploymentId, id: jobId, userId: principal.userId };
  const found = isId.test(jobId) ? await store.findExport(db, ref) : null;
  if (!found) throw notFound('Export');
  return found;
}

/**
 * Returns the requested published dashboard if the caller manages its workbook and may download data.
 * @throws PlatformError 400, 403, 404
 */
async function requireExportable(
  tx: Db,
  principal: Principal,
  deploymentId: number,
  body: StartDashboardExport,
): Promise<{ readonly dashboardId: number; readonly publicId: string }> {
  const ref = readDashboard(body, 'body');
  if (!ref) throw new PlatformError(400, 'body.dashboardId: send dashboardId or dashboardPublicId');
  const dashboardId = await lockDashboard(tx, deploymentId, ref);
  const found = dashboardId === null ? null : await findDashboardRef(tx, dashboardId);
  if (dashboardId === null || !found) throw notFound('Dashboard');
  const { workbookId, publicId } = found;
  await requireWorkbook(tx, principal, { deploymentId, workbookId }, Level.manage);
  const [published, stored] = [
    await findPublishedDashboard(tx, principal, publicId),
    await findDashboard(tx, workbookId),
  ];
  if (!published || !stored) throw notFound('Dashboard');
  const isRestricted = published.dashboard.restrictDataDownload || isDownloadRestricted(stored.config);
  requireDownload(principal, deploymentId, { restrictDataDownload: isRestricted });
  return { dashboardId, publicId };
}

/**
 * Checks that the caller may download data, and that the account and the dashboard do not restrict it.
 * @throws PlatformError 403
 */
function requireDownload(
  { rights }: Pick<Principal, 'rights'>,
  deploymentId: number,
  dashboard: { readonly restrictDataDownload?: boolean | null | undefined } | null,
): void {
  if (dashboard?.restrictDataDownload === true || !isAllowedOnDeployment(rights, 'DownloadData', deploymentId))
    throw new PlatformError(403, 'Downloads of data are restricted.');
}

async function callerAsSubject(tx: Db, principal: Principal): Promise<store.ExportSubject> {
  return {
    userId: principal.userId,
    role: await store.findRole(tx, principal.userId),
    embedTenantId: tenantOf(principal),
    embedTenantName: principal.kind === 'embed' ? principal.embedTenantName : null,
    embed: null,
    context: securityContextOf(principal),
  };
}

interface Place {
  readonly deploymentId: number;
  readonly publicId: string;
}

/** Resolves the subject of `renderAs`. @throws PlatformError 400, 403, 404 */
async function resolveSubject(
  tx: Db,
  principal: Principal,
  input: ExportSubjectInput,
  place: Place,
): Promise<store.ExportSubject> {
  if (!principal.rights.isAdmin) throw new PlatformError(403, 'body.renderAs requires the admin role.');
  if (input.type === 'EMBED_SESSION') return sessionSubject(tx, input, place);
  const { sessionId, ...named } = input;
  if (sessionId != null) throw new PlatformError(400, 'body.renderAs.sessionId: requires the type EMBED_SESSION');
  const recipient = { ...named, type: input.type };
  const entry = { input: recipient, where: 'body.renderAs' };
  checkEntry(entry, place.deploymentId);
  await checkRendering(tx, [entry]);
  const subject = input.type === 'USER' ? await consoleUser(tx, input) : await embedUser(tx, recipient);
  const { embedTenantId, userId } = subject;
  const dashboard =
    embedTenantId === null
      ? await findRecipientDashboard(tx, subject, place)
      : await findViewerDashboard(tx, { deploymentId: place.deploymentId, userId, embedTenantId }, place.publicId);
  if (dashboard) return subject;
  throw new PlatformError(
    403,
    'body.renderAs: the dashboard is not shared with this user, or its embedding is disabled',
  );
}

/** Consumes an embed session. @throws PlatformError 400, 401, 403 */
async function sessionSubject(
  tx: Db,
  { type: _, sessionId, ...others }: ExportSubjectInput,
  { deploymentId, publicId }: Place,
): Promise<store.ExportSubject> {
  if (sessionId == null || Object.values(others).some(value => value != null))
    throw new PlatformError(400, 'body.renderAs: send only sessionId with the type EMBED_SESSION');
  const key = sessionKeyOf(sessionId);
  const claims = (await consumeSessions(tx, [key])).get(key);
  if (!claims || claims.deploymentId !== deploymentId)
    throw new PlatformError(400, 'body.renderAs.sessionId: the session is unknown, used or expired');
  requireProduction(claims);
  const { userId, role, embedTenantId, embedTenantName, securityContext, settings, embedTheme } = claims;
  const mayDownload = await createDownloadCheck(tx)(claims);
  const { rights } = embedPrincipalOf({ ...claims, mayDownload, sessionKey: key, expiresAt: new Date() }, role);
  const dashboard = await findViewerDashboard(tx, { deploymentId, userId, embedTenantId }, publicId);
  if (!dashboard) throw notFound('Dashboard');
  requireDownload({ rights }, deploymentId, null);
  return {
    userId,
    role,
    embedTenantId,
    embedTenantName,
    embed: null,
    context: securityContext,
    theme: embedTheme as JsonObject | null,
    settings,
  };
}

async function consoleUser(tx: Db, { userId, email }: ExportSubjectInput): Promise<store.ExportSubject> {
  const [found] = await findConsoleUsers(tx, userId == null ? [] : [userId], email == null ? [] : [email]);
  if (!found) throw notFound('User');
  const role = await store.findRole(tx, found.id);
  return { userId: found.id, role, embedTenantId: null, embedTenantName: null, embed: null, context: null };
}

async function embedUser(tx: Db, input: Parameters<typeof governedBy>[0]): Promise<store.ExportSubject> {
  const { embedTenantName, externalId, email } = input;
  if (embedTenantName == null || externalId == null) throw new Error('The subject was not checked.');
  const tenant = await ensureLockedTenant(tx, embedTenantName);
  const user = await applyEmbedUser(tx, tenant, { externalId, email }, 'body.renderAs');
  if (!user) throw tooManyUsers();
  const embed = governedBy(input);
  return {
    userId: user.id,
    role: Role.user,
    embedTenantId: tenant.id,
    embedTenantName: tenant.name,
    embed,
    context: null,
  };
}
