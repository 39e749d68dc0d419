import type { OperationShape, ResponseOf } from '../contract/operation.js';
import { type RequestInput, type RequestOptions, request } from './request.js';

/** How to reach the Platform API, and as whom. */
export interface PlatformConnection {
  /** Address of the platform, HTTPS unless on loopback. */
  readonly baseUrl: string;
  /** An API key, an embed token or an access token (spec 5.2). A key belongs on a server, never in a page. */
  readonly token: string;
  /** Time limit of each request, 30 s by default. */
  readonly timeoutMs?: number | undefined;
  /** The `fetch` to use, where it is not the global one. */
  readonly fetch?: typeof fetch | undefined;
}

/** How to reach the Data API of one deployment, and as whom. */
export interface DataConnection {
  /** Address of the Data API with its path, such as `https://data.example/data-api`. */
  readonly baseUrl: string;
  /** A data token (JWT), sent as it is (spec 5). */
  readonly token: string;
  /** Time limit of each request, 30 s by default; a query may take several. */
  readonly timeoutMs?: number | undefined;
  /** The `fetch` to use, where it is not the global one. */
  readonly fetch?: typeof fetch | undefined;
}

type Parts<O extends OperationShape> = Pick<RequestInput<O>, 'params' | 'query' | 'body'>;

/** Calls a Platform API operation over a connection. */
export function call<O extends OperationShape>(
  operation: O,
  connection: PlatformConnection,
  parts: Parts<O>,
  options: RequestOptions = {},
): Promise<ResponseOf<O>> {
  return request(operation, {
    ...parts,
    baseUrl: connection.baseUrl,
    authorization: `Bearer ${connection.token}`,
    fetch: connection.fetch,
    timeoutMs: options.timeoutMs ?? connection.timeoutMs,
    signal: options.signal,
  });
}
