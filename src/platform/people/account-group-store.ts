import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/database.js';
import { containsPattern, Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { embedTenants, GroupKind, groupMembers, groups, roles, users } from '../db/schema.js';
import { addMembers, endSessionsOfMembers } from './group-member-store.js';

/** A group of the account, with its role and its number of members. */
export type StoredAccountGroup = Pick<
  typeof groups.$inferSelect,
  'id' | 'name' | 'description' | 'directoryId' | 'createdAt'
> & { readonly role: { readonly id: number; readonly name: string } | null; readonly userCount: number };

/** A member of a group of the account. */
export type StoredMember = Pick<
  typeof users.$inferSelect,
  'id' | 'email' | 'displayName' | 'externalId' | 'deactivatedAt'
> & { readonly username: string; readonly embedTenantName: string | null };

/** The fields of a group that can be changed. */
export type AccountGroupChange = Partial<Pick<typeof groups.$inferInsert, 'name' | 'description' | 'roleId'>>;

/** The requested part of a list. */
interface Search extends PageRequest {
  readonly search?: string | undefined;
}

const { id, name, description, directoryId, createdAt } = groups;
const columns = (db: Db) => ({
  id,
  name,
  description,
  directoryId,
  createdAt,
  role: { id: roles.id, name: roles.name },
  userCount: db.$count(groupMembers, eq(groupMembers.groupId, id)),
});
const ofAccount = eq(groups.kind, GroupKind.account);
const byName = new Keyset<StoredAccountGroup>('account-groups', { name, id }, 'asc');

/** Returns a page of the groups of the account, ordered by name. */
export async function listAccountGroups(
  db: Db,
  { search, ...page }: Search,
): Promise<KeysetPage<StoredAccountGroup> & { readonly total: number }> {
  const condition = and(ofAccount, search === undefined ? undefined : sql`${name} ilike ${containsPattern(search)}`);
  const rows = await db
    .select(columns(db))
    .from(groups)
    .leftJoin(roles, eq(roles.id, groups.roleId))
    .where(and(condition, byName.after(page)))
    .orderBy(...byName.orderBy)
    .limit(byName.limit(page));
  return { ...byName.page(rows, page), total: await db.$count(groups, condition) };
}

/** Returns a group of the account, or `null` if it does not exist. */
export async function findAccountGroup(db: Db, groupId: number): Promise<StoredAccountGroup | null> {
  const [group] = await db
    .select(columns(db))
    .from(groups)
    .leftJoin(roles, eq(roles.id, groups.roleId))
    .where(and(ofAccount, eq(id, groupId)));
  return group ?? null;
}

/** Locks a group of the account until the transaction ends. Returns its name, or `null` if it does not exist. */
export async function lockAccountGroup(tx: Db, groupId: number): Promise<string | null> {
  const [group] = await tx
    .select({ name })
    .from(groups)
    .where(and(ofAccount, eq(id, groupId)))
    .for('update');
  return group?.name ?? null;
}

/** Creates a group of the account. Returns `null` if the name is taken. */
export async function insertAccountGroup(
  tx: Db,
  group: AccountGroupChange & { readonly name: string; readonly directoryId?: string | null },
): Promise<number | null> {
  const [created] = await tx
    .insert(groups)
    .values({ kind: GroupKind.account, ...group })
    .onConflictDoNothing()
    .returning({ id });
  return created?.id ?? null;
}

/** Changes a group. @throws unique violation if another group has the name */
export async function changeAccountGroup(tx: Db, groupId: number, change: AccountGroupChange): Promise<void> {
  const changed = { ...change, revision: sql`${groups.revision} + 1`, updatedAt: sql`now()` };
  await tx.update(groups).set(changed).where(eq(id, groupId));
}

/** Deletes a group. Sessions of its members end. */
export async function deleteAccountGroup(tx: Db, groupId: number): Promise<void> {
  await endSessionsOfMembers(tx, groupId);
  await tx.delete(groups).where(eq(id, groupId));
}

const memberName = sql<string>`coalesce(users.username, users.external_id, '')`;
const byMember = new Keyset<StoredMember>('account-group-members', { username: memberName, id: users.id }, 'asc');

/** Returns a page of the members of a group, ordered by username. */
export async function listAccountGroupMembers(
  db: Db,
  groupId: number,
  { search, ...page }: Search,
): Promise<KeysetPage<StoredMember>> {
  const { email, displayName, externalId, deactivatedAt } = users;
  const rows = await db
    .select({
      id: users.id,
      username: memberName,
      email,
      displayName,
      externalId,
      deactivatedAt,
      embedTenantName: embedTenants.name,
    })
    .from(groupMembers)
    .innerJoin(users, eq(users.id, groupMembers.userId))
    .leftJoin(embedTenants, eq(embedTenants.id, users.embedTenantId))
    .where(and(eq(groupMembers.groupId, groupId), matches(search), byMember.after(page)))
    .orderBy(...byMember.orderBy)
    .limit(byMember.limit(page));
  return byMember.page(rows, page);
}

function matches(search: string | undefined): SQL | undefined {
  if (search === undefined) return undefined;
  const pattern = containsPattern(search);
  return sql`(${memberName} ilike ${pattern} or ${users.email} ilike ${pattern} or ${users.displayName} ilike ${pattern})`;
}

/** Adds users of the account to a group. Returns the ids that do not belong to a user of the account. */
export function addAccountMembers(tx: Db, groupId: number, userIds: readonly number[]): Promise<readonly number[]> {
  return addMembers(tx, groupId, userIds, sql`${isNull(users.embedTenantId)}`);
}
