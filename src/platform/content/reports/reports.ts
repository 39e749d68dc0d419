import type { Hono } from 'hono';
import { ErrorCode } from '../../../contract/error.js';
import * as contract from '../../../contract/reports.js';
import type { Principal } from '../../auth/principal.js';
import { DatabaseCode, type Db, databaseCode } from '../../db/database.js';
import { PlatformError } from '../../errors.js';
import { notFound, upsertConflict } from '../../http/access.js';
import type { RouteDeps } from '../../http/route-deps.js';
import { serve, write } from '../../http/serve.js';
import { requireDeployment } from '../../models/require-deployment.js';
import { contentAccess, Level } from '../content-access.js';
import { reportAtLevel, reportToManage, tenantOf } from '../require-access.js';
import { readReportChange, rejectPlaceholder } from './report-input.js';
import { listReports } from './report-list.js';
import { mountReportPlacements, recordWrittenPlacement, resultOf } from './report-placements.js';
import * as reports from './report-store.js';
import { showReport, showReports, showReportWithLevel } from './show-report.js';

/**
 * Mounts the routes of reports: list, create, update by id or `publicId`, read, placements, delete (spec 2.2, 3, 4.2,
 * 4.5).
 */
export function mountReports(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  serve(app, contract.getReports, deps, async ({ params: { deploymentId }, query, principal }) => {
    await requireDeployment(db, principal, deploymentId);
    rejectMixedPaging(query);
    const { userId } = principal;
    const page = await listReports(db, { deploymentId, userId, access: contentAccess(principal), query });
    const items = await showReports(db, principal, page.items);
    const { pageInfo, count, countIsCapped } = page;
    return { items, pageInfo, data: items, count, ...(countIsCapped && { countIsCapped }) };
  });

  write(app, contract.createReport, deps, async ({ params: { deploymentId }, body, principal }, tx, target) => {
    await requireDeployment(tx, principal, deploymentId);
    const created = await createReport(tx, principal, deploymentId, body);
    if (!created) throw publicIdTaken();
    target.reportId = created.id;
    return showReport(tx, principal, { deploymentId, reportId: created.id });
  });

  write(app, contract.upsertReportByPublicId, deps, async ({ params, body, principal }, tx, target) => {
    await requireDeployment(tx, principal, params.deploymentId);
    const written = await upsertReport(tx, principal, params, body);
    if (!written) throw upsertConflict('The report with this publicId');
    target.reportId = written.id;
    return showReport(tx, principal, { deploymentId: params.deploymentId, reportId: written.id });
  });

  serve(app, contract.getReport, deps, async ({ params, principal }) => {
    await requireDeployment(db, principal, params.deploymentId);
    const found = await reports.findReportWithLevel(db, contentAccess(principal), params);
    const reached = reportAtLevel(found, Level.read);
    await noteView(db, params.reportId, principal.userId);
    return showReportWithLevel(db, principal, reached);
  });

  write(app, contract.updateReport, deps, async ({ params, body, principal }, tx) => {
    await requireDeployment(tx, principal, params.deploymentId);
    const found = await reports.lockReport(tx, contentAccess(principal), params);
    const reached = reportAtLevel(found, Level.edit);
    rejectOtherId(reached.report, body.publicId);
    if (!(await updateReport(tx, principal, reached, body, {}))) throw notFound('Report');
    return showReport(tx, principal, params);
  });

  write(app, contract.deleteReport, deps, async ({ params, principal }, tx) => {
    await requireDeployment(tx, principal, params.deploymentId);
    const found = await reports.lockReport(tx, contentAccess(principal), params);
    await reports.deleteReport(tx, reportToManage(principal, found).report.id);
    return undefined;
  });

  mountReportPlacements(app, deps);
}

function rejectMixedPaging({ first, after, page, limit, sortBy }: contract.GetReportsQuery): void {
  if (first === undefined && after === undefined) return;
  const byCursor = first !== undefined ? 'first' : 'after';
  if (sortBy === 'lastViewedAt') {
    throw new PlatformError(400, `query.${byCursor}: is not supported with sortBy=lastViewedAt; use page and limit`);
  }
  if (page !== undefined || limit !== undefined) {
    throw new PlatformError(400, `query.${byCursor}: use either first and after, or page and limit`);
  }
}

function publicIdTaken(): PlatformError {
  return new PlatformError(409, 'The publicId is already in use. Choose another one.');
}

