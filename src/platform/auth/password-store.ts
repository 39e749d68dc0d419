import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import { lowerAscii } from '../../contract/lower-ascii.js';
import type { Db } from '../db/database.js';
import { lowerAsciiSql } from '../db/lower-ascii.js';
import { accounts, passwords, Role, users } from '../db/schema.js';
import { isActiveUser } from './user-store.js';

/** A user that can sign in, and the hash of the user's password; `null` if the user has none. */
export interface SignInUser {
  readonly id: number;
  readonly hash: string | null;
  readonly isBreakGlass: boolean;
}

const ofAccount = isNull(users.embedTenantId);
const columns = {
  id: users.id,
  hash: passwords.hash,
  isBreakGlass: sql<boolean>`coalesce(${passwords.isBreakGlass}, false) and ${users.role} = ${Role.admin}`,
};

/** Finds an active user of the account by email, ignoring the case of ASCII letters. */
export async function findSignInUser(db: Db, email: string): Promise<SignInUser | null> {
  const [user] = await db
    .select(columns)
    .from(users)
    .leftJoin(passwords, eq(passwords.userId, users.id))
    .where(and(eq(lowerAsciiSql(users.email), lowerAscii(email)), ofAccount, isActiveUser))
    .limit(1);
  return user ?? null;
}

/** Returns the hash of a user's password; `null` if the user has none. */
export async function passwordHashOf(db: Db, userId: number): Promise<string | null> {
  const [found] = await db.select({ hash: passwords.hash }).from(passwords).where(eq(passwords.userId, userId));
  return found?.hash ?? null;
}

/**
 * Sets the password of a user. An administrator becomes the break-glass administrator if there is none.
 */
export async function setPassword(
  tx: Db,
  userId: number,
  { hash, isAdmin }: { readonly hash: string; readonly isAdmin: boolean },
): Promise<void> {
  const isBreakGlass = isAdmin && !(await hasBreakGlassAdmin(tx, userId));
  await tx
    .insert(passwords)
    .values({ userId, hash, isBreakGlass })
    .onConflictDoUpdate({
      target: passwords.userId,
      set: { hash, changedAt: sql`now()`, isBreakGlass: sql`${passwords.isBreakGlass} or ${isBreakGlass}` },
    });
}

/**
 * True if at least one active administrator can sign in with a password while the account requires single sign-on.
 * Locks these administrators until the transaction ends.
 * @param without - a user to ignore.
 */
export async function hasBreakGlassAdmin(tx: Db, without?: number): Promise<boolean> {
  const isOther = without === undefined ? undefined : ne(users.id, without);
  const found = await tx
    .select({ id: users.id })
    .from(users)
    .innerJoin(passwords, and(eq(passwords.userId, users.id), eq(passwords.isBreakGlass, true)))
    .where(and(eq(users.role, Role.admin), ofAccount, isActiveUser, isOther))
    .orderBy(users.id)
    .for('no key update', { of: users });
  return found.length > 0;
}

/** True if the account requires single sign-on. */
export async function requiresSingleSignOn(db: Db): Promise<boolean> {
  const [account] = await selectSettings(db);
  return account?.stored.singleSignOnOnly === true;
}

/** True if the account requires single sign-on. Locks the setting until the transaction ends. */
export async function lockSingleSignOn(tx: Db): Promise<boolean> {
  const [account] = await selectSettings(tx).for('share');
  return account?.stored.singleSignOnOnly === true;
}

function selectSettings(db: Db) {
  return db.select({ stored: accounts.tenantSettings }).from(accounts).limit(1);
}
