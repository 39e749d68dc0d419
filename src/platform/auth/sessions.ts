import { createHash, randomBytes } from 'node:crypto';
import { and, eq, exists, gt, ilike, inArray, lt, not, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/database.js';
import { containsPattern, Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import {
  embedSessions,
  exchangedSessions,
  personSessions,
  revokedSessions,
  type SessionClaims,
  users,
} from '../db/schema.js';
import { Batcher, type BatcherOptions } from '../runtime/batcher.js';
import { isValidPersonSession } from './person-session-validity.js';
import { isActiveUser } from './user-store.js';

// A token is valid for 24 h from the exchange of its session. A session can be exchanged for 5 minutes after its
// creation.
const sessionLife = sql`now() + interval '5 minutes'`;
const tokenHours = 24;
const revocationHours = 25;
const revocationLife = sql`now() + interval '${sql.raw(String(revocationHours))} hours'`;
/**
 * The token of an exchanged session is valid if the session is stored until after this time, because sessions are
 * stored for an hour longer than their tokens are valid.
 */
const afterTokens = sql`now() + interval '${sql.raw(String(revocationHours - tokenHours))} hours'`;

/**
 * Returns the hash by which a session is stored, referenced in tokens and revoked. No table or token contains a usable
 * session id.
 */
export function sessionKeyOf(sessionId: string): string {
  return createHash('sha256').update(sessionId).digest('hex');
}

/** Creates one-time sessions that expire after 5 minutes and returns their ids. Only hashes of the ids are stored. */
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

/**
 * Exchanges sessions: deletes them and returns their claims. A single statement deletes them, so that only one of
 * several concurrent callers gets a session. The result lacks sessions that no longer exist or whose user is
 * deactivated.
 */
export async function consumeSessions(
  db: Db,
  sessionKeys: readonly string[],
): Promise<ReadonlyMap<string, SessionClaims>> {
  const { sessionKey, claims, expiresAt } = embedSessions;
  const ofActiveUser = exists(
    db
      .select({ id: users.id })
      .from(users)
      .where(and(sql`${users.id} = (${claims} ->> 'userId')::bigint`, isActiveUser)),
  );
  const taken = await db
    .delete(embedSessions)
    .where(and(inArray(sessionKey, [...sessionKeys]), gt(expiresAt, sql`now()`), ofActiveUser))
    .returning({ sessionKey, claims });
  if (taken.length > 0) {
    const exchanged = taken.map(row => ({
      sessionKey: row.sessionKey,
      userId: row.claims.userId,
      expiresAt: revocationLife,
    }));
    await db.insert(exchangedSessions).values(exchanged).onConflictDoNothing();
  }
  return new Map(taken.map(row => [row.sessionKey, row.claims]));
}

/**
 * Revokes a session, exchanged or not. Inserts the revocation first, so that the token of a concurrent exchange is
 * rejected.
 */
export async function revokeSession(db: Db, sessionKey: string): Promise<void> {
  await db.insert(revokedSessions).values({ sessionKey, expiresAt: revocationLife }).onConflictDoNothing();
  await db.delete(embedSessions).where(eq(embedSessions.sessionKey, sessionKey));
}

/**
 * Revokes every session of users, exchanged or not. Call it in the transaction that deactivates or deletes the users,
 * or removes them from a group. Locks the users, so that no concurrent grant for an internal user creates a session
 * with the previous rights.
 */
export async function revokeUserSessions(tx: Db, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return;
  await tx
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, [...userIds]))
    .orderBy(users.id)
    .for('update');
  const isTheirs = sql`= any(${sql.param([...userIds])}::bigint[])`;
  await deleteUnexchanged(tx, isTheirs);
  await revokeExchanged(tx, sql`${exchangedSessions.userId} ${isTheirs}`);
}