/** Rejects changing a `publicId`: callers set it once (spec 4.2, rules 2 and 4). */
function rejectOtherId(report: reports.StoredReport, publicId: string | null | undefined): void {
  if (publicId == null || publicId === report.publicId) return;
  if (report.publicId !== null) throw new PlatformError(400, 'body.publicId: is already set and cannot be changed');
  rejectPlaceholder(publicId, 'body.publicId');
}

/** Returns `null` if another report has taken the `publicId` in the meantime. */
async function createReport(
  tx: Db,
  principal: Principal,
  deploymentId: number,
  body: contract.CreateReport,
): Promise<reports.StoredReport | null> {
  rejectPlaceholder(body.publicId, 'body.publicId');
  const embedTenantId = tenantOf(principal);
  const change = await readReportChange(tx, principal, { deploymentId, embedTenantId }, body);
  const created = await withTargets(() =>
    reports.createReport(tx, {
      ...change,
      deploymentId,
      createdBy: principal.userId,
      embedTenantId,
      name: body.name ?? body.title ?? 'Untitled report',
      source: body.source ?? null,
    }),
  );
  if (created) await recordWrittenPlacement(tx, created, principal.userId, body, resultOf(created, body));
  return created;
}

/** Returns `null` if the report no longer exists. */
async function updateReport(
  tx: Db,
  principal: Principal,
  { report, level }: reports.ReportWithLevel,
  body: contract.UpdateReport,
  own: { readonly publicId?: string },
): Promise<reports.StoredReport | null> {
  const change = await readReportChange(tx, principal, report, body);
  const changed = await withTargets(() => reports.changeReport(tx, report, { ...change, ...own }));
  const isMoved = body.folderId != null || body.workbookId != null;
  if (changed && isMoved) await rejectRise(tx, principal, changed, level);
  const checksums = changed && body.resultChecksum != null ? resultOf(changed, body) : {};
  if (changed) await recordWrittenPlacement(tx, changed, principal.userId, body, checksums);
  return changed;
}

/**
 * Rejects moves by which a user with edit access would gain manage access, for example into the user's own workbook.
 */
async function rejectRise(
  tx: Db,
  principal: Principal,
  { id, deploymentId }: reports.StoredReport,
  before: Level,
): Promise<void> {
  const reached = await reports.findReportWithLevel(tx, contentAccess(principal), { deploymentId, reportId: id });
  if (!reached || reached.level <= before) return;
  throw new PlatformError(
    403,
    'Moving the report there would grant you manage access, so it requires manage access to the report.',
  );
}

/**
 * Creates or updates a report, after checking access for whichever applies. Returns `null` after a concurrent write.
 * Placeholders can be ambiguous only in databases of earlier versions, which allowed callers to set ids of this form.
 */
async function upsertReport(
  tx: Db,
  principal: Principal,
  { deploymentId, publicId }: { readonly deploymentId: number; readonly publicId: string },
  body: contract.CreateReport,
): Promise<reports.StoredReport | null> {
  if (body.publicId != null && body.publicId !== publicId) {
    throw new PlatformError(400, 'body.publicId: must equal the publicId in the path');
  }
  const [found, ...others] = await reports.reportsShowing(tx, contentAccess(principal), publicId);
  if (others.length > 0) throw ambiguous();
  if (!found) {
    rejectPlaceholder(publicId, 'path.publicId');
    return createReport(tx, principal, deploymentId, { ...body, publicId });
  }
  if (found.report.deploymentId !== deploymentId) throw publicIdTaken();
  return updateReport(tx, principal, reportAtLevel(found, Level.edit), body, { publicId });
}

function ambiguous(): PlatformError {
  const message =
    'More than one report has this placeholder as publicId. Set its publicId first, in a request with its numeric id.';
  return new PlatformError(409, message, { code: ErrorCode.ambiguousLegacyId });
}

/**
 * Runs a write and maps database errors, because the `publicId` may have been taken or the workbook deleted
 * concurrently.
 */
async function withTargets<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = databaseCode(error);
    if (code === DatabaseCode.uniqueViolation) throw publicIdTaken();
    if (code === DatabaseCode.foreignKeyViolation) throw notFound('Workbook');
    throw error;
  }
}

async function noteView(db: Db, reportId: number, userId: number): Promise<void> {
  try {
    await reports.recordReportView(db, reportId, userId);
  } catch (error) {
    // If the report was deleted concurrently, there is no view to record.
    if (databaseCode(error) === DatabaseCode.foreignKeyViolation) throw notFound('Report');
    throw error;
  }
}
