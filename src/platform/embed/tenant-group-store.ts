import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { GroupKind, groupMembers, groups, users } from '../db/schema.js';
import { embedUserColumns, type StoredEmbedUser } from './embed-user-store.js';

/** A group of an embed tenant and its number of members. */
export type TenantGroup = Pick<typeof groups.$inferSelect, 'id' | 'name' | 'description'> & {
  readonly userCount: number;
};

/** Identifies a group by tenant and id. */
export interface GroupRef {
  readonly embedTenantId: number;
  readonly id: number;
}

const newestFirst = new Keyset<TenantGroup>('tenant-groups', { id: groups.id }, 'desc');
const { id, name, description } = groups;
const columns = (db: Db) => ({
  id,
  name,
  description,
  userCount: db.$count(groupMembers, eq(groupMembers.groupId, id)),
});

// Excludes the group that represents a tenant in shares, because that group has a different kind.
const ofTenant = (embedTenantId: number) =>
  and(eq(groups.kind, GroupKind.tenant), eq(groups.embedTenantId, embedTenantId));
const isGroup = (group: GroupRef) => and(ofTenant(group.embedTenantId), eq(groups.id, group.id));

/** Returns one page of a tenant's groups, newest first. */
export async function listTenantGroups(
  db: Db,
  embedTenantId: number,
  page: PageRequest,
): Promise<KeysetPage<TenantGroup>> {
  const rows = await db
    .select(columns(db))
    .from(groups)
    .where(and(ofTenant(embedTenantId), newestFirst.after(page)))
    .orderBy(...newestFirst.orderBy)
    .limit(newestFirst.limit(page));
  return newestFirst.page(rows, page);
}

/** Returns a group of a tenant, or `null` if it does not exist. */
export async function findTenantGroup(db: Db, group: GroupRef): Promise<TenantGroup | null> {
  const [found] = await db.select(columns(db)).from(groups).where(isGroup(group));
  return found ?? null;
}

/** Locks a group of a tenant against deletion until the transaction ends. Returns false if it does not exist. */
export async function lockTenantGroup(tx: Db, group: GroupRef): Promise<boolean> {
  const kept = await tx.select({ id }).from(groups).where(isGroup(group)).for('key share');
  return kept.length > 0;
}

/** Creates a group of a tenant. Returns `null` if the name is taken. */
export async function createTenantGroup(
  tx: Db,
  embedTenantId: number,
  group: { readonly name: string; readonly description: string | null },
): Promise<TenantGroup | null> {
  const [created] = await tx
    .insert(groups)
    .values({ kind: GroupKind.tenant, embedTenantId, ...group })
    .onConflictDoNothing()
    .returning({ id, name, description });
  return created ? { ...created, userCount: 0 } : null;
}

/** Updates the description of a group of a tenant. */
export async function describeTenantGroup(tx: Db, group: GroupRef, text: string | null): Promise<void> {
  await tx
    .update(groups)
    .set({ description: text })
    .where(and(isGroup(group), sql`${description} is distinct from ${text}`));
}

/** Deletes a group if it has no members. Returns its number of members, or `null` if the group does not exist. */
export async function deleteEmptyGroup(tx: Db, group: GroupRef): Promise<number | null> {
  // Adding a member also locks the group, so no member can be added while this transaction holds the lock.
  const [locked] = await tx.select({ id }).from(groups).where(isGroup(group)).for('update');
  if (!locked) return null;
  const members = await tx.$count(groupMembers, eq(groupMembers.groupId, locked.id));
  if (members === 0) await tx.delete(groups).where(eq(groups.id, locked.id));
  return members;
}

type Member = StoredEmbedUser & { readonly addedAt: Date };

const latestFirst = new Keyset<Member>(
  'group-members',
  { addedAt: groupMembers.addedAt, id: groupMembers.userId },
  'desc',
);

/** Returns one page of a group's members, most recently added first. */
export async function listGroupMembers(db: Db, groupId: number, page: PageRequest): Promise<KeysetPage<Member>> {
  const rows = await db
    .select({ ...embedUserColumns, addedAt: groupMembers.addedAt })
    .from(groupMembers)
    .innerJoin(users, eq(users.id, groupMembers.userId))
    .where(and(eq(groupMembers.groupId, groupId), latestFirst.after(page)))
    .orderBy(...latestFirst.orderBy)
    .limit(latestFirst.limit(page));
  return latestFirst.page(rows, page);
}

/** Adds users to a group. Returns the ids of the users that were not members before. */
export async function addGroupMembers(tx: Db, groupId: number, userIds: readonly number[]): Promise<Set<number>> {
  if (userIds.length === 0) return new Set();
  const added = await tx
    .insert(groupMembers)
    .values([...userIds].sort((a, b) => a - b).map(userId => ({ groupId, userId })))
    .onConflictDoNothing()
    .returning({ userId: groupMembers.userId });
  return new Set(added.map(({ userId }) => userId));
}
