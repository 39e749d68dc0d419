import * as embedAccess from '../../contract/embed-access.js';
import * as tenants from '../../contract/embed-tenants.js';
import type { ParamsOf } from '../../contract/operation.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/** Identifies an embed tenant: `{embedTenantName}`. */
export type EmbedTenantRef = ParamsOf<typeof tenants.getTenantGroups>;
/** Identifies a group of an embed tenant: `{embedTenantName, id}`. */
export type TenantGroupRef = ParamsOf<typeof tenants.getTenantGroup>;

/** Lists the embed tenants by name, one page at a time; `search` matches a part of the name. */
export const listEmbedTenants: Endpoint<typeof tenants.listEmbedTenants> = /* @__PURE__ */ endpoint(
  tenants.listEmbedTenants,
);

/** Deletes an embed tenant and all its content. Its tokens stop working immediately. */
export const deleteEmbedTenant: Endpoint<typeof tenants.deleteEmbedTenant, 'embedTenantName'> =
  /* @__PURE__ */ endpoint(tenants.deleteEmbedTenant, 'embedTenantName');

/** Lists the groups of an embed tenant, newest first, one page at a time. */
export const listTenantGroups: Endpoint<typeof tenants.getTenantGroups> = /* @__PURE__ */ endpoint(
  tenants.getTenantGroups,
);

/** Creates a group of an embed tenant. */
export const createTenantGroup: Endpoint<typeof tenants.createTenantGroup> = /* @__PURE__ */ endpoint(
  tenants.createTenantGroup,
);

/** Returns a group of an embed tenant (spec 4.1). */
export const getTenantGroup: Endpoint<typeof tenants.getTenantGroup> = /* @__PURE__ */ endpoint(tenants.getTenantGroup);

/** Updates a group. An empty string clears the description. */
export const updateTenantGroup: Endpoint<typeof tenants.updateTenantGroup> = /* @__PURE__ */ endpoint(
  tenants.updateTenantGroup,
);

/** Deletes a group that has no members. */
export const deleteTenantGroup: Endpoint<typeof tenants.deleteTenantGroup> = /* @__PURE__ */ endpoint(
  tenants.deleteTenantGroup,
);

/** Lists the members of a group, last added first, one page at a time. */
export const listTenantGroupMembers: Endpoint<typeof tenants.getTenantGroupMembers> = /* @__PURE__ */ endpoint(
  tenants.getTenantGroupMembers,
);

/** Adds up to 1,000 members to a group atomically. Unknown external ids are provisioned. */
export const addTenantGroupMembers: Endpoint<typeof tenants.addTenantGroupMembers> = /* @__PURE__ */ endpoint(
  tenants.addTenantGroupMembers,
);

/** Removes up to 1,000 members from a group. */
export const removeTenantGroupMembers: Endpoint<typeof tenants.removeTenantGroupMembers> = /* @__PURE__ */ endpoint(
  tenants.removeTenantGroupMembers,
);

/** Creates or updates one embed user, as creating a session does. */
export const provisionEmbedUser: Endpoint<typeof tenants.provisionEmbedUser> = /* @__PURE__ */ endpoint(
  tenants.provisionEmbedUser,
);

/** Creates or updates up to 100 embed users independently; `failed` lists those with errors. */
export const provisionEmbedUsers: Endpoint<typeof tenants.provisionEmbedUsers> = /* @__PURE__ */ endpoint(
  tenants.provisionEmbedUsers,
);

/**
 * Lists the users of an embed tenant by email, one page at a time; `search` matches a part of the email or external id.
 */
export const listEmbedUsers: Endpoint<typeof tenants.listEmbedUsers> = /* @__PURE__ */ endpoint(tenants.listEmbedUsers);

/** Lists the sessions of the users of an embed tenant whose tokens are valid, newest first, one page at a time. */
export const listEmbedUserSessions: Endpoint<typeof tenants.listEmbedUserSessions> = /* @__PURE__ */ endpoint(
  tenants.listEmbedUserSessions,
);

/** Revokes sessions of the users of an embed tenant: all, those of one user, or one session. */
export const revokeEmbedUserSessions: Endpoint<typeof tenants.revokeEmbedUserSessions> = /* @__PURE__ */ endpoint(
  tenants.revokeEmbedUserSessions,
);

/** Returns who can see the dashboard of a workbook. */
export const getEmbedAccess: Endpoint<typeof embedAccess.getEmbedAccess> = /* @__PURE__ */ endpoint(
  embedAccess.getEmbedAccess,
);

/** Changes who can see the dashboard of a workbook: one target with an action, or only `allowEmbed`. */
export const updateEmbedAccess: Endpoint<typeof embedAccess.updateEmbedAccess> = /* @__PURE__ */ endpoint(
  embedAccess.updateEmbedAccess,
);

/** Returns who can see what is published in a folder, at any depth. */
export const getFolderEmbedAccess: Endpoint<typeof embedAccess.getFolderEmbedAccess> = /* @__PURE__ */ endpoint(
  embedAccess.getFolderEmbedAccess,
);

/** Shares everything that is published in a folder with one target, or revokes that. */
export const updateFolderEmbedAccess: Endpoint<typeof embedAccess.updateFolderEmbedAccess> = /* @__PURE__ */ endpoint(
  embedAccess.updateFolderEmbedAccess,
);

/** Lists the workbooks that are shared with an embed tenant, newest first, one page at a time. */
export const listEmbedTenantWorkbooks: Endpoint<typeof embedAccess.listEmbedTenantWorkbooks> = /* @__PURE__ */ endpoint(
  embedAccess.listEmbedTenantWorkbooks,
);
