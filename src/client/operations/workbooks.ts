import type { ParamsOf } from '../../contract/operation.js';
import * as workbooks from '../../contract/workbooks.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/** Identifies a workbook: `{deploymentId, workbookId}`. */
export type WorkbookRef = ParamsOf<typeof workbooks.getWorkbook>;

/** Lists the workbooks of a deployment that the caller can read, newest first, one page at a time. */
export const getWorkbooks: Endpoint<typeof workbooks.getWorkbooks> = /* @__PURE__ */ endpoint(workbooks.getWorkbooks);

/** Creates a workbook at the root or in a folder. */
export const createWorkbook: Endpoint<typeof workbooks.createWorkbook> = /* @__PURE__ */ endpoint(
  workbooks.createWorkbook,
);

/**
 * Creates or updates the workbook with a slug. Omitted fields stay unchanged (spec 4.3). Retry on
 * `upsert_branch_changed`.
 */
export const upsertWorkbookBySlug: Endpoint<typeof workbooks.upsertWorkbookBySlug> = /* @__PURE__ */ endpoint(
  workbooks.upsertWorkbookBySlug,
);

/** Returns a workbook. */
export const getWorkbook: Endpoint<typeof workbooks.getWorkbook> = /* @__PURE__ */ endpoint(workbooks.getWorkbook);

/**
 * Updates a workbook. Omitted fields stay unchanged; `meta` is replaced as a whole. `slug_taken` means that another
 * workbook has the slug; `slugTakeover` can take it over (spec 4.5).
 */
export const updateWorkbook: Endpoint<typeof workbooks.updateWorkbook> = /* @__PURE__ */ endpoint(
  workbooks.updateWorkbook,
);

/** Deletes a workbook with its reports and its published dashboard. */
export const deleteWorkbook: Endpoint<typeof workbooks.deleteWorkbook> = /* @__PURE__ */ endpoint(
  workbooks.deleteWorkbook,
);

/** Copies a workbook as "Copy of …". With `shared`, copies one from the shared workspace. */
export const duplicateWorkbook: Endpoint<typeof workbooks.duplicateWorkbook> = /* @__PURE__ */ endpoint(
  workbooks.duplicateWorkbook,
);

/** Replaces the draft of a workbook's dashboard; `null` removes it. */
export const updateWorkbookDashboard: Endpoint<typeof workbooks.updateWorkbookDashboard> = /* @__PURE__ */ endpoint(
  workbooks.updateWorkbookDashboard,
);

/**
 * Publishes the dashboard of a workbook: `config`, or its draft by default. Publishing unchanged content creates no new
 * version.
 */
export const publishDashboard: Endpoint<typeof workbooks.publishDashboard> = /* @__PURE__ */ endpoint(
  workbooks.publishDashboard,
);

/** Lists the published versions of a workbook's dashboard, newest first. */
export const listDashboardVersions: Endpoint<typeof workbooks.listDashboardVersions> = /* @__PURE__ */ endpoint(
  workbooks.listDashboardVersions,
);

/** Returns a published version with its reports. */
export const getDashboardVersion: Endpoint<typeof workbooks.getDashboardVersion> = /* @__PURE__ */ endpoint(
  workbooks.getDashboardVersion,
);

/** Attaches a chat thread to an AI widget of the published dashboard (spec 4.5). */
export const updatePublishedDashboardAiWidgetThread: Endpoint<typeof workbooks.updatePublishedDashboardAiWidgetThread> =
  /* @__PURE__ */ endpoint(workbooks.updatePublishedDashboardAiWidgetThread);
