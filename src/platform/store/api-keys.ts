import { eq, sql } from 'drizzle-orm';
import type { BuiltInRole, Policy } from '../../contract/policies.js';
import type { Db } from './database.js';
import { apiKeys, type Role, roles, userRoles, users } from './schema.js';

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
export function apiKeyFinder(db: Db): (keyHash: string) => Promise<ApiKeyOwner | null> {
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
