import * as folders from '../../contract/folders.js';
import type { BodyOf, ParamsOf, QueryOf, ResponseOf } from '../../contract/operation.js';
import type { Workbook } from '../../contract/workbooks.js';
import * as workspace from '../../contract/workspace.js';
import { call, type PlatformConnection } from '../http/connection.js';
import type { RequestOptions } from '../http/request.js';

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

/** One page of the folders in `parentId`, or at the root. */
export function listFolders(
  connection: PlatformConnection,
  deploymentId: number,
  query: QueryOf<typeof folders.getFolders> = {},
  options?: RequestOptions,
): Promise<ResponseOf<typeof folders.getFolders>> {
  return call(folders.getFolders, connection, { params: { deploymentId }, query }, options);
}

/** Creates a folder, at the root or in `parentId`. */
export function createFolder(
  connection: PlatformConnection,
  deploymentId: number,
  body: BodyOf<typeof folders.createFolder>,
  options?: RequestOptions,
): Promise<folders.Folder> {
  return call(folders.createFolder, connection, { params: { deploymentId }, body }, options);
}

/** Which folder: `{deploymentId, folderId}`. */
export type FolderRef = ParamsOf<typeof folders.getFolderAncestors>;

/** Renames a folder or changes its place among the others; `moveWorkspaceItem` gives it another parent. */
export function updateFolder(
  connection: PlatformConnection,
  params: FolderRef,
  body: BodyOf<typeof folders.updateFolder>,
  options?: RequestOptions,
): Promise<folders.Folder> {
  return call(folders.updateFolder, connection, { params, body }, options);
}

/** Deletes a folder without folders in it; what lies in it moves to the root. */
export function deleteFolder(
  connection: PlatformConnection,
  params: FolderRef,
  options?: RequestOptions,
): Promise<void> {
  return call(folders.deleteFolder, connection, { params }, options);
}

/** The way to a folder, root first and itself last. */
export function getFolderAncestors(
  connection: PlatformConnection,
  params: FolderRef,
  options?: RequestOptions,
): Promise<folders.Folder[]> {
  return call(folders.getFolderAncestors, connection, { params }, options);
}
