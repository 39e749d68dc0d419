import { eq, inArray, sql } from 'drizzle-orm';
import type { UserSummary } from '../../contract/wire.js';
import type { Db } from './database.js';
import { type Role, users } from './schema.js';

/** A user as far as signing in needs it. */
export interface StoredUser {
  readonly id: number;
  readonly role: Role;
}

/** Finds those of some users that there are, by id, in one statement that the server plans once a connection. */
export function usersFinder(db: Db): (userIds: readonly number[]) => Promise<ReadonlyMap<number, StoredUser>> {
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
