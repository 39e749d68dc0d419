import * as folders from '../contract/folders.js';
import type { BodyOf, ParamsOf, QueryOf, ResponseOf } from '../contract/operation.js';
import { call, type PlatformConnection } from './connection.js';
import type { RequestOptions } from './request.js';

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
