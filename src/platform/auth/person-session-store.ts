import { randomBytes } from 'node:crypto';
import { and, eq, lt, ne, type SQL, sql } from 'drizzle-orm';
import type { Policy } from '../../contract/roles.js';
import type { Db } from '../db/database.js';
import { Keyset, type KeysetPage, type PageRequest } from '../db/keyset.js';
import { personSessions, type Role, revokedSessions, users } from '../db/schema.js';
import { findUserOf, type Subject } from './identity-store.js';
import { isValidPersonSession, sessionLifetime } from './person-session-validity.js';
import type { SignInMethod } from './principal.js';
import { sessionKeyOf } from './sessions.js';
import { isActiveUser, policiesOfUser } from './user-store.js';

const { sessionKey, userId, method, expiresAt, lastUsedAt, createdAt, id } = personSessions;

/** A valid session, with the user who signed in and the user's rights. */
export interface PersonSession {
  readonly userId: number;
  readonly sessionKey: string;
  readonly method: SignInMethod;
  readonly expiresAt: Date;
  readonly role: Role;
  readonly policies: readonly Policy[];
}

/**
 * Finds a valid session of an active user. When a session ends, every process rejects it from the next request on. Runs
 * one prepared statement, which the server plans once per connection.
 */
export function createPersonSessionFinder(db: Db): (key: string) => Promise<PersonSession | null> {
  const statement = db
    .select({ userId, sessionKey, method, expiresAt, role: users.role, policies: policiesOfUser })
    .from(personSessions)
    .innerJoin(users, eq(users.id, userId))
    .where(and(eq(sessionKey, sql.placeholder('key')), isActiveUser, isValidPersonSession))
    .prepare('find_person_session');
  return async key => {
    const [found] = await statement.execute({ key });
    return found ? { ...found, policies: found.policies.flat() } : null;
  };
}

/** Creates a session and returns the value of its cookie. Only a hash of the value is stored. */
export async function createPersonSession(
  tx: Db,
  session: { readonly userId: number; readonly method: Exclude<SignInMethod, 'issuer'> },
): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  await tx
    .insert(personSessions)
    .values({ ...session, sessionKey: sessionKeyOf(secret), expiresAt: sql`now() + ${sessionLifetime}` });
  return secret;
}

/**
 * Starts a session with a token of the configured issuer, so that the token can be revoked and is listed.
 * @param key - hash of the token.
 * @returns false if the session was ended before, or if the token belongs to no active user.
 */
export async function startIssuerSession(
  db: Db,
  key: string,
  { subject, expiresAt: end }: { readonly subject: Subject; readonly expiresAt: Date },
): Promise<boolean> {
  return db.transaction(async tx => {
    if ((await tx.$count(revokedSessions, eq(revokedSessions.sessionKey, key))) > 0) return false;
    const user = await findUserOf(tx, subject);
    if (user === null) return false;
    const session = { sessionKey: key, userId: user, method: 'issuer', expiresAt: end } as const;
    await tx.insert(personSessions).values(session).onConflictDoNothing();
    return true;
  });
}

/** Returns whether a session exists. */
export async function isPersonSession(tx: Db, key: string): Promise<boolean> {
  return (await tx.$count(personSessions, and(eq(sessionKey, key), isValidPersonSession))) > 0;
}

/** Records the use of a session, at most once a minute. */
export async function recordSessionUse(db: Db, key: string): Promise<void> {
  await db
    .update(personSessions)
    .set({ lastUsedAt: sql`now()` })
    .where(and(eq(sessionKey, key), lt(lastUsedAt, sql`now() - interval '1 minute'`)));
}

/** Ends a session. Its tokens, and tokens that were created with them, are rejected from the next request on. */
export async function endPersonSession(tx: Db, key: string): Promise<void> {
  await endSessions(tx, eq(sessionKey, key));
}

/**
 * Ends the sessions of a user.
 * @param except - key of a session that does not end.
 */
export async function endPersonSessionsOf(tx: Db, user: number, except?: string): Promise<void> {
  await endSessions(tx, and(eq(userId, user), except === undefined ? undefined : ne(sessionKey, except)));
}

/** Ends all sessions that began with a password. */
export async function endPasswordSessions(tx: Db): Promise<void> {
  await endSessions(tx, eq(method, 'password'));
}

async function endSessions(tx: Db, which: SQL | undefined): Promise<void> {
  const ended = await tx.delete(personSessions).where(which).returning({ sessionKey });
  if (ended.length === 0) return;
  const revoked = ended.map(each => ({ ...each, expiresAt: sql`now() + interval '25 hours'` }));
  await tx.insert(revokedSessions).values(revoked).onConflictDoNothing();
}

/** A session as listed by the API. */
export type StoredPersonSession = {
  readonly id: number;
  readonly method: SignInMethod;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
};

const newestFirst = new Keyset<StoredPersonSession>('person-sessions', { id }, 'desc');

/** Returns a page of the valid sessions of a user, newest first. */
export async function listPersonSessions(
  db: Db,
  user: number,
  page: PageRequest,
): Promise<KeysetPage<StoredPersonSession>> {
  const rows = await db
    .select({ id, method, createdAt, lastUsedAt, expiresAt })
    .from(personSessions)
    .where(and(eq(userId, user), isValidPersonSession, newestFirst.after(page)))
    .orderBy(...newestFirst.orderBy)
    .limit(newestFirst.limit(page));
  return newestFirst.page(rows, page);
}

/** Deletes sessions that have ended, and revokes the tokens that were created in them. */
export async function deleteExpiredPersonSessions(db: Db): Promise<void> {
  await db.transaction(tx => endSessions(tx, sql`not (${isValidPersonSession})`));
}
