import { and, asc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { StoredUser } from '../auth/user-store.js';
import type { Db } from '../db/database.js';
import { containsPattern, Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { accounts, Role, users } from '../db/schema.js';

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

/** Columns of an embed user as an administrator sees it. */
export const embedUserColumns = {
  id: users.id,
  externalId: users.externalId,
  email: users.email,
  displayName: users.displayName,
  lastLoginAt: users.lastLoginAt,
  createdAt: users.createdAt,
} as const;

/** An embed user as an administrator sees it. */
export type StoredEmbedUser = Pick<typeof users.$inferSelect, keyof typeof embedUserColumns>;

/** By what those without an email stand among the others. */
const listedAs = sql<string>`coalesce(${users.email}, ${users.externalId})`;
const byEmail = new Keyset<StoredEmbedUser & { readonly listedAs: string }>(
  'embed-users',
  { listedAs, id: users.id },
  'asc',
);

/** One page of a tenant's users by email. */
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

/** How members of a group are named. */
export interface EmbedUserIds {
  readonly ids: readonly number[];
  readonly externalIds: readonly string[];
}

/** The users of a tenant who are named by either id. */
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
  await queueForPlaces(tx);
  const other = await lockEmbedUser(tx, profile);
  if (other) return updateProfile(tx, other, profile);
  if ((await freePlaces(tx)) < 1) return null;
  const [created] = await tx
    .insert(users)
    .values({ ...profile, role: Role.user })
    .returning({ id: users.id, role: users.role });
  return created ?? null;
}

/** Creates those of a tenant's users that are missing. False when the account can't have that many: then there are none of them. */
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
  await queueForPlaces(tx);
  const created = await missing();
  if (created.length === 0) return true;
  if ((await freePlaces(tx)) < created.length) return false;
  await tx.insert(users).values(created.map(externalId => ({ embedTenantId, externalId, role: Role.user })));
  return true;
}

/** New users queue here, so that the number of free places holds. */
async function queueForPlaces(tx: Db): Promise<void> {
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
