import { randomBytes } from 'node:crypto';
import type { Hono } from 'hono';
import * as contract from '../../contract/api-keys.js';
import type { BuiltInRole } from '../../contract/roles.js';
import * as store from '../auth/api-key-store.js';
import { hashApiKey } from '../auth/secrets.js';
import type { Db } from '../db/database.js';
import { PlatformError } from '../errors.js';
import { notFound, requireManager } from '../http/access.js';
import type { RouteDeps } from '../http/route-deps.js';
import { serve, write } from '../http/serve.js';

/**
 * Mounts the routes for API keys (extension). Creating a key requires an API key; an embed session is not sufficient.
 */
export function mountApiKeys(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  serve(app, contract.listApiKeys, deps, async ({ query, principal }) => {
    requireManager(principal);
    const { items, pageInfo, total } = await store.listApiKeys(db, query.search, query);
    const shown = items.map(show);
    return { items: shown, pageInfo, data: shown, count: total };
  });

  write(app, contract.createApiKey, deps, async ({ body, principal }, tx, target) => {
    requireManager(principal);
    const role = body.role ?? null;
    const expiresAt = readExpiry(body.expiresAt);
    const { id: userId, username } = await ensureUser(tx, whoOf(body), role);
    const key = `pa_${randomBytes(32).toString('base64url')}`;
    const added = await store.insertApiKey(tx, { name: body.name, keyHash: hashApiKey(key), userId, role, expiresAt });
    if (!added) throw new PlatformError(409, 'Another API key has this name. Revoke it, or choose another name.');
    Object.assign(target, { id: added.id, userId });
    return { ...show({ ...added, name: body.name, userId, username, role, expiresAt, lastUsedAt: null }), key };
  });

  write(app, contract.revokeApiKey, deps, async ({ params, principal }, tx) => {
    requireManager(principal);
    if ((await store.apiKeyName(tx, params.id)) === store.startKeyName) {
      const message = 'The admin key of the platform cannot be revoked. Start the platform with another PA_ADMIN_KEY.';
      throw new PlatformError(409, message);
    }
    if (!(await store.deleteApiKey(tx, params.id))) throw notFound('API key');
    return undefined;
  });
}

type Who = { readonly id: number } | { readonly username: string };

function whoOf({
  userId,
  username,
}: {
  userId?: number | null | undefined;
  username?: string | null | undefined;
}): Who {
  if (userId != null && username == null) return { id: userId };
  if (username != null && userId == null) return { username };
  throw new PlatformError(400, 'body.userId: send either userId or username');
}

async function ensureUser(tx: Db, who: Who, role: BuiltInRole | null): Promise<store.KeyUser> {
  const known = await store.lockKeyUser(tx, who);
  if (known) return known;
  if ('id' in who) throw notFound('User');
  if (role === null) {
    throw new PlatformError(400, 'body.role: is required for a new user; no user has this username');
  }
  // If a concurrent request has created the user, the role of that user is not changed.
  const user = (await store.insertKeyUser(tx, who.username, role)) ?? (await store.lockKeyUser(tx, who));
  if (!user) throw new PlatformError(409, 'Another user took or released this name at the same time. Try again.');
  return user;
}

/** Latest year in which a key can expire, so that the time is in the range of the database. */
const maxYear = 9999;

function readExpiry(text: string | null | undefined): Date | null {
  if (text == null) return null;
  const expiresAt = new Date(text);
  if (expiresAt.getTime() <= Date.now()) throw new PlatformError(400, 'body.expiresAt: must be in the future');
  if (!(expiresAt.getUTCFullYear() <= maxYear)) throw new PlatformError(400, 'body.expiresAt: is not a valid time');
  return expiresAt;
}

function show({ expiresAt, lastUsedAt, ...key }: store.StoredApiKey): contract.ApiKey {
  const { id, name, userId, username, role, createdAt } = key;
  return {
    id,
    name,
    user: { id: userId, username },
    role,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
