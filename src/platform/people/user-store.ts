import { and, asc, eq, getTableColumns, inArray, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm';
import type { Policy } from '../../contract/roles.js';
import type { userStatuses } from '../../contract/users.js';
import { isActiveUser, policiesOfUser } from '../auth/user-store.js';
import type { Db } from '../db/database.js';
import { containsPattern, Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { lowerAsciiSql } from '../db/lower-ascii.js';
import { dashboards, folders, notifications, Role, reports, roles, userRoles, users, workbooks } from '../db/schema.js';

/** A user of the account, with the names of its roles. */
export type StoredAccountUser = Omit<typeof users.$inferSelect, 'embedTenantId' | 'externalId'> & {
  readonly roleNames: readonly string[];
};

/** Filter of a list of users. */
export interface UserFilter {
  readonly search?: string | undefined;
  readonly status?: (typeof userStatuses)[number] | undefined;
  /** Name of an assigned role, or `Admin`. */
  readonly role?: string | undefined;
}

/** The columns of a user that can be changed. */
export type UserChange = Partial<
  Pick<typeof users.$inferInsert, 'displayName' | 'title' | 'picture' | 'role' | 'settings' | 'deactivatedAt'>
>;

/** A user to create. */
export type NewUser = Pick<
  typeof users.$inferInsert,
  'username' | 'email' | 'displayName' | 'picture' | 'directoryId' | 'role' | 'settings'
>;

const ofAccount = isNull(users.embedTenantId);
function hasRole(name: string): SQL {
  if (name === 'Admin') return eq(users.role, Role.admin);
  return sql`exists (select from ${userRoles} join ${roles} on ${roles.id} = ${userRoles.roleId}
    where ${userRoles.userId} = ${users.id} and ${roles.name} = ${name})`;
}

const { externalId: _externalId, embedTenantId: _embedTenantId, ...ownColumns } = getTableColumns(users);
const columns = {
  ...ownColumns,
  // The SQL text contains the names of tables, because Drizzle omits them in selected expressions, and several tables
  // have a column `id`.
  roleNames: sql<string[]>`array(
    select roles.name from user_roles join roles on roles.id = user_roles.role_id
    where user_roles.user_id = users.id order by roles.name
  )`,
};
const listedAs = lowerAsciiSql(users.username);
const byUsername = new Keyset<StoredAccountUser & { readonly listedAs: string }>('users', { listedAs }, 'asc');

/** Returns a page of the users of the account, ordered by username. */
export async function listUsers(
  db: Db,
  { search, status, role }: UserFilter,
  page: PageRequest,
): Promise<KeysetPage<StoredAccountUser>> {
  const pattern = containsPattern(search ?? '');
  const found = sql`(${users.username} ilike ${pattern} or ${users.email} ilike ${pattern} or ${users.displayName} ilike ${pattern})`;
  const rows = await db
    .select({ ...columns, listedAs })
    .from(users)
    .where(
      and(
        ofAccount,
        search === undefined ? undefined : found,
        status && (status === 'active' ? isActiveUser : isNotNull(users.deactivatedAt)),
        role === undefined ? undefined : hasRole(role),
        byUsername.after(page),
      ),
    )
    .orderBy(...byUsername.orderBy)
    .limit(byUsername.limit(page));
  return byUsername.page(rows, page);
}

/** Returns a user of the account, or `null` if it does not exist or is an embed user. */
export async function findAccountUser(db: Db, userId: number): Promise<StoredAccountUser | null> {
  const [user] = await db
    .select(columns)
    .from(users)
    .where(and(eq(users.id, userId), ofAccount));
  return user ?? null;
}

/** Returns a user as `findAccountUser` does, and locks it until the transaction ends. */
export async function lockAccountUser(tx: Db, userId: number): Promise<StoredAccountUser | null> {
  const [locked] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), ofAccount))
    .for('update');
  return locked ? findAccountUser(tx, userId) : null;
}

/** Creates a user and assigns roles. Returns `null` if another user has this username or email. */
export async function insertUser(tx: Db, user: NewUser, roleIds: readonly number[]): Promise<number | null> {
  const [created] = await tx.insert(users).values(user).onConflictDoNothing().returning({ id: users.id });
  if (!created) return null;
  const assigned = roleIds.map(roleId => ({ userId: created.id, roleId }));
  if (assigned.length > 0) await tx.insert(userRoles).values(assigned);
  return created.id;
}

/** Returns the policies of all roles of a user, including roles of its groups. */
export async function findPolicies(db: Db, userId: number): Promise<readonly Policy[]> {
  const [user] = await db.select({ policies: policiesOfUser }).from(users).where(eq(users.id, userId));
  return user?.policies.flat() ?? [];
}

/** Changes a user. */
export async function changeUser(tx: Db, userId: number, change: UserChange): Promise<void> {
  if (Object.keys(change).length === 0) return;
  const changed = { ...change, revision: sql`${users.revision} + 1`, updatedAt: sql`now()` };
  await tx.update(users).set(changed).where(eq(users.id, userId));
}

/** Returns ids of roles by name. The Admin role is not included, because it is a property of a user. */
export async function findRoleIds(db: Db, names: readonly string[]): Promise<Map<string, number>> {
  const found = await db
    .select({ name: roles.name, id: roles.id })
    .from(roles)
    .where(and(inArray(roles.name, [...names]), ne(roles.name, 'Admin')));
  return new Map(found.map(({ name, id }) => [name, id]));
}

/**
 * Returns the number of other active administrators. Locks them until the transaction ends, so that two administrators
 * cannot remove each other.
 */
export async function lockOtherAdmins(tx: Db, userId: number): Promise<number> {
  const others = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, Role.admin), ofAccount, isActiveUser, ne(users.id, userId)))
    .orderBy(asc(users.id))
    .for('no key update');
  return others.length;
}

/** Deletes a user and transfers its content to another user. */
export async function deleteUser(tx: Db, userId: number, reassignTo: number): Promise<void> {
  for (const table of [folders, workbooks, reports, dashboards, notifications]) {
    await tx.update(table).set({ createdBy: reassignTo }).where(eq(table.createdBy, userId));
  }
  await tx.delete(users).where(eq(users.id, userId));
}
