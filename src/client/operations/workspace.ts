import * as folders from '../../contract/folders.js';
import type { ParamsOf } from '../../contract/operation.js';
import * as workspace from '../../contract/workspace.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/** Lists the caller's objects in a folder or at the root, one page at a time; `search` covers all folders. */
export const listWorkspace: Endpoint<typeof workspace.workspaceObjects, 'deploymentId'> = /* @__PURE__ */ endpoint(
  workspace.workspaceObjects,
  'deploymentId',
);

/** Lists what is shared with the session's embed tenant, one page at a time. Requires an embed token. */
export const listSharedWorkspace: Endpoint<typeof workspace.sharedWorkspaceObjects, 'deploymentId'> =
  /* @__PURE__ */ endpoint(workspace.sharedWorkspaceObjects, 'deploymentId');

/** Moves a workbook, report or folder into a folder or to the root. */
export const moveWorkspaceItem: Endpoint<typeof workspace.moveWorkspaceObject, 'deploymentId'> =
  /* @__PURE__ */ endpoint(workspace.moveWorkspaceObject, 'deploymentId');

/** Moves up to 100 items; `failed` lists those that could not be moved. */
export const moveWorkspaceItems: Endpoint<typeof workspace.bulkMoveWorkspaceObjects, 'deploymentId'> =
  /* @__PURE__ */ endpoint(workspace.bulkMoveWorkspaceObjects, 'deploymentId');

/** Deletes up to 100 items; `failed` lists those that could not be deleted. */
export const deleteWorkspaceItems: Endpoint<typeof workspace.bulkDeleteWorkspaceObjects, 'deploymentId'> =
  /* @__PURE__ */ endpoint(workspace.bulkDeleteWorkspaceObjects, 'deploymentId');

/** Adds an item to the caller's favorites, or removes it. */
export const setWorkspaceFavorite: Endpoint<typeof workspace.setWorkspaceFavorite, 'deploymentId'> =
  /* @__PURE__ */ endpoint(workspace.setWorkspaceFavorite, 'deploymentId');

/** Lists the folders in `parentId` or at the root, one page at a time. */
export const listFolders: Endpoint<typeof folders.getFolders, 'deploymentId'> = /* @__PURE__ */ endpoint(
  folders.getFolders,
  'deploymentId',
);

/** Creates a folder at the root or in `parentId`. */
export const createFolder: Endpoint<typeof folders.createFolder, 'deploymentId'> = /* @__PURE__ */ endpoint(
  folders.createFolder,
  'deploymentId',
);

/** Identifies a folder: `{deploymentId, folderId}`. */
export type FolderRef = ParamsOf<typeof folders.getFolderAncestors>;

/** Renames a folder or changes its position among its siblings. Use `moveWorkspaceItem` to change its parent. */
export const updateFolder: Endpoint<typeof folders.updateFolder> = /* @__PURE__ */ endpoint(folders.updateFolder);

/** Deletes a folder that has no subfolders; its content moves to the root. */
export const deleteFolder: Endpoint<typeof folders.deleteFolder> = /* @__PURE__ */ endpoint(folders.deleteFolder);

/** Returns the path to a folder, from the root to the folder itself. */
export const getFolderAncestors: Endpoint<typeof folders.getFolderAncestors> = /* @__PURE__ */ endpoint(
  folders.getFolderAncestors,
);
