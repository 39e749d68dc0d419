import { deleteApiKeysOf, hasStartKey } from '../auth/api-key-store.js';
import { hasBreakGlassAdmin, lockSingleSignOn, setPassword } from '../auth/password-store.js';
import { endPersonSessionsOf } from '../auth/person-session-store.js';
import type { Principal } from '../auth/principal.js';
import { revokeUserSessions } from '../auth/sessions.js';
import type { Db } from '../db/database.js';
import { Role } from '../db/schema.js';
import { PlatformError } from '../errors.js';
import { notFound } from '../http/access.js';
import { deleteUserTokens } from './oauth/user-token-store.js';
import * as store from './user-store.js';

/** User on whose behalf a change is made; `null` for a directory. */
type Actor = number | null;

/**
 * Activates or deactivates a user. A deactivation revokes API keys, sessions and tokens.
 * @throws PlatformError 403 for the actor, the last active administrator and the built-in administrator.
 */
export async function setActive(
  tx: Db,
  user: store.StoredAccountUser,
  { isActive, actor }: { readonly isActive: boolean; readonly actor: Actor },
): Promise<void> {
  if (isActive === (user.deactivatedAt === null)) return;
  if (isActive) return store.changeUser(tx, user.id, { deactivatedAt: null });
  if (user.id === actor) throw new PlatformError(403, 'You cannot deactivate yourself.');
  await requireRemovable(tx, user);
  await store.changeUser(tx, user.id, { deactivatedAt: new Date() });
  await endAccess(tx, user.id);
}

/**
 * Deletes a user, ends its access, and transfers its content to another user.
 * @throws PlatformError 400 for the actor, 403 as in `setActive`, 404.
 */
export async function deleteUser(
  tx: Db,
  userId: number,
  { actor, reassignTo }: { readonly actor: Actor; readonly reassignTo: number },
): Promise<void> {
  if (userId === actor) throw new PlatformError(400, 'path.id: you cannot delete yourself');
  const user = await lockedUser(tx, userId);
  await requireRemovable(tx, user);
  if (reassignTo === userId) throw new PlatformError(400, 'query.reassignTo: must be another user');
  await lockedUser(tx, reassignTo);
  await endAccess(tx, userId);
  await store.deleteUser(tx, userId, reassignTo);
}

/**
 * Returns a user of the account and locks it until the transaction ends.
 * @throws PlatformError 404
 */
export async function lockedUser(tx: Db, userId: number): Promise<store.StoredAccountUser> {
  const user = await store.lockAccountUser(tx, userId);
  if (!user) throw notFound('User');
  return user;
}

/**
 * Returns a user of the account.
 * @throws PlatformError 404
 */
export async function existingUser(db: Db, userId: number): Promise<store.StoredAccountUser> {
  const user = await store.findAccountUser(db, userId);
  if (!user) throw notFound('User');
  return user;
}

/**
 * Changes the password of a user, and ends the user's sessions.
 * @param ownSession - session that does not end.
 * @throws PlatformError 404
 */
export async function changePassword(tx: Db, userId: number, hash: string, ownSession?: string): Promise<void> {
  const user = await lockedUser(tx, userId);
  await setPassword(tx, userId, { hash, isAdmin: user.role === Role.admin });
  await endPersonSessionsOf(tx, userId, ownSession);
}

/**
 * Returns the caller's own user.
 * @throws PlatformError 403 for embed users.
 */
export async function ownUser(db: Db, { userId }: Principal): Promise<store.StoredAccountUser> {
  const user = await store.findAccountUser(db, userId);
  if (!user) throw new PlatformError(403, 'This operation requires a user of the account, not an embed user.');
  return user;
}

/**
 * Checks that an administrator remains if this user loses access.
 * @throws PlatformError 403 if no other active user has the admin role or, while the account requires single sign-on,
 * if no other administrator can sign in with a password.
 */
async function requireOtherAdmin(tx: Db, user: store.StoredAccountUser): Promise<void> {
  if ((await store.lockOtherAdmins(tx, user.id)) === 0) {
    throw new PlatformError(403, 'This is the last active administrator. Give another user the admin role first.');
  }
  if (!(await lockSingleSignOn(tx)) || (await hasBreakGlassAdmin(tx, user.id))) return;
  throw new PlatformError(403, 'This is the last administrator who can sign in without single sign-on.');
}

/**
 * Checks that a user can lose the admin role.
 * @throws PlatformError 403 for the built-in administrator, whose key would be valid without any rights, and as in
 * `requireOtherAdmin`.
 */
export async function requireDemotable(tx: Db, user: store.StoredAccountUser): Promise<void> {
  if (await hasStartKey(tx, user.id)) {
    throw new PlatformError(403, 'The built-in administrator cannot lose the admin role.');
  }
  await requireOtherAdmin(tx, user);
}

async function requireRemovable(tx: Db, user: store.StoredAccountUser): Promise<void> {
  if (await hasStartKey(tx, user.id)) {
    throw new PlatformError(403, 'The built-in administrator cannot be deactivated or deleted.');
  }
  if (user.role === Role.admin && user.deactivatedAt === null) await requireOtherAdmin(tx, user);
}

/**
 * Revokes API keys, sessions, sign-ins and tokens of a user, and deletes its tokens of services. Every process rejects
 * them from the next request on.
 */
async function endAccess(tx: Db, userId: number): Promise<void> {
  await deleteApiKeysOf(tx, userId);
  await endPersonSessionsOf(tx, userId);
  await revokeUserSessions(tx, [userId]);
  await deleteUserTokens(tx, userId);
}
