import * as folders from '../../contract/folders.js';
import type { ParamsOf } from '../../contract/operation.js';
import * as workspace from '../../contract/workspace.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/** One page of what the caller has in a folder, or at the root; with `search` of all folders. */
export const listWorkspace: Endpoint<typeof workspace.workspaceObjects, 'deploymentId'> = /* @__PURE__ */ endpoint(
  workspace.workspaceObjects,
  'deploymentId',
);

/** One page of what is shared with the session's embed tenant; for embed tokens alone. */
export const listSharedWorkspace: Endpoint<typeof workspace.sharedWorkspaceObjects, 'deploymentId'> =
  /* @__PURE__ */ endpoint(workspace.sharedWorkspaceObjects, 'deploymentId');

/** Moves a workbook, report or folder into a folder, or to the root. */
export const moveWorkspaceItem: Endpoint<typeof workspace.moveWorkspaceObject, 'deploymentId'> =
  /* @__PURE__ */ endpoint(workspace.moveWorkspaceObject, 'deploymentId');

/** Moves up to 100 items; look at `failed` for those that could not be moved. */
export const moveWorkspaceItems: Endpoint<typeof workspace.bulkMoveWorkspaceObjects, 'deploymentId'> =
  /* @__PURE__ */ endpoint(workspace.bulkMoveWorkspaceObjects, 'deploymentId');

/** Deletes up to 100 items; look at `failed` for those that could not be deleted. */
export const deleteWorkspaceItems: Endpoint<typeof workspace.bulkDeleteWorkspaceObjects, 'deploymentId'> =
  /* @__PURE__ */ endpoint(workspace.bulkDeleteWorkspaceObjects, 'deploymentId');

/** One page of the folders in `parentId`, or at the root. */
export const listFolders: Endpoint<typeof folders.getFolders, 'deploymentId'> = /* @__PURE__ */ endpoint(
  folders.getFolders,
  'deploymentId',
);

/** Creates a folder, at the root or in `parentId`. */
export const createFolder: Endpoint<typeof folders.createFolder, 'deploymentId'> = /* @__PURE__ */ endpoint(
  folders.createFolder,
  'deploymentId',
);

/** Which folder: `{deploymentId, folderId}`. */
export type FolderRef = ParamsOf<typeof folders.getFolderAncestors>;

/** Renames a folder or changes its place among the others; `moveWorkspaceItem` gives it another parent. */
export const updateFolder: Endpoint<typeof folders.updateFolder> = /* @__PURE__ */ endpoint(folders.updateFolder);

/** Deletes a folder without folders in it; what lies in it moves to the root. */
export const deleteFolder: Endpoint<typeof folders.deleteFolder> = /* @__PURE__ */ endpoint(folders.deleteFolder);

/** The way to a folder, root first and itself last. */
export const getFolderAncestors: Endpoint<typeof folders.getFolderAncestors> = /* @__PURE__ */ endpoint(
  folders.getFolderAncestors,
);
