import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { lowerAscii } from '../../contract/lower-ascii.js';
import type { StoredUser } from '../auth/user-store.js';
import type { Db } from '../db/database.js';
import { containsPattern, Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { lowerAsciiSql } from '../db/lower-ascii.js';
import { accounts, Role, users } from '../db/schema.js';

/** Maximum number of embed users of an account (domain.md 1.1). */
export const embedUserLimit = 10_000;

/** The profile of an embed user in a grant. `null` leaves the stored value unchanged. */
export interface EmbedUserProfile {
  readonly embedTenantId: number;
  readonly externalId: string;
  readonly email: string | null;
  readonly displayName: string | null;
  readonly picture: string | null;
}

/** Columns of an embed user that are shown to administrators. */
export const embedUserColumns = {
  id: users.id,
  externalId: users.externalId,
  email: users.email,
  displayName: users.displayName,
  lastLoginAt: users.lastLoginAt,
  createdAt: users.createdAt,
} as const;

/** An embed user as shown to administrators. */
export type StoredEmbedUser = Pick<typeof users.$inferSelect, keyof typeof embedUserColumns>;

/** Sort key of the list: the email, or the external id of users without an email. */
const listedAs = sql<string>`coalesce(${users.email}, ${users.externalId})`;
const byEmail = new Keyset<StoredEmbedUser & { readonly listedAs: string }>(
  'embed-users',
  { listedAs, id: users.id },
  'asc',
);

/** Returns one page of a tenant's users, ordered by email or external id. */
export async function listEmbedUsers(
  db: Db,
  embedTenantId: number,
  search: string | undefined,
  page: PageRequest,
): Promise<KeysetPage<StoredEmbedUser>> {
  const pattern = containsPattern(search ?? '');
  const found = sql`(${users.email} ilike ${pattern} or ${users.externalId} ilike ${pattern})`;
  const rows = await db
    .select({ ...embedUserColumns, listedAs })
    .from(users)
    .where(and(eq(users.embedTenantId, embedTenantId), search === undefined ? undefined : found, byEmail.after(page)))
    .orderBy(...byEmail.orderBy)
    .limit(byEmail.limit(page));
  return byEmail.page(rows, page);
}

/** Identifies embed users by id and by external id. */
export interface EmbedUserIds {
  readonly ids: readonly number[];
  readonly externalIds: readonly string[];
}

/** Returns the users of a tenant that match an id of either kind. */
export async function findEmbedUsers(
  db: Db,
  embedTenantId: number,
  { ids, externalIds }: EmbedUserIds,
): Promise<StoredEmbedUser[]> {
  const named = or(inArray(users.id, [...ids]), inArray(users.externalId, [...externalIds]));
  return db
    .select(embedUserColumns)
    .from(users)
    .where(and(eq(users.embedTenantId, embedTenantId), named));
}

/**
 * Returns the active internal user with a username or email (case-insensitive). Returns `null` if there is none, and if
 * the name is the username of one user and the email of another, because a session must not get the rights of the
 * wrong user.
 */
export async function findInternalUser(db: Db, internalId: string): Promise<StoredUser | null> {
  const name = lowerAscii(internalId.trim());
  const [user, other] = await db
    .select({ id: users.id, role: users.role, deactivatedAt: users.deactivatedAt })
    .from(users)
    .where(
      and(
        isNull(users.embedTenantId),
        or(eq(lowerAsciiSql(users.username), name), eq(lowerAsciiSql(users.email), name)),
      ),
    )
    .limit(2)
    .for('key share');
  if (user === undefined || other !== undefined || user.deactivatedAt !== null) return null;
  return { id: user.id, role: user.role };
}

/**
 * Creates or updates the embed user with an external id, and locks it until the transaction ends, so that grants for
 * the same user are applied one after another. Returns `null` if the account has reached its limit of embed users.
 */
export async function ensureEmbedUser(tx: Db, profile: EmbedUserProfile): Promise<StoredUser | null> {
  const known = await lockEmbedUser(tx, profile);
  if (known) return updateProfile(tx, known, profile);
  await lockAccount(tx);
  const other = await lockEmbedUser(tx, profile);
  if (other) return updateProfile(tx, other, profile);
  if ((await freePlaces(tx)) < 1) return null;
  const [created] = await tx
    .insert(users)
    .values({ ...profile, role: Role.user })
    .returning({ id: users.id, role: users.role });
  return created ?? null;
}

/** Creates the missing users of a tenant. If that would exceed the account's limit, creates none and returns false. */
export async function ensureEmbedUsers(
  tx: Db,
  embedTenantId: number,
  externalIds: readonly string[],
): Promise<boolean> {
  const missing = async () => {
    const known = await findEmbedUsers(tx, embedTenantId, { ids: [], externalIds });
    const names = new Set(known.map(({ externalId }) => externalId));
    return [...new Set(externalIds)].filter(externalId => !names.has(externalId));
  };
  if ((await missing()).length === 0) return true;
  await lockAccount(tx);
  const created = await missing();
  if (created.length === 0) return true;
  if ((await freePlaces(tx)) < created.length) return false;
  await tx.insert(users).values(created.map(externalId => ({ embedTenantId, externalId, role: Role.user })));
  return true;
}

/** Locks the account's row, so that concurrent transactions cannot exceed the limit of embed users. */
async function lockAccount(tx: Db): Promise<void> {
  await tx.select({ id: accounts.id }).from(accounts).for('update');
}

async function freePlaces(tx: Db): Promise<number> {
  return embedUserLimit - (await tx.$count(users, sql`${users.embedTenantId} is not null`));
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
  // Skips the write if nothing changes, because hosts send the same profile repeatedly.
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
