import type { BodyOf, ParamsOf, QueryOf, ResponseOf } from '../../contract/operation.js';
import * as repository from '../../contract/repository.js';
import * as sync from '../../contract/transform-sync.js';
import { call, type PlatformConnection } from '../http/connection.js';
import type { RequestOptions } from '../http/request.js';

/** Which run of the sync is meant. */
export type SyncRef = ParamsOf<typeof sync.getXformSyncStatus>;

/** Starts a model-transform sync, optionally on a branch (spec 4.5). */
export function startTransformSync(
  connection: PlatformConnection,
  deploymentId: number,
  body: BodyOf<typeof sync.startXformSync> = {},
  options?: RequestOptions,
): Promise<ResponseOf<typeof sync.startXformSync>> {
  return call(sync.startXformSync, connection, { params: { deploymentId }, body }, options);
}

/** One page of the runs, the newest first. */
export function listTransformSyncs(
  connection: PlatformConnection,
  deploymentId: number,
  query: QueryOf<typeof sync.listXformSyncs> = {},
  options?: RequestOptions,
): Promise<ResponseOf<typeof sync.listXformSyncs>> {
  return call(sync.listXformSyncs, connection, { params: { deploymentId }, query }, options);
}

/** How far a run has come. */
export function getTransformSyncStatus(
  connection: PlatformConnection,
  params: SyncRef,
  options?: RequestOptions,
): Promise<ResponseOf<typeof sync.getXformSyncStatus>> {
  return call(sync.getXformSyncStatus, connection, { params }, options);
}

/** Cancels a run. */
export function cancelTransformSync(
  connection: PlatformConnection,
  params: SyncRef,
  options?: RequestOptions,
): Promise<ResponseOf<typeof sync.cancelXformSync>> {
  return call(sync.cancelXformSync, connection, { params }, options);
}

/** What came of a run that was completed. */
export function getTransformSyncResult(
  connection: PlatformConnection,
  params: SyncRef,
  options?: RequestOptions,
): Promise<ResponseOf<typeof sync.getXformSyncResult>> {
  return call(sync.getXformSyncResult, connection, { params }, options);
}

/** The log of a run. */
export function getTransformSyncLogs(
  connection: PlatformConnection,
  params: SyncRef,
  options?: RequestOptions,
): Promise<ResponseOf<typeof sync.getXformSyncLogs>> {
  return call(sync.getXformSyncLogs, connection, { params }, options);
}

/** One page of the files that a run has made and not committed. */
export function getTransformSyncGeneratedFiles(
  connection: PlatformConnection,
  params: SyncRef,
  query: QueryOf<typeof sync.getXformSyncGeneratedFiles> = {},
  options?: RequestOptions,
): Promise<ResponseOf<typeof sync.getXformSyncGeneratedFiles>> {
  return call(sync.getXformSyncGeneratedFiles, connection, { params, query }, options);
}

/** Connects a deployment to a repository and triggers a build (spec 4.4). */
export function connectRepository(
  connection: PlatformConnection,
  deploymentId: number,
  body: BodyOf<typeof repository.connectRepository>,
  options?: RequestOptions,
): Promise<ResponseOf<typeof repository.connectRepository>> {
  return call(repository.connectRepository, connection, { params: { deploymentId }, body }, options);
}
