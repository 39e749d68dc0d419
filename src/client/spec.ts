import { getSpec as operation } from '../contract/spec.js';
import type { JsonObject } from '../contract/wire.js';
import { call, type PlatformConnection } from './connection.js';
import type { RequestOptions } from './request.js';

/** The OpenAPI document of the platform that is called, as it serves it. */
export function getSpec(connection: PlatformConnection, options?: RequestOptions): Promise<JsonObject> {
  return call(operation, connection, {}, options);
}
