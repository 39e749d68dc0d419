import * as apiKeys from '../../contract/api-keys.js';
import * as auditLog from '../../contract/audit-log.js';
import * as roles from '../../contract/roles.js';
import { getSpec as operation } from '../../contract/spec.js';
import * as settings from '../../contract/tenant-settings.js';
import * as attributes from '../../contract/user-attributes.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/** One page of the API keys, without the keys. It takes an API key with the admin role, as all of these do. */
export const listApiKeys: Endpoint<typeof apiKeys.listApiKeys> = /* @__PURE__ */ endpoint(apiKeys.listApiKeys);

/** Makes an API key; `key` of the answer is told this once. */
export const createApiKey: Endpoint<typeof apiKeys.createApiKey> = /* @__PURE__ */ endpoint(apiKeys.createApiKey);

/** Revokes an API key: its next request is refused. */
export const revokeApiKey: Endpoint<typeof apiKeys.revokeApiKey, 'id'> = /* @__PURE__ */ endpoint(
  apiKeys.revokeApiKey,
  'id',
);

/** One page of the roles that administrators made, the newest first. */
export const listRoles: Endpoint<typeof roles.getRoles> = /* @__PURE__ */ endpoint(roles.getRoles);

/** A role with its policies. */
export const getRole: Endpoint<typeof roles.getRole, 'roleId'> = /* @__PURE__ */ endpoint(roles.getRole, 'roleId');

/** Makes a role. */
export const createRole: Endpoint<typeof roles.createRole> = /* @__PURE__ */ endpoint(roles.createRole);

/** Changes a role; policies that are sent take the place of all it had. */
export const updateRole: Endpoint<typeof roles.updateRole, 'roleId'> = /* @__PURE__ */ endpoint(
  roles.updateRole,
  'roleId',
);

/** Deletes a role, and takes it from all who have it. */
export const deleteRole: Endpoint<typeof roles.deleteRole, 'roleId'> = /* @__PURE__ */ endpoint(
  roles.deleteRole,
  'roleId',
);

/** Gives a role to a user of the account. */
export const assignRoleToUser: Endpoint<typeof roles.assignRoleToUser> = /* @__PURE__ */ endpoint(
  roles.assignRoleToUser,
);

/** Takes a role from a user of the account. */
export const removeRoleFromUser: Endpoint<typeof roles.removeRoleFromUser> = /* @__PURE__ */ endpoint(
  roles.removeRoleFromUser,
);

/** One page of the user attributes, the newest first. */
export const listUserAttributes: Endpoint<typeof attributes.getUserAttributes> = /* @__PURE__ */ endpoint(
  attributes.getUserAttributes,
);

/** Defines a user attribute. */
export const createUserAttribute: Endpoint<typeof attributes.createUserAttribute> = /* @__PURE__ */ endpoint(
  attributes.createUserAttribute,
);

/** Describes a user attribute anew; an empty text clears the field. */
export const updateUserAttribute: Endpoint<typeof attributes.updateUserAttribute, 'id'> = /* @__PURE__ */ endpoint(
  attributes.updateUserAttribute,
  'id',
);

/** Sets a user's value of an attribute; null clears it. */
export const setUserAttributeValue: Endpoint<typeof attributes.upsertUserAttributeValue> = /* @__PURE__ */ endpoint(
  attributes.upsertUserAttributeValue,
);

/** The values that a user has of its own, by name. */
export const listUserAttributeValues: Endpoint<typeof attributes.getUserAttributeValues, 'userId'> =
  /* @__PURE__ */ endpoint(attributes.getUserAttributeValues, 'userId');

/** The settings of the account. */
export const getTenantSettings: Endpoint<typeof settings.getTenantSettings> = /* @__PURE__ */ endpoint(
  settings.getTenantSettings,
);

/** Changes settings of the account: what is left out stays, null gives a setting its default again. */
export const updateTenantSettings: Endpoint<typeof settings.updateTenantSettings> = /* @__PURE__ */ endpoint(
  settings.updateTenantSettings,
);

/** One page of the audit log, the newest entries first: an extension of ours. */
export const listAuditLog: Endpoint<typeof auditLog.getAuditLog> = /* @__PURE__ */ endpoint(auditLog.getAuditLog);

/** The OpenAPI document of the platform that is called, as it serves it. */
export const getSpec: Endpoint<typeof operation> = /* @__PURE__ */ endpoint(operation);
