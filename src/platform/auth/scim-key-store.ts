import { and, eq, getTableColumns, ilike, isNull, lt, or, sql } from 'drizzle-orm';
import type { Db } from '../db/database.js';
import { containsPattern, Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { scimKeys } from '../db/schema.js';

/** A key of the Provisioning API, without the secret. */
export type StoredScimKey = Omit<typeof scimKeys.$inferSelect, 'keyHash'>;

const { keyHash: _, ...columns } = getTableColumns(scimKeys);
/** Sorts by id, because ids increase in the order of creation. */
const oldestFirst = new Keyset<StoredScimKey>('scim-keys', { id: scimKeys.id }, 'asc');

/** Finds the id of a key by its hash; `null` for an unknown key. Records the use of the key, at most once a minute. */
export async function useScimKey(db: Db, keyHash: string): Promise<number | null> {
  const [key] = await db.select({ id: scimKeys.id }).from(scimKeys).where(eq(scimKeys.keyHash, keyHash));
  if (!key) return null;
  const isDue = or(isNull(scimKeys.lastUsedAt), lt(scimKeys.lastUsedAt, sql`now() - interval '1 minute'`));
  await db
    .update(scimKeys)
    .set({ lastUsedAt: sql`now()` })
    .where(and(eq(scimKeys.id, key.id), isDue));
  return key.id;
}

/** Returns a page of the keys that match the search, and their total number. */
export async function listScimKeys(
  db: Db,
  search: string | undefined,
  page: PageRequest,
): Promise<KeysetPage<StoredScimKey> & { readonly total: number }> {
  const found = search === undefined ? undefined : ilike(scimKeys.name, containsPattern(search));
  const rows = await db
    .select(columns)
    .from(scimKeys)
    .where(and(found, oldestFirst.after(page)))
    .orderBy(...oldestFirst.orderBy)
    .limit(oldestFirst.limit(page));
  return { ...oldestFirst.page(rows, page), total: await db.$count(scimKeys, found) };
}

/** Stores a key by its hash; returns `null` if the name is taken. */
export async function insertScimKey(
  tx: Db,
  key: { readonly name: string; readonly keyHash: string },
): Promise<StoredScimKey | null> {
  const [stored] = await tx
    .insert(scimKeys)
    .values(key)
    .onConflictDoNothing({ target: scimKeys.name })
    .returning(columns);
  return stored ?? null;
}

/** Revokes a key. Returns true if it existed. */
export async function deleteScimKey(tx: Db, id: number): Promise<boolean> {
  const deleted = await tx.delete(scimKeys).where(eq(scimKeys.id, id)).returning({ id: scimKeys.id });
  return deleted.length > 0;
}
