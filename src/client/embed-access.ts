import * as embedAccess from '../contract/embed-access.js';
import type { BodyOf, ParamsOf, QueryOf, ResponseOf } from '../contract/operation.js';
import { call, type PlatformConnection } from './connection.js';
import type { RequestOptions } from './request.js';

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
