import type { MetaResponse } from '../../contract/meta.js';
import * as model from '../../contract/meta.js';
import type { DataConnection } from '../http/connection.js';
import { readAnswer } from '../http/request.js';
import { pollUntilReady, type QueryOptions } from './long-query.js';

/**
 * Returns the part of the model that the caller can see (`GET /v1/meta`).
 * @throws {PaError}
 */
export async function meta(connection: DataConnection, options: QueryOptions = {}): Promise<MetaResponse> {
  const { body, requestId } = await pollUntilReady(model.meta, connection, undefined, options);
  return readAnswer(model.meta, body, requestId);
}
