import * as reports from '../../contract/reports.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/** Creates a report. A report with a `publicId` is managed as code (spec 4.2). */
export const createReport: Endpoint<typeof reports.createReport, 'deploymentId'> = /* @__PURE__ */ endpoint(
  reports.createReport,
  'deploymentId',
);

/**
 * Creates or updates the report with a `publicId`. Omitted fields stay unchanged (spec 4.2). Retry on
 * `upsert_branch_changed`.
 */
export const upsertReportByPublicId: Endpoint<typeof reports.upsertReportByPublicId> = /* @__PURE__ */ endpoint(
  reports.upsertReportByPublicId,
);

/** Returns a report. */
export const getReport: Endpoint<typeof reports.getReport> = /* @__PURE__ */ endpoint(reports.getReport);

/** Lists the reports that the caller can read, one page at a time; `query` filters, sorts and paginates (spec 4.5). */
export const listReports: Endpoint<typeof reports.getReports, 'deploymentId'> = /* @__PURE__ */ endpoint(
  reports.getReports,
  'deploymentId',
);

/** Updates a report. Omitted fields stay unchanged; `publicId` can be set only once (spec 4.2). */
export const updateReport: Endpoint<typeof reports.updateReport> = /* @__PURE__ */ endpoint(reports.updateReport);

/** Deletes a report. Published snapshots of it stay unchanged. */
export const deleteReport: Endpoint<typeof reports.deleteReport> = /* @__PURE__ */ endpoint(reports.deleteReport);

/** Records the placement of a report in one of the caller's spreadsheets (spec 4.5). */
export const connectReportToWorkbook: Endpoint<typeof reports.connectReportToWorkbook> = /* @__PURE__ */ endpoint(
  reports.connectReportToWorkbook,
);

/** Removes one placement of a report; succeeds if there is none. */
export const disconnectReportFromWorkbook: Endpoint<typeof reports.disconnectReportFromWorkbook> =
  /* @__PURE__ */ endpoint(reports.disconnectReportFromWorkbook);

/** Records that a report's result was refreshed, and in which placement. */
export const refreshReport: Endpoint<typeof reports.refreshReport> = /* @__PURE__ */ endpoint(reports.refreshReport);
