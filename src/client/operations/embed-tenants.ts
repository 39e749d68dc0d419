import * as embedAccess from '../../contract/embed-access.js';
import * as tenants from '../../contract/embed-tenants.js';
import type { ParamsOf } from '../../contract/operation.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/** Which embed tenant: `{embedTenantName}`. */
export type EmbedTenantRef = ParamsOf<typeof tenants.getTenantGroups>;
/** Which group of an embed tenant: `{embedTenantName, id}`. */
export type TenantGroupRef = ParamsOf<typeof tenants.getTenantGroup>;

/** One page of the embed tenants by name; `search` is a part of it. */
export const listEmbedTenants: Endpoint<typeof tenants.listEmbedTenants> = /* @__PURE__ */ endpoint(
  tenants.listEmbedTenants,
);

/** Deletes an embed tenant with all that is its own; its tokens end at once. */
export const deleteEmbedTenant: Endpoint<typeof tenants.deleteEmbedTenant, 'embedTenantName'> =
  /* @__PURE__ */ endpoint(tenants.deleteEmbedTenant, 'embedTenantName');

/** One page of the groups of an embed tenant, the newest first. */
export const listTenantGroups: Endpoint<typeof tenants.getTenantGroups> = /* @__PURE__ */ endpoint(
  tenants.getTenantGroups,
);

/** Creates a group of an embed tenant. */
export const createTenantGroup: Endpoint<typeof tenants.createTenantGroup> = /* @__PURE__ */ endpoint(
  tenants.createTenantGroup,
);

/** One group of an embed tenant (spec 4.1). */
export const getTenantGroup: Endpoint<typeof tenants.getTenantGroup> = /* @__PURE__ */ endpoint(tenants.getTenantGroup);

/** Describes a group anew; an empty text clears the description. */
export const updateTenantGroup: Endpoint<typeof tenants.updateTenantGroup> = /* @__PURE__ */ endpoint(
  tenants.updateTenantGroup,
);

/** Deletes a group that has no members. */
export const deleteTenantGroup: Endpoint<typeof tenants.deleteTenantGroup> = /* @__PURE__ */ endpoint(
  tenants.deleteTenantGroup,
);

/** One page of the members of a group, the latest added first. */
export const listTenantGroupMembers: Endpoint<typeof tenants.getTenantGroupMembers> = /* @__PURE__ */ endpoint(
  tenants.getTenantGroupMembers,
);

/** Adds up to 1,000 members to a group, all or none; external ids that are new are provisioned. */
export const addTenantGroupMembers: Endpoint<typeof tenants.addTenantGroupMembers> = /* @__PURE__ */ endpoint(
  tenants.addTenantGroupMembers,
);

/** Takes up to 1,000 members out of a group. */
export const removeTenantGroupMembers: Endpoint<typeof tenants.removeTenantGroupMembers> = /* @__PURE__ */ endpoint(
  tenants.removeTenantGroupMembers,
);

/** Creates or updates one embed user, as a session would. */
export const provisionEmbedUser: Endpoint<typeof tenants.provisionEmbedUser> = /* @__PURE__ */ endpoint(
  tenants.provisionEmbedUser,
);

/** Creates or updates up to 100 embed users, each for itself: look at `failed`. */
export const provisionEmbedUsers: Endpoint<typeof tenants.provisionEmbedUsers> = /* @__PURE__ */ endpoint(
  tenants.provisionEmbedUsers,
);

/** One page of the users of an embed tenant by email; `search` is a part of email or external id. */
export const listEmbedUsers: Endpoint<typeof tenants.listEmbedUsers> = /* @__PURE__ */ endpoint(tenants.listEmbedUsers);

/** Who may see the dashboard of a workbook. */
export const getEmbedAccess: Endpoint<typeof embedAccess.getEmbedAccess> = /* @__PURE__ */ endpoint(
  embedAccess.getEmbedAccess,
);

/** Changes who may see the dashboard of a workbook: one target with an action, or `allowEmbed` alone. */
export const updateEmbedAccess: Endpoint<typeof embedAccess.updateEmbedAccess> = /* @__PURE__ */ endpoint(
  embedAccess.updateEmbedAccess,
);

/** Who may see what is published in a folder, at any depth. */
export const getFolderEmbedAccess: Endpoint<typeof embedAccess.getFolderEmbedAccess> = /* @__PURE__ */ endpoint(
  embedAccess.getFolderEmbedAccess,
);

/** Shares all that is published in a folder with one target, or takes that back. */
export const updateFolderEmbedAccess: Endpoint<typeof embedAccess.updateFolderEmbedAccess> = /* @__PURE__ */ endpoint(
  embedAccess.updateFolderEmbedAccess,
);

/** One page of the workbooks that are shared with an embed tenant, the newest first. */
export const listEmbedTenantWorkbooks: Endpoint<typeof embedAccess.listEmbedTenantWorkbooks> = /* @__PURE__ */ endpoint(
  embedAccess.listEmbedTenantWorkbooks,
);
