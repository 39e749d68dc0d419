import { and, eq, ilike, inArray, isNull, ne, sql } from 'drizzle-orm';
import type { BuiltInRole, Policy } from '../../contract/roles.js';
import { policiesOfUser } from '../auth/user-store.js';
import type { Db } from '../db/database.js';
import { containsPattern, Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { roles, userRoles, users } from '../db/schema.js';

/** A stored role. */
export type StoredRole = typeof roles.$inferSelect;

/** The editable fields of a role. */
export interface RoleContent {
  readonly name: string;
  readonly description: string | null;
  readonly policies: readonly Policy[];
}

/** Sorts by id, because ids are assigned in order of creation. */
const newestFirst = new Keyset<StoredRole>('roles', { id: roles.id }, 'desc');
const custom = eq(roles.isBuiltIn, false);
const adminRole: BuiltInRole = 'Admin';

/** Returns a page of the custom roles that match the search, and their total number. */
export async function listRoles(
  db: Db,
  search: string | undefined,
  page: PageRequest,
): Promise<KeysetPage<StoredRole> & { readonly total: number }> {
  const found = and(custom, search === undefined ? undefined : ilike(roles.name, containsPattern(search)));
  const rows = await db
    .select()
    .from(roles)
    .where(and(found, newestFirst.after(page)))
    .orderBy(...newestFirst.orderBy)
    .limit(newestFirst.limit(page));
  return { ...newestFirst.page(rows, page), total: await db.$count(roles, found) };
}

/** Returns a role by id, or `null` if it does not exist. */
export async function findRole(db: Db, roleId: number): Promise<StoredRole | null> {
  const [role] = await db.select().from(roles).where(eq(roles.id, roleId));
  return role ?? null;
}

/**
 * Returns the policies of roles by role name. The Admin role is excluded, so that its rights cannot be granted by name.
 */
export async function findRolePolicies(db: Db, names: readonly string[]): Promise<Map<string, readonly Policy[]>> {
  if (names.length === 0) return new Map();
  const { name, policies } = roles;
  const rows = await db
    .select({ name, policies })
    .from(roles)
    .where(and(inArray(name, [...names]), ne(name, adminRole)));
  return new Map(rows.map(row => [row.name, row.policies]));
}

/** Locks a role for update until the transaction ends; `null` if it does not exist. */
export async function lockRole(tx: Db, roleId: number): Promise<StoredRole | null> {
  const [role] = await tx.select().from(roles).where(eq(roles.id, roleId)).for('update');
  return role ?? null;
}

/** Creates a role. Returns `null` if the name is taken. */
export async function insertRole(tx: Db, content: RoleContent): Promise<StoredRole | null> {
  const [role] = await tx.insert(roles).values(content).onConflictDoNothing({ target: roles.name }).returning();
  return role ?? null;
}

/** Updates a role. @throws unique violation if another role has this name */
export async function updateRole(tx: Db, roleId: number, content: RoleContent): Promise<StoredRole | null> {
  const [role] = await tx
    .update(roles)
    .set({ ...content })
    .where(eq(roles.id, roleId))
    .returning();
  return role ?? null;
}

/** Deletes a role and its assignments. */
export async function deleteRole(tx: Db, roleId: number): Promise<void> {
  await tx.delete(roles).where(eq(roles.id, roleId));
}

/**
 * Locks an internal user against deletion until the transaction ends. Returns false if the user does not exist or is an
 * embed user.
 */
export async function lockInternalUser(tx: Db, userId: number): Promise<boolean> {
  const found = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.embedTenantId)))
    .for('key share');
  return found.length > 0;
}

/** Assigns a role to a user. Has no effect if the user already has the role. */
export async function assignRole(tx: Db, roleId: number, userId: number): Promise<void> {
  await tx.insert(userRoles).values({ roleId, userId }).onConflictDoNothing();
}

/** Removes a role from a user. */
export async function unassignRole(tx: Db, roleId: number, userId: number): Promise<void> {
  await tx.delete(userRoles).where(and(eq(userRoles.roleId, roleId), eq(userRoles.userId, userId)));
}

/**
 * Returns a function that finds the policies of users' roles, including roles of groups. It uses a prepared statement,
 * which the server plans once per connection.
 */
export function createPoliciesFinder(
  db: Db,
): (userIds: readonly number[]) => Promise<ReadonlyMap<number, readonly Policy[]>> {
  const statement = db
    .select({ userId: users.id, policies: policiesOfUser })
    .from(users)
    .where(sql`${users.id} = any(${sql.placeholder('userIds')})`)
    .prepare('find_policies');
  return async userIds => {
    const found = await statement.execute({ userIds });
    return new Map(found.map(({ userId, policies }) => [userId, policies.flat()]));
  };
}
