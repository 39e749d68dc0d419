import type { Hono } from 'hono';
import {
  createFolder,
  deleteFolder,
  type Folder,
  getFolderAncestors,
  getFolders,
  maxFolderDepth,
  updateFolder,
} from '../../../contract/folders.js';
import type { Principal } from '../../auth/principal.js';
import { summarizeUsers } from '../../auth/user-store.js';
import type { Db } from '../../db/database.js';
import { tenantNames } from '../../embed/tenant-store.js';
import { PlatformError } from '../../errors.js';
import { notFound } from '../../http/access.js';
import type { RouteDeps } from '../../http/route-deps.js';
import { serve, write } from '../../http/serve.js';
import { requireDeployment } from '../../models/require-deployment.js';
import { contentAccess, Level } from '../content-access.js';
import { tenantOf } from '../require-access.js';
import * as folders from './folder-store.js';
import { visibleFolders } from './folder-store.js';

/** Mounts the routes of folders: list one level, create, change and delete (operations.md, Folders). */
export function mountFolders(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  serve(app, getFolders, deps, async ({ params: { deploymentId }, query: { parentId, ...page }, principal }) => {
    await requireDeployment(db, principal, deploymentId);
    const parent = parentId ? await requireFolder(db, principal, deploymentId, parentId, Level.read) : null;
    const visible = visibleFolders(contentAccess(principal), deploymentId);
    const found = await folders.listFolders(db, { deploymentId, parentId: parent?.id ?? null, visible }, page);
    const items = await showFolders(db, found.items);
    return { ...found, items, data: items };
  });

  write(app, createFolder, deps, async ({ params: { deploymentId }, body, principal }, tx, target) => {
    await requireDeployment(tx, principal, deploymentId);
    const folder = await makeFolder(tx, principal, deploymentId, body);
    target.folderId = folder.id;
    return showFolder(tx, folder);
  });

  write(app, updateFolder, deps, async ({ params: { deploymentId, folderId }, body, principal }, tx) => {
    await requireDeployment(tx, principal, deploymentId);
    await requireFolder(tx, principal, deploymentId, folderId, Level.edit);
    const change: folders.FolderChange = {
      ...(body.name != null && { name: body.name }),
      ...(body.position != null && { position: body.position }),
    };
    const changed = await folders.changeFolder(tx, folderId, change, principal.userId);
    if (!changed) throw notFound('Folder');
    return showFolder(tx, changed);
  });

  write(app, deleteFolder, deps, async ({ params: { deploymentId, folderId }, principal }, tx) => {
    await requireDeployment(tx, principal, deploymentId);
    await removeFolder(tx, principal, deploymentId, folderId);
    return undefined;
  });

  serve(app, getFolderAncestors, deps, async ({ params: { deploymentId, folderId }, principal }) => {
    await requireDeployment(db, principal, deploymentId);
    await requireFolder(db, principal, deploymentId, folderId, Level.read);
    const path = (await folders.folderPathsOf(db, [folderId])).get(folderId) ?? [];
    const found = await folders.findFolders(
      db,
      path.map(({ id }) => id),
    );
    return showFolders(
      db,
      path.flatMap(({ id }) => found.get(id) ?? []),
    );
  });
}

/**
 * Returns a folder of a deployment if the caller has at least this level of access. Level `read` includes ancestors of
 * readable items, whose other content the caller may not read. In a transaction, levels above `read` lock the folder
 * until the transaction ends, so that items can be added.
 * @throws PlatformError 404 if it does not exist or the caller may not see it, 403 below the level.
 */
export async function requireFolder(
  db: Db,
  principal: Principal,
  deploymentId: number,
  folderId: number,
  level: Level,
): Promise<folders.StoredFolder> {
  const access = contentAccess(principal);
  const at = { deploymentId, folderId };
  const found = await folders.findFolder(db, access, { ...at, level });
  if (!found) throw notFound('Folder');
  if (found.level >= level) return found.folder;
  if (level <= Level.read && (await folders.folderMatches(db, at, visibleFolders(access, deploymentId)))) {
    return found.folder;
  }
  if (found.level < Level.read) throw notFound('Folder');
  const needed = level === Level.manage ? 'manage' : 'edit';
  throw new PlatformError(403, `This operation requires ${needed} access to the folder.`);
}

