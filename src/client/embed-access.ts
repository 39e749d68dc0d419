import * as embedAccess from '../contract/embed-access.js';
import type { BodyOf, ParamsOf } from '../contract/operation.js';
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
