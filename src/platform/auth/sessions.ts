import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, inArray, lt, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/database.js';
import { embedSessions, revokedSessions, type SessionClaims } from '../db/schema.js';
import { Batcher, type BatcherOptions } from '../runtime/batcher.js';

// A token lives 24 h from its exchange, which comes at most 5 minutes after the session was minted.
const sessionLife = sql`now() + interval '5 minutes'`;
const revocationLife = sql`now() + interval '25 hours'`;

/** The name under which a session is stored, told in tokens and revoked: a hash, so that no store or token holds a live id. */
export function sessionKeyOf(sessionId: string): string {
  return createHash('sha256').update(sessionId).digest('hex');
}

/** Mints one-time sessions for 5 minutes and returns their ids, which are stored as hashes alone. */
export async function createSessions(db: Db, list: readonly SessionClaims[]): Promise<string[]> {
  const sessions = list.map(claims => ({ sessionId: randomBytes(16).toString('hex'), claims }));
  const rows = sessions.map(({ sessionId, claims }) => ({
    sessionKey: sessionKeyOf(sessionId),
    claims,
    expiresAt: sessionLife,
  }));
  await db.insert(embedSessions).values(rows);
  return sessions.map(({ sessionId }) => sessionId);
}

/** Takes sessions out of the store: one statement, so that of many callers one gets each. Those that are not there any more are missing. */
export async function consumeSessions(
  db: Db,
  sessionKeys: readonly string[],
): Promise<ReadonlyMap<string, SessionClaims>> {
  const { sessionKey, claims, expiresAt } = embedSessions;
  const taken = await db
    .delete(embedSessions)
    .where(and(inArray(sessionKey, [...sessionKeys]), gt(expiresAt, sql`now()`)))
    .returning({ sessionKey, claims });
  return new Map(taken.map(row => [row.sessionKey, row.claims]));
}

/**
 * Revokes a session, exchanged or not. The mark is made first: whoever exchanges in between gets a token that is refused.
 */
export async function revokeSession(db: Db, sessionKey: string): Promise<void> {
  await db.insert(revokedSessions).values({ sessionKey, expiresAt: revocationLife }).onConflictDoNothing();
  await db.delete(embedSessions).where(eq(embedSessions.sessionKey, sessionKey));
}

const tenantPrefix = 'tenant:';

/** What stands among the revoked sessions for all of an embed tenant that was deleted. No session is stored under such a name. */
function tenantKeyOf(embedTenantId: number): string {
  return `${tenantPrefix}${embedTenantId}`;
}

/** What stands among the revoked sessions for the tokens that an API key was given, once the key is revoked. Its id is never given again. */
export function apiKeySessionOf(keyId: number): string {
  return `api-key:${keyId}`;
}

/** True, in a statement that knows both, for a session that was revoked: itself, or all of its embed tenant. */
export function isRevoked({
  sessionKey,
  embedTenantId,
}: {
  readonly sessionKey: SQL;
  readonly embedTenantId: SQL;
}): SQL {
  const tenantKey = sql`${sql.raw(`'${tenantPrefix}'`)} || ${embedTenantId}`;
  return sql`exists (select from ${revokedSessions} where ${revokedSessions.sessionKey} in (${sessionKey}, ${tenantKey}))`;
}

/**
 * Revokes every session of an embed tenant that goes for good, exchanged or not, and those that are minted in the same moment: its id
 * is never given again. Called when the tenant is deleted already, so that what others hold of it has been waited for.
 */
export async function revokeTenantSessions(db: Db, embedTenantId: number): Promise<void> {
  await revokeSession(db, tenantKeyOf(embedTenantId));
  await db.delete(embedSessions).where(sql`(${embedSessions.claims} ->> 'embedTenantId')::bigint = ${embedTenantId}`);
}

/** Finds those of some keys, of sessions or tenants, whose tokens are refused, in one statement that the server plans once a connection. */
export function createRevokedSessionsFinder(db: Db): (sessionKeys: readonly string[]) => Promise<ReadonlySet<string>> {
  const statement = db
    .select({ sessionKey: revokedSessions.sessionKey })
    .from(revokedSessions)
    .where(sql`${revokedSessions.sessionKey} = any(${sql.placeholder('sessionKeys')})`)
    .prepare('find_revoked_sessions');
  return async sessionKeys => {
    const found = await statement.execute({ sessionKeys });
    return new Set(found.map(({ sessionKey }) => sessionKey));
  };
}

/** Forgets sessions and revocations that have no effect any more. */
export async function deleteExpiredSessions(db: Db): Promise<void> {
  await db.delete(embedSessions).where(lt(embedSessions.expiresAt, sql`now()`));
  await db.delete(revokedSessions).where(lt(revokedSessions.expiresAt, sql`now()`));
}

/** Finds those of the sessions that were revoked; an embed tenant that was deleted stands among them under its own key. */
export type FindRevoked = (sessionKeys: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * Tells whether a session was revoked, always by a lookup that begins after it was asked: a revoked session is refused at the next
 * request, whichever replica revoked it. Requests that come in while a lookup is under way share the next one.
 * @returns a function that throws what the lookup throws, and PlatformError 503 when it takes too long.
 */
export function createRevocationCheck(
  find: FindRevoked,
  limits?: BatcherOptions,
): (sessionKey: string) => Promise<boolean> {
  const lookups = new Batcher<string, boolean>(async sessionKeys => {
    const revoked = await find([...new Set(sessionKeys)]);
    return sessionKeys.map(key => revoked.has(key));
  }, limits);
  return sessionKey => lookups.add(sessionKey);
}

/** What of a token's claims tells whether it may still be used: the embed session, or the API key, that stands behind it, if any. */
export interface SessionRef {
  readonly sessionKey: string | null;
  readonly embedTenantId: number | null;
}

/** Tells whether a token's session was revoked: the session itself, or all of its embed tenant, which was deleted. */
export function createSessionCheck(find: FindRevoked): (session: SessionRef) => Promise<boolean> {
  const isRevoked = createRevocationCheck(find);
  return async ({ sessionKey, embedTenantId }) => {
    if (sessionKey === null) return false;
    const keys = embedTenantId === null ? [sessionKey] : [sessionKey, tenantKeyOf(embedTenantId)];
    return (await Promise.all(keys.map(isRevoked))).includes(true);
  };
}