/**
 * Returns a folder into which the caller may put an item. Requires edit access. Content of an embed tenant can be only
 * in folders of this tenant, because it is deleted with the tenant.
 * @param embedTenantId - owner of the item; `null` for content of the account.
 * @param field - request field with the folder.
 */
export async function requireTargetFolder(
  tx: Db,
  principal: Principal,
  { deploymentId, folderId, embedTenantId, field }: TargetFolder,
): Promise<folders.StoredFolder> {
  const folder = await requireFolder(tx, principal, deploymentId, folderId, Level.edit);
  if (folder.embedTenantId !== embedTenantId) {
    throw new PlatformError(400, `${field}: content of an embed tenant cannot be in the same folder as other content`);
  }
  return folder;
}

/** The folder to which an item is added or moved. */
export interface TargetFolder {
  readonly deploymentId: number;
  readonly folderId: number;
  readonly embedTenantId: number | null;
  readonly field: string;
}

/** Rejects folders that would exceed the maximum depth. The levels of the moved item are included. */
export async function checkFolderDepth(tx: Db, parentId: number, levels: number, field: string): Promise<void> {
  const above = (await folders.folderPathsOf(tx, [parentId])).get(parentId)?.length ?? 0;
  if (above + levels > maxFolderDepth) {
    throw new PlatformError(400, `${field}: folders can be nested up to ${maxFolderDepth} levels deep`);
  }
}

/** Deletes a folder that the caller manages and that has no subfolders. */
export async function removeFolder(
  tx: Db,
  principal: Principal,
  deploymentId: number,
  folderId: number,
): Promise<void> {
  await folders.lockFolderTree(tx, deploymentId);
  await requireFolder(tx, principal, deploymentId, folderId, Level.manage);
  if (await folders.deleteFolder(tx, folderId)) return;
  throw new PlatformError(400, 'The folder contains folders. Move or delete them first.');
}

interface NewFolder {
  readonly name: string;
  readonly parentId?: number | null | undefined;
  readonly position?: number | null | undefined;
}

async function makeFolder(
  tx: Db,
  principal: Principal,
  deploymentId: number,
  { name, parentId = null, position }: NewFolder,
): Promise<folders.StoredFolder> {
  const embedTenantId = tenantOf(principal);
  const field = 'body.parentId';
  await folders.lockFolderTree(tx, deploymentId);
  if (parentId !== null) {
    await requireTargetFolder(tx, principal, { deploymentId, folderId: parentId, embedTenantId, field });
    await checkFolderDepth(tx, parentId, 1, field);
  }
  return folders.insertFolder(tx, {
    deploymentId,
    parentId,
    name,
    position: position ?? (await folders.nextPosition(tx, { deploymentId, parentId, embedTenantId })),
    createdBy: principal.userId,
    updatedBy: principal.userId,
    embedTenantId,
  });
}

async function showFolder(db: Db, folder: folders.StoredFolder): Promise<Folder> {
  const [shown] = await showFolders(db, [folder]);
  if (!shown) throw new Error('A folder is missing from the result.');
  return shown;
}

async function showFolders(db: Db, list: readonly folders.StoredFolder[]): Promise<Folder[]> {
  const paths = await folders.folderPathsOf(
    db,
    list.map(({ parentId }) => parentId),
  );
  const owners = await summarizeUsers(
    db,
    list.map(({ createdBy }) => createdBy),
  );
  const tenants = await tenantNames(
    db,
    list.map(({ embedTenantId }) => embedTenantId),
  );
  return list.map(({ embedTenantId, createdAt, updatedAt, ...fields }) => ({
    ...fields,
    embedTenantName: tenants.get(embedTenantId ?? 0),
    type: 'FOLDER',
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    folderPath: paths.get(fields.parentId ?? 0) ?? [],
    user: owners.get(fields.createdBy),
  }));
}
