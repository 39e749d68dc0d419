import type { Hono } from 'hono';
import {
  deleteEmbedTenant,
  type EmbedTenant,
  type EmbedUser,
  type EmbedUserSession,
  listEmbedTenants,
  listEmbedUserSessions,
  listEmbedUsers,
  type ProvisionEmbedUser,
  provisionEmbedUser,
  provisionEmbedUsers,
  revokeEmbedUserSessions,
} from '../../contract/embed-tenants.js';
import * as sessions from '../auth/sessions.js';
import type { Db } from '../db/database.js';
import { PlatformError } from '../errors.js';
import type { RouteDeps } from '../http/route-deps.js';
import { serve, transact, write } from '../http/serve.js';
import { applyEmbedUser } from './apply-grant.js';
import * as users from './embed-user-store.js';
import * as tenants from './tenant-store.js';
import { ensureLockedTenant, findTenant, type Tenant } from './tenant-store.js';

/** Mounts the operations that list embed tenants, and that delete them with everything they own (spec 4.5). */
export function mountEmbedTenants(app: Hono, deps: RouteDeps): void {
  serve(app, listEmbedTenants, deps, async ({ query }) => {
    const { items, pageInfo } = await tenants.listTenants(deps.db, query.search, query);
    return { items: items.map(showTenant), pageInfo };
  });

  write(app, deleteEmbedTenant, deps, async ({ params }, tx) => {
    if (params.embedTenantName === (await tenants.accountName(tx))) {
      throw new PlatformError(400, "path.embedTenantName: the account's own tenant cannot be deleted");
    }
    await tenants.deleteTenant(tx, params.embedTenantName);
    return undefined;
  });
}

function showTenant({ id, name, displayName, createdAt, userCount }: tenants.ListedTenant): EmbedTenant {
  return { id, name, displayName, createdAt: createdAt.toISOString(), userCount };
}

/** Mounts the operations that list embed users, and that provision them in the same way as minting a session does. */
export function mountEmbedUsers(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  serve(app, listEmbedUsers, deps, async ({ params, query }) => {
    const tenant = await requireTenant(db, params.embedTenantName);
    const { items, pageInfo } = await users.listEmbedUsers(db, tenant.id, query.search, query);
    return { items: items.map(showEmbedUser), pageInfo };
  });

  serve(app, listEmbedUserSessions, deps, async ({ params, query: { search, ...page } }) => {
    const { id: embedTenantId } = await requireTenant(db, params.embedTenantName);
    const { items, pageInfo } = await sessions.listEmbedUserSessions(db, { embedTenantId, search }, page);
    return { items: items.map(showSession), pageInfo };
  });

  write(app, revokeEmbedUserSessions, deps, async ({ params, query }, tx, target) => {
    const { id: embedTenantId } = await requireTenant(tx, params.embedTenantName);
    const { userId, id: sessionKey } = query;
    await sessions.revokeEmbedUserSessions(tx, { embedTenantId, userId, sessionKey });
    if (userId !== undefined) target.userId = userId;
    if (sessionKey !== undefined) target.sessionId = sessionKey;
    return undefined;
  });

  write(app, provisionEmbedUser, deps, ({ params, body }, tx) => provision(tx, params.embedTenantName, body, 'body'));

  serve(app, provisionEmbedUsers, deps, async ({ params, body, principal, request }) => {
    const { embedTenantName } = params;
    const answer = { succeeded: [] as EmbedUser[], failed: [] as ReturnType<typeof failureOf>[] };
    for (const [index, user] of body.users.entries()) {
      const { externalId } = user;
      const writer = { principal, request, target: { embedTenantName, externalId } };
      try {
        const made = await transact(db, provisionEmbedUsers.id, writer, tx =>
          provision(tx, embedTenantName, user, `body.users.${index}`),
        );
        answer.succeeded.push(made);
      } catch (error) {
        answer.failed.push(failureOf(externalId, error));
      }
    }
    return answer;
  });
}

/** Returns the embed tenant that the path identifies. @throws PlatformError 404 */
export async function requireTenant(db: Db, name: string): Promise<Tenant> {
  const tenant = await findTenant(db, name);
  if (!tenant) throw unknownTenant();
  return tenant;
}

/**
 * Returns the error for an embed tenant that does not exist or is hidden from the caller. The two cases must be
 * indistinguishable.
 */
export function unknownTenant(): PlatformError {
  return new PlatformError(
    404,
    'Embed tenant not found. Its first session or user creates it (POST /api/v1/embed-tenants/{name}/user).',
  );
}

/** Returns the error for a write that would exceed the account's limit of embed users. */
export function tooManyUsers(): PlatformError {
  return new PlatformError(429, `The account would exceed the limit of ${users.embedUserLimit} embed users.`);
}

async function provision(tx: Db, tenantName: string, user: ProvisionEmbedUser, where: string): Promise<EmbedUser> {
  const tenant = await ensureLockedTenant(tx, tenantName);
  const made = await applyEmbedUser(tx, tenant, user, where);
  if (!made) throw tooManyUsers();
  const [stored] = await users.findEmbedUsers(tx, tenant.id, { ids: [made.id], externalIds: [] });
  if (!stored) throw new Error('A locked user does not exist.');
  return showEmbedUser(stored);
}

function failureOf(externalId: string, error: unknown) {
  if (!(error instanceof PlatformError)) throw error;
  const { status, message } = error;
  return { externalId, error: { status, message } };
}

function showSession(session: sessions.EmbedUserSessionRow): EmbedUserSession {
  const { sessionKey, userId, externalId, email } = session;
  return {
    id: sessionKey,
    userId,
    username: externalId ?? String(userId),
    email,
    startedAt: sessions.exchangedAt(session).toISOString(),
  };
}

/** Converts a stored embed user to the response format. */
export function showEmbedUser(user: users.StoredEmbedUser): EmbedUser {
  const { id, externalId, email, displayName, lastLoginAt, createdAt } = user;
  return {
    id,
    username: externalId ?? String(id),
    externalId,
    email,
    firstName: displayName,
    lastLogin: lastLoginAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}
