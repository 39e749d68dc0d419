import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { ItemType } from '../../../contract/wire.js';
import type { Db } from '../../db/database.js';
import { folderFavorites, folders, reportFavorites, reports, workbookFavorites, workbooks } from '../../db/schema.js';

/** An item of a workspace. */
export interface ItemRef {
  readonly type: ItemType;
  readonly id: number;
}

/** Items that a user has marked as favorites. */
export class Favorites {
  readonly #keys: ReadonlySet<string>;

  constructor(items: readonly ItemRef[]) {
    this.#keys = new Set(items.map(keyOf));
  }

  has(item: ItemRef): boolean {
    return this.#keys.has(keyOf(item));
  }
}

function keyOf({ type, id }: ItemRef): string {
  return `${type} ${id}`;
}

/** Tables of favorites by item type, each with its column for the item. */
const tables = {
  FOLDER: { table: folderFavorites, itemId: folderFavorites.folderId, item: folders },
  WORKBOOK: { table: workbookFavorites, itemId: workbookFavorites.workbookId, item: workbooks },
  REPORT: { table: reportFavorites, itemId: reportFavorites.reportId, item: reports },
} as const;

/** Returns which of the items are favorites of a user. */
export async function favoritesOf(db: Db, userId: number, items: readonly ItemRef[]): Promise<Favorites> {
  const types = [...new Set(items.map(({ type }) => type))];
  const found = await Promise.all(
    types.map(async type => {
      const { table, itemId } = tables[type];
      const ids = items.flatMap(item => (item.type === type ? item.id : []));
      const rows = await db
        .select({ id: sql<number>`${itemId}`.mapWith(itemId) })
        .from(table)
        .where(and(eq(table.userId, userId), inArray(itemId, ids)));
      return rows.map(({ id }) => ({ type, id }));
    }),
  );
  return new Favorites(found.flat());
}

/** Returns the condition for the rows of `folders`, `workbooks` or `reports` that are favorites of a user. */
export function isFavoriteOf(userId: number, type: ItemType): SQL {
  const { table, itemId, item } = tables[type];
  return sql`${item.id satisfies PgColumn} in (select ${itemId} from ${table} where ${eq(table.userId, userId)})`;
}

/** Marks an item as a favorite of a user. Idempotent. */
export async function addFavorite(tx: Db, userId: number, { type, id }: ItemRef): Promise<void> {
  if (type === 'FOLDER') await tx.insert(folderFavorites).values({ userId, folderId: id }).onConflictDoNothing();
  else if (type === 'REPORT') await tx.insert(reportFavorites).values({ userId, reportId: id }).onConflictDoNothing();
  else await tx.insert(workbookFavorites).values({ userId, workbookId: id }).onConflictDoNothing();
}

/** Removes an item from the favorites of a user. Idempotent. */
export async function removeFavorite(tx: Db, userId: number, { type, id }: ItemRef): Promise<void> {
  const { table, itemId } = tables[type];
  await tx.delete(table).where(and(eq(table.userId, userId), eq(itemId, id)));
}
