import type { ParamsOf } from '../../contract/operation.js';
import * as sync from '../../contract/transform-sync.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/** Identifies a sync run. */
export type SyncRef = ParamsOf<typeof sync.getXformSyncStatus>;

/** Starts a model-transform sync, optionally on a branch (spec 4.5). */
export const startTransformSync: Endpoint<typeof sync.startXformSync, 'deploymentId'> = /* @__PURE__ */ endpoint(
  sync.startXformSync,
  'deploymentId',
);

/** Lists the runs, newest first, one page at a time. */
export const listTransformSyncs: Endpoint<typeof sync.listXformSyncs, 'deploymentId'> = /* @__PURE__ */ endpoint(
  sync.listXformSyncs,
  'deploymentId',
);

/** Returns the progress of a run. */
export const getTransformSyncStatus: Endpoint<typeof sync.getXformSyncStatus> = /* @__PURE__ */ endpoint(
  sync.getXformSyncStatus,
);

/** Cancels a run. */
export const cancelTransformSync: Endpoint<typeof sync.cancelXformSync> = /* @__PURE__ */ endpoint(
  sync.cancelXformSync,
);

/** Returns the result of a completed run. */
export const getTransformSyncResult: Endpoint<typeof sync.getXformSyncResult> = /* @__PURE__ */ endpoint(
  sync.getXformSyncResult,
);

/** Returns the log of a run. */
export const getTransformSyncLogs: Endpoint<typeof sync.getXformSyncLogs> = /* @__PURE__ */ endpoint(
  sync.getXformSyncLogs,
);

/** Lists the generated files of a run that are not committed, one page at a time. */
export const getTransformSyncGeneratedFiles: Endpoint<typeof sync.getXformSyncGeneratedFiles> =
  /* @__PURE__ */ endpoint(sync.getXformSyncGeneratedFiles);