/** Sessions of users of an embed tenant. */
interface EmbedUserSessionFilter {
  readonly embedTenantId: number;
  /** If set, includes only the sessions of this user. */
  readonly userId?: number | undefined;
  /** If set, includes only this session. */
  readonly sessionKey?: string | undefined;
}

/** Revokes sessions of users of an embed tenant, exchanged or not. */
export async function revokeEmbedUserSessions(
  tx: Db,
  { embedTenantId, userId, sessionKey }: EmbedUserSessionFilter,
): Promise<void> {
  const theirs = tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.embedTenantId, embedTenantId), userId === undefined ? undefined : eq(users.id, userId)));
  if (sessionKey === undefined) await deleteUnexchanged(tx, sql`in ${theirs}`);
  const ofUsers = inArray(exchangedSessions.userId, theirs);
  const isSession = sessionKey === undefined ? sql`true` : eq(exchangedSessions.sessionKey, sessionKey);
  await revokeExchanged(tx, sql`${ofUsers} and ${isSession}`);
}

/**
 * Deletes sessions that have not been exchanged. Call it before `revokeExchanged`, because it waits for concurrent
 * exchanges, whose sessions are then found there.
 * @param isTheirs - SQL of the condition on the user id, without its left side, such as `in (…)`.
 */
async function deleteUnexchanged(tx: Db, isTheirs: SQL): Promise<void> {
  await tx.delete(embedSessions).where(sql`(${embedSessions.claims} ->> 'userId')::bigint ${isTheirs}`);
}

async function revokeExchanged(tx: Db, condition: SQL): Promise<void> {
  const theirs = tx
    .select({ sessionKey: exchangedSessions.sessionKey, expiresAt: sql<Date>`${revocationLife}`.as('expires_at') })
    .from(exchangedSessions)
    .where(condition);
  await tx.insert(revokedSessions).select(theirs).onConflictDoNothing();
  await tx.delete(exchangedSessions).where(condition);
}

/** A session of an embed user whose token is valid. */
export type EmbedUserSessionRow = {
  readonly sessionKey: string;
  readonly userId: number;
  readonly externalId: string | null;
  readonly email: string | null;
  readonly expiresAt: Date;
};

const newestFirst = new Keyset<EmbedUserSessionRow>(
  'embed-user-sessions',
  { expiresAt: exchangedSessions.expiresAt, sessionKey: exchangedSessions.sessionKey },
  'desc',
);

/** Returns a page of sessions with valid tokens of the users of an embed tenant, newest first. */
export async function listEmbedUserSessions(
  db: Db,
  { embedTenantId, search }: { readonly embedTenantId: number; readonly search: string | undefined },
  page: PageRequest,
): Promise<KeysetPage<EmbedUserSessionRow>> {
  const { sessionKey, userId, expiresAt } = exchangedSessions;
  const pattern = containsPattern(search ?? '');
  const found = or(ilike(users.email, pattern), ilike(users.externalId, pattern));
  const rows = await db
    .select({ sessionKey, userId, expiresAt, externalId: users.externalId, email: users.email })
    .from(exchangedSessions)
    .innerJoin(users, eq(users.id, userId))
    .where(
      and(
        eq(users.embedTenantId, embedTenantId),
        sql`${expiresAt} > ${afterTokens}`,
        search === undefined ? undefined : found,
        newestFirst.after(page),
      ),
    )
    .orderBy(...newestFirst.orderBy)
    .limit(newestFirst.limit(page));
  return newestFirst.page(rows, page);
}

/** Returns the time at which a session was exchanged. */
export function exchangedAt({ expiresAt }: Pick<EmbedUserSessionRow, 'expiresAt'>): Date {
  return new Date(expiresAt.getTime() - revocationHours * 3_600_000);
}

const tenantPrefix = 'tenant:';

/**
 * Returns the key in `revokedSessions` that revokes all sessions of a deleted embed tenant. No session has such a key.
 */
function tenantKeyOf(embedTenantId: number): string {
  return `${tenantPrefix}${embedTenantId}`;
}

