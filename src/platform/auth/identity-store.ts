import { and, eq, isNull, sql } from 'drizzle-orm';
import { lowerAscii } from '../../contract/lower-ascii.js';
import type { Db } from '../db/database.js';
import { lowerAsciiSql } from '../db/lower-ascii.js';
import { userIdentities, users } from '../db/schema.js';
import { isActiveUser } from './user-store.js';

/** A subject of an issuer. */
export interface Subject {
  readonly issuer: string;
  readonly subject: string;
  /** Email address of the subject; `null` unless the issuer has verified it. */
  readonly verifiedEmail: string | null;
}

/**
 * Reads the subject of verified claims; `null` if they name none.
 * @param trustsEmail - whether an email counts as verified if the issuer does not state whether it is.
 */
export function subjectOf(
  issuer: string,
  claims: Readonly<Record<string, unknown>>,
  { trustsEmail = false }: { readonly trustsEmail?: boolean } = {},
): Subject | null {
  const { sub, email, email_verified: isVerified } = claims;
  if (typeof sub !== 'string' || sub === '' || sub.length > 255) return null;
  const isEmail = typeof email === 'string' && email.length <= 320 && /^[^\s@]+@[^\s@]+$/.test(email);
  return { issuer, subject: sub, verifiedEmail: isEmail && (isVerified ?? trustsEmail) === true ? email : null };
}

/**
 * Finds the active user of a subject: the user that it was linked to, otherwise the user with its verified email, who
 * is then linked. A user who is linked to another subject of the issuer is not found by email.
 */
export async function findUserOf(tx: Db, { issuer, subject, verifiedEmail }: Subject): Promise<number | null> {
  const [linked] = await tx
    .select({ id: users.id, isActive: sql<boolean>`${isActiveUser}` })
    .from(userIdentities)
    .innerJoin(users, eq(users.id, userIdentities.userId))
    .where(and(eq(userIdentities.issuer, issuer), eq(userIdentities.subject, subject)))
    .for('key share', { of: users });
  if (linked) return linked.isActive ? linked.id : null;
  if (verifiedEmail === null) return null;
  const [user] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(lowerAsciiSql(users.email), lowerAscii(verifiedEmail)), isNull(users.embedTenantId), isActiveUser))
    .for('key share');
  return user && (await linkUser(tx, user.id, { issuer, subject })) ? user.id : null;
}

/** Links a user to a subject. Returns false if either is linked already. */
export async function linkUser(
  tx: Db,
  userId: number,
  { issuer, subject }: Pick<Subject, 'issuer' | 'subject'>,
): Promise<boolean> {
  const linked = await tx
    .insert(userIdentities)
    .values({ issuer, subject, userId })
    .onConflictDoNothing()
    .returning({ userId: userIdentities.userId });
  return linked.length > 0;
}
