import type { Dashboard } from '../../../contract/dashboards.js';
import type { ItemType } from '../../../contract/wire.js';
import type { Workbook } from '../../../contract/workbooks.js';
import { summarizeUsers } from '../../auth/user-store.js';
import type { Db } from '../../db/database.js';
import { favoritesOf, type ItemRef } from './favorite-store.js';
import { findFolders, folderPathsOf } from './folder-store.js';
import { type ListedItem, listedReports, listedWorkbooks } from './workspace-items.js';

/**
 * Converts workspace items to the response format, in the same order. Omits items that were deleted in the meantime.
 * @param viewerId - the caller, whose favorites are marked.
 */
export async function showItems(db: Db, refs: readonly ItemRef[], viewerId: number): Promise<Workbook[]> {
  const favorites = await favoritesOf(db, viewerId, refs);
  const found = await readItems(db, refs);
  const paths = await folderPathsOf(
    db,
    found.map(({ item }) => item.folderId),
  );
  const owners = await summarizeUsers(
    db,
    found.map(({ item }) => item.createdBy),
  );
  return found.map(({ type, item: { published, createdAt, updatedAt, ...fields } }) => ({
    ...fields,
    type,
    calculatedFields: {},
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    folderPath: paths.get(fields.folderId ?? 0) ?? [],
    isFavorite: favorites.has({ type, id: fields.id }),
    publishedDashboard: published && showPublished(fields, published),
    user: owners.get(fields.createdBy),
    userId: fields.createdBy,
  }));
}

/** Converts an item for users with whom it is shared. Omits its owner and the authors' metadata. */
export function withoutOwner(item: Workbook): Workbook {
  const publishedDashboard = item.publishedDashboard
    ? { ...item.publishedDashboard, createdBy: null, fromSharedWorkspace: true }
    : null;
  return { ...item, meta: {}, createdBy: null, user: null, userId: null, publishedDashboard };
}

async function readItems(db: Db, refs: readonly ItemRef[]): Promise<{ type: ItemType; item: ListedItem }[]> {
  const idsOf = (type: ItemType) => refs.filter(ref => ref.type === type).map(({ id }) => id);
  const items = {
    FOLDER: await listedFolders(db, idsOf('FOLDER')),
    WORKBOOK: await listedWorkbooks(db, idsOf('WORKBOOK')),
    REPORT: await listedReports(db, idsOf('REPORT')),
  };
  return refs.flatMap(({ type, id }) => {
    const item = items[type].get(id);
    return item ? [{ type, item }] : [];
  });
}

async function listedFolders(db: Db, ids: readonly number[]): Promise<Map<number, ListedItem>> {
  const found = await findFolders(db, ids);
  return new Map(
    [...found].map(([folderId, { id, deploymentId, parentId, name, createdBy, createdAt, updatedAt }]) => [
      folderId,
      {
        id,
        deploymentId,
        folderId: parentId,
        name,
        createdBy,
        createdAt,
        updatedAt,
        meta: {},
        slug: null,
        published: null,
      },
    ]),
  );
}

function showPublished(
  { id: workbookId, deploymentId, name }: Pick<ListedItem, 'id' | 'deploymentId' | 'name'>,
  { kind, title, ...board }: NonNullable<ListedItem['published']>,
): Dashboard {
  const { id, publicId, allowEmbed, description, createdBy, versionId, versionNumber } = board;
  return {
    id,
    publicId,
    allowEmbed,
    description,
    createdBy,
    versionId,
    versionNumber,
    deploymentId,
    workbookId,
    title: title ?? name,
    config: kind === null ? {} : { kind },
    reportSnapshots: [],
    status: 'published',
  };
}
