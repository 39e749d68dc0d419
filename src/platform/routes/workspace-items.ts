import type { ItemType } from '../../contract/wire.js';
import { contentAccess, Level } from '../access/content-access.js';
import { PlatformError } from '../errors.js';
import type { Principal } from '../principal.js';
import type { Db } from '../store/database.js';
import { changeFolder, folderPathsOf, heightOfFolder, lockFolderTree, nextPosition } from '../store/folders.js';
import { deleteReport } from '../store/reports.js';
import { deleteWorkbook } from '../store/workbooks.js';
import { type ContentType, findItem, placeItem, type ReachedItem } from '../store/workspace-items.js';
import { notFound } from './access.js';
import { refuseTooDeep, removeFolder, requireFolder, requirePlace } from './folders.js';

/** An item of a deployment's workspace. */
export interface Item {
  readonly deploymentId: number;
  readonly type: ItemType;
  readonly id: number;
}

const field = 'body.folderId';
const nameOf = { WORKBOOK: 'Workbook', REPORT: 'Report' } as const;

/**
 * Moves an item that the caller manages into a folder that it may edit, or to the root (null).
 * @throws PlatformError 404, 403, or 400 for a move that can't be.
 */
export async function moveItem(tx: Db, principal: Principal, item: Item, folderId: number | null): Promise<void> {
  const { type, ...at } = item;
  if (type === 'FOLDER') return moveFolder(tx, principal, at, folderId);
  const { id, embedTenantId, workbookId } = await requireItem(tx, principal, { ...at, type });
  if (workbookId !== null) {
    throw new PlatformError(400, 'body.id: the report belongs to a workbook, and moves with it');
  }
  if (folderId !== null) {
    await requirePlace(tx, principal, { deploymentId: at.deploymentId, folderId, embedTenantId, field });
  }
  await placeItem(tx, type, id, folderId);
}

/**
 * Deletes an item that the caller manages.
 * @throws PlatformError 404, 403, or 400 for a folder with folders in it.
 */
export async function deleteItem(tx: Db, principal: Principal, { type, ...at }: Item): Promise<void> {
  if (type === 'FOLDER') return removeFolder(tx, principal, at.deploymentId, at.id);
  const { id } = await requireItem(tx, principal, { ...at, type });
  await (type === 'WORKBOOK' ? deleteWorkbook : deleteReport)(tx, id);
}

async function requireItem(
  tx: Db,
  principal: Principal,
  item: Item & { readonly type: ContentType },
): Promise<ReachedItem> {
  const found = await findItem(tx, contentAccess(principal), item);
  const name = nameOf[item.type];
  if (!found || found.level < Level.read) throw notFound(name);
  if (found.level >= Level.manage) return found;
  throw new PlatformError(403, `This needs manage access to the ${name.toLowerCase()}.`);
}

async function moveFolder(
  tx: Db,
  principal: Principal,
  { deploymentId, id }: Omit<Item, 'type'>,
  parentId: number | null,
): Promise<void> {
  await lockFolderTree(tx, deploymentId);
  const folder = await requireFolder(tx, principal, deploymentId, id, Level.manage);
  if (folder.parentId === parentId) return;
  if (parentId !== null) {
    const { embedTenantId } = folder;
    await requirePlace(tx, principal, { deploymentId, folderId: parentId, embedTenantId, field });
    const way = (await folderPathsOf(tx, [parentId])).get(parentId) ?? [];
    if (way.some(step => step.id === id)) {
      throw new PlatformError(400, `${field}: a folder can't be moved into itself or into a folder below it`);
    }
    await refuseTooDeep(tx, parentId, await heightOfFolder(tx, id), field);
  }
  const position = await nextPosition(tx, { ...folder, parentId });
  await changeFolder(tx, id, { parentId, position }, principal.userId);
}
