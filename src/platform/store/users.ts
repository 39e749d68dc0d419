import { eq, inArray } from 'drizzle-orm';
import type { UserSummary } from '../../contract/wire.js';
import type { Db } from './database.js';
import { type Role, users } from './schema.js';

/** A user as far as signing in needs it. */
export interface StoredUser {
  readonly id: number;
  readonly role: Role;
}

/** A user by id; null when there is none (any more). */
export async function findUser(db: Db, userId: number): Promise<StoredUser | null> {
  const [user] = await db.select({ id: users.id, role: users.role }).from(users).where(eq(users.id, userId));
  return user ?? null;
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
