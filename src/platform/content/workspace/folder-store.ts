import { and, eq, inArray, isNotNull, isNull, max, ne, or, type SQL, sql } from 'drizzle-orm';
import { DatabaseCode, type Db, databaseCode } from '../../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../../db/keyset.js';
import { folders, reports, workbooks } from '../../db/schema.js';
import { PlatformError } from '../../errors.js';
import { type ContentAccess, Level, levelColumn, reachableOn } from '../content-access.js';

/** A stored folder. */
export type StoredFolder = typeof folders.$inferSelect;

/** A folder with the caller's access level. */
export interface FolderWithLevel {
  readonly folder: StoredFolder;
  readonly level: Level;
}

/** First key of the advisory locks on folder trees. No other two-key advisory lock in this database uses it. */
const treeLock = 7_265_003;

const byPosition = new Keyset<StoredFolder>('folders', { position: folders.position, id: folders.id }, 'asc');

/** One folder in the path of an item. */
export type PathEntry = { id: number; name: string };

/**
 * Returns the paths of folders, from the root to the folder itself, by id. Ignores `null`; the path of an unknown id is
 * empty.
 */
export async function folderPathsOf(
  db: Db,
  ids: readonly (number | null | undefined)[],
): Promise<Map<number, PathEntry[]>> {
  const requested = [...new Set(ids.filter(id => id != null))];
  const paths = new Map<number, PathEntry[]>(requested.map(id => [id, []]));
  if (requested.length === 0) return paths;
  const { rows } = await db.execute<{ target: string; id: string; name: string }>(sql`
    with recursive way(target, id, name, parent_id, step) as (
      select id, id, name, parent_id, 0 from ${folders} where ${inArray(folders.id, requested)}
      union all
      select way.target, parent.id, parent.name, parent.parent_id, way.step + 1
      from ${folders} parent join way on parent.id = way.parent_id
    ) select target, id, name from way order by target, step desc`);
  // The driver returns bigint as text for raw statements.
  for (const { target, id, name } of rows) paths.get(Number(target))?.push({ id: Number(id), name });
  return paths;
}

/**
 * Returns a folder of a deployment with the caller's access level, which may be `none`. For levels above `read`, locks
 * the folder against deletion until the transaction ends.
 */
export async function findFolder(
  db: Db,
  access: ContentAccess,
  { deploymentId, folderId, level }: { deploymentId: number; folderId: number; level: Level },
): Promise<FolderWithLevel | null> {
  const query = db
    .select({ folder: folders, level: levelColumn(access.folder) })
    .from(folders)
    .where(and(eq(folders.id, folderId), eq(folders.deploymentId, deploymentId)));
  const [found] = await (level > Level.read ? query.for('key share') : query);
  return found ?? null;
}

/** True if a condition on folders is met by this folder of a deployment. */
export async function folderMatches(
  db: Db,
  { deploymentId, folderId }: { deploymentId: number; folderId: number },
  condition: SQL,
): Promise<boolean> {
  const rows = await db
    .select({ id: folders.id })
    .from(folders)
    .where(and(eq(folders.id, folderId), eq(folders.deploymentId, deploymentId), condition));
  return rows.length > 0;
}

/** Returns one page of the subfolders of a folder, or of the root (`null`), with their total number. */
export async function listFolders(
  db: Db,
  { deploymentId, parentId, visible }: { deploymentId: number; parentId: number | null; visible: SQL },
  page: PageRequest,
): Promise<KeysetPage<StoredFolder> & { count: number }> {
  const all = and(eq(folders.deploymentId, deploymentId), inParent(parentId), visible);
  const rows = await db
    .select()
    .from(folders)
    .where(and(all, byPosition.after(page)))
    .orderBy(...byPosition.orderBy)
    .limit(byPosition.limit(page));
  return { ...byPosition.page(rows, page), count: await db.$count(folders, all) };
}

/** Returns the folders with these ids, by id. */
export async function findFolders(db: Db, ids: readonly number[]): Promise<Map<number, StoredFolder>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select()
    .from(folders)
    .where(inArray(folders.id, [...ids]));
  return new Map(rows.map(folder => [folder.id, folder]));
}

/**
 * Locks the folder tree of a deployment until the transaction ends.
 * @param maxWaitMs - maximum time to wait for the lock, in milliseconds.
 * @throws PlatformError 503 if another transaction holds the lock for too long.
 */
export async function lockFolderTree(tx: Db, deploymentId: number, maxWaitMs = 10_000): Promise<void> {
  try {
    await tx.execute(sql`select set_config('lock_timeout', ${`${maxWaitMs}ms`}, true)`);
    await tx.execute(sql`select pg_advisory_xact_lock(${treeLock}, hashint8(${deploymentId}))`);
    // The limit applies only to this lock.
    await tx.execute(sql`set local lock_timeout to default`);
  } catch (cause) {
    if (databaseCode(cause) !== DatabaseCode.lockNotAvailable) throw cause;
    const message = 'Another request is changing the folders of this deployment. Try again in a moment.';
    throw new PlatformError(503, message, { cause, retryAfter: 5 });
  }
}

