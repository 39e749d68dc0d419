import type { QueryOf, ResponseOf } from '../contract/operation.js';
import { listRegions as operation } from '../contract/regions.js';
import { call, type PlatformConnection } from './connection.js';
import type { RequestOptions } from './request.js';

/** One page of the regions where deployments can run. */
export function listRegions(
  connection: PlatformConnection,
  query: QueryOf<typeof operation> = {},
  options?: RequestOptions,
): Promise<ResponseOf<typeof operation>> {
  return call(operation, connection, { query }, options);
}
