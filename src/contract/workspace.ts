import * as z from 'zod/mini';
import { DeploymentParams } from './deployments.js';
import { FolderIdQuery } from './folders.js';
import { operation } from './operation.js';
import { Flag, ItemType, itemTypes, optional, PageInfo, PageQuery } from './wire.js';
import { Workbook } from './workbooks.js';

/** Sort keys of a workspace list. */
export const workspaceOrderFields = ['updated_at', 'created_at', 'name', 'viewer_last_viewed_at'] as const;
/** Sort directions of a workspace list. */
export const workspaceOrderDirections = ['ASC', 'DESC'] as const;

/** Maximum number of items per bulk request. */
export const maxBulkItems = 100;

/**
 * One page of a workspace. Items of every `type` have the fields of a workbook; for a folder, `folderId` is its parent.
 * `meta` does not include `dashboardDraft` (of a workbook) or `spec` (of a report), and `publishedDashboard` has no
 * widgets and snapshots; read the single item for these.
 */
export const WorkspacePage = z.looseObject({ items: z.array(Workbook), pageInfo: PageInfo });

/**
 * Query parameters of a workspace list. Without `folderId`, the root is listed. `search` matches part of the name in
 * all folders, ignoring case. Folders always come first, by position. Other items are sorted by name or by
 * `orderByField`; the default direction for times is descending. `favorites` selects the caller's favorites in all
 * folders (extension).
 */
export const WorkspaceQuery = z.extend(PageQuery, {
  folderId: optional(FolderIdQuery),
  types: optional(z.array(z.enum(itemTypes)).check(z.maxLength(10))),
  orderByField: optional(z.enum(workspaceOrderFields)),
  orderByDirection: optional(z.enum(workspaceOrderDirections)),
  search: optional(z.string().check(z.maxLength(255))),
  favorites: optional(Flag),
});
/** Query parameters of a workspace list. */
export type WorkspaceQuery = z.infer<typeof WorkspaceQuery>;

/** Lists the folders, workbooks and reports that the caller can read. Reports of a workbook are not listed. */
export const workspaceObjects = operation({
  id: 'workspaceObjects',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/workspace',
  access: 'viewer',
  params: DeploymentParams,
  query: WorkspaceQuery,
  response: WorkspacePage,
  errors: { 404: 'The deployment or folder does not exist.' },
});

/**
 * Lists what is shared with all embed users or with the session's embed tenant, directly or through a folder: workbooks
 * with a published dashboard, and the folders that lead to them. Owners are not included. Requires an embed session,
 * because an API key has no tenant.
 */
export const sharedWorkspaceObjects = operation({
  id: 'sharedWorkspaceObjects',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/shared-workspace',
  access: 'authenticated',
  params: DeploymentParams,
  query: WorkspaceQuery,
  response: WorkspacePage,
  errors: { 404: 'The deployment or folder does not exist.' },
});

const ItemRef = z.strictObject({ id: z.int().check(z.positive()), type: z.enum(itemTypes) });
const folderId = optional(z.int().check(z.positive()));
const items = z.array(ItemRef).check(z.minLength(1), z.maxLength(maxBulkItems));

/**
 * An item that a bulk operation could not process, with the reason: 403 if the caller lacks access, 404 if the item
 * does not exist, 400 if the operation is not possible.
 */
export const BulkFailure = z.looseObject({
  id: z.int(),
  type: ItemType,
  error: z.looseObject({ message: z.string(), status: z.int() }),
});
/** An item that a bulk operation could not process, with the reason. */
export type BulkFailure = z.infer<typeof BulkFailure>;

/**
 * Moves one item into a folder, or to the root without `folderId`. Requires manage access to the item and edit access
 * to the folder. Returns 400 if a folder would be moved into itself or one of its subfolders, or nested deeper than 10
 * levels. The operations document declares a workbook as the response for all item types; all of them have the fields
 * of a workbook.
 */
export const moveWorkspaceObject = operation({
  id: 'moveWorkspaceObject',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/workspace/move',
  access: 'viewer',
  params: DeploymentParams,
  body: z.strictObject({ id: z.int().check(z.positive()), type: z.enum(itemTypes), folderId }),
  response: Workbook,
  errors: { 404: 'The deployment, item or folder does not exist.' },
});

/**
 * Adds an item to the caller's favorites, or removes it; `isFavorite` in the response is the new state. Favorites are
 * stored per user. The item must be in a workspace of the caller or shared with its tenant. An extension of this
 * platform.
 */
export const setWorkspaceFavorite = operation({
  id: 'setWorkspaceFavorite',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/workspace/favorite',
  access: 'authenticated',
  params: DeploymentParams,
  body: z.strictObject({ id: z.int().check(z.positive()), type: z.enum(itemTypes), isFavorite: z.boolean() }),
  response: Workbook,
  errors: { 404: 'The deployment or item does not exist.' },
});

/**
 * Moves up to 100 items as `moveWorkspaceObject` does, in order and independently; `failed` lists those that could not
 * be moved.
 */
export const bulkMoveWorkspaceObjects = operation({
  id: 'bulkMoveWorkspaceObjects',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/workspace/bulk-move',
  access: 'viewer',
  params: DeploymentParams,
  body: z.strictObject({ items, folderId }),
  response: z.looseObject({ moved: z.array(Workbook), failed: z.array(BulkFailure) }),
  errors: { 404: 'The deployment does not exist.' },
});

/**
 * Deletes up to 100 items that the caller manages, in order and independently; `failed` lists those that could not be
 * deleted, such as a folder with subfolders (400). The content of a deleted folder moves to the root.
 */
export const bulkDeleteWorkspaceObjects = operation({
  id: 'bulkDeleteWorkspaceObjects',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/workspace/bulk-delete',
  access: 'viewer',
  params: DeploymentParams,
  body: z.strictObject({ items }),
  response: z.looseObject({
    deleted: z.array(z.looseObject({ id: z.int(), type: ItemType })),
    failed: z.array(BulkFailure),
  }),
  errors: { 404: 'The deployment does not exist.' },
});
