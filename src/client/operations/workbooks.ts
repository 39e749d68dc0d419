import type { Dashboard } from '../../contract/dashboards.js';
import type { BodyOf, ParamsOf, QueryOf, ResponseOf } from '../../contract/operation.js';
import * as workbooks from '../../contract/workbooks.js';
import { call, type PlatformConnection } from '../http/connection.js';
import type { RequestOptions } from '../http/request.js';

/** Which workbook: `{deploymentId, workbookId}`. */
export type WorkbookRef = ParamsOf<typeof workbooks.getWorkbook>;

/** The workbooks of a deployment that the caller may read, a page at a time, the newest first. */
export function getWorkbooks(
  connection: PlatformConnection,
  params: ParamsOf<typeof workbooks.getWorkbooks>,
  query: QueryOf<typeof workbooks.getWorkbooks> = {},
  options?: RequestOptions,
): Promise<ResponseOf<typeof workbooks.getWorkbooks>> {
  return call(workbooks.getWorkbooks, connection, { params, query }, options);
}

/** Creates a workbook, at the root or in a folder. */
export function createWorkbook(
  connection: PlatformConnection,
  params: ParamsOf<typeof workbooks.createWorkbook>,
  body: BodyOf<typeof workbooks.createWorkbook> = {},
  options?: RequestOptions,
): Promise<workbooks.Workbook> {
  return call(workbooks.createWorkbook, connection, { params, body }, options);
}

/** Creates or updates the workbook of a slug: sent fields alone change (spec 4.3). `upsert_branch_changed` asks to try again. */
export function upsertWorkbookBySlug(
  connection: PlatformConnection,
  params: ParamsOf<typeof workbooks.upsertWorkbookBySlug>,
  body: BodyOf<typeof workbooks.upsertWorkbookBySlug>,
  options?: RequestOptions,
): Promise<workbooks.Workbook> {
  return call(workbooks.upsertWorkbookBySlug, connection, { params, body }, options);
}

/** One workbook. */
export function getWorkbook(
  connection: PlatformConnection,
  params: WorkbookRef,
  options?: RequestOptions,
): Promise<workbooks.Workbook> {
  return call(workbooks.getWorkbook, connection, { params }, options);
}

/** Changes a workbook: sent fields alone change, `meta` is replaced. `slug_taken` tells of a slug that `slugTakeover` could take (spec 4.5). */
export function updateWorkbook(
  connection: PlatformConnection,
  params: WorkbookRef,
  body: BodyOf<typeof workbooks.updateWorkbook>,
  options?: RequestOptions,
): Promise<workbooks.Workbook> {
  return call(workbooks.updateWorkbook, connection, { params, body }, options);
}

/** Deletes a workbook with its reports and its published dashboard. */
export function deleteWorkbook(
  connection: PlatformConnection,
  params: WorkbookRef,
  options?: RequestOptions,
): Promise<void> {
  return call(workbooks.deleteWorkbook, connection, { params }, options);
}

/** Copies a workbook as "Copy of …"; with `shared`, one of the shared workspace. */
export function duplicateWorkbook(
  connection: PlatformConnection,
  params: WorkbookRef,
  body: BodyOf<typeof workbooks.duplicateWorkbook> = {},
  options?: RequestOptions,
): Promise<workbooks.Workbook> {
  return call(workbooks.duplicateWorkbook, connection, { params, body }, options);
}

/** Replaces the draft of a workbook's dashboard; null removes it. */
export function updateWorkbookDashboard(
  connection: PlatformConnection,
  params: WorkbookRef,
  body: BodyOf<typeof workbooks.updateWorkbookDashboard>,
  options?: RequestOptions,
): Promise<workbooks.WorkbookDashboard> {
  return call(workbooks.updateWorkbookDashboard, connection, { params, body }, options);
}

/** Publishes the dashboard of a workbook: `config`, else its draft. There is no new version of what is published already. */
export function publishDashboard(
  connection: PlatformConnection,
  params: WorkbookRef,
  body: BodyOf<typeof workbooks.publishDashboard>,
  options?: RequestOptions,
): Promise<Dashboard> {
  return call(workbooks.publishDashboard, connection, { params, body }, options);
}

/** Attaches a thread to an AI widget of the published dashboard (spec 4.5). */
export function updatePublishedDashboardAiWidgetThread(
  connection: PlatformConnection,
  params: WorkbookRef,
  body: BodyOf<typeof workbooks.updatePublishedDashboardAiWidgetThread>,
  options?: RequestOptions,
): Promise<Dashboard> {
  return call(workbooks.updatePublishedDashboardAiWidgetThread, connection, { params, body }, options);
}
