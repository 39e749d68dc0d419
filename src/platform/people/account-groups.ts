import type { Hono } from 'hono';
import * as contract from '../../contract/account-groups.js';
import { DatabaseCode, type Db, databaseCode } from '../db/database.js';
import { PlatformError } from '../errors.js';
import { notFound, requireManager } from '../http/access.js';
import type { RouteDeps } from '../http/route-deps.js';
import { serve, write } from '../http/serve.js';
import * as store from './account-group-store.js';
import { endSessionsOfMembers, isReservedGroupName, removeMembers } from './group-member-store.js';
import { findRole } from './role-store.js';

/** Mounts the routes for groups of the account, their roles and their members (extension). */
export function mountAccountGroups(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  serve(app, contract.listAccountGroups, deps, async ({ query, principal }) => {
    requireManager(principal);
    const { items, pageInfo, total } = await store.listAccountGroups(db, query);
    const shown = items.map(show);
    return { items: shown, pageInfo, data: shown, count: total };
  });

  write(app, contract.createAccountGroup, deps, async ({ body, principal }, tx, target) => {
    requireManager(principal);
    const { name, description, roleId } = body;
    rejectReserved(name);
    const role = await assignableRole(tx, roleId);
    const id = await store.insertAccountGroup(tx, { name, description: description || null, roleId: role });
    if (id === null) throw nameTaken();
    target.id = id;
    return show(await existing(tx, id));
  });

  serve(app, contract.getAccountGroup, deps, async ({ params, principal }) => {
    requireManager(principal);
    return show(await existing(db, params.id));
  });

  write(app, contract.updateAccountGroup, deps, async ({ params, body, principal }, tx) => {
    requireManager(principal);
    const before = await lockedName(tx, params.id);
    const { name, description, roleId } = body;
    if (name != null && name !== before) {
      rejectReserved(name);
      await endSessionsOfMembers(tx, params.id);
    }
    const change = {
      ...(name != null && { name }),
      ...(description != null && { description: description || null }),
      ...(roleId !== undefined && { roleId: await assignableRole(tx, roleId) }),
    };
    try {
      await store.changeAccountGroup(tx, params.id, change);
    } catch (error) {
      throw databaseCode(error) === DatabaseCode.uniqueViolation ? nameTaken() : error;
    }
    return show(await existing(tx, params.id));
  });

  write(app, contract.deleteAccountGroup, deps, async ({ params, principal }, tx) => {
    requireManager(principal);
    await lockedName(tx, params.id);
    await store.deleteAccountGroup(tx, params.id);
    return undefined;
  });

  mountMembers(app, deps);
}

function mountMembers(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  serve(app, contract.listAccountGroupMembers, deps, async ({ params, query, principal }) => {
    requireManager(principal);
    await existing(db, params.id);
    const { items, pageInfo } = await store.listAccountGroupMembers(db, params.id, query);
    return { items: items.map(showMember), pageInfo };
  });

  write(app, contract.addAccountGroupMembers, deps, async ({ params, body, principal }, tx) => {
    requireManager(principal);
    await lockedName(tx, params.id);
    const [unknown] = await store.addAccountMembers(tx, params.id, body.userIds);
    if (unknown !== undefined) throw notFound(`User ${unknown}`);
    await store.changeAccountGroup(tx, params.id, {});
    return undefined;
  });

  write(app, contract.removeAccountGroupMembers, deps, async ({ params, body, principal }, tx) => {
    requireManager(principal);
    await lockedName(tx, params.id);
    await removeMembers(tx, params.id, { only: body.userIds });
    await store.changeAccountGroup(tx, params.id, {});
    return undefined;
  });
}

async function existing(db: Db, groupId: number): Promise<store.StoredAccountGroup> {
  const group = await store.findAccountGroup(db, groupId);
  if (!group) throw notFound('Group');
  return group;
}

async function lockedName(tx: Db, groupId: number): Promise<string> {
  const name = await store.lockAccountGroup(tx, groupId);
  if (name === null) throw notFound('Group');
  return name;
}

/**
 * Returns the id of a role that a group can have.
 * @throws PlatformError 404 for unknown roles, and for the Admin role, which groups cannot have.
 */
async function assignableRole(tx: Db, roleId: number | null | undefined): Promise<number | null> {
  if (roleId == null) return null;
  const role = await findRole(tx, roleId);
  if (!role || (role.isBuiltIn && role.name === 'Admin')) throw notFound('Role');
  return role.id;
}

function rejectReserved(name: string): void {
  if (isReservedGroupName(name)) {
    throw new PlatformError(400, 'body.name: names that start with "system:" are reserved');
  }
}

function nameTaken(): PlatformError {
  return new PlatformError(409, 'Another group has this name. Choose another name.');
}

function show(group: store.StoredAccountGroup): contract.AccountGroup {
  const { id, name, description, directoryId, role, userCount, createdAt } = group;
  return { id, name, description, role, externalId: directoryId, userCount, createdAt: createdAt.toISOString() };
}

function showMember(member: store.StoredMember): contract.AccountGroupMember {
  const { id, username, email, displayName, embedTenantName, deactivatedAt } = member;
  return { id, username, email, firstName: displayName, embedTenantName, isDeactivated: deactivatedAt !== null };
}
