import { and, eq, ilike, inArray, isNull, not, or, sql } from 'drizzle-orm';
import type { BuiltInRole, Policy } from '../../contract/roles.js';
import type { Db } from '../db/database.js';
import { containsPattern, Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { lowerAsciiSql } from '../db/lower-ascii.js';
import { apiKeys, Role, roles, userRoles, users } from '../db/schema.js';
import { apiKeySessionOf, revokeSession } from './sessions.js';
import { isActiveUser, policiesOfUser } from './user-store.js';

/** User and rights that belong to an API key. */
export interface ApiKeyOwner {
  readonly keyId: number;
  readonly userId: number;
  readonly role: Role;
  /** Policies of all roles of the user, including roles of the user's groups. */
  readonly policies: readonly Policy[];
  /** Role that caps the rights of the key; `null` if the key has all rights of its user. */
  readonly maxRole: BuiltInRole | null;
  /** `null` if the key does not expire. */
  readonly expiresAt: Date | null;
}

const isValid = sql`(${apiKeys.expiresAt} is null or ${apiKeys.expiresAt} > now())`;
const isUseRecorded = sql<boolean>`coalesce(${apiKeys.lastUsedAt} > now() - interval '1 minute', false)`;

/** Records the use of a key, at most once a minute. Skips a key that another transaction has locked. */
async function recordUse(db: Db, keyId: number): Promise<void> {
  const due = db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.id, keyId), not(isUseRecorded)))
    .for('no key update', { skipLocked: true });
  await db.update(apiKeys).set({ lastUsedAt: sql`now()` }).where(inArray(apiKeys.id, due));
}

/**
 * Finds the user of an API key by the key's hash; `null` for an unknown or expired key. Records its use. Runs one
 * prepared statement, which the server plans once per connection.
 */
export function createApiKeyFinder(db: Db): (keyHash: string) => Promise<ApiKeyOwner | null> {
  const statement = db
    .select({
      keyId: apiKeys.id,
      userId: users.id,
      role: users.role,
      maxRole: apiKeys.role,
      policies: policiesOfUser,
      expiresAt: apiKeys.expiresAt,
      isUseRecorded,
    })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(and(eq(apiKeys.keyHash, sql.placeholder('keyHash')), isActiveUser, isValid))
    .prepare('find_api_key');
  return async keyHash => {
    const [owner] = await statement.execute({ keyHash });
    if (!owner) return null;
    const { isUseRecorded, policies, ...key } = owner;
    if (!isUseRecorded) await recordUse(db, key.keyId);
    return { ...key, policies: policies.flat() };
  };
}

/** An API key as listed by the API: with its user, without the secret. */
export type StoredApiKey = {
  readonly id: number;
  readonly name: string;
  readonly userId: number;
  readonly username: string;
  readonly role: BuiltInRole | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
};

const columns = {
  id: apiKeys.id,
  name: apiKeys.name,
  userId: users.id,
  username: sql<string>`coalesce(${users.username}, '')`,
  role: apiKeys.role,
  createdAt: apiKeys.createdAt,
  expiresAt: apiKeys.expiresAt,
  lastUsedAt: apiKeys.lastUsedAt,
};
/** Sorts by id, because ids increase in the order of creation. */
const oldestFirst = new Keyset<StoredApiKey>('api-keys', { id: apiKeys.id }, 'asc');

/** Returns a page of the keys that match the search, and their total number. */
export async function listApiKeys(
  db: Db,
  search: string | undefined,
  page: PageRequest,
): Promise<KeysetPage<StoredApiKey> & { readonly total: number }> {
  const pattern = containsPattern(search ?? '');
  const owners = db.select({ id: users.id }).from(users).where(ilike(users.username, pattern));
  const matching = or(ilike(apiKeys.name, pattern), inArray(apiKeys.userId, owners));
  const found = search === undefined ? undefined : matching;
  const rows = await db
    .select(columns)
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(and(found, oldestFirst.after(page)))
    .orderBy(...oldestFirst.orderBy)
    .limit(oldestFirst.limit(page));
  return { ...oldestFirst.page(rows, page), total: await db.$count(apiKeys, found) };
}

