import type { Hono } from 'hono';
import { connectReportToWorkbook, disconnectReportFromWorkbook, refreshReport } from '../../contract/reports.js';
import { contentAccess, Level } from '../access/content-access.js';
import type { Principal } from '../principal.js';
import type { Db } from '../store/database.js';
import { lockReport, markRefreshed, type ReportKey, type StoredReport } from '../store/reports.js';
import { requireDeployment } from './access.js';
import type { PlatformRoutesDeps } from './deps.js';
import { displaceReport, placeReport, refreshPlaced, resultOf } from './place-report.js';
import { reportAtLevel } from './report-access.js';
import { showReport } from './show-report.js';
import { write } from './write.js';

/** Where reports stand in spreadsheets: recorded, forgotten, refreshed; reading the report is enough (spec 4.5). */
export function mountReportPlacements(app: Hono, deps: PlatformRoutesDeps): void {
  write(app, connectReportToWorkbook, deps, async ({ params, body, principal }, tx) => {
    const report = await lockReadable(tx, principal, params);
    const held = body.addressOnly === true ? {} : resultOf(report, body);
    await placeReport(tx, report, principal.userId, body, held);
    return showReport(tx, principal, params);
  });

  write(app, disconnectReportFromWorkbook, deps, async ({ params, body, principal }, tx) => {
    await displaceReport(tx, await lockReadable(tx, principal, params), body);
    return showReport(tx, principal, params);
  });

  write(app, refreshReport, deps, async ({ params, body, principal }, tx) => {
    const report = await lockReadable(tx, principal, params);
    await markRefreshed(tx, report.id, principal.userId);
    await refreshPlaced(tx, report, principal.userId, body);
    return showReport(tx, principal, params);
  });
}

/** The report of a path, which stays as it is until the transaction ends. */
async function lockReadable(tx: Db, principal: Principal, key: ReportKey): Promise<StoredReport> {
  await requireDeployment(tx, principal, key.deploymentId);
  const found = await lockReport(tx, contentAccess(principal), key);
  return reportAtLevel(found, Level.read).report;
}
