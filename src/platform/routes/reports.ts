import type { Hono } from 'hono';
import * as z from 'zod/mini';
import { Query } from '../../contract/query.js';
import {
  type CreateReport,
  createReport,
  getReport,
  type Report,
  upsertReportByPublicId,
} from '../../contract/reports.js';
import { PlatformError } from '../errors.js';
import { describeIssues } from '../mount.js';
import type { Db } from '../store/database.js';
import * as reports from '../store/reports.js';
import { summarizeUsers } from '../store/users.js';
import { findWorkbook } from '../store/workbooks.js';
import { notFound, overtaken, requireDeployment, requireManager, requireReader } from './access.js';
import type { PlatformRoutesDeps } from './deps.js';
import { serve } from './serve.js';

/** Reports: created, written by their own `publicId`, and read (spec 2.2, 3, 4.2). */
export function mountReports(app: Hono, deps: PlatformRoutesDeps): void {
  const { db } = deps;

  serve(app, createReport, deps, async ({ params, body, principal }) => {
    requireManager(principal);
    await requireDeployment(db, principal, params.deploymentId);
    refusePlaceholder(body.publicId);
    const change = await changeOf(db, params.deploymentId, body);
    const created = await reports.createReport(db, newReport(params.deploymentId, principal.userId, body, change));
    if (!created) throw taken();
    return showReport(db, created);
  });

  serve(app, upsertReportByPublicId, deps, async ({ params: { deploymentId, publicId }, body, principal }) => {
    requireManager(principal);
    await requireDeployment(db, principal, deploymentId);
    if (body.publicId != null && body.publicId !== publicId) {
      throw new PlatformError(400, "body.publicId: must be the path's publicId: it is written once");
    }
    const found = await reports.findReportByPublicId(db, publicId);
    if (found && found.deploymentId !== deploymentId) throw taken();
    if (!found) refusePlaceholder(publicId);
    const change = { ...(await changeOf(db, deploymentId, body)), publicId };
    const written = found
      ? await reports.updateReport(db, found, change)
      : await reports.createReport(db, newReport(deploymentId, principal.userId, body, change));
    if (!written) throw overtaken('The report of this publicId');
    return showReport(db, written);
  });

  serve(app, getReport, deps, async ({ params, principal }) => {
    requireReader(principal, 'Report');
    const report = await reports.findReport(db, params.deploymentId, params.reportId);
    if (!report) throw notFound('Report');
    return showReport(db, report);
  });
}

function taken(): PlatformError {
  return new PlatformError(409, 'The publicId is used by another report: choose another one.');
}

function refusePlaceholder(publicId: string | null | undefined): void {
  if (publicId != null && reports.placeholderReportId(publicId) !== null) {
    throw new PlatformError(
      400,
      'publicId: an id that begins with "0000" like this one is a generated placeholder, choose an id of your own',
    );
  }
}

/** The fields that were sent, checked. */
async function changeOf(db: Db, deploymentId: number, body: CreateReport): Promise<reports.ReportChange> {
  const { folderId, source: _createOnly, ...sent } = body;
  if (folderId != null) throw notFound('Folder');
  if (sent.jsonQuery != null) checkQuery(sent.jsonQuery);
  if (sent.workbookId != null && !(await findWorkbook(db, deploymentId, sent.workbookId))) {
    throw new PlatformError(400, 'body.workbookId: no such workbook in this deployment');
  }
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value != null));
}

function newReport(
  deploymentId: number,
  createdBy: number,
  { name, title, source }: CreateReport,
  change: reports.ReportChange,
): reports.NewReport {
  return { ...change, deploymentId, createdBy, name: name ?? title ?? 'Untitled report', source: source ?? null };
}

function checkQuery(text: string): void {
  let query: unknown;
  try {
    query = JSON.parse(text);
  } catch {
    throw new PlatformError(400, 'body.jsonQuery: is not JSON text');
  }
  const result = z.safeParse(Query, query);
  if (!result.success) throw new PlatformError(400, describeIssues('body.jsonQuery', result.error.issues));
}

async function showReport(db: Db, report: reports.StoredReport): Promise<Report> {
  const { createdBy, createdAt, updatedAt, ...fields } = report;
  const owner = (await summarizeUsers(db, [createdBy])).get(createdBy);
  if (!owner) throw new Error('A report has lost its owner.');
  return {
    ...fields,
    publicId: reports.shownPublicId(report),
    type: 'REPORT',
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    createdBy,
    userId: createdBy,
    user: owner,
    refreshedBy: createdBy,
    refreshedByUser: owner,
    folderId: null,
    folderPath: [],
    externalWorkbookPlacements: [],
    canEdit: true,
    canManage: true,
  };
}