/** The user that a new key authenticates as. */
export interface KeyUser {
  readonly id: number;
  readonly username: string;
}

/**
 * Finds an active user of the account by id or name and locks the row until the transaction ends. Never returns embed
 * users.
 * @param user - `username` in lower case.
 */
export async function lockKeyUser(
  tx: Db,
  user: { readonly id: number } | { readonly username: string },
): Promise<KeyUser | null> {
  const named = 'id' in user ? eq(users.id, user.id) : eq(lowerAsciiSql(users.username), user.username);
  const [found] = await tx
    .select({ id: users.id, username: users.username })
    .from(users)
    .where(and(named, isNull(users.embedTenantId), isActiveUser))
    .limit(1)
    .for('key share');
  return found ? { id: found.id, username: found.username ?? '' } : null;
}

/** Creates a user with a built-in role. Returns `null` if another user has this name or email. */
export async function insertKeyUser(tx: Db, username: string, role: BuiltInRole): Promise<KeyUser | null> {
  const [user] = await tx
    .insert(users)
    .values({
      username,
      role: role === 'Admin' ? Role.admin : Role.user,
      email: username.includes('@') ? username : null,
    })
    .onConflictDoNothing()
    .returning({ id: users.id });
  if (!user) return null;
  const roleId = sql`(select ${roles.id} from ${roles} where ${and(eq(roles.name, role), eq(roles.isBuiltIn, true))})`;
  if (role !== 'Admin') await tx.insert(userRoles).values({ userId: user.id, roleId });
  return { id: user.id, username };
}

/** Stores a key by its hash; returns `null` if the name is taken. */
export async function insertApiKey(
  tx: Db,
  key: Pick<typeof apiKeys.$inferInsert, 'name' | 'keyHash' | 'userId' | 'role' | 'expiresAt'>,
): Promise<{ readonly id: number; readonly createdAt: Date } | null> {
  const { id, createdAt } = apiKeys;
  const [stored] = await tx
    .insert(apiKeys)
    .values(key)
    .onConflictDoNothing({ target: apiKeys.name })
    .returning({ id, createdAt });
  return stored ?? null;
}

/** Name of the key that the platform creates at startup. */
export const startKeyName = 'admin';

/** Revokes a key and the tokens that were issued to it. Returns true if the key existed. */
export async function deleteApiKey(tx: Db, keyId: number): Promise<boolean> {
  const deleted = await tx.delete(apiKeys).where(eq(apiKeys.id, keyId)).returning({ id: apiKeys.id });
  if (deleted.length > 0) await revokeSession(tx, apiKeySessionOf(keyId));
  return deleted.length > 0;
}

/** Revokes all keys of a user, and the tokens that were issued to them. */
export async function deleteApiKeysOf(tx: Db, userId: number): Promise<void> {
  const keys = await tx.delete(apiKeys).where(eq(apiKeys.userId, userId)).returning({ id: apiKeys.id });
  for (const { id } of keys) await revokeSession(tx, apiKeySessionOf(id));
}

/** True for the built-in administrator: the user of the key that the platform was started with. */
export async function hasStartKey(tx: Db, userId: number): Promise<boolean> {
  return (await tx.$count(apiKeys, and(eq(apiKeys.userId, userId), eq(apiKeys.name, startKeyName)))) > 0;
}

/** Returns the name of a key; `null` if it does not exist. */
export async function apiKeyName(tx: Db, keyId: number): Promise<string | null> {
  const [key] = await tx.select({ name: apiKeys.name }).from(apiKeys).where(eq(apiKeys.id, keyId));
  return key?.name ?? null;
}
