import type { ParamsOf } from '../../contract/operation.js';
import * as workbooks from '../../contract/workbooks.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/** Which workbook: `{deploymentId, workbookId}`. */
export type WorkbookRef = ParamsOf<typeof workbooks.getWorkbook>;

/** The workbooks of a deployment that the caller may read, a page at a time, the newest first. */
export const getWorkbooks: Endpoint<typeof workbooks.getWorkbooks> = /* @__PURE__ */ endpoint(workbooks.getWorkbooks);

/** Creates a workbook, at the root or in a folder. */
export const createWorkbook: Endpoint<typeof workbooks.createWorkbook> = /* @__PURE__ */ endpoint(
  workbooks.createWorkbook,
);

/** Creates or updates the workbook of a slug: sent fields alone change (spec 4.3). `upsert_branch_changed` asks to try again. */
export const upsertWorkbookBySlug: Endpoint<typeof workbooks.upsertWorkbookBySlug> = /* @__PURE__ */ endpoint(
  workbooks.upsertWorkbookBySlug,
);

/** One workbook. */
export const getWorkbook: Endpoint<typeof workbooks.getWorkbook> = /* @__PURE__ */ endpoint(workbooks.getWorkbook);

/** Changes a workbook: sent fields alone change, `meta` is replaced. `slug_taken` tells of a slug that `slugTakeover` could take (spec 4.5). */
export const updateWorkbook: Endpoint<typeof workbooks.updateWorkbook> = /* @__PURE__ */ endpoint(
  workbooks.updateWorkbook,
);

/** Deletes a workbook with its reports and its published dashboard. */
export const deleteWorkbook: Endpoint<typeof workbooks.deleteWorkbook> = /* @__PURE__ */ endpoint(
  workbooks.deleteWorkbook,
);

/** Copies a workbook as "Copy of …"; with `shared`, one of the shared workspace. */
export const duplicateWorkbook: Endpoint<typeof workbooks.duplicateWorkbook> = /* @__PURE__ */ endpoint(
  workbooks.duplicateWorkbook,
);

/** Replaces the draft of a workbook's dashboard; null removes it. */
export const updateWorkbookDashboard: Endpoint<typeof workbooks.updateWorkbookDashboard> = /* @__PURE__ */ endpoint(
  workbooks.updateWorkbookDashboard,
);

/** Publishes the dashboard of a workbook: `config`, else its draft. There is no new version of what is published already. */
export const publishDashboard: Endpoint<typeof workbooks.publishDashboard> = /* @__PURE__ */ endpoint(
  workbooks.publishDashboard,
);

/** Attaches a thread to an AI widget of the published dashboard (spec 4.5). */
export const updatePublishedDashboardAiWidgetThread: Endpoint<typeof workbooks.updatePublishedDashboardAiWidgetThread> =
  /* @__PURE__ */ endpoint(workbooks.updatePublishedDashboardAiWidgetThread);
