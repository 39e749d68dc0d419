import * as apiKeys from '../contract/api-keys.js';
import type { BodyOf, QueryOf, ResponseOf } from '../contract/operation.js';
import { call, type PlatformConnection } from './connection.js';
import type { RequestOptions } from './request.js';

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
