import { and, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import type { UserSummary } from '../../contract/wire.js';
import type { Db } from '../db/database.js';
import { type Role, users } from '../db/schema.js';

/** A user as far as signing in needs it. */
export interface StoredUser {
  readonly id: number;
  readonly role: Role;
}

/** Finds those of some users that there are, by id, in one statement that the server plans once a connection. */
export function createUsersFinder(db: Db): (userIds: readonly number[]) => Promise<ReadonlyMap<number, StoredUser>> {
  const statement = db
    .select({ id: users.id, role: users.role })
    .from(users)
    .where(sql`${users.id} = any(${sql.placeholder('userIds')})`)
    .prepare('find_users');
  return async userIds => {
    const found = await statement.execute({ userIds });
    return new Map(found.map(user => [user.id, user]));
  };
}

/**
 * Notes that users have come with a session, at most once a minute. It waits for nobody: whose row another writer holds at the moment
 * is noted when next they come.
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

/** Who stands behind these ids, for the answers that name owners. */
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

/** True for a user who is there, internal or of an embed tenant. */
export async function userExists(db: Db, userId: number): Promise<boolean> {
  return (await db.$count(users, eq(users.id, userId))) > 0;
}
