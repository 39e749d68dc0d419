import type * as contract from '../../../contract/scim.js';
import type { JsonObject } from '../../../contract/wire.js';
import type { ScimCaller } from '../../auth/authenticate-scim.js';
import type { Db } from '../../db/database.js';
import { PlatformError } from '../../errors.js';
import { insertAccountGroup } from '../account-group-store.js';
import { deleteUser, lockedUser, setActive } from '../user-lifecycle.js';
import { requireMatch } from './entity-tag.js';
import { type GroupChange, groupResource, inOperations, readGroup, readGroupChanges, unknownMember } from './groups.js';
import { listResponse, windowOf } from './list-window.js';
import type { PatchInput } from './patch.js';
import { isReturned, type Projection, project } from './projection.js';
import { notUnique } from './scim-error.js';
import * as groupStore from './scim-group-store.js';
import * as userStore from './scim-user-store.js';
import { patchUser, readUser, userResource, type WrittenUser } from './users.js';

export { resourceTypes, schemas, serviceProviderConfig } from './discovery.js';
export { userResource } from './users.js';

type ListQuery = Projection & Parameters<typeof windowOf>[0];

/** Returns the id of the resource in a path; -1, which no resource has, if the id is not a number. */
function numberOf(id: string): number {
  return /^\d{1,15}$/.test(id) ? Number(id) : -1;
}

function noResource(type: 'User' | 'Group', id: string): PlatformError {
  return new PlatformError(404, `${type} ${JSON.stringify(id.slice(0, 100))} not found`);
}

/** Lists users. */
export async function listUsers(db: Db, query: ListQuery, baseUrl: string) {
  const window = windowOf(query);
  const { total, rows } = await userStore.listDirectoryUsers(db, window);
  const resources = rows.map(row => project(userResource(row, baseUrl), query));
  return listResponse(resources, total, window.startIndex);
}

/** Returns a user. */
export async function findUser(db: Db, id: string): Promise<userStore.DirectoryUser> {
  const user = await userStore.findDirectoryUser(db, numberOf(id));
  if (!user) throw noResource('User', id);
  return user;
}

/** Creates a user and returns it. */
export async function createUser(tx: Db, body: JsonObject): Promise<userStore.DirectoryUser> {
  const { columns, isActive } = readUser(body);
  const id = await userStore.insertDirectoryUser(tx, columns);
  if (id === null) throw nameTaken();
  if (isActive === false) await setActive(tx, await lockedUser(tx, id), { isActive, actor: null });
  return findUser(tx, String(id));
}

/** Replaces or changes a user and returns it. */
export async function writeUser(
  tx: Db,
  id: string,
  { request, principal }: { readonly request: Request; readonly principal: ScimCaller },
  change: { readonly body: JsonObject } | { readonly operations: readonly PatchInput[] },
): Promise<userStore.DirectoryUser> {
  const user = await lockUser(tx, id, request);
  const written: WrittenUser = 'body' in change ? readUser(change.body) : patchUser(user, change.operations);
  await userStore.changeDirectoryUser(tx, user.id, written.columns);
  if (written.isActive !== null) {
    await setActive(tx, await lockedUser(tx, user.id), { isActive: written.isActive, actor: principal.userId });
  }
  return findUser(tx, id);
}

/** Deletes a user. Its content is transferred to the built-in administrator. */
export async function removeUser(
  tx: Db,
  id: string,
  { request, principal }: { readonly request: Request; readonly principal: ScimCaller },
): Promise<void> {
  const user = await lockUser(tx, id, request);
  await deleteUser(tx, user.id, { actor: principal.userId, reassignTo: await userStore.builtInAdmin(tx) });
}

async function lockUser(tx: Db, id: string, request: Request): Promise<userStore.DirectoryUser> {
  const user = await userStore.lockDirectoryUser(tx, numberOf(id));
  if (!user) throw noResource('User', id);
  requireMatch(request, user.revision);
  return user;
}

/** Creates the 409 for a user name or email that another user has. */
export function nameTaken(): PlatformError {
  return notUnique('Another user has this userName or primary email.');
}

/** Creates the 409 for a name that another group has. */
export function groupTaken(): PlatformError {
  return notUnique('Another group has this displayName.');
}

