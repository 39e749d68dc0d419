import * as apiKeys from '../../contract/api-keys.js';
import * as auditLog from '../../contract/audit-log.js';
import * as roles from '../../contract/roles.js';
import { getSpec as operation } from '../../contract/spec.js';
import * as settings from '../../contract/tenant-settings.js';
import * as attributes from '../../contract/user-attributes.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/**
 * Lists the API keys, one page at a time, without their secrets. Requires an API key with the admin role, like all
 * functions of this module.
 */
export const listApiKeys: Endpoint<typeof apiKeys.listApiKeys> = /* @__PURE__ */ endpoint(apiKeys.listApiKeys);

/** Creates an API key. `key` is returned only once. */
export const createApiKey: Endpoint<typeof apiKeys.createApiKey> = /* @__PURE__ */ endpoint(apiKeys.createApiKey);

/** Revokes an API key. Requests that use it are rejected from then on. */
export const revokeApiKey: Endpoint<typeof apiKeys.revokeApiKey, 'id'> = /* @__PURE__ */ endpoint(
  apiKeys.revokeApiKey,
  'id',
);

/** Lists the custom roles, newest first, one page at a time. */
export const listRoles: Endpoint<typeof roles.getRoles> = /* @__PURE__ */ endpoint(roles.getRoles);

/** Returns a role with its policies. */
export const getRole: Endpoint<typeof roles.getRole, 'roleId'> = /* @__PURE__ */ endpoint(roles.getRole, 'roleId');

/** Creates a role. */
export const createRole: Endpoint<typeof roles.createRole> = /* @__PURE__ */ endpoint(roles.createRole);

/** Updates a role. If `policies` is sent, it replaces all existing policies. */
export const updateRole: Endpoint<typeof roles.updateRole, 'roleId'> = /* @__PURE__ */ endpoint(
  roles.updateRole,
  'roleId',
);

/** Deletes a role and removes it from all its users. */
export const deleteRole: Endpoint<typeof roles.deleteRole, 'roleId'> = /* @__PURE__ */ endpoint(
  roles.deleteRole,
  'roleId',
);

/** Assigns a role to a user of the account. */
export const assignRoleToUser: Endpoint<typeof roles.assignRoleToUser> = /* @__PURE__ */ endpoint(
  roles.assignRoleToUser,
);

/** Removes a role from a user of the account. */
export const removeRoleFromUser: Endpoint<typeof roles.removeRoleFromUser> = /* @__PURE__ */ endpoint(
  roles.removeRoleFromUser,
);

/** Lists the user attributes, newest first, one page at a time. */
export const listUserAttributes: Endpoint<typeof attributes.getUserAttributes> = /* @__PURE__ */ endpoint(
  attributes.getUserAttributes,
);

/** Creates a user attribute. */
export const createUserAttribute: Endpoint<typeof attributes.createUserAttribute> = /* @__PURE__ */ endpoint(
  attributes.createUserAttribute,
);

/** Updates a user attribute. An empty string clears a field. */
export const updateUserAttribute: Endpoint<typeof attributes.updateUserAttribute, 'id'> = /* @__PURE__ */ endpoint(
  attributes.updateUserAttribute,
  'id',
);

/** Sets a user's value of an attribute; `null` clears it. */
export const setUserAttributeValue: Endpoint<typeof attributes.upsertUserAttributeValue> = /* @__PURE__ */ endpoint(
  attributes.upsertUserAttributeValue,
);

/** Returns the attribute values that are set on the user itself, by name. */
export const listUserAttributeValues: Endpoint<typeof attributes.getUserAttributeValues, 'userId'> =
  /* @__PURE__ */ endpoint(attributes.getUserAttributeValues, 'userId');

/** Returns the settings of the account. */
export const getTenantSettings: Endpoint<typeof settings.getTenantSettings> = /* @__PURE__ */ endpoint(
  settings.getTenantSettings,
);

/** Updates settings of the account. Omitted settings stay unchanged; `null` restores a default. */
export const updateTenantSettings: Endpoint<typeof settings.updateTenantSettings> = /* @__PURE__ */ endpoint(
  settings.updateTenantSettings,
);

/** Lists the audit log, newest entries first, one page at a time. This operation is an extension. */
export const listAuditLog: Endpoint<typeof auditLog.getAuditLog> = /* @__PURE__ */ endpoint(auditLog.getAuditLog);

/** Returns the platform's OpenAPI document. */
export const getSpec: Endpoint<typeof operation> = /* @__PURE__ */ endpoint(operation);
