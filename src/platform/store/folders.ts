import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { type ContentAccess, Level, levelColumn } from '../access/content-access.js';
import type { Db } from './database.js';
import { folders } from './schema.js';

/** A folder as it is stored. */
export type StoredFolder = typeof folders.$inferSelect;

/** A folder, and what the caller may do to it. */
export interface ReachedFolder {
  readonly folder: StoredFolder;
  readonly level: Level;
}

/** One step of the way to an item. */
export interface PathEntry {
  readonly id: number;
  readonly name: string;
}

/**
 * The way to what lies in each of these folders, root first and the folder itself last. Empty for an id that is not there: ask for
 * the `folderId`s of items, nulls left out.
 */
export async function folderPathsOf(
  db: Db,
  ids: readonly (number | null | undefined)[],
): Promise<Map<number, PathEntry[]>> {
  const wanted = [...new Set(ids.filter(id => id != null))];
  const paths = new Map<number, PathEntry[]>(wanted.map(id => [id, []]));
  if (wanted.length === 0) return paths;
  const { rows } = await db.execute<{ target: string; id: string; name: string }>(sql`
    with recursive way(target, id, name, parent_id, step) as (
      select id, id, name, parent_id, 0 from ${folders} where ${inArray(folders.id, wanted)}
      union all
      select way.target, parent.id, parent.name, parent.parent_id, way.step + 1
      from ${folders} parent join way on parent.id = way.parent_id
    ) select target, id, name from way order by target, step desc`);
  // Of a statement that is not built column by column the driver gives bigint as text.
  for (const { target, id, name } of rows) paths.get(Number(target))?.push({ id: Number(id), name });
  return paths;
}

/**
 * A folder of a deployment with the caller's level on it, which may be none. Asked for more than reading, it is kept from being
 * deleted until the transaction ends.
 */
export async function findFolder(
  db: Db,
  access: ContentAccess,
  { deploymentId, folderId, level }: { deploymentId: number; folderId: number; level: Level },
): Promise<ReachedFolder | null> {
  const query = db
    .select({ folder: folders, level: levelColumn(access.folder) })
    .from(folders)
    .where(and(eq(folders.id, folderId), eq(folders.deploymentId, deploymentId)));
  const [found] = await (level > Level.read ? query.for('key share') : query);
  return found ?? null;
}

/** True when a condition on folders holds for one of them. */
export async function folderMatches(db: Db, folderId: number, condition: SQL): Promise<boolean> {
  const rows = await db
    .select({ id: folders.id })
    .from(folders)
    .where(and(eq(folders.id, folderId), condition));
  return rows.length > 0;
}
