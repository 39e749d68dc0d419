import type { ParamsOf } from '../contract/operation.js';
import * as reports from '../contract/reports.js';
import { call, type PlatformConnection } from './connection.js';
import type { RequestOptions } from './request.js';

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
