import * as embedAccess from '../../contract/embed-access.js';
import * as tenants from '../../contract/embed-tenants.js';
import type { BodyOf, ParamsOf, QueryOf, ResponseOf } from '../../contract/operation.js';
import { call, type PlatformConnection } from '../http/connection.js';
import type { RequestOptions } from '../http/request.js';

/** Which embed tenant: `{embedTenantName}`. */
export type EmbedTenantRef = ParamsOf<typeof tenants.getTenantGroups>;
/** Which group of an embed tenant: `{embedTenantName, id}`. */
export type TenantGroupRef = ParamsOf<typeof tenants.getTenantGroup>;

/** One page of the embed tenants by name; `search` is a part of it. */
export function listEmbedTenants(
  connection: PlatformConnection,
  query: QueryOf<typeof tenants.listEmbedTenants> = {},
  options?: RequestOptions,
): Promise<ResponseOf<typeof tenants.listEmbedTenants>> {
  return call(tenants.listEmbedTenants, connection, { query }, options);
}

/** Deletes an embed tenant with all that is its own; its tokens end at once. */
export function deleteEmbedTenant(
  connection: PlatformConnection,
  embedTenantName: string,
  options?: RequestOptions,
): Promise<void> {
  return call(tenants.deleteEmbedTenant, connection, { params: { embedTenantName } }, options);
}

/** One page of the groups of an embed tenant, the newest first. */
export function listTenantGroups(
  connection: PlatformConnection,
  params: EmbedTenantRef,
  query: QueryOf<typeof tenants.getTenantGroups> = {},
  options?: RequestOptions,
): Promise<ResponseOf<typeof tenants.getTenantGroups>> {
  return call(tenants.getTenantGroups, connection, { params, query }, options);
}

/** Creates a group of an embed tenant. */
export function createTenantGroup(
  connection: PlatformConnection,
  params: EmbedTenantRef,
  body: BodyOf<typeof tenants.createTenantGroup>,
  options?: RequestOptions,
): Promise<tenants.UserGroup> {
  return call(tenants.createTenantGroup, connection, { params, body }, options);
}

/** One group of an embed tenant (spec 4.1). */
export function getTenantGroup(
  connection: PlatformConnection,
  params: TenantGroupRef,
  options?: RequestOptions,
): Promise<tenants.UserGroup> {
  return call(tenants.getTenantGroup, connection, { params }, options);
}

/** Describes a group anew; an empty text clears the description. */
export function updateTenantGroup(
  connection: PlatformConnection,
  params: TenantGroupRef,
  body: BodyOf<typeof tenants.updateTenantGroup>,
  options?: RequestOptions,
): Promise<tenants.UserGroup> {
  return call(tenants.updateTenantGroup, connection, { params, body }, options);
}

/** Deletes a group that has no members. */
export function deleteTenantGroup(
  connection: PlatformConnection,
  params: TenantGroupRef,
  options?: RequestOptions,
): Promise<void> {
  return call(tenants.deleteTenantGroup, connection, { params }, options);
}

/** One page of the members of a group, the latest added first. */
export function listTenantGroupMembers(
  connection: PlatformConnection,
  params: TenantGroupRef,
  query: QueryOf<typeof tenants.getTenantGroupMembers> = {},
  options?: RequestOptions,
): Promise<ResponseOf<typeof tenants.getTenantGroupMembers>> {
  return call(tenants.getTenantGroupMembers, connection, { params, query }, options);
}

/** Adds up to 1,000 members to a group, all or none; external ids that are new are provisioned. */
export function addTenantGroupMembers(
  connection: PlatformConnection,
  params: TenantGroupRef,
  body: tenants.EmbedGroupMembers,
  options?: RequestOptions,
): Promise<tenants.AddedGroupMembers> {
  return call(tenants.addTenantGroupMembers, connection, { params, body }, options);
}

/** Takes up to 1,000 members out of a group. */
export function removeTenantGroupMembers(
  connection: PlatformConnection,
  params: TenantGroupRef,
  body: tenants.EmbedGroupMembers,
  options?: RequestOptions,
): Promise<void> {
  return call(tenants.removeTenantGroupMembers, connection, { params, body }, options);
}

/** Creates or updates one embed user, as a session would. */
export function provisionEmbedUser(
  connection: PlatformConnection,
  params: EmbedTenantRef,
  body: tenants.ProvisionEmbedUser,
  options?: RequestOptions,
): Promise<tenants.EmbedUser> {
  return call(tenants.provisionEmbedUser, connection, { params, body }, options);
}

/** Creates or updates up to 100 embed users, each for itself: look at `failed`. */
export function provisionEmbedUsers(
  connection: PlatformConnection,
  params: EmbedTenantRef,
  body: BodyOf<typeof tenants.provisionEmbedUsers>,
  options?: RequestOptions,
): Promise<tenants.ProvisionedEmbedUsers> {
  return call(tenants.provisionEmbedUsers, connection, { params, body }, options);
}

/** One page of the users of an embed tenant by email; `search` is a part of email or external id. */
export function listEmbedUsers(
  connection: PlatformConnection,
  params: EmbedTenantRef,
  query: QueryOf<typeof tenants.listEmbedUsers> = {},
  options?: RequestOptions,
): Promise<ResponseOf<typeof tenants.listEmbedUsers>> {
  return call(tenants.listEmbedUsers, connection, { params, query }, options);
}

/** Who may see the dashboard of a workbook. */
export function getEmbedAccess(
  connection: PlatformConnection,
  params: ParamsOf<typeof embedAccess.getEmbedAccess>,
  options?: RequestOptions,
): Promise<embedAccess.EmbedAccess> {
  return call(embedAccess.getEmbedAccess, connection, { params }, options);
}

/** Changes who may see the dashboard of a workbook: one target with an action, or `allowEmbed` alone. */
export function updateEmbedAccess(
  connection: PlatformConnection,
  params: ParamsOf<typeof embedAccess.updateEmbedAccess>,
  body: BodyOf<typeof embedAccess.updateEmbedAccess>,
  options?: RequestOptions,
): Promise<embedAccess.EmbedAccess> {
  return call(embedAccess.updateEmbedAccess, connection, { params, body }, options);
}

/** Who may see what is published in a folder, at any depth. */
export function getFolderEmbedAccess(
  connection: PlatformConnection,
  params: ParamsOf<typeof embedAccess.getFolderEmbedAccess>,
  options?: RequestOptions,
): Promise<embedAccess.Audiences> {
  return call(embedAccess.getFolderEmbedAccess, connection, { params }, options);
}

/** Shares all that is published in a folder with one target, or takes that back. */
export function updateFolderEmbedAccess(
  connection: PlatformConnection,
  params: ParamsOf<typeof embedAccess.updateFolderEmbedAccess>,
  body: BodyOf<typeof embedAccess.updateFolderEmbedAccess>,
  options?: RequestOptions,
): Promise<embedAccess.Audiences> {
  return call(embedAccess.updateFolderEmbedAccess, connection, { params, body }, options);
}

/** One page of the workbooks that are shared with an embed tenant, the newest first. */
export function listEmbedTenantWorkbooks(
  connection: PlatformConnection,
  params: ParamsOf<typeof embedAccess.listEmbedTenantWorkbooks>,
  query: QueryOf<typeof embedAccess.listEmbedTenantWorkbooks> = {},
  options?: RequestOptions,
): Promise<ResponseOf<typeof embedAccess.listEmbedTenantWorkbooks>> {
  return call(embedAccess.listEmbedTenantWorkbooks, connection, { params, query }, options);
}
