import type { Hono } from 'hono';
import * as contract from '../../../contract/sign-in.js';
import { invalidCredential } from '../../auth/authenticate.js';
import { lockSingleSignOn, passwordHashOf, requiresSingleSignOn } from '../../auth/password-store.js';
import * as sessions from '../../auth/person-session-store.js';
import type { SignInMethod } from '../../auth/principal.js';
import { sessionKeyOf } from '../../auth/sessions.js';
import { recordLogins } from '../../auth/user-store.js';
import type { Db } from '../../db/database.js';
import { PlatformError } from '../../errors.js';
import { requireManager } from '../../http/access.js';
import { AnswerWithHeaders } from '../../http/mount.js';
import { requestIdOf } from '../../http/request-id.js';
import type { RouteDeps } from '../../http/route-deps.js';
import { serve, transact, write } from '../../http/serve.js';
import { changePassword, existingUser, lockedUser, ownUser } from '../user-lifecycle.js';
import { oidcPath } from './oidc-path.js';
import type { PasswordGuard } from './password-guard.js';
import { endedCookie, isOwnRead, readCookie, requireOwnPage, sessionCookie } from './session-cookie.js';
import { SignInFailures } from './sign-in-failures.js';

const maxTokenMs = 10 * 60_000;

/** Mounts the routes for sign-in, sessions and passwords of users (extensions). */
export function mountSignIn(app: Hono, deps: RouteDeps, guard: PasswordGuard): void {
  mountSession(app, deps, guard);
  mountOwn(app, deps, guard);
  mountOfUsers(app, deps, guard);
}

/** Mounts the operations that read the cookie. */
function mountSession(app: Hono, deps: RouteDeps, guard: PasswordGuard): void {
  const { db, publicUrl, tokens } = deps;
  const findSession = sessions.createPersonSessionFinder(db);
  const failures = new SignInFailures(db);
  const { origin } = new URL(publicUrl);
  const sessionOf = async (request: Request) => {
    const secret = readCookie(request);
    return secret === null ? null : findSession(sessionKeyOf(secret));
  };

  serve(app, contract.getSignIn, deps, async ({ request }) => ({
    isSignedIn: isOwnRead(request, origin) && (await sessionOf(request)) !== null,
    provider: deps.signInProvider === null ? null : { name: deps.signInProvider, path: oidcPath },
    singleSignOnOnly: await requiresSingleSignOn(db),
  }));

  serve(app, contract.signIn, deps, async ({ body, request, address }) => {
    requireOwnPage(request, origin);
    const { user, isVerified } = await guard.find(body.email, body.password, { address, signal: request.signal });
    const isAllowed = user?.isBreakGlass || !(await requiresSingleSignOn(db));
    if (!user || !isVerified || !isAllowed) {
      const reason = isVerified ? 'single sign-on only' : 'email or password';
      const failure = { method: 'password', reason, userId: user?.id ?? null, address } as const;
      failures.record(request, failure, error => deps.onFailure(error, requestIdOf(request) ?? ''));
      throw rejected();
    }
    const secret = await startSession(
      db,
      request,
      { operation: 'signIn', userId: user.id, method: 'password' },
      async tx => {
        // The password may have been changed, or the setting turned on, while the password was verified.
        if ((await passwordHashOf(tx, user.id)) !== user.hash) throw rejected();
        if (!user.isBreakGlass && (await lockSingleSignOn(tx))) throw rejected();
      },
    );
    return new AnswerWithHeaders(undefined, { 'set-cookie': sessionCookie(secret) });
  });

  serve(app, contract.createSessionToken, deps, async ({ request }) => {
    requireOwnPage(request, origin);
    const session = await sessionOf(request);
    if (!session) throw invalidCredential();
    await sessions.recordSessionUse(db, session.sessionKey);
    const expiresAt = new Date(Math.min(Date.now() + maxTokenMs, session.expiresAt.getTime()));
    const { userId, sessionKey } = session;
    const token = await tokens.signAccessToken({ userId, sessionKey, expiresAt });
    return { token, expiresAt: expiresAt.toISOString() };
  });

  serve(app, contract.signOut, deps, async ({ request }) => {
    requireOwnPage(request, origin);
    const session = await sessionOf(request);
    if (session) {
      const { userId, sessionKey, method } = session;
      const context = { principal: null, request, target: { id: userId, method } };
      await transact(db, contract.signOut.id, context, tx => sessions.endPersonSession(tx, sessionKey));
    }
    return new AnswerWithHeaders(undefined, { 'set-cookie': endedCookie });
  });
}

