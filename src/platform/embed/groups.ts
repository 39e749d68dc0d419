import type { Hono } from 'hono';
import {
  type AddedGroupMembers,
  addTenantGroupMembers,
  createTenantGroup,
  deleteTenantGroup,
  type EmbedGroupMembers,
  getTenantGroup,
  getTenantGroupMembers,
  getTenantGroups,
  removeTenantGroupMembers,
  type UserGroup,
  updateTenantGroup,
} from '../../contract/embed-tenants.js';
import type { Db } from '../db/database.js';
import { PlatformError } from '../errors.js';
import { notFound } from '../http/access.js';
import type { RouteDeps } from '../http/route-deps.js';
import { serve, write } from '../http/serve.js';
import { removeMembers } from '../people/group-member-store.js';
import { type EmbedUserIds, ensureEmbedUsers, findEmbedUsers, type StoredEmbedUser } from './embed-user-store.js';
import * as groups from './tenant-group-store.js';
import { findTenant, lockTenant } from './tenant-store.js';
import { requireTenant, showEmbedUser, tooManyUsers, unknownTenant } from './tenants.js';

/** Parsed path parameters of a group. */
interface GroupPath {
  readonly embedTenantName: string;
  readonly id: number;
}

/** Mounts the routes for groups of embed tenants and their members (spec 2.1, 4.1). */
export function mountEmbedGroups(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  serve(app, getTenantGroups, deps, async ({ params, query }) => {
    const tenant = await requireTenant(db, params.embedTenantName);
    const { items, pageInfo } = await groups.listTenantGroups(db, tenant.id, query);
    return { items: items.map(group => ({ ...group })), pageInfo };
  });

  write(app, createTenantGroup, deps, async ({ params, body }, tx, target) => {
    const { name, description } = body;
    if (name.startsWith('system:')) {
      throw new PlatformError(400, 'body.name: names that start with "system:" are reserved');
    }
    const tenant = await lockTenant(tx, params.embedTenantName);
    if (!tenant) throw unknownTenant();
    const created = await groups.createTenantGroup(tx, tenant.id, { name, description: description || null });
    if (!created) throw new PlatformError(400, 'body.name: another group of this embed tenant has this name');
    target.id = created.id;
    return created;
  });

  serve(app, getTenantGroup, deps, ({ params }) => requireGroup(db, params));

  write(app, updateTenantGroup, deps, async ({ params, body }, tx) => {
    const ref = await groupRefOf(tx, params);
    if (body.description != null) await groups.describeTenantGroup(tx, ref, body.description || null);
    return requireGroup(tx, params);
  });

  write(app, deleteTenantGroup, deps, async ({ params }, tx) => {
    const members = await groups.deleteEmptyGroup(tx, await groupRefOf(tx, params));
    if (members === null) throw notFound('Group');
    if (members > 0) throw new PlatformError(400, `The group has ${members} members. Remove them first.`);
    return undefined;
  });

  mountMembers(app, deps);
}

function mountMembers(app: Hono, deps: RouteDeps): void {
  const { db } = deps;

  serve(app, getTenantGroupMembers, deps, async ({ params, query }) => {
    const { id } = await requireGroup(db, params);
    const { items, pageInfo } = await groups.listGroupMembers(db, id, query);
    return { items: items.map(showEmbedUser), pageInfo };
  });

  write(app, addTenantGroupMembers, deps, async ({ params, body }, tx) => {
    const ref = await lockGroup(tx, params);
    const named = idsOf(body);
    if (!(await ensureEmbedUsers(tx, ref.embedTenantId, named.externalIds))) throw tooManyUsers();
    const users = await findEmbedUsers(tx, ref.embedTenantId, named);
    const known = new Set(users.map(user => user.id));
    const unknown = named.ids.findIndex(id => !known.has(id));
    if (unknown !== -1) throw notFound(`Embed user ${named.ids[unknown]}`);
    const added = await groups.addGroupMembers(tx, ref.id, [...known]);
    return bucketsOf(inOrderOf(body, users), added);
  });

  write(app, removeTenantGroupMembers, deps, async ({ params, body }, tx) => {
    const ref = await lockGroup(tx, params);
    const users = await findEmbedUsers(tx, ref.embedTenantId, idsOf(body));
    const ids = users.map(user => user.id);
    await removeMembers(tx, ref.id, { only: ids });
    return undefined;
  });
}

/**
 * Returns the group that the path identifies (spec 4.1).
 * @throws PlatformError 404 if the group or tenant does not exist
 */
async function requireGroup(db: Db, path: GroupPath): Promise<UserGroup> {
  const group = await groups.findTenantGroup(db, await groupRefOf(db, path));
  if (!group) throw notFound('Group');
  return group;
}

async function groupRefOf(db: Db, { embedTenantName, id }: GroupPath): Promise<groups.GroupRef> {
  const tenant = await findTenant(db, embedTenantName);
  if (!tenant) throw notFound('Group');
  return { embedTenantId: tenant.id, id };
}

/** Locks the group in the path and its tenant against deletion until the transaction ends. @throws PlatformError 404 */
async function lockGroup(tx: Db, { embedTenantName, id }: GroupPath): Promise<groups.GroupRef> {
  const tenant = await lockTenant(tx, embedTenantName);
  const ref = { embedTenantId: tenant?.id ?? 0, id };
  if (!tenant || !(await groups.lockTenantGroup(tx, ref))) throw notFound('Group');
  return ref;
}

function idsOf({ members }: EmbedGroupMembers): EmbedUserIds {
  return {
    ids: members.flatMap(({ embedUserId }) => embedUserId ?? []),
    externalIds: members.flatMap(({ externalId }) => externalId ?? []),
  };
}

/** Returns the users in the order of the request, without duplicates. */
function inOrderOf({ members }: EmbedGroupMembers, users: readonly StoredEmbedUser[]): StoredEmbedUser[] {
  const byId = new Map(users.map(user => [user.id, user]));
  const byExternalId = new Map(users.map(user => [user.externalId, user]));
  const named = members.map(({ embedUserId, externalId }) =>
    embedUserId == null ? byExternalId.get(externalId ?? null) : byId.get(embedUserId),
  );
  return [...new Set(named)].filter(user => user !== undefined);
}

function bucketsOf(users: readonly StoredEmbedUser[], added: ReadonlySet<number>): AddedGroupMembers {
  return {
    addedMembers: users.filter(({ id }) => added.has(id)).map(showEmbedUser),
    unchangedMembers: users.filter(({ id }) => !added.has(id)).map(showEmbedUser),
  };
}
