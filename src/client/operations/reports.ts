import type { ParamsOf, QueryOf, ResponseOf } from '../../contract/operation.js';
import type { ConnectReport, DisconnectReport, RefreshReport } from '../../contract/report-placements.js';
import * as reports from '../../contract/reports.js';
import { call, type PlatformConnection } from '../http/connection.js';
import type { RequestOptions } from '../http/request.js';

/** Creates a report; an own `publicId` puts it under management as code (spec 4.2). */
export function createReport(
  connection: PlatformConnection,
  deploymentId: number,
  body: reports.CreateReport,
  options?: RequestOptions,
): Promise<reports.Report> {
  return call(reports.createReport, connection, { params: { deploymentId }, body }, options);
}

/** Creates or updates the report of a `publicId`: sent fields alone change. `upsert_branch_changed` asks to try again. */
export function upsertReportByPublicId(
  connection: PlatformConnection,
  params: ParamsOf<typeof reports.upsertReportByPublicId>,
  body: reports.CreateReport,
  options?: RequestOptions,
): Promise<reports.Report> {
  return call(reports.upsertReportByPublicId, connection, { params, body }, options);
}

/** One report. */
export function getReport(
  connection: PlatformConnection,
  params: ParamsOf<typeof reports.getReport>,
  options?: RequestOptions,
): Promise<reports.Report> {
  return call(reports.getReport, connection, { params }, options);
}

/** One page of the reports that the caller may read; `query` filters, sorts and pages (spec 4.5). */
export function listReports(
  connection: PlatformConnection,
  deploymentId: number,
  query: QueryOf<typeof reports.getReports> = {},
  options?: RequestOptions,
): Promise<ResponseOf<typeof reports.getReports>> {
  return call(reports.getReports, connection, { params: { deploymentId }, query }, options);
}

/** Changes what is sent of a report; `publicId` can be given once (spec 4.2). */
export function updateReport(
  connection: PlatformConnection,
  params: ParamsOf<typeof reports.updateReport>,
  body: reports.UpdateReport,
  options?: RequestOptions,
): Promise<reports.Report> {
  return call(reports.updateReport, connection, { params, body }, options);
}

/** Deletes a report; what was published of it stays as it is. */
export function deleteReport(
  connection: PlatformConnection,
  params: ParamsOf<typeof reports.deleteReport>,
  options?: RequestOptions,
): Promise<void> {
  return call(reports.deleteReport, connection, { params }, options);
}

/** Records where a report stands in a spreadsheet of the caller's (spec 4.5). */
export function connectReportToWorkbook(
  connection: PlatformConnection,
  params: ParamsOf<typeof reports.connectReportToWorkbook>,
  body: ConnectReport,
  options?: RequestOptions,
): Promise<reports.Report> {
  return call(reports.connectReportToWorkbook, connection, { params, body }, options);
}

/** Forgets one placement of a report; one that is not there is fine. */
export function disconnectReportFromWorkbook(
  connection: PlatformConnection,
  params: ParamsOf<typeof reports.disconnectReportFromWorkbook>,
  body: DisconnectReport,
  options?: RequestOptions,
): Promise<reports.Report> {
  return call(reports.disconnectReportFromWorkbook, connection, { params, body }, options);
}

/** Tells that a report's result was made anew, and in which placement it stands. */
export function refreshReport(
  connection: PlatformConnection,
  params: ParamsOf<typeof reports.refreshReport>,
  body: RefreshReport = {},
  options?: RequestOptions,
): Promise<reports.Report> {
  return call(reports.refreshReport, connection, { params, body }, options);
}