/**
 * Starts the session of a user and ends the previous session of the browser, so that a session id that was set before
 * the sign-in is never used after it.
 * @param check - rejects if the user may no longer sign in; called while the user is locked.
 * @returns the value of the cookie.
 * @throws PlatformError 401 if the user was deactivated or deleted in the meantime.
 */
export async function startSession(
  db: Db,
  request: Request,
  sign: { readonly operation: string; readonly userId: number; readonly method: Exclude<SignInMethod, 'issuer'> },
  check: (tx: Db) => Promise<void> = async () => {},
): Promise<string> {
  const { operation, userId, method } = sign;
  const previous = readCookie(request);
  return transact(db, operation, { principal: null, request, target: { id: userId, method } }, async tx => {
    const user = await lockedUser(tx, userId);
    if (user.deactivatedAt !== null) throw invalidCredential();
    await check(tx);
    if (previous !== null) await sessions.endPersonSession(tx, sessionKeyOf(previous));
    await recordLogins(tx, [userId]);
    return sessions.createPersonSession(tx, { userId, method });
  });
}

function mountOwn(app: Hono, deps: RouteDeps, guard: PasswordGuard): void {
  const { db } = deps;

  write(app, contract.endMySessions, deps, async ({ principal }, tx) => {
    const { id } = await ownUser(tx, principal);
    await sessions.endPersonSessionsOf(tx, id);
    return undefined;
  });

  serve(app, contract.changeMyPassword, deps, async ({ body, principal, request, address }) => {
    if (principal.kind !== 'person') throw new PlatformError(403, 'Sign in to change your password.');
    const attempt = { address, signal: request.signal };
    const { userId, sessionKey } = principal;
    const current = await passwordHashOf(db, userId);
    if (!(await guard.verify(userId, body.currentPassword, current, attempt))) {
      throw new PlatformError(403, 'The current password is not correct.');
    }
    const hash = await guard.hash(body.newPassword, attempt);
    const context = { principal, request, target: { id: userId } };
    await transact(db, contract.changeMyPassword.id, context, async tx => {
      const user = await lockedUser(tx, userId);
      // The password may have been reset, or the session ended, while the passwords were hashed.
      const isCurrent = user.deactivatedAt === null && (await passwordHashOf(tx, userId)) === current;
      if (!isCurrent || !(await sessions.isPersonSession(tx, sessionKey))) throw invalidCredential();
      await changePassword(tx, userId, hash, sessionKey);
    });
    return undefined;
  });
}

function rejected(): PlatformError {
  return new PlatformError(401, 'The email or the password is not correct.');
}

function mountOfUsers(app: Hono, deps: RouteDeps, guard: PasswordGuard): void {
  const { db } = deps;

  serve(app, contract.listUserSessions, deps, async ({ params, query, principal }) => {
    requireManager(principal);
    const { id } = await existingUser(db, params.id);
    const { items, pageInfo } = await sessions.listPersonSessions(db, id, query);
    const shown = items.map(show);
    return { items: shown, pageInfo, data: shown };
  });

  write(app, contract.endUserSessions, deps, async ({ params, principal }, tx) => {
    requireManager(principal);
    const { id } = await existingUser(tx, params.id);
    await sessions.endPersonSessionsOf(tx, id);
    return undefined;
  });

  serve(app, contract.setUserPassword, deps, async ({ params, body, principal, request, address }) => {
    requireManager(principal);
    await existingUser(db, params.id);
    // Hashes before the transaction, because hashing is slow.
    const hash = await guard.hash(body.password, { address, signal: request.signal });
    const context = { principal, request, target: { id: params.id } };
    await transact(db, contract.setUserPassword.id, context, tx => changePassword(tx, params.id, hash));
    return undefined;
  });
}

function show({ id, method, createdAt, lastUsedAt, expiresAt }: sessions.StoredPersonSession): contract.PersonSession {
  return {
    id,
    method,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}
