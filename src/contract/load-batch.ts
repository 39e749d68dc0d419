import * as z from 'zod/mini';
import { operation } from './operation.js';
import type { LoadRequest } from './query.js';

/** Maximum number of requests in a batch. */
export const maxBatchRequests = 64;

/** Load requests that a page sends together. */
export interface LoadBatchRequest {
  requests: LoadRequest[];
}

/**
 * `POST {data_api_url}/v1/load-batch` (extension): runs up to 64 load requests. Each has its own response, as if it had
 * been sent to `/v1/load` alone. The response is newline-delimited JSON with one line for each request, in the order in
 * which they are ready: `{"index", "status", "retryAfter"?, "body"}`. `index` is the position of the request, `status`
 * and `body` are those of its response, and `retryAfter` is the value of the header in seconds. A service without this
 * operation responds with 404; clients then send the requests one by one. The body has a type but no schema here, so
 * that pages do not load the schema; the service validates each request with `LoadRequest`.
 */
export const loadBatch = operation({
  id: 'loadBatchV1',
  api: 'data',
  method: 'POST',
  path: '/v1/load-batch',
  access: 'authenticated',
  body: z.custom<LoadBatchRequest>(),
  response: null,
  errors: {},
});
