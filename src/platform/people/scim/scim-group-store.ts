import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../db/database.js';
import { GroupKind, groupMembers, groups, users } from '../../db/schema.js';
import { addMembers, endSessionsOfMembers, type RemovedMembers, removeMembers } from '../group-member-store.js';
import { type AttributeComparisons, compareFields, type Field, filterToSql } from './filter.js';
import { inDirectory, type ListWindow } from './scim-user-store.js';

/** A group of the account. */
export type DirectoryGroup = Pick<
  typeof groups.$inferSelect,
  'id' | 'name' | 'directoryId' | 'revision' | 'createdAt' | 'updatedAt'
>;

/** A member of a group. */
export interface DirectoryMember {
  readonly value: string;
  readonly display: string;
}

const { id, name, directoryId, revision, createdAt, updatedAt } = groups;
const columns = { id, name, directoryId, revision, createdAt, updatedAt };
const ofAccount = eq(groups.kind, GroupKind.account);

/**
 * Returns the requested part of the groups in the order of their creation, and the total number.
 * @throws PlatformError 400 `invalidFilter`
 */
export async function listDirectoryGroups(
  db: Db,
  { filter, startIndex, count }: ListWindow,
): Promise<{ readonly total: number; readonly rows: readonly DirectoryGroup[] }> {
  const condition = and(ofAccount, filter === undefined ? undefined : filterToSql(filter, compareGroup));
  const total = await db.$count(groups, condition);
  if (count === 0 || startIndex > total) return { total, rows: [] };
  const rows = await db
    .select(columns)
    .from(groups)
    .where(condition)
    .orderBy(id)
    .offset(startIndex - 1)
    .limit(count);
  return { total, rows };
}

/** Returns a group of the account, or `null`. */
export async function findDirectoryGroup(db: Db, groupId: number): Promise<DirectoryGroup | null> {
  const [group] = await db
    .select(columns)
    .from(groups)
    .where(and(ofAccount, eq(id, groupId)));
  return group ?? null;
}

/** Returns a group of the account, and locks it until the transaction ends. */
export async function lockDirectoryGroup(tx: Db, groupId: number): Promise<DirectoryGroup | null> {
  const [group] = await tx
    .select(columns)
    .from(groups)
    .where(and(ofAccount, eq(id, groupId)))
    .for('update');
  return group ?? null;
}

/** Returns the members of groups that directories can see, by group, ordered by name. */
export async function listMembers(db: Db, groupIds: readonly number[]): Promise<Map<number, DirectoryMember[]>> {
  const rows = await db
    .select({ groupId: groupMembers.groupId, value: sql<string>`users.id::text`, display: sql<string>`users.username` })
    .from(groupMembers)
    .innerJoin(users, eq(users.id, groupMembers.userId))
    .where(and(sql`${groupMembers.groupId} = any(${sql.param([...groupIds])})`, inDirectory))
    .orderBy(users.username);
  const members = new Map<number, DirectoryMember[]>(groupIds.map(groupId => [groupId, []]));
  for (const { groupId, ...member } of rows) members.get(groupId)?.push(member);
  return members;
}

/**
 * Changes a group and its entity tag. Sessions of its members end if its name changes. Rejects with a unique violation
 * if the name is taken.
 */
export async function changeDirectoryGroup(
  tx: Db,
  groupId: number,
  change: { readonly name?: string; readonly directoryId?: string | null },
): Promise<void> {
  if (change.name !== undefined) {
    const [before] = await tx.select({ name }).from(groups).where(eq(id, groupId));
    if (before && before.name !== change.name) await endSessionsOfMembers(tx, groupId);
  }
  const touched = { revision: sql`${revision} + 1`, updatedAt: sql`now()` };
  await tx
    .update(groups)
    .set({ ...change, ...touched })
    .where(eq(id, groupId));
}

/** Deletes a group. Sessions of its members end. */
export async function deleteDirectoryGroup(tx: Db, groupId: number): Promise<void> {
  await endSessionsOfMembers(tx, groupId);
  await tx.delete(groups).where(eq(id, groupId));
}

/** Adds users of the directory to a group. Returns the ids that do not belong to a user of the directory. */
export async function addDirectoryMembers(
  tx: Db,
  groupId: number,
  userIds: readonly number[],
): Promise<readonly number[]> {
  return addMembers(tx, groupId, userIds, inDirectory);
}

/**
 * Removes users of the directory from a group. Embed users, who are members because of a grant, are not visible to
 * directories and stay members.
 */
export async function removeDirectoryMembers(tx: Db, groupId: number, removed: RemovedMembers): Promise<void> {
  await removeMembers(tx, groupId, removed, inDirectory);
}

const fields: Readonly<Record<string, Field>> = {
  displayname: { kind: 'text', expression: sql`groups.name` },
  externalid: { kind: 'exact', expression: sql`groups.directory_id` },
  id: { kind: 'exact', expression: sql`groups.id::text` },
  'meta.created': { kind: 'time', expression: sql`groups.created_at` },
  'meta.lastmodified': { kind: 'time', expression: sql`groups.updated_at` },
};
const memberId: Field = { kind: 'exact', expression: sql`users.id::text` };

function compareGroup(attribute: string, comparisons: AttributeComparisons): SQL | null {
  if (attribute !== 'members') {
    return compareFields(comparisons, sub => fields[sub === '' ? attribute : `${attribute}.${sub}`]);
  }
  const member = compareFields(comparisons, sub => (sub === '' || sub === 'value' ? memberId : undefined));
  return (
    member &&
    sql`exists (
      select from group_members join users on users.id = group_members.user_id
      where group_members.group_id = groups.id and ${inDirectory} and ${member}
    )`
  );
}
