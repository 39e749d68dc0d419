import type { MetaResponse } from '../contract/meta.js';
import * as model from '../contract/meta.js';
import type { DataConnection } from './connection.js';
import { type QueryOptions, sendAndWait } from './long-query.js';
import { readAnswer } from './request.js';

/**
 * The model, as far as the caller may see it (`GET /v1/meta`).
 * @throws {PaError}
 */
export async function meta(connection: DataConnection, options: QueryOptions = {}): Promise<MetaResponse> {
  const { body, requestId } = await sendAndWait(model.meta, connection, undefined, options);
  return readAnswer(model.meta, body, requestId);
}
