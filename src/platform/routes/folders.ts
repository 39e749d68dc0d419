import { contentAccess, Level } from '../access/content-access.js';
import { PlatformError } from '../errors.js';
import type { Principal } from '../principal.js';
import type { Db } from '../store/database.js';
import { visibleFolders } from '../store/folder-visibility.js';
import { findFolder, folderMatches, type StoredFolder } from '../store/folders.js';
import { notFound } from './access.js';

/**
 * A folder of a deployment on which the caller has at least this level. Level `read` is enough for what is on the way to something
 * that the caller may read: it may know of that folder, not of all that is in it. Above `read`, asked in a transaction, the folder
 * stays until that ends, so that things can be put into it.
 * @throws PlatformError 404 for a folder that is not there or that the caller may not know of, 403 for one below the level.
 */
export async function requireFolder(
  db: Db,
  principal: Principal,
  deploymentId: number,
  folderId: number,
  level: Level,
): Promise<StoredFolder> {
  const access = contentAccess(principal);
  const found = await findFolder(db, access, { deploymentId, folderId, level });
  if (!found) throw notFound('Folder');
  if (found.level >= level) return found.folder;
  const isVisible =
    found.level >= Level.read || (await folderMatches(db, folderId, visibleFolders(access, deploymentId)));
  if (!isVisible) throw notFound('Folder');
  if (level <= Level.read) return found.folder;
  const needed = level === Level.manage ? 'manage' : 'edit';
  throw new PlatformError(403, `This needs ${needed} access to the folder.`);
}
