import { and, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import type { Policy } from '../../contract/roles.js';
import type { UserSummary } from '../../contract/wire.js';
import type { Db } from '../db/database.js';
import { type Role, users } from '../db/schema.js';

/**
 * SQL condition that the user is not deactivated. Everything that authenticates a user or acts for it requires this.
 */
export const isActiveUser = isNull(users.deactivatedAt);

/** SQL expression: ids of the roles that are assigned to the user `users.id` or to its groups. */
const rolesOfUser = sql`(select user_roles.role_id from user_roles where user_roles.user_id = users.id
  union select groups.role_id from group_members join groups on groups.id = group_members.group_id
  where group_members.user_id = users.id)`;

/** SQL expression for the policies of each role of the user `users.id`. */
export const policiesOfUser = sql<readonly (readonly Policy[])[]>`(
  select coalesce(json_agg(roles.policies order by roles.id), '[]') from roles where roles.id in ${rolesOfUser})`;

/** The columns of a user that authentication needs. */
export interface StoredUser {
  readonly id: number;
  readonly role: Role;
}

/**
 * Finds users by id. Omits unknown and deactivated users. Runs one prepared statement, which the server parses once per
 * connection.
 */
export function createUsersFinder(db: Db): (userIds: readonly number[]) => Promise<ReadonlyMap<number, StoredUser>> {
  const statement = db
    .select({ id: users.id, role: users.role })
    .from(users)
    .where(and(sql`${users.id} = any(${sql.placeholder('userIds')})`, isActiveUser))
    .prepare('find_users');
  return async userIds => {
    const found = await statement.execute({ userIds });
    return new Map(found.map(user => [user.id, user]));
  };
}

/**
 * Updates the last login of users, at most once a minute. Skips rows that another transaction has locked; the next
 * login updates them.
 */
export async function recordLogins(db: Db, userIds: readonly number[]): Promise<void> {
  const isDue = or(isNull(users.lastLoginAt), lt(users.lastLoginAt, sql`now() - interval '1 minute'`));
  const due = db
    .select({ id: users.id })
    .from(users)
    .where(and(sql`${users.id} = any(${sql.param([...new Set(userIds)])})`, isDue))
    .for('no key update', { skipLocked: true });
  await db.update(users).set({ lastLoginAt: sql`now()` }).where(inArray(users.id, due));
}

/** Returns summaries of users by id, for responses that name owners. */
export async function summarizeUsers(db: Db, ids: readonly number[]): Promise<Map<number, UserSummary>> {
  const rows = await db
    .select()
    .from(users)
    .where(inArray(users.id, [...new Set(ids)]));
  return new Map(
    rows.map(user => [
      user.id,
      { id: user.id, email: user.email ?? '', firstName: user.displayName, picture: user.picture },
    ]),
  );
}

/** True if the user exists, internal or embed. */
export async function userExists(db: Db, userId: number): Promise<boolean> {
  return (await db.$count(users, eq(users.id, userId))) > 0;
}
