import type { Dashboard } from '../contract/dashboards.js';
import type { BodyOf, ParamsOf } from '../contract/operation.js';
import * as workbooks from '../contract/workbooks.js';
import { call, type PlatformConnection } from './connection.js';
import type { RequestOptions } from './request.js';

/** Which workbook: `{deploymentId, workbookId}`. */
export type WorkbookRef = ParamsOf<typeof workbooks.getWorkbook>;

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

/** Publishes the dashboard of a workbook: `config`, else its draft. */
export function publishDashboard(
  connection: PlatformConnection,
  params: WorkbookRef,
  body: BodyOf<typeof workbooks.publishDashboard>,
  options?: RequestOptions,
): Promise<Dashboard> {
  return call(workbooks.publishDashboard, connection, { params, body }, options);
}
