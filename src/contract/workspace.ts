import * as z from 'zod/mini';
import { DeploymentParams } from './deployments.js';
import { FolderIdQuery } from './folders.js';
import { operation } from './operation.js';
import { ItemType, itemTypes, optional, PageInfo, PageQuery } from './wire.js';
import { Workbook } from './workbooks.js';

/** By what a workspace list is sorted. */
export const workspaceOrderFields = ['updated_at', 'created_at', 'name', 'viewer_last_viewed_at'] as const;
/** Directions of a workspace list. */
export const workspaceOrderDirections = ['ASC', 'DESC'] as const;

/** Most items of one bulk request. */
export const maxBulkItems = 100;

/**
 * One page of a workspace. An item of any `type` has the fields of a workbook: of a folder, `folderId` is its parent. `meta` is without
 * `dashboardDraft` (of a workbook) and `spec` (of a report), and `publishedDashboard` without widgets and snapshots: one item's own
 * operations give them.
 */
export const WorkspacePage = z.looseObject({ items: z.array(Workbook), pageInfo: PageInfo });

/**
 * What a workspace list may be asked for. Without `folderId` it is the root; `search` looks for a part of the name, in any case, in all
 * folders. Folders always come first, by position; the rest is sorted, by name unless `orderByField` says otherwise, and downwards by
 * default where it is sorted by a time.
 */
export const WorkspaceQuery = z.extend(PageQuery, {
  folderId: optional(FolderIdQuery),
  types: optional(z.array(z.enum(itemTypes)).check(z.maxLength(10))),
  orderByField: optional(z.enum(workspaceOrderFields)),
  orderByDirection: optional(z.enum(workspaceOrderDirections)),
  search: optional(z.string().check(z.maxLength(255))),
});
/** What a workspace list may be asked for. */
export type WorkspaceQuery = z.infer<typeof WorkspaceQuery>;

/** Folders, workbooks and reports that the caller may read. Reports of a workbook belong to it and are not listed. */
export const workspaceObjects = operation({
  id: 'workspaceObjects',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/workspace',
  access: 'viewer',
  params: DeploymentParams,
  query: WorkspaceQuery,
  response: WorkspacePage,
  errors: { 404: 'no such deployment or folder' },
});

/**
 * What is shared with all embed users or with the embed tenant of the session, by itself or by a folder above: workbooks with a
 * published dashboard, and the folders on the way to them. Owners are left out. For embed sessions alone: an API key has no tenant.
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
  errors: { 404: 'no such deployment or folder' },
});

const ItemRef = z.strictObject({ id: z.int().check(z.positive()), type: z.enum(itemTypes) });
const folderId = optional(z.int().check(z.positive()));
const items = z.array(ItemRef).check(z.minLength(1), z.maxLength(maxBulkItems));

/** What a bulk operation did not do, and why: 403 without the access, 404 for nothing there, 400 for what can't be. */
export const BulkFailure = z.looseObject({
  id: z.int(),
  type: ItemType,
  error: z.looseObject({ message: z.string(), status: z.int() }),
});
/** What a bulk operation did not do, and why. */
export type BulkFailure = z.infer<typeof BulkFailure>;

/**
 * Moves one item into a folder, or to the root without `folderId`: a workbook, report or folder that the caller manages, into a
 * folder that it may edit. A folder into itself or one below it, or deeper than 10 levels, is 400. The operations document declares a
 * workbook as the answer for an item of any type: it has the fields of one.
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
  errors: { 404: 'no such deployment, item or folder' },
});

/** Moves up to 100 items as `moveWorkspaceObject` does, in their order, each by itself: what can't be moved is told in `failed`. */
export const bulkMoveWorkspaceObjects = operation({
  id: 'bulkMoveWorkspaceObjects',
  api: 'platform',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/workspace/bulk-move',
  access: 'viewer',
  params: DeploymentParams,
  body: z.strictObject({ items, folderId }),
  response: z.looseObject({ moved: z.array(Workbook), failed: z.array(BulkFailure) }),
  errors: { 404: 'no such deployment' },
});

/**
 * Deletes up to 100 items that the caller manages, in their order, each by itself: what can't be deleted is told in `failed`, a folder
 * with folders in it as 400. What lies in a deleted folder moves to the root.
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
  errors: { 404: 'no such deployment' },
});
