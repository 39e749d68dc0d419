import type { BodyOf, QueryOf, ResponseOf } from '../contract/operation.js';
import type { Workbook } from '../contract/workbooks.js';
import * as workspace from '../contract/workspace.js';
import { call, type PlatformConnection } from './connection.js';
import type { RequestOptions } from './request.js';

/** One page of what the caller has in a folder, or at the root; with `search` of all folders. */
export function listWorkspace(
  connection: PlatformConnection,
  deploymentId: number,
  query: QueryOf<typeof workspace.workspaceObjects> = {},
  options?: RequestOptions,
): Promise<ResponseOf<typeof workspace.workspaceObjects>> {
  return call(workspace.workspaceObjects, connection, { params: { deploymentId }, query }, options);
}

/** One page of what is shared with the session's embed tenant; for embed tokens alone. */
export function listSharedWorkspace(
  connection: PlatformConnection,
  deploymentId: number,
  query: QueryOf<typeof workspace.sharedWorkspaceObjects> = {},
  options?: RequestOptions,
): Promise<ResponseOf<typeof workspace.sharedWorkspaceObjects>> {
  return call(workspace.sharedWorkspaceObjects, connection, { params: { deploymentId }, query }, options);
}

/** Moves a workbook, report or folder into a folder, or to the root. */
export function moveWorkspaceItem(
  connection: PlatformConnection,
  deploymentId: number,
  body: BodyOf<typeof workspace.moveWorkspaceObject>,
  options?: RequestOptions,
): Promise<Workbook> {
  return call(workspace.moveWorkspaceObject, connection, { params: { deploymentId }, body }, options);
}

/** Moves up to 100 items; look at `failed` for those that could not be moved. */
export function moveWorkspaceItems(
  connection: PlatformConnection,
  deploymentId: number,
  body: BodyOf<typeof workspace.bulkMoveWorkspaceObjects>,
  options?: RequestOptions,
): Promise<ResponseOf<typeof workspace.bulkMoveWorkspaceObjects>> {
  return call(workspace.bulkMoveWorkspaceObjects, connection, { params: { deploymentId }, body }, options);
}

/** Deletes up to 100 items; look at `failed` for those that could not be deleted. */
export function deleteWorkspaceItems(
  connection: PlatformConnection,
  deploymentId: number,
  body: BodyOf<typeof workspace.bulkDeleteWorkspaceObjects>,
  options?: RequestOptions,
): Promise<ResponseOf<typeof workspace.bulkDeleteWorkspaceObjects>> {
  return call(workspace.bulkDeleteWorkspaceObjects, connection, { params: { deploymentId }, body }, options);
}
