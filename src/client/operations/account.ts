import * as apiKeys from '../../contract/api-keys.js';
import * as auditLog from '../../contract/audit-log.js';
import type { BodyOf, QueryOf, ResponseOf } from '../../contract/operation.js';
import * as roles from '../../contract/roles.js';
import { getSpec as operation } from '../../contract/spec.js';
import * as settings from '../../contract/tenant-settings.js';
import * as attributes from '../../contract/user-attributes.js';
import type { JsonObject } from '../../contract/wire.js';
import { call, type PlatformConnection } from '../http/connection.js';
import type { RequestOptions } from '../http/request.js';

/** One page of the API keys, without the keys. It takes an API key with the admin role, as all of these do. */
export function listApiKeys(
  connection: PlatformConnection,
  query: QueryOf<typeof apiKeys.listApiKeys> = {},
  options?: RequestOptions,
): Promise<ResponseOf<typeof apiKeys.listApiKeys>> {
  return call(apiKeys.listApiKeys, connection, { query }, options);
}

/** Makes an API key; `key` of the answer is told this once. */
export function createApiKey(
  connection: PlatformConnection,
  body: BodyOf<typeof apiKeys.createApiKey>,
  options?: RequestOptions,
): Promise<apiKeys.NewApiKey> {
  return call(apiKeys.createApiKey, connection, { body }, options);
}

/** Revokes an API key: its next request is refused. */
export function revokeApiKey(connection: PlatformConnection, id: number, options?: RequestOptions): Promise<void> {
  return call(apiKeys.revokeApiKey, connection, { params: { id } }, options);
}

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

/** One page of the user attributes, the newest first. */
export function listUserAttributes(
  connection: PlatformConnection,
  query: QueryOf<typeof attributes.getUserAttributes> = {},
  options?: RequestOptions,
): Promise<ResponseOf<typeof attributes.getUserAttributes>> {
  return call(attributes.getUserAttributes, connection, { query }, options);
}

/** Defines a user attribute. */
export function createUserAttribute(
  connection: PlatformConnection,
  body: BodyOf<typeof attributes.createUserAttribute>,
  options?: RequestOptions,
): Promise<attributes.UserAttribute> {
  return call(attributes.createUserAttribute, connection, { body }, options);
}

/** Describes a user attribute anew; an empty text clears the field. */
export function updateUserAttribute(
  connection: PlatformConnection,
  id: number,
  body: BodyOf<typeof attributes.updateUserAttribute>,
  options?: RequestOptions,
): Promise<attributes.UserAttribute> {
  return call(attributes.updateUserAttribute, connection, { params: { id }, body }, options);
}

/** Sets a user's value of an attribute; null clears it. */
export function setUserAttributeValue(
  connection: PlatformConnection,
  body: BodyOf<typeof attributes.upsertUserAttributeValue>,
  options?: RequestOptions,
): Promise<attributes.UserAttributeValueRecord> {
  return call(attributes.upsertUserAttributeValue, connection, { body }, options);
}

/** The values that a user has of its own, by name. */
export function listUserAttributeValues(
  connection: PlatformConnection,
  userId: number,
  options?: RequestOptions,
): Promise<attributes.UserAttributeValueRecord[]> {
  return call(attributes.getUserAttributeValues, connection, { params: { userId } }, options);
}

/** The settings of the account. */
export function getTenantSettings(
  connection: PlatformConnection,
  options?: RequestOptions,
): Promise<settings.TenantSettings> {
  return call(settings.getTenantSettings, connection, {}, options);
}

/** Changes settings of the account: what is left out stays, null gives a setting its default again. */
export function updateTenantSettings(
  connection: PlatformConnection,
  body: BodyOf<typeof settings.updateTenantSettings>,
  options?: RequestOptions,
): Promise<settings.TenantSettings> {
  return call(settings.updateTenantSettings, connection, { body }, options);
}

/** One page of the audit log, the newest entries first: an extension of ours. */
export function listAuditLog(
  connection: PlatformConnection,
  query: QueryOf<typeof auditLog.getAuditLog> = {},
  options?: RequestOptions,
): Promise<ResponseOf<typeof auditLog.getAuditLog>> {
  return call(auditLog.getAuditLog, connection, { query }, options);
}

/** The OpenAPI document of the platform that is called, as it serves it. */
export function getSpec(connection: PlatformConnection, options?: RequestOptions): Promise<JsonObject> {
  return call(operation, connection, {}, options);
}
