import type { OperationShape, ResponseOf } from '../contract/operation.js';
import type { Dialect } from './dialect.js';
import { type RequestInput, type RequestOptions, request } from './request.js';
import { withRetries } from './retry.js';

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
  /** How often a call is tried again where that does no harm; 2 by default, 0 for never. */
  readonly retries?: number | undefined;
  /**
   * Makes the id of a call, such as `() => crypto.randomUUID()`: every attempt of the call is sent with it (`X-Request-Id`), and its
   * errors name it. Without it the service makes one for each request.
   */
  readonly newRequestId?: (() => string) | undefined;
  /** The words of the service, where they are not the contract's. */
  readonly dialect?: Dialect | undefined;
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
  /** The words of the service, where they are not the contract's. */
  readonly dialect?: Dialect | undefined;
}

type Parts<O extends OperationShape> = Pick<RequestInput<O>, 'params' | 'query' | 'body'>;

/** Calls a Platform API operation over a connection, again where that may help and does no harm. */
export function call<O extends OperationShape>(
  operation: O,
  connection: PlatformConnection,
  parts: Parts<O>,
  options: RequestOptions = {},
): Promise<ResponseOf<O>> {
  const { baseUrl, token, fetch, dialect } = connection;
  const input: RequestInput<O> = {
    ...parts,
    baseUrl,
    authorization: `Bearer ${token}`,
    fetch,
    dialect,
    timeoutMs: options.timeoutMs ?? connection.timeoutMs,
    signal: options.signal,
    requestId: options.requestId ?? connection.newRequestId?.(),
  };
  const limits = { retries: options.retries ?? connection.retries, signal: options.signal };
  return withRetries(operation, limits, () => request(operation, input));
}
