import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { GroupKind, groupMembers, groups, users } from '../db/schema.js';
import { embedUserColumns, type StoredEmbedUser } from './embed-user-store.js';

/** A group of an embed tenant, and how many are in it. */
export type TenantGroup = Pick<typeof groups.$inferSelect, 'id' | 'name' | 'description'> & {
  readonly userCount: number;
};

/** Which group: of which tenant, by its id. */
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

// The group that stands for a tenant in shares is of another kind.
const ofTenant = (embedTenantId: number) =>
  and(eq(groups.kind, GroupKind.tenant), eq(groups.embedTenantId, embedTenantId));
const isGroup = (group: GroupRef) => and(ofTenant(group.embedTenantId), eq(groups.id, group.id));

/** One page of a tenant's groups, the newest first. */
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

/** A group of a tenant. */
export async function findTenantGroup(db: Db, group: GroupRef): Promise<TenantGroup | null> {
  const [found] = await db.select(columns(db)).from(groups).where(isGroup(group));
  return found ?? null;
}

/** A group of a tenant, which nobody deletes before the transaction ends. */
export async function lockTenantGroup(tx: Db, group: GroupRef): Promise<boolean> {
  const kept = await tx.select({ id }).from(groups).where(isGroup(group)).for('key share');
  return kept.length > 0;
}

/** Creates a group of a tenant; null when the name is taken. */
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

/** Describes a group of a tenant anew. */
export async function describeTenantGroup(tx: Db, group: GroupRef, text: string | null): Promise<void> {
  await tx
    .update(groups)
    .set({ description: text })
    .where(and(isGroup(group), sql`${description} is distinct from ${text}`));
}

/** Deletes a group of a tenant that has no members: how many it has, or null where there is no such group. */
export async function deleteEmptyGroup(tx: Db, group: GroupRef): Promise<number | null> {
  // Whoever adds a member holds the group: nobody is added any more once it is locked.
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

/** One page of a group's members, the latest added first. */
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

/** Makes users members of a group. Returns those who weren't before. */
export async function addGroupMembers(tx: Db, groupId: number, userIds: readonly number[]): Promise<Set<number>> {
  if (userIds.length === 0) return new Set();
  const added = await tx
    .insert(groupMembers)
    .values([...userIds].sort((a, b) => a - b).map(userId => ({ groupId, userId })))
    .onConflictDoNothing()
    .returning({ userId: groupMembers.userId });
  return new Set(added.map(({ userId }) => userId));
}

/** Takes users out of a group; whoever is not in it is passed over. */
export async function removeGroupMembers(tx: Db, groupId: number, userIds: readonly number[]): Promise<void> {
  await tx
    .delete(groupMembers)
    .where(and(eq(groupMembers.groupId, groupId), inArray(groupMembers.userId, [...userIds])));
}
