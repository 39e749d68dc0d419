import type { Hono } from 'hono';
import type { BodyOf } from '../../contract/operation.js';
import * as contract from '../../contract/users.js';
import type { JsonObject } from '../../contract/wire.js';
import { endPersonSessionsOf } from '../auth/person-session-store.js';
import type { Principal } from '../auth/principal.js';
import { builtInPolicies } from '../auth/rights.js';
import type { Db } from '../db/database.js';
import { Role } from '../db/schema.js';
import { PlatformError } from '../errors.js';
import { requireManager } from '../http/access.js';
import type { RouteDeps } from '../http/route-deps.js';
import { serve, transact, write } from '../http/serve.js';
import type { PasswordGuard } from './sign-in/password-guard.js';
import {
  changePassword,
  deleteUser,
  existingUser,
  lockedUser,
  ownUser,
  requireDemotable,
  setActive,
} from './user-lifecycle.js';
import * as store from './user-store.js';

/** Hashes passwords, with a limit on concurrent hashes. */
type Passwords = Pick<PasswordGuard, 'hash'>;

/** Mounts the routes for users of the account (operations.md, Users Admin), and the caller's own user and settings. */
export function mountUsers(app: Hono, deps: RouteDeps, passwords: Passwords): void {
  // Mount these routes first, because `me` would otherwise be parsed as an id.
  mountOwnUser(app, deps);
  mountAccountUsers(app, deps);
  mountUserWrites(app, deps, passwords);
  mountBulkAction(app, deps);
}

function mountOwnUser(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  serve(app, contract.getMe, deps, async ({ principal }) => {
    const user = show(await ownUser(db, principal));
    const { email, firstName, picture } = user;
    const ofRoles = user.isAdmin ? builtInPolicies.Admin : await store.findPolicies(db, user.id);
    return { ...user, userPolicies: ofRoles.map(policy => ({ ...policy, email, firstName, picture })) };
  });

  write(app, contract.updateMySettings, deps, async ({ body, principal }, tx) => {
    const user = await ownUser(tx, principal);
    await store.changeUser(tx, user.id, { settings: mergeSettings(user.settings, body) });
    return show(await ownUser(tx, principal));
  });
}

function mountAccountUsers(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  serve(app, contract.listUsers, deps, async ({ query, principal }) => {
    requireManager(principal);
    const { items, pageInfo } = await store.listUsers(db, query, query);
    const shown = items.map(show);
    return { items: shown, pageInfo, data: shown };
  });

  serve(app, contract.getUser, deps, async ({ params, principal }) => {
    requireManager(principal);
    return show(await existingUser(db, params.id));
  });

  write(app, contract.deleteUser, deps, async ({ params, query, principal }, tx) => {
    requireManager(principal);
    await deleteUser(tx, params.id, { actor: principal.userId, reassignTo: query.reassignTo ?? principal.userId });
    return undefined;
  });
}

/** Mounts the operations that may set a password, which is hashed before the transaction, because hashing is slow. */
function mountUserWrites(app: Hono, deps: RouteDeps, passwords: Passwords): void {
  const { db } = deps;

  serve(app, contract.createUser, deps, async ({ body, principal, request, address }) => {
    requireManager(principal);
    const { password } = body;
    const hash = password == null ? null : await passwords.hash(password, { address, signal: request.signal });
    const target: JsonObject = {};
    return transact(db, contract.createUser.id, { principal, request, target }, async tx => {
      const id = await create(tx, body);
      target.id = id;
      if (hash !== null) await changePassword(tx, id, hash);
      return show(await existingUser(tx, id));
    });
  });

  serve(app, contract.updateUser, deps, async ({ params, body, principal, request, address }) => {
    requireManager(principal);
    const { password } = body;
    await existingUser(db, params.id);
    const hash = password == null ? null : await passwords.hash(password, { address, signal: request.signal });
    const context = { principal, request, target: { id: params.id } };
    return transact(db, contract.updateUser.id, context, async tx => {
      const user = await lockedUser(tx, params.id);
      await change(tx, user, body, principal.userId);
      if (hash !== null) await changePassword(tx, user.id, hash);
      return show(await existingUser(tx, user.id));
    });
  });
}

