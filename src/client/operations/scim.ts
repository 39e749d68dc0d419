import type { BodyOf, ParamsOf, ResponseOf } from '../../contract/operation.js';
import * as scim from '../../contract/scim.js';
import * as keys from '../../contract/scim-keys.js';
import { call, type Endpoint, endpoint, type PlatformConnection } from '../http/connection.js';
import type { RequestOptions } from '../http/request.js';

/** Creates a key for a directory. Its secret is returned only once. Requires an API key with the admin role. */
export const createScimKey: Endpoint<typeof keys.createScimKey> = /* @__PURE__ */ endpoint(keys.createScimKey);

/** Lists the keys of directories, oldest first. Requires an API key with the admin role. */
export const listScimKeys: Endpoint<typeof keys.listScimKeys> = /* @__PURE__ */ endpoint(keys.listScimKeys);

/** Revokes the key of a directory. Requires an API key with the admin role. */
export const revokeScimKey: Endpoint<typeof keys.revokeScimKey, 'id'> = /* @__PURE__ */ endpoint(
  keys.revokeScimKey,
  'id',
);

/** Lists users of the directory by filter and index. Requires a SCIM key, like the functions below. */
export const listScimUsers: Endpoint<typeof scim.listScimUsers> = /* @__PURE__ */ endpoint(scim.listScimUsers);

/** Creates a user. */
export const createScimUser: Endpoint<typeof scim.createScimUser> = /* @__PURE__ */ endpoint(scim.createScimUser);

/** Returns a user. */
export const getScimUser: Endpoint<typeof scim.getScimUser> = /* @__PURE__ */ endpoint(scim.getScimUser);

/** Replaces a user. */
export const replaceScimUser: Endpoint<typeof scim.replaceScimUser> = /* @__PURE__ */ endpoint(scim.replaceScimUser);

/** Changes a user; `active: false` ends all access of the user. */
export const patchScimUser: Endpoint<typeof scim.patchScimUser> = /* @__PURE__ */ endpoint(scim.patchScimUser);

/** Deletes a user. */
export const deleteScimUser: Endpoint<typeof scim.deleteScimUser> = /* @__PURE__ */ endpoint(scim.deleteScimUser);

/** Lists groups of the account by filter and index. */
export const listScimGroups: Endpoint<typeof scim.listScimGroups> = /* @__PURE__ */ endpoint(scim.listScimGroups);

/** Creates a group. */
export const createScimGroup: Endpoint<typeof scim.createScimGroup> = /* @__PURE__ */ endpoint(scim.createScimGroup);

/** Returns a group. */
export const getScimGroup: Endpoint<typeof scim.getScimGroup> = /* @__PURE__ */ endpoint(scim.getScimGroup);

/** Replaces a group with all its members. */
export const replaceScimGroup: Endpoint<typeof scim.replaceScimGroup> = /* @__PURE__ */ endpoint(scim.replaceScimGroup);

/** Changes a group: its name, or some of its members. */
export function patchScimGroup(
  connection: PlatformConnection,
  params: ParamsOf<typeof scim.patchScimGroup>,
  body: BodyOf<typeof scim.patchScimGroup>,
  options?: RequestOptions,
): Promise<ResponseOf<typeof scim.patchScimGroup>> {
  return call(scim.patchScimGroup, connection, { params, body }, options);
}

/** Deletes a group, but not its members. */
export const deleteScimGroup: Endpoint<typeof scim.deleteScimGroup> = /* @__PURE__ */ endpoint(scim.deleteScimGroup);

/** Returns what the Provisioning API supports. */
export const getScimServiceProviderConfig: Endpoint<typeof scim.getScimServiceProviderConfig> =
  /* @__PURE__ */ endpoint(scim.getScimServiceProviderConfig);

/** Lists the types of resources. */
export const listScimResourceTypes: Endpoint<typeof scim.listScimResourceTypes> = /* @__PURE__ */ endpoint(
  scim.listScimResourceTypes,
);

/** Returns a resource type. */
export const getScimResourceType: Endpoint<typeof scim.getScimResourceType> = /* @__PURE__ */ endpoint(
  scim.getScimResourceType,
);

/** Lists the schemas of the resources. */
export const listScimSchemas: Endpoint<typeof scim.listScimSchemas> = /* @__PURE__ */ endpoint(scim.listScimSchemas);

/** Returns a schema by its URN. */
export const getScimSchema: Endpoint<typeof scim.getScimSchema> = /* @__PURE__ */ endpoint(scim.getScimSchema);
