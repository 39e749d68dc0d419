import * as reports from '../../contract/reports.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/** Creates a report; an own `publicId` puts it under management as code (spec 4.2). */
export const createReport: Endpoint<typeof reports.createReport, 'deploymentId'> = /* @__PURE__ */ endpoint(
  reports.createReport,
  'deploymentId',
);

/** Creates or updates the report of a `publicId`: sent fields alone change. `upsert_branch_changed` asks to try again. */
export const upsertReportByPublicId: Endpoint<typeof reports.upsertReportByPublicId> = /* @__PURE__ */ endpoint(
  reports.upsertReportByPublicId,
);

/** One report. */
export const getReport: Endpoint<typeof reports.getReport> = /* @__PURE__ */ endpoint(reports.getReport);

/** One page of the reports that the caller may read; `query` filters, sorts and pages (spec 4.5). */
export const listReports: Endpoint<typeof reports.getReports, 'deploymentId'> = /* @__PURE__ */ endpoint(
  reports.getReports,
  'deploymentId',
);

/** Changes what is sent of a report; `publicId` can be given once (spec 4.2). */
export const updateReport: Endpoint<typeof reports.updateReport> = /* @__PURE__ */ endpoint(reports.updateReport);

/** Deletes a report; what was published of it stays as it is. */
export const deleteReport: Endpoint<typeof reports.deleteReport> = /* @__PURE__ */ endpoint(reports.deleteReport);

/** Records where a report stands in a spreadsheet of the caller's (spec 4.5). */
export const connectReportToWorkbook: Endpoint<typeof reports.connectReportToWorkbook> = /* @__PURE__ */ endpoint(
  reports.connectReportToWorkbook,
);

/** Forgets one placement of a report; one that is not there is fine. */
export const disconnectReportFromWorkbook: Endpoint<typeof reports.disconnectReportFromWorkbook> =
  /* @__PURE__ */ endpoint(reports.disconnectReportFromWorkbook);

/** Tells that a report's result was made anew, and in which placement it stands. */
export const refreshReport: Endpoint<typeof reports.refreshReport> = /* @__PURE__ */ endpoint(reports.refreshReport);