async function create(tx: Db, body: NonNullable<BodyOf<typeof contract.createUser>>): Promise<number> {
  const { username, email, firstName, picture, externalId, isAdmin, settings } = body;
  const roleIds = await readRoles(tx, body.defaultRoles ?? []);
  const user = {
    username,
    email,
    displayName: firstName || null,
    picture: picture ?? null,
    directoryId: externalId || null,
    role: isAdmin ? Role.admin : Role.user,
    settings: mergeSettings({}, settings ?? {}),
  };
  const id = await store.insertUser(tx, user, roleIds);
  if (id === null) throw new PlatformError(409, 'Another user has this username or email.');
  return id;
}

async function change(
  tx: Db,
  user: store.StoredAccountUser,
  body: NonNullable<BodyOf<typeof contract.updateUser>>,
  actor: number,
): Promise<void> {
  const { firstName, title, picture, isAdmin, isDeactivated, settings } = body;
  if (isAdmin === false && user.role === Role.admin) {
    await requireDemotable(tx, user);
    // Data tokens contain the rights that the user had when they were created.
    await endPersonSessionsOf(tx, user.id);
  }
  await store.changeUser(tx, user.id, {
    ...(firstName !== undefined && { displayName: firstName || null }),
    ...(title !== undefined && { title: title || null }),
    ...(picture !== undefined && { picture }),
    ...(isAdmin != null && { role: isAdmin ? Role.admin : Role.user }),
    ...(settings != null && { settings: mergeSettings(user.settings, settings) }),
  });
  if (isDeactivated != null) await setActive(tx, user, { isActive: !isDeactivated, actor });
}

function mountBulkAction(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  serve(app, contract.bulkUserAction, deps, async ({ body, principal, request }) => {
    requireManager(principal);
    const succeeded: number[] = [];
    const failed: { userId: number; error: { status: number; message: string } }[] = [];
    for (const userId of new Set(body.userIds)) {
      const context = { principal, request, target: { id: userId, action: body.action } };
      try {
        await transact(db, contract.bulkUserAction.id, context, tx => apply(tx, principal, userId, body.action));
        succeeded.push(userId);
      } catch (error) {
        if (!(error instanceof PlatformError)) throw error;
        failed.push({ userId, error: { status: error.status, message: error.message } });
      }
    }
    return { action: body.action, succeeded, failed };
  });
}

async function apply(tx: Db, principal: Principal, userId: number, action: contract.BulkUserAction): Promise<void> {
  const actor = principal.userId;
  if (action === 'DELETE') return deleteUser(tx, userId, { actor, reassignTo: actor });
  return setActive(tx, await lockedUser(tx, userId), { isActive: action === 'ACTIVATE', actor });
}

async function readRoles(tx: Db, names: readonly string[]): Promise<number[]> {
  const ids = await store.findRoleIds(tx, names);
  return [...new Set(names)].map(name => {
    const id = ids.get(name);
    if (id === undefined) throw new PlatformError(400, `body.defaultRoles: no role is named ${JSON.stringify(name)}`);
    return id;
  });
}

/** Merges changed settings into the stored ones: `null` clears a setting, `sheets` is merged per field. */
function mergeSettings(stored: object, changes: contract.UserSettings): contract.UserSettings {
  const { sheets, ...rest } = changes;
  const before: contract.UserSettings = stored;
  const merged = {
    ...before,
    ...rest,
    ...(sheets !== undefined && { sheets: sheets && merge(before.sheets, sheets) }),
  };
  return merge({}, merged);
}

/** Merges objects; keys whose value is `null` or `undefined` are dropped. */
function merge<T extends object>(before: T | null | undefined, changes: T): T {
  const entries = Object.entries({ ...before, ...changes }).filter(([, value]) => value != null);
  return Object.fromEntries(entries) as T;
}

function show(user: store.StoredAccountUser): contract.User {
  return {
    id: user.id,
    username: user.username ?? '',
    email: user.email ?? '',
    firstName: user.displayName,
    title: user.title,
    picture: user.picture,
    externalId: user.directoryId,
    isAdmin: user.role === Role.admin,
    isDeactivated: user.deactivatedAt !== null,
    defaultRoles: [...user.roleNames],
    settings: user.settings,
    notifications: {},
    createdAt: user.createdAt.toISOString(),
    lastLogin: user.lastLoginAt?.toISOString() ?? null,
  };
}