/** Returns the number of levels of a folder tree; 1 if the folder has no subfolders. */
export async function heightOfFolder(tx: Db, folderId: number): Promise<number> {
  const { rows } = await tx.execute<{ height: number }>(sql`
    with recursive below(id, level) as (
      select ${folders.id}, 1 from ${folders} where ${eq(folders.id, folderId)}
      union all select child.id, below.level + 1 from ${folders} child join below on child.parent_id = below.id
    ) select max(level) as height from below`);
  return rows[0]?.height ?? 0;
}

/**
 * Identifies sibling folders: the children of a parent, or of the root (`null`). At the root, each embed tenant has its
 * own positions.
 */
export type FolderRow = Pick<StoredFolder, 'deploymentId' | 'parentId' | 'embedTenantId'>;

/** Returns the position after the last sibling. Does not reveal how many folders other tenants have. */
export async function nextPosition(tx: Db, { deploymentId, parentId, embedTenantId }: FolderRow): Promise<number> {
  const [row] = await tx
    .select({ last: max(folders.position) })
    .from(folders)
    .where(
      and(
        eq(folders.deploymentId, deploymentId),
        inParent(parentId),
        embedTenantId === null ? isNull(folders.embedTenantId) : eq(folders.embedTenantId, embedTenantId),
      ),
    );
  return (row?.last ?? -1) + 1;
}

/** Creates a folder. */
export async function insertFolder(tx: Db, folder: typeof folders.$inferInsert): Promise<StoredFolder> {
  const [created] = await tx.insert(folders).values(folder).returning();
  if (!created) throw new Error('An insert returned no row.');
  return created;
}

/** Change to a folder. Omitted fields stay unchanged. */
export type FolderChange = { -readonly [K in 'name' | 'position' | 'parentId']?: StoredFolder[K] };

/**
 * Changes a folder. Repeating a change has no effect, not even on `updatedAt`. Returns `null` if the folder no longer
 * exists.
 */
export async function changeFolder(
  tx: Db,
  folderId: number,
  change: FolderChange,
  userId: number,
): Promise<StoredFolder | null> {
  const differs = or(
    ...(change.name === undefined ? [] : [ne(folders.name, change.name)]),
    ...(change.position === undefined ? [] : [ne(folders.position, change.position)]),
    ...(change.parentId === undefined ? [] : [sql`${folders.parentId} is distinct from ${change.parentId}`]),
  );
  const [changed] = differs
    ? await tx
        .update(folders)
        .set({ ...change, updatedBy: userId, updatedAt: sql`now()` })
        .where(and(eq(folders.id, folderId), differs))
        .returning()
    : [];
  return changed ?? (await findFolders(tx, [folderId])).get(folderId) ?? null;
}

/** Deletes a folder and moves its workbooks and reports to the root. Returns false if it has subfolders. */
export async function deleteFolder(tx: Db, folderId: number): Promise<boolean> {
  const [child] = await tx.select({ id: folders.id }).from(folders).where(eq(folders.parentId, folderId)).limit(1);
  if (child) return false;
  await tx.delete(folders).where(eq(folders.id, folderId));
  return true;
}

function inParent(parentId: number | null): SQL {
  return parentId === null ? isNull(folders.parentId) : eq(folders.parentId, parentId);
}

/**
 * Returns the condition for the folders of a deployment that a caller may see: readable folders, and the ancestors of
 * all readable items, so that the caller can navigate to them.
 */
export function visibleFolders(access: ContentAccess, deploymentId: number): SQL {
  const read = access.folder(Level.read);
  const { readPaths } = access;
  const inFolder = (table: typeof workbooks | typeof reports) =>
    and(eq(table.deploymentId, deploymentId), isNotNull(table.folderId));
  return sql`(${read} or ${folders.id} in (${ancestorsOf([
    sql`select ${folders.parentId} from ${folders} where ${and(eq(folders.deploymentId, deploymentId), isNotNull(folders.parentId), read)}`,
    sql`select ${workbooks.folderId} from ${workbooks} where ${reachableOn(workbooks, readPaths.workbooks, inFolder(workbooks))}`,
    sql`select ${reports.folderId} from ${reports} where ${reachableOn(reports, readPaths.looseReports, and(inFolder(reports), isNull(reports.workbookId)))}`,
  ])}))`;
}

/** Returns the ids of the folders that these statements select, and of all of their ancestors. */
export function ancestorsOf(starts: readonly SQL[]): SQL {
  return sql`with recursive seen(id) as (
      (${sql.join([...starts], sql` union `)})
      union select above.parent_id from ${folders} above join seen on above.id = seen.id where above.parent_id is not null
    ) select id from seen`;
}
