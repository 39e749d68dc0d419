import * as exports from '../../contract/dashboard-exports.js';
import type { ParamsOf, QueryOf } from '../../contract/operation.js';
import { callFile, type Endpoint, endpoint, type PlatformConnection } from '../http/connection.js';
import type { RequestOptions } from '../http/request.js';

/** Identifies an export. */
export type DashboardExportRef = ParamsOf<typeof exports.getExportStatus>;

/** Starts an export of a published dashboard as PDF, PNG, XLSX or CSV. The file is available for 5 minutes. */
export const startDashboardExport: Endpoint<typeof exports.startExport, 'deploymentId'> = /* @__PURE__ */ endpoint(
  exports.startExport,
  'deploymentId',
);

/** Returns the state of an export. Poll while it is `pending` or `processing`. */
export const getDashboardExportStatus: Endpoint<typeof exports.getExportStatus> = /* @__PURE__ */ endpoint(
  exports.getExportStatus,
);

/** Cancels an export, and deletes its file. */
export const cancelDashboardExport: Endpoint<typeof exports.cancelExport> = /* @__PURE__ */ endpoint(
  exports.cancelExport,
);

/** Downloads the file of a completed export. */
export function downloadDashboardExport(
  connection: PlatformConnection,
  params: DashboardExportRef,
  query: QueryOf<typeof exports.downloadExport> = {},
  options?: RequestOptions,
): Promise<Blob> {
  return callFile(exports.downloadExport, connection, { params, query }, options);
}
