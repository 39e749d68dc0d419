import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm';
import type { BuiltInRole, Policy } from '../../contract/roles.js';
import type { Db } from '../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { roles, userRoles, users } from '../db/schema.js';

/** A role as it is stored. */
export type StoredRole = typeof roles.$inferSelect;

/** What a role is made of. */
export interface RoleContent {
  readonly name: string;
  readonly description: string | null;
  readonly policies: readonly Policy[];
}

/** Ids are given in the order of creation. */
const newestFirst = new Keyset<StoredRole>('roles', { id: roles.id }, 'desc');
const custom = eq(roles.isBuiltIn, false);
const adminRole: BuiltInRole = 'Admin';

/** A page of the roles that administrators made, and how many there are. */
export async function listRoles(
  db: Db,
  page: PageRequest,
): Promise<KeysetPage<StoredRole> & { readonly total: number }> {
  const rows = await db
    .select()
    .from(roles)
    .where(and(custom, newestFirst.after(page)))
    .orderBy(...newestFirst.orderBy)
    .limit(newestFirst.limit(page));
  return { ...newestFirst.page(rows, page), total: await db.$count(roles, custom) };
}

/** A role by id. */
export async function findRole(db: Db, roleId: number): Promise<StoredRole | null> {
  const [role] = await db.select().from(roles).where(eq(roles.id, roleId));
  return role ?? null;
}

/** The policies of roles, by the names of the roles; no name opens what administrators may. */
export async function findRolePolicies(db: Db, names: readonly string[]): Promise<Map<string, readonly Policy[]>> {
  if (names.length === 0) return new Map();
  const { name, policies } = roles;
  const rows = await db
    .select({ name, policies })
    .from(roles)
    .where(and(inArray(name, [...names]), ne(name, adminRole)));
  return new Map(rows.map(row => [row.name, row.policies]));
}

/** A role by id, which nobody else changes or deletes until the transaction ends. */
export async function lockRole(tx: Db, roleId: number): Promise<StoredRole | null> {
  const [role] = await tx.select().from(roles).where(eq(roles.id, roleId)).for('update');
  return role ?? null;
}

/** Makes a role; null where another has the name. */
export async function insertRole(tx: Db, content: RoleContent): Promise<StoredRole | null> {
  const [role] = await tx.insert(roles).values(content).onConflictDoNothing({ target: roles.name }).returning();
  return role ?? null;
}

/** Changes a role. @throws unique violation where another has the name. */
export async function updateRole(tx: Db, roleId: number, content: RoleContent): Promise<StoredRole | null> {
  const [role] = await tx
    .update(roles)
    .set({ ...content })
    .where(eq(roles.id, roleId))
    .returning();
  return role ?? null;
}

/** Deletes a role; whoever has it loses it. */
export async function deleteRole(tx: Db, roleId: number): Promise<void> {
  await tx.delete(roles).where(eq(roles.id, roleId));
}

/** True for a user of the account; embed users are none. It stays until the transaction ends. */
export async function lockInternalUser(tx: Db, userId: number): Promise<boolean> {
  const found = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.embedTenantId)))
    .for('key share');
  return found.length > 0;
}

/** Gives a user a role. */
export async function assignRole(tx: Db, roleId: number, userId: number): Promise<void> {
  await tx.insert(userRoles).values({ roleId, userId }).onConflictDoNothing();
}

/** Takes a role from a user. */
export async function unassignRole(tx: Db, roleId: number, userId: number): Promise<void> {
  await tx.delete(userRoles).where(and(eq(userRoles.roleId, roleId), eq(userRoles.userId, userId)));
}

/** Finds the policies of all roles of some users, in one statement that the server plans once a connection. */
export function createPoliciesFinder(
  db: Db,
): (userIds: readonly number[]) => Promise<ReadonlyMap<number, readonly Policy[]>> {
  const statement = db
    .select({ userId: userRoles.userId, policies: roles.policies })
    .from(userRoles)
    .innerJoin(roles, eq(roles.id, userRoles.roleId))
    .where(sql`${userRoles.userId} = any(${sql.placeholder('userIds')})`)
    .prepare('find_policies');
  return async userIds => {
    const found = new Map<number, readonly Policy[]>();
    for (const { userId, policies } of await statement.execute({ userIds })) {
      found.set(userId, [...(found.get(userId) ?? []), ...policies]);
    }
    return found;
  };
}
