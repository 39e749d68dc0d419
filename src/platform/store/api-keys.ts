import { eq } from 'drizzle-orm';
import type { Db } from './database.js';
import { apiKeys, type Role, users } from './schema.js';

/** Whom an API key stands for. */
export interface ApiKeyOwner {
  readonly userId: number;
  readonly role: Role;
}

/** The user of an API key, by the key's hash; null when there is no such key. */
export async function findApiKey(db: Db, keyHash: string): Promise<ApiKeyOwner | null> {
  const [owner] = await db
    .select({ userId: users.id, role: users.role })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(eq(apiKeys.keyHash, keyHash));
  return owner ?? null;
}
