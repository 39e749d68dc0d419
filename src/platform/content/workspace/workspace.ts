import type { Hono } from 'hono';
import { itemTypes } from '../../../contract/wire.js';
import type { Workbook } from '../../../contract/workbooks.js';
import {
  type BulkFailure,
  bulkDeleteWorkspaceObjects,
  bulkMoveWorkspaceObjects,
  moveWorkspaceObject,
  setWorkspaceFavorite,
  sharedWorkspaceObjects,
  type WorkspaceQuery,
  workspaceObjects,
} from '../../../contract/workspace.js';
import type { Principal } from '../../auth/principal.js';
import type { Db } from '../../db/database.js';
import { PlatformError } from '../../errors.js';
import { notFound } from '../../http/access.js';
import type { RouteDeps } from '../../http/route-deps.js';
import { serve, transact } from '../../http/serve.js';
import { requireDeployment } from '../../models/require-deployment.js';
import { contentAccess, Level } from '../content-access.js';
import { addFavorite, type ItemRef, removeFavorite } from './favorite-store.js';
import { folderMatches, visibleFolders } from './folder-store.js';
import { requireFolder } from './folders.js';
import { showItems, withoutOwner } from './show-workspace.js';
import { canReadItem, deleteItem, moveItem } from './workspace-items.js';
import {
  canSeeShared,
  listWorkspace,
  sharedWorkspace,
  type WorkspaceRequest,
  type WorkspaceView,
} from './workspace-store.js';

/**
 * Mounts the routes of the workspace: list folders, workbooks and reports together; move and delete items
 * (operations.md, Workspace).
 */
export function mountWorkspace(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  serve(app, workspaceObjects, deps, async ({ params: { deploymentId }, query, principal }) => {
    await requireDeployment(db, principal, deploymentId);
    if (query.folderId) await requireFolder(db, principal, deploymentId, query.folderId, Level.read);
    return showPage(db, viewOf(principal, deploymentId), requestOf(deploymentId, principal, query));
  });

  serve(app, sharedWorkspaceObjects, deps, async ({ params: { deploymentId }, query, principal }) => {
    if (principal.kind !== 'embed') {
      throw new PlatformError(403, 'The shared workspace is available only in embed sessions of a tenant.');
    }
    await requireDeployment(db, principal, deploymentId);
    const view = sharedWorkspace(principal.embedTenantId);
    const { folderId } = query;
    if (folderId && !(await folderMatches(db, { deploymentId, folderId }, view.folder))) throw notFound('Folder');
    const { items, pageInfo } = await showPage(db, view, requestOf(deploymentId, principal, query));
    return { items: items.map(withoutOwner), pageInfo };
  });

  serve(app, moveWorkspaceObject, deps, async ({ params: { deploymentId }, body, principal, request }) => {
    await requireDeployment(db, principal, deploymentId);
    const { type, id, folderId = null } = body;
    const target = { deploymentId, type, id, folderId };
    const moved = await transact(db, moveWorkspaceObject.id, { principal, request, target }, async tx => {
      await moveItem(tx, principal, { deploymentId, type, id }, folderId);
      return showItems(tx, [{ type, id }], principal.userId);
    });
    return oneOf(moved);
  });

  serve(app, setWorkspaceFavorite, deps, async ({ params: { deploymentId }, body, principal, request }) => {
    await requireDeployment(db, principal, deploymentId);
    const { type, id, isFavorite } = body;
    const target = { deploymentId, type, id, isFavorite };
    return transact(db, setWorkspaceFavorite.id, { principal, request, target }, async tx => {
      const isOwn = await canReadItem(tx, principal, { deploymentId, type, id });
      const isShared =
        !isOwn && principal.kind === 'embed' && (await canSeeShared(tx, principal, { deploymentId, type, id }));
      if (!isOwn && !isShared) throw notFound('Item');
      await (isFavorite ? addFavorite : removeFavorite)(tx, principal.userId, { type, id });
      const item = oneOf(await showItems(tx, [{ type, id }], principal.userId));
      return isShared ? withoutOwner(item) : item;
    });
  });

  serve(app, bulkMoveWorkspaceObjects, deps, async ({ params: { deploymentId }, body, principal, request }) => {
    await requireDeployment(db, principal, deploymentId);
    const { items, folderId = null } = body;
    const { done, failed } = await eachOf(items, async ({ type, id }) => {
      const target = { deploymentId, type, id, folderId };
      return transact(db, bulkMoveWorkspaceObjects.id, { principal, request, target }, async tx => {
        await moveItem(tx, principal, { deploymentId, type, id }, folderId);
        return oneOf(await showItems(tx, [{ type, id }], principal.userId));
      });
    });
    return { moved: done, failed };
  });

  serve(app, bulkDeleteWorkspaceObjects, deps, async ({ params: { deploymentId }, body, principal, request }) => {
    await requireDeployment(db, principal, deploymentId);
    const { done, failed } = await eachOf(body.items, async ({ type, id }) => {
      const target = { deploymentId, type, id };
      await transact(db, bulkDeleteWorkspaceObjects.id, { principal, request, target }, tx =>
        deleteItem(tx, principal, target),
      );
      return { type, id };
    });
    return { deleted: done, failed };
  });
}

function viewOf(principal: Principal, deploymentId: number): WorkspaceView {
  const access = contentAccess(principal);
  return {
    name: 'workspace',
    folder: visibleFolders(access, deploymentId),
    workbooks: access.readPaths.workbooks,
    reports: access.readPaths.looseReports,
  };
}

function requestOf(
  deploymentId: number,
  { userId }: Principal,
  { folderId, types, orderByField, orderByDirection, search, favorites, ...page }: WorkspaceQuery,
): WorkspaceRequest {
  const field = orderByField ?? 'name';
  return {
    deploymentId,
    folderId: folderId || null,
    search: search?.trim() || null,
    types: new Set(types?.length ? types : itemTypes),
    field,
    direction: orderByDirection ?? (field === 'name' ? 'ASC' : 'DESC'),
    viewerId: userId,
    isFavorite: favorites === true,
    page,
  };
}

async function showPage(db: Db, view: WorkspaceView, request: WorkspaceRequest) {
  const { items, pageInfo } = await listWorkspace(db, view, request);
  return { items: await showItems(db, items, request.viewerId), pageInfo };
}

/** Applies an operation to each distinct item, one at a time. An error for one item does not affect the others. */
async function eachOf<T>(items: readonly ItemRef[], work: (item: ItemRef) => Promise<T>) {
  const distinct = new Map(items.map(item => [`${item.type} ${item.id}`, item]));
  const done: T[] = [];
  const failed: BulkFailure[] = [];
  for (const item of distinct.values()) {
    try {
      done.push(await work(item));
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      failed.push({ type: item.type, id: item.id, error: { status: error.status, message: error.message } });
    }
  }
  return { done, failed };
}

function oneOf(items: readonly Workbook[]): Workbook {
  const [item] = items;
  if (!item) throw notFound('Item');
  return item;
}
