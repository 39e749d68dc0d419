import { isDeepStrictEqual } from 'node:util';
import type { Hono } from 'hono';
import type { DashboardConfigInput } from '../../../contract/dashboard-input.js';
import { publishDashboard } from '../../../contract/workbooks.js';
import { requireProduction } from '../../auth/model-target.js';
import type { Principal } from '../../auth/principal.js';
import type { Db } from '../../db/database.js';
import { PlatformError } from '../../errors.js';
import { notFound } from '../../http/access.js';
import type { Call } from '../../http/mount.js';
import type { RouteDeps } from '../../http/route-deps.js';
import { serve, transact } from '../../http/serve.js';
import { contentAccess, Level } from '../content-access.js';
import { findReadableReports } from '../reports/report-store.js';
import { requireWorkbook } from '../require-access.js';
import { draftOf } from '../workbooks/draft.js';
import { publishedOf } from '../workbooks/show-workbook.js';
import { lockWorkbooks, type StoredWorkbook } from '../workbooks/workbook-store.js';
import { checkApp } from './app-checks.js';
import * as dashboards from './dashboard-store.js';
import { chartedReports, freezeReport } from './freeze-report.js';
import { checkControls } from './model-checks.js';
import { carryOverAnswers } from './widget-threads.js';

type Body = Call<typeof publishDashboard>['body'];
type Version = Pick<dashboards.NewVersion, 'config' | 'snapshots'>;

/** Mounts the routes that publish dashboards (spec 2.5, 2.6). */
export function mountPublishing(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  serve(app, publishDashboard, deps, async ({ params, body, principal, request }) => {
    if (principal.kind === 'embed') requireProduction(principal);
    const needed = body.allowEmbed == null ? Level.edit : Level.manage;
    const { workbook } = await requireWorkbook(db, principal, params, needed);
    // Reads, checks and compiles before the transaction, because this takes time.
    const version = await prepareVersion(deps, principal, workbook, body);
    return transact(db, publishDashboard.id, { principal, request, target: { ...params } }, async tx => {
      const [locked] = await lockWorkbooks(tx, [workbook.id]);
      if (!locked) throw notFound('Workbook');
      await requireWorkbook(tx, principal, params, needed);
      await publishVersion(tx, { workbookId: locked.id, userId: principal.userId }, body, version);
      return requirePublished(tx, locked);
    });
  });
}

async function requirePublished(db: Db, workbook: StoredWorkbook) {
  const dashboard = await publishedOf(db, workbook);
  if (!dashboard) throw notFound('Dashboard');
  return dashboard;
}

/** Prepares a version: the config of the body or of the draft, with a snapshot of every report in it. */
async function prepareVersion(
  deps: RouteDeps,
  principal: Principal,
  workbook: StoredWorkbook,
  body: Body,
): Promise<Version> {
  await checkTarget(deps, workbook, body);
  const config = body.config ?? draftOf(workbook);
  if (!config) throw new PlatformError(400, 'body.config: is required if the workbook has no dashboardDraft');
  checkApp(config, principal);
  const widgets = config.widgets ?? [];
  const model = await deps.publicModel(workbook.deploymentId);
  if (model !== null) checkControls(widgets, model);
  return { config, snapshots: await freezeReports(deps, principal, workbook.deploymentId, widgets) };
}

async function checkTarget(deps: RouteDeps, workbook: StoredWorkbook, body: Body): Promise<void> {
  if (body.workbookId != null && body.workbookId !== workbook.id) {
    throw new PlatformError(400, 'body.workbookId: must equal the workbookId in the path');
  }
  if (body.dashboardId != null && body.dashboardId !== (await dashboards.findDashboardId(deps.db, workbook.id))) {
    throw new PlatformError(400, 'body.dashboardId: is not the dashboard of this workbook');
  }
}

async function freezeReports(
  deps: RouteDeps,
  principal: Principal,
  deploymentId: number,
  widgets: NonNullable<DashboardConfigInput['widgets']>,
): Promise<dashboards.NewSnapshot[]> {
  rejectTwins(widgets.map(widget => widget.id));
  const charted = chartedReports(widgets);
  // All readers of the dashboard see a snapshot, so the publisher must be allowed to read the report.
  const reports = await findReadableReports(deps.db, contentAccess(principal), deploymentId, [...charted.keys()]);
  const byId = new Map(reports.map(report => [report.id, report]));
  const snapshots: dashboards.NewSnapshot[] = [];
  for (const [reportId, widgetId] of charted) {
    const report = byId.get(reportId);
    if (!report) {
      throw new PlatformError(400, `Widget ${widgetId}: report ${reportId} does not exist in this deployment`);
    }
    snapshots.push(await freezeReport(report, deps));
  }
  return snapshots;
}

function rejectTwins(ids: readonly string[]): void {
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) throw new PlatformError(400, `Widget ${id}: the id is not unique`);
    seen.add(id);
  }
}

/** Publishes a version unless it equals the current one. Concurrent calls get distinct version numbers. */
async function publishVersion(
  tx: Db,
  { workbookId, userId }: { readonly workbookId: number; readonly userId: number },
  { allowEmbed, title, description }: Body,
  version: Version,
): Promise<void> {
  const published = await dashboards.lockPublished(tx, workbookId);
  if (!published) {
    const dashboard = { workbookId, title, description, allowEmbed: allowEmbed ?? false, createdBy: userId };
    await dashboards.createDashboard(tx, dashboard, { ...version, config: carryOverAnswers(version.config, null) });
    return;
  }
  const { id, versionId: _, config, snapshots, ...before } = published;
  const next = { config: carryOverAnswers(version.config, config), snapshots: version.snapshots };
  const isNew = !isSame(next, { config, snapshots });
  const after: typeof before = {
    allowEmbed: allowEmbed ?? before.allowEmbed,
    title: title ?? before.title,
    description: description ?? before.description,
    versionNumber: before.versionNumber + (isNew ? 1 : 0),
  };
  if (isNew) await dashboards.addVersion(tx, id, { ...next, versionNumber: after.versionNumber, publishedBy: userId });
  if (!isDeepStrictEqual(after, before)) await dashboards.changeDashboard(tx, id, after);
}

/**
 * True if the JSON is equal, including the order of keys, because the order of keys in a query can determine the order
 * of rows.
 */
function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