/**
 * Returns the key in `revokedSessions` that revokes the tokens issued to an API key. Ids of API keys are never reused.
 */
export function apiKeySessionOf(keyId: number): string {
  return `api-key:${keyId}`;
}

/** Returns the SQL condition that a session or its embed tenant was revoked. */
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
 * Revokes every session of a deleted embed tenant, exchanged or not, including sessions that are created concurrently.
 * Tenant ids are never reused. Call it after deleting the tenant, when no transaction holds a lock on it anymore.
 */
export async function revokeTenantSessions(db: Db, embedTenantId: number): Promise<void> {
  await revokeSession(db, tenantKeyOf(embedTenantId));
  await db.delete(embedSessions).where(sql`(${embedSessions.claims} ->> 'embedTenantId')::bigint = ${embedTenantId}`);
}

/**
 * Finds the revoked keys among keys of sessions or tenants. A session of a user that has ended counts as revoked, even
 * before it is deleted. Runs one prepared statement, which the server plans once per connection.
 */
export function createRevokedSessionsFinder(db: Db): (sessionKeys: readonly string[]) => Promise<ReadonlySet<string>> {
  const statement = db
    .select({ sessionKey: revokedSessions.sessionKey })
    .from(revokedSessions)
    .where(sql`${revokedSessions.sessionKey} = any(${sql.placeholder('sessionKeys')})`)
    .unionAll(
      db
        .select({ sessionKey: personSessions.sessionKey })
        .from(personSessions)
        .where(
          and(sql`${personSessions.sessionKey} = any(${sql.placeholder('sessionKeys')})`, not(isValidPersonSession)),
        ),
    )
    .prepare('find_revoked_sessions');
  return async sessionKeys => {
    const found = await statement.execute({ sessionKeys });
    return new Set(found.map(({ sessionKey }) => sessionKey));
  };
}

/**
 * Marks a one-time value as used. Returns false if any process has marked it before.
 * @param value - must not have the form of a session key.
 */
export async function takeOnce(db: Db, value: string): Promise<boolean> {
  const taken = await db
    .insert(revokedSessions)
    .values({ sessionKey: value, expiresAt: revocationLife })
    .onConflictDoNothing()
    .returning({ sessionKey: revokedSessions.sessionKey });
  return taken.length > 0;
}

/** Deletes expired sessions and revocations. */
export async function deleteExpiredSessions(db: Db): Promise<void> {
  await db.delete(embedSessions).where(lt(embedSessions.expiresAt, sql`now()`));
  await db.delete(exchangedSessions).where(lt(exchangedSessions.expiresAt, sql`now()`));
  await db.delete(revokedSessions).where(lt(revokedSessions.expiresAt, sql`now()`));
}

/** Returns the session keys that were revoked. A deleted embed tenant is represented by a separate key. */
export type FindRevoked = (sessionKeys: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * Checks whether a session was revoked. The lookup always begins after the call, so that a revoked session is rejected
 * at the next request, even if another replica revoked it. Calls that arrive during a lookup share the next one.
 * @returns a function that throws errors of the lookup, and PlatformError 503 if the lookup times out.
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

/** Claims of a token that determine whether it was revoked: its embed session or API key, and its tenant. */
export interface SessionRef {
  readonly sessionKey: string | null;
  readonly embedTenantId: number | null;
}

/** Creates a function that checks whether a token's session, or its whole embed tenant, was revoked. */
export function createSessionCheck(find: FindRevoked): (session: SessionRef) => Promise<boolean> {
  const isRevoked = createRevocationCheck(find);
  return async ({ sessionKey, embedTenantId }) => {
    if (sessionKey === null) return false;
    const keys = embedTenantId === null ? [sessionKey] : [sessionKey, tenantKeyOf(embedTenantId)];
    return (await Promise.all(keys.map(isRevoked))).includes(true);
  };
}