/** Lists groups. */
export async function listGroups(db: Db, query: ListQuery, baseUrl: string) {
  const window = windowOf(query);
  const { total, rows } = await groupStore.listDirectoryGroups(db, window);
  const ids = rows.map(row => row.id);
  const members = isReturned('members', query) ? await groupStore.listMembers(db, ids) : null;
  const resources = rows.map(row => project(groupResource(row, members?.get(row.id) ?? null, baseUrl), query));
  return listResponse(resources, total, window.startIndex);
}

/** Returns a group. */
export async function findGroup(db: Db, id: string): Promise<groupStore.DirectoryGroup> {
  const group = await groupStore.findDirectoryGroup(db, numberOf(id));
  if (!group) throw noResource('Group', id);
  return group;
}

/** Returns a group as a resource. Members are read only if the response contains them. */
export async function showGroup(
  db: Db,
  group: groupStore.DirectoryGroup,
  projection: Projection,
  baseUrl: string,
): Promise<contract.ScimGroup> {
  const members = isReturned('members', projection) ? await groupStore.listMembers(db, [group.id]) : null;
  return project(groupResource(group, members?.get(group.id) ?? null, baseUrl), projection);
}

/** Creates a group and returns it. */
export async function createGroup(tx: Db, body: JsonObject): Promise<groupStore.DirectoryGroup> {
  const { name, directoryId, members } = readGroup(body);
  const id = await insertAccountGroup(tx, { name, directoryId });
  if (id === null) throw groupTaken();
  await addMembers(tx, id, members);
  return findGroup(tx, String(id));
}

/** Replaces a group with all its members and returns it. */
export async function replaceGroup(
  tx: Db,
  id: string,
  request: Request,
  body: JsonObject,
): Promise<groupStore.DirectoryGroup> {
  const group = await lockGroup(tx, id, request);
  const { name, directoryId, members } = readGroup(body);
  await groupStore.changeDirectoryGroup(tx, group.id, { name, directoryId });
  await applyChange(tx, group.id, { kind: 'members', op: 'replace', userIds: members });
  return findGroup(tx, id);
}

/** Changes a group and returns it. */
export async function patchGroup(
  tx: Db,
  id: string,
  request: Request,
  operations: readonly PatchInput[],
): Promise<groupStore.DirectoryGroup> {
  const group = await lockGroup(tx, id, request);
  for (const change of readGroupChanges(operations)) await applyChange(tx, group.id, change, inOperations);
  await groupStore.changeDirectoryGroup(tx, group.id, {});
  return findGroup(tx, id);
}

/** Deletes a group. */
export async function removeGroup(tx: Db, id: string, request: Request): Promise<void> {
  const group = await lockGroup(tx, id, request);
  await groupStore.deleteDirectoryGroup(tx, group.id);
}

async function lockGroup(tx: Db, id: string, request: Request): Promise<groupStore.DirectoryGroup> {
  const group = await groupStore.lockDirectoryGroup(tx, numberOf(id));
  if (!group) throw noResource('Group', id);
  requireMatch(request, group.revision);
  return group;
}

async function applyChange(tx: Db, groupId: number, change: GroupChange, where = ''): Promise<void> {
  if (change.kind === 'name') return groupStore.changeDirectoryGroup(tx, groupId, { name: change.name });
  if (change.kind === 'directoryId') {
    return groupStore.changeDirectoryGroup(tx, groupId, { directoryId: change.directoryId });
  }
  const { op, userIds } = change;
  if (op === 'remove') return groupStore.removeDirectoryMembers(tx, groupId, userIds ? { only: userIds } : 'all');
  // Do not remove and re-add members that stay in the group, because removal ends their sessions.
  if (op === 'replace') await groupStore.removeDirectoryMembers(tx, groupId, { except: userIds ?? [] });
  return addMembers(tx, groupId, userIds ?? [], where);
}

async function addMembers(tx: Db, groupId: number, userIds: readonly number[], where = ''): Promise<void> {
  const [unknown] = await groupStore.addDirectoryMembers(tx, groupId, userIds);
  if (unknown !== undefined) throw unknownMember(unknown, where);
}
