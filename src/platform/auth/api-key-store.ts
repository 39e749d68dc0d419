import { and, eq, isNull, sql } from 'drizzle-orm';
import type { BuiltInRole, Policy } from '../../contract/roles.js';
import type { Db } from '../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { apiKeys, Role, roles, userRoles, users } from '../db/schema.js';
import { apiKeySessionOf, revokeSession } from './sessions.js';

/** Whom an API key stands for. */
export interface ApiKeyOwner {
  readonly keyId: number;
  readonly userId: number;
  readonly role: Role;
  /** Policies of all roles that the user was assigned. */
  readonly policies: readonly Policy[];
  /** The role beyond which the key gives nothing; null for all that the user may. */
  readonly most: BuiltInRole | null;
}

/** Finds the user of an API key by the key's hash, in one statement that the server plans once a connection; null for no such key. */
export function createApiKeyFinder(db: Db): (keyHash: string) => Promise<ApiKeyOwner | null> {
  const statement = db
    .select({ keyId: apiKeys.id, userId: users.id, role: users.role, most: apiKeys.role, policies: roles.policies })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .leftJoin(userRoles, eq(userRoles.userId, users.id))
    .leftJoin(roles, eq(roles.id, userRoles.roleId))
    .where(eq(apiKeys.keyHash, sql.placeholder('keyHash')))
    .prepare('find_api_key');
  return async keyHash => {
    const rows = await statement.execute({ keyHash });
    const [owner] = rows;
    return owner ? { ...owner, policies: rows.flatMap(({ policies }) => policies ?? []) } : null;
  };
}

/** A key as it is shown: whose it is, and never the key. */
export type StoredApiKey = {
  readonly id: number;
  readonly name: string;
  readonly userId: number;
  readonly username: string;
  readonly role: BuiltInRole | null;
  readonly createdAt: Date;
};

const columns = {
  id: apiKeys.id,
  name: apiKeys.name,
  userId: users.id,
  username: sql<string>`coalesce(${users.username}, '')`,
  role: apiKeys.role,
  createdAt: apiKeys.createdAt,
};
/** Ids are given in the order of creation. */
const oldestFirst = new Keyset<StoredApiKey>('api-keys', { id: apiKeys.id }, 'asc');

/** A page of the keys, and how many there are. */
export async function listApiKeys(
  db: Db,
  page: PageRequest,
): Promise<KeysetPage<StoredApiKey> & { readonly total: number }> {
  const rows = await db
    .select(columns)
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(oldestFirst.after(page))
    .orderBy(...oldestFirst.orderBy)
    .limit(oldestFirst.limit(page));
  return { ...oldestFirst.page(rows, page), total: await db.$count(apiKeys) };
}

/** Whom a new key is to speak for. */
export interface KeyUser {
  readonly id: number;
  readonly username: string;
}

/** A user of the account, by id or by name, which stays until the transaction ends; embed users are none. */
export async function lockKeyUser(
  tx: Db,
  who: { readonly id: number } | { readonly username: string },
): Promise<KeyUser | null> {
  const named = 'id' in who ? eq(users.id, who.id) : eq(sql`lower(${users.username})`, who.username);
  const [user] = await tx
    .select({ id: users.id, username: users.username })
    .from(users)
    .where(and(named, isNull(users.embedTenantId)))
    .limit(1)
    .for('key share');
  return user ? { id: user.id, username: user.username ?? '' } : null;
}

/** Makes a user with a role that every account has; null where somebody else has just made one of that name. */
export async function insertKeyUser(tx: Db, username: string, role: BuiltInRole): Promise<KeyUser | null> {
  const [user] = await tx
    .insert(users)
    .values({
      username,
      role: role === 'Admin' ? Role.admin : Role.user,
      email: username.includes('@') ? username : null,
    })
    .onConflictDoNothing({ target: users.username })
    .returning({ id: users.id });
  if (!user) return null;
  const roleId = sql`(select ${roles.id} from ${roles} where ${and(eq(roles.name, role), eq(roles.isBuiltIn, true))})`;
  if (role !== 'Admin') await tx.insert(userRoles).values({ userId: user.id, roleId });
  return { id: user.id, username };
}

/** Stores a key by its hash; null where another has the name. */
export async function insertApiKey(
  tx: Db,
  key: { readonly name: string; readonly keyHash: string; readonly userId: number; readonly role: BuiltInRole | null },
): Promise<{ readonly id: number; readonly createdAt: Date } | null> {
  const { id, createdAt } = apiKeys;
  const [stored] = await tx
    .insert(apiKeys)
    .values(key)
    .onConflictDoNothing({ target: apiKeys.name })
    .returning({ id, createdAt });
  return stored ?? null;
}

/** Name of the key that the platform was started with. */
export const startKeyName = 'admin';

/** Revokes a key, and the tokens of other APIs that it was given: true when it was there. */
export async function deleteApiKey(tx: Db, keyId: number): Promise<boolean> {
  const gone = await tx.delete(apiKeys).where(eq(apiKeys.id, keyId)).returning({ id: apiKeys.id });
  if (gone.length > 0) await revokeSession(tx, apiKeySessionOf(keyId));
  return gone.length > 0;
}

/** Name of a key; null where there is none. */
export async function apiKeyName(tx: Db, keyId: number): Promise<string | null> {
  const [key] = await tx.select({ name: apiKeys.name }).from(apiKeys).where(eq(apiKeys.id, keyId));
  return key?.name ?? null;
}
