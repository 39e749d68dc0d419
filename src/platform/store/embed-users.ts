import { and, asc, eq, isNull, or, sql } from 'drizzle-orm';
import type { Db } from './database.js';
import { accounts, Role, users } from './schema.js';
import type { StoredUser } from './users.js';

/** Most embed users that one account may have (domain facts 1.1). */
export const embedUserLimit = 10_000;

/** An embed user as a grant tells of it; null keeps what is stored. */
export interface EmbedUserProfile {
  readonly embedTenantId: number;
  readonly externalId: string;
  readonly email: string | null;
  readonly displayName: string | null;
  readonly picture: string | null;
}

/** An internal user by username or email, whatever the case; null when there is none. */
export async function findInternalUser(db: Db, internalId: string): Promise<StoredUser | null> {
  const name = internalId.trim().toLowerCase();
  const [user] = await db
    .select({ id: users.id, role: users.role })
    .from(users)
    .where(
      and(
        isNull(users.embedTenantId),
        or(eq(sql`lower(${users.username})`, name), eq(sql`lower(${users.email})`, name)),
      ),
    )
    .orderBy(asc(users.id))
    .limit(1);
  return user ?? null;
}

/**
 * The embed user of a tenant and external id, created where it is missing, its profile brought up to date, and locked until the
 * transaction ends: grants for one user are applied one after another. Null when the account has all the embed users it may have.
 */
export async function ensureEmbedUser(tx: Db, profile: EmbedUserProfile): Promise<StoredUser | null> {
  const known = await lockEmbedUser(tx, profile);
  if (known) return updateProfile(tx, known, profile);
  // New users queue here, so that the count below holds.
  await tx.select({ id: accounts.id }).from(accounts).for('update');
  const other = await lockEmbedUser(tx, profile);
  if (other) return updateProfile(tx, other, profile);
  const total = await tx.$count(users, sql`${users.embedTenantId} is not null`);
  if (total >= embedUserLimit) return null;
  const [created] = await tx
    .insert(users)
    .values({ ...profile, role: Role.user })
    .returning({ id: users.id, role: users.role });
  return created ?? null;
}

async function lockEmbedUser(tx: Db, profile: EmbedUserProfile): Promise<StoredUser | null> {
  const [user] = await tx
    .select({ id: users.id, role: users.role })
    .from(users)
    .where(and(eq(users.embedTenantId, profile.embedTenantId), eq(users.externalId, profile.externalId)))
    .for('update');
  return user ?? null;
}

async function updateProfile(tx: Db, user: StoredUser, profile: EmbedUserProfile): Promise<StoredUser> {
  const { email, displayName, picture } = profile;
  const given = {
    ...(email !== null && { email }),
    ...(displayName !== null && { displayName }),
    ...(picture !== null && { picture }),
  };
  // Hosts send the same profile time and again: a row that says so already is not written.
  const changes = (['email', 'displayName', 'picture'] as const).flatMap(name => {
    const value = profile[name];
    return value === null ? [] : [sql`${users[name]} is distinct from ${value}`];
  });
  if (changes.length > 0)
    await tx
      .update(users)
      .set(given)
      .where(and(eq(users.id, user.id), or(...changes)));
  return user;
}
