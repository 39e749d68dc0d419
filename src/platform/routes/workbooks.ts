import type { Hono } from 'hono';
import * as z from 'zod/mini';
import { DashboardDraftInput } from '../../contract/dashboard-input.js';
import type { BodyOf } from '../../contract/operation.js';
import { getWorkbook, publishDashboard, upsertWorkbookBySlug, type Workbook } from '../../contract/workbooks.js';
import { PlatformError } from '../errors.js';
import { describeIssues } from '../mount.js';
import { findDashboard } from '../store/dashboards.js';
import type { Db } from '../store/database.js';
import { summarizeUsers } from '../store/users.js';
import * as workbooks from '../store/workbooks.js';
import { notFound, overtaken, requireDeployment, requireManager, requireReader } from './access.js';
import type { PlatformRoutesDeps } from './deps.js';
import { draftOf, publish } from './publish.js';
import { serve } from './serve.js';

/** Workbooks: written by slug, read, and published (spec 4.3, 2.3, 2.5). */
export function mountWorkbooks(app: Hono, deps: PlatformRoutesDeps): void {
  const { db } = deps;

  serve(app, upsertWorkbookBySlug, deps, async ({ params, body, principal }) => {
    requireManager(principal);
    await requireDeployment(db, principal, params.deploymentId);
    const written = await upsert(db, { ...params, createdBy: principal.userId }, changeOf(body));
    if (!written) throw overtaken('The workbook of this slug');
    return showWorkbook(db, written);
  });

  serve(app, getWorkbook, deps, async ({ params, principal }) => {
    requireReader(principal, 'Workbook');
    return showWorkbook(db, await requireWorkbook(db, params));
  });

  serve(app, publishDashboard, deps, async ({ params, body, principal }) => {
    requireManager(principal);
    const workbook = await requireWorkbook(db, params);
    await publish(deps, workbook, principal.userId, body);
    const published = await findDashboard(db, { workbookId: workbook.id });
    if (!published) throw notFound('Dashboard');
    return published.dashboard;
  });
}

/** The workbook of a path. */
export async function requireWorkbook(
  db: Db,
  params: { readonly deploymentId: number; readonly workbookId: number },
): Promise<workbooks.StoredWorkbook> {
  const workbook = await workbooks.findWorkbook(db, params.deploymentId, params.workbookId);
  if (!workbook) throw notFound('Workbook');
  return workbook;
}

// Whether it creates or updates is decided here, and then holds: a writer in between makes it null, never the other branch.
async function upsert(
  db: Db,
  at: workbooks.NewWorkbook,
  change: workbooks.WorkbookChange,
): Promise<workbooks.StoredWorkbook | null> {
  const { deploymentId, slug, createdBy } = at;
  const found = await workbooks.findWorkbookBySlug(db, deploymentId, slug);
  return found
    ? workbooks.updateWorkbook(db, found, change)
    : workbooks.createWorkbook(db, { deploymentId, slug, createdBy }, change);
}

function changeOf({ folderId, name, meta }: BodyOf<typeof upsertWorkbookBySlug>): workbooks.WorkbookChange {
  if (folderId != null) throw notFound('Folder');
  if (meta?.dashboardDraft != null) {
    const draft = z.safeParse(DashboardDraftInput, meta.dashboardDraft);
    if (!draft.success) throw new PlatformError(400, describeIssues('body.meta.dashboardDraft', draft.error.issues));
  }
  return { ...(name != null && { name }), ...(meta != null && { meta }) };
}

async function showWorkbook(db: Db, workbook: workbooks.StoredWorkbook): Promise<Workbook> {
  const { id, deploymentId, slug, name, meta, createdBy } = workbook;
  const user = (await summarizeUsers(db, [createdBy])).get(createdBy);
  const published = await findDashboard(db, { workbookId: id });
  return {
    calculatedFields: {},
    createdAt: workbook.createdAt.toISOString(),
    createdBy,
    dashboardDraft: draftOf(workbook),
    dashboardPublished: published?.dashboard.config,
    deploymentId,
    folderId: null,
    folderPath: [],
    id,
    isFavorite: false,
    meta,
    name,
    publishedDashboard: published?.dashboard,
    slug,
    type: 'WORKBOOK',
    updatedAt: workbook.updatedAt.toISOString(),
    user,
    userId: createdBy,
  };
}
