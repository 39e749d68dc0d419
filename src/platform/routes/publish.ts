import { type DashboardConfigInput, DashboardDraftInput } from '../../contract/dashboard-input.js';
import type { BodyOf } from '../../contract/operation.js';
import type { publishDashboard } from '../../contract/workbooks.js';
import { PlatformError } from '../errors.js';
import { findDashboardId, type NewSnapshot, publishVersion } from '../store/dashboards.js';
import { findReports } from '../store/reports.js';
import type { StoredWorkbook } from '../store/workbooks.js';
import { checkControls } from './check-controls.js';
import type { PlatformRoutesDeps } from './deps.js';
import { chartedReports, freezeReport, withWidgetIds } from './freeze.js';

/**
 * Publishes a workbook's dashboard: the config of the body, else the draft. Everything is read, checked, compiled and
 * converted before the version is written.
 */
export async function publish(
  deps: PlatformRoutesDeps,
  workbook: StoredWorkbook,
  userId: number,
  body: BodyOf<typeof publishDashboard>,
): Promise<void> {
  await checkTarget(deps, workbook, body);
  const config = body.config ?? draftOf(workbook);
  if (!config) throw new PlatformError(400, 'body.config: is needed where the workbook has no dashboardDraft');
  const widgets = config.widgets ?? [];
  const model = deps.publicModel();
  if (model !== null) checkControls(widgets, model);
  await publishVersion(deps.db, {
    workbookId: workbook.id,
    userId,
    allowEmbed: body.allowEmbed ?? null,
    title: body.title ?? null,
    description: body.description ?? null,
    config,
    snapshots: await freezeReports(deps, workbook.deploymentId, widgets),
  });
}

/** The draft of a workbook, every widget with its id; null when there is none. */
export function draftOf(workbook: StoredWorkbook): DashboardConfigInput | null {
  const draft = workbook.meta.dashboardDraft;
  return draft == null ? null : withWidgetIds(DashboardDraftInput.parse(draft));
}

async function checkTarget(
  deps: PlatformRoutesDeps,
  workbook: StoredWorkbook,
  body: BodyOf<typeof publishDashboard>,
): Promise<void> {
  if (body.workbookId != null && body.workbookId !== workbook.id) {
    throw new PlatformError(400, "body.workbookId: must be the path's workbookId");
  }
  if (body.dashboardId != null && body.dashboardId !== (await findDashboardId(deps.db, workbook.id))) {
    throw new PlatformError(400, 'body.dashboardId: is not the dashboard of this workbook');
  }
}

async function freezeReports(
  deps: PlatformRoutesDeps,
  deploymentId: number,
  widgets: NonNullable<DashboardConfigInput['widgets']>,
): Promise<NewSnapshot[]> {
  refuseTwins(widgets.map(widget => widget.id));
  const charted = chartedReports(widgets);
  const reports = await findReports(deps.db, deploymentId, [...charted.keys()]);
  const byId = new Map(reports.map(report => [report.id, report]));
  const snapshots: NewSnapshot[] = [];
  for (const [reportId, widgetId] of charted) {
    const report = byId.get(reportId);
    if (!report) {
      throw new PlatformError(400, `Widget ${widgetId}: report ${reportId} does not exist in this deployment`);
    }
    snapshots.push(await freezeReport(report, deps));
  }
  return snapshots;
}

function refuseTwins(ids: readonly string[]): void {
  const twin = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twin !== undefined) throw new PlatformError(400, `Widget ${twin}: two widgets have this id`);
}
