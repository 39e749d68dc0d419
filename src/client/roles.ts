import type { BodyOf, QueryOf, ResponseOf } from '../contract/operation.js';
import * as roles from '../contract/roles.js';
import { call, type PlatformConnection } from './connection.js';
import type { RequestOptions } from './request.js';

/** One page of the roles that administrators made, the newest first. */
export function listRoles(
  connection: PlatformConnection,
  query: QueryOf<typeof roles.getRoles> = {},
  options?: RequestOptions,
): Promise<ResponseOf<typeof roles.getRoles>> {
  return call(roles.getRoles, connection, { query }, options);
}

/** A role with its policies. */
export function getRole(connection: PlatformConnection, roleId: number, options?: RequestOptions): Promise<roles.Role> {
  return call(roles.getRole, connection, { params: { roleId } }, options);
}

/** Makes a role. */
export function createRole(
  connection: PlatformConnection,
  body: BodyOf<typeof roles.createRole>,
  options?: RequestOptions,
): Promise<roles.Role> {
  return call(roles.createRole, connection, { body }, options);
}

/** Changes a role; policies that are sent take the place of all it had. */
export function updateRole(
  connection: PlatformConnection,
  roleId: number,
  body: BodyOf<typeof roles.updateRole>,
  options?: RequestOptions,
): Promise<roles.Role> {
  return call(roles.updateRole, connection, { params: { roleId }, body }, options);
}

/** Deletes a role, and takes it from all who have it. */
export function deleteRole(connection: PlatformConnection, roleId: number, options?: RequestOptions): Promise<void> {
  return call(roles.deleteRole, connection, { params: { roleId } }, options);
}

/** Gives a role to a user of the account. */
export function assignRoleToUser(
  connection: PlatformConnection,
  { roleId, userId }: { readonly roleId: number; readonly userId: number },
  options?: RequestOptions,
): Promise<void> {
  return call(roles.assignRoleToUser, connection, { params: { roleId, userId } }, options);
}

/** Takes a role from a user of the account. */
export function removeRoleFromUser(
  connection: PlatformConnection,
  { roleId, userId }: { readonly roleId: number; readonly userId: number },
  options?: RequestOptions,
): Promise<void> {
  return call(roles.removeRoleFromUser, connection, { params: { roleId, userId } }, options);
}
