import { ErrorCode } from '../../contract/error-code.js';
import type { BodyOf, OperationShape, ParamsOf, QueryOf, ResponseOf } from '../../contract/operation.js';
import type { Dialect } from '../dialect.js';
import { PaConnectionError, PaError } from '../errors.js';
import { type ReadBody, type RequestInput, type RequestOptions, request, send } from './request.js';
import { backOff, pauseForRetryAfter, retry } from './retry.js';

/** Default and maximum number of retries of a call. */
const defaultRetries = 2;
const maxRetries = 10;
/** Time after the start of the first attempt, in ms, after which no further attempt starts. */
const withinMs = 60_000;
/** First and maximum pause if the service sends no `Retry-After`. */
const pausesMs = { first: 200, max: 5_000 } as const;

/**
 * Runs an attempt and retries it if that may help and is safe. 429 and `upsert_branch_changed` mean that nothing was
 * applied, so every operation is retried. If the outcome is unknown (no connection, or 502, 503 or 504 from a proxy),
 * only GET, PUT and DELETE are retried, because they are idempotent. `Retry-After` is honored; other pauses grow. All
 * pauses have jitter, so that rejected clients do not return at the same time. Timeouts are not retried, because the
 * caller's time limit is used up.
 */
export async function withRetries<O extends OperationShape>(
  operation: O,
  {
    retries = defaultRetries,
    signal,
  }: { readonly retries: number | undefined; readonly signal: AbortSignal | undefined },
  attempt: () => Promise<ResponseOf<O>>,
): Promise<ResponseOf<O>> {
  let isUncertain = false;
  const attemptOrGone = async (): Promise<ResponseOf<O>> => {
    try {
      return await attempt();
    } catch (error) {
      // An earlier attempt has deleted the resource, but its response was lost.
      if (isUncertain && isGone(operation, error)) return undefined as ResponseOf<O>;
      isUncertain ||= !wasNotApplied(error);
      throw error;
    }
  };
  return retry(attemptOrGone, {
    maxRetries: Math.min(retries, maxRetries),
    pauseAfter: (error, failures) => pauseAfter(operation, error, failures),
    deadline: Date.now() + withinMs,
    signal,
  });
}

/** Returns the pause before a retry in ms; `null` if a retry could do harm or would not help soon. */
function pauseAfter({ method }: OperationShape, error: unknown, failures: number): number | null {
  const isRepeatable = method === 'GET' || method === 'PUT' || method === 'DELETE';
  if (!(error instanceof PaError) || !(wasNotApplied(error) || (isRepeatable && mayPass(error)))) return null;
  const { retryAfterMs } = error;
  if (retryAfterMs === null) return backOff(failures, pausesMs.first, pausesMs.max);
  return pauseForRetryAfter(retryAfterMs, failures, pausesMs.first);
}

/** Whether the service reports that it applied nothing. */
function wasNotApplied(error: unknown): boolean {
  return error instanceof PaError && (error.status === 429 || error.code === ErrorCode.upsertBranchChanged);
}

function mayPass(error: PaError): boolean {
  return error instanceof PaConnectionError || error.status === 502 || error.status === 503 || error.status === 504;
}

function isGone({ method, response }: OperationShape, error: unknown): boolean {
  return method === 'DELETE' && response === null && error instanceof PaError && error.status === 404;
}

/** Connection settings and credentials for the Platform API. */
export interface PlatformConnection {
  /** Base URL of the platform: HTTPS, except for loopback hosts. */
  readonly baseUrl: string;
  /** API key, embed token or access token (spec 5.2). Use API keys only on a server, never in a page. */
  readonly token: string;
  /** Time limit of each request, in ms. Defaults to 30 s. */
  readonly timeoutMs?: number | undefined;
  /** Custom `fetch`. Defaults to the global one. */
  readonly fetch?: typeof fetch | undefined;
  /** Maximum number of retries of a call, when a retry is safe. Defaults to 2; 0 disables retries. */
  readonly retries?: number | undefined;
  /**
   * Creates the id of a call, such as `() => crypto.randomUUID()`. Every attempt sends it as `X-Request-Id`, and errors
   * include it. Without this function, the service assigns an id to each request.
   */
  readonly newRequestId?: (() => string) | undefined;
  /** Dialect of the service. Defaults to the contract's own names. */
  readonly dialect?: Dialect | undefined;
}

/** Connection settings and credentials for the Data API of one deployment. */
export interface DataConnection {
  /** Base URL of the Data API with its path, such as `https://data.example/data-api`. */
  readonly baseUrl: string;
  /** Data token (JWT), sent unchanged (spec 5). */
  readonly token: string;
  /** Time limit of each request, in ms. Defaults to 30 s. A query may take several requests. */
  readonly timeoutMs?: number | undefined;
  /** Custom `fetch`. Defaults to the global one. */
  readonly fetch?: typeof fetch | undefined;
  /** Dialect of the service. Defaults to the contract's own names. */
  readonly dialect?: Dialect | undefined;
}

type Parts<O extends OperationShape> = Pick<RequestInput<O>, 'params' | 'query' | 'body' | 'form'>;

/** Calls a Platform API operation and retries it if that may help and is safe. */
export function call<O extends OperationShape>(
  operation: O,
  connection: PlatformConnection,
  parts: Parts<O>,
  options: RequestOptions = {},
): Promise<ResponseOf<O>> {
  const input = inputOf(connection, parts, options);
  const limits = { retries: options.retries ?? connection.retries, signal: options.signal };
  return withRetries(operation, limits, () => request(operation, input));
}

function inputOf<O extends OperationShape>(
  connection: PlatformConnection,
  parts: Parts<O>,
  options: RequestOptions,
): RequestInput<O> {
  const { baseUrl, token, fetch, dialect } = connection;
  return {
    ...parts,
    baseUrl,
    authorization: `Bearer ${token}`,
    fetch,
    dialect,
    timeoutMs: options.timeoutMs ?? connection.timeoutMs,
    signal: options.signal,
    requestId: options.requestId ?? connection.newRequestId?.(),
  };
}

/** Calls a Platform API operation that returns a file. Retries it if that may help and is safe. */
export async function callFile<O extends OperationShape>(
  operation: O,
  connection: PlatformConnection,
  parts: Parts<O>,
  options: RequestOptions = {},
): Promise<Blob> {
  const read: ReadBody = response => response.blob();
  const limits = { retries: options.retries ?? connection.retries, signal: options.signal };
  const input = { ...inputOf(connection, parts, options), read };
  const file = await withRetries<OperationShape>(operation, limits, async () => (await send(operation, input)).body);
  return file as Blob;
}

/**
 * Path parameters that an endpoint can take as a plain argument. Each is a tuple, so that editors show its name.
 */
interface IdArgument {
  deploymentId: [deploymentId: number];
  embedTenantName: [embedTenantName: string];
  id: [id: number];
  publicId: [publicId: string];
  roleId: [roleId: number];
  installationId: [installationId: number];
  integrationId: [integrationId: number];
  userId: [userId: number];
}

/** The names of `IdArgument` that are the only path parameter of an operation. */
type IdOf<O extends OperationShape> = {
  [Id in keyof IdArgument]: Record<Id, IdArgument[Id][0]> extends ParamsOf<O> ? Id : never;
}[keyof IdArgument];

type ParamsArgument<O extends OperationShape, Id> = [Id] extends [keyof IdArgument]
  ? IdArgument[Id]
  : undefined extends ParamsOf<O>
    ? []
    : [params: ParamsOf<O>];

type InputArgument<O extends OperationShape> = O extends { readonly query: object }
  ? object extends QueryOf<O>
    ? [query?: QueryOf<O>]
    : [query: QueryOf<O>]
  : O extends { readonly body: object }
    ? object extends BodyOf<O>
      ? [body?: BodyOf<O>]
      : [body: BodyOf<O>]
    : [];

/**
 * A function that calls operation `O` of the Platform API. It takes the connection, the path parameters, the query or
 * the body, and the request options, each only if the operation has it. `Id` names a single path parameter that is
 * passed as a plain argument. This is a conditional type so that editors show the signature instead of `Endpoint<{ …
 * }>` with the schemas of the operation.
 */
export type Endpoint<O extends OperationShape, Id = undefined> = O extends OperationShape
  ? (
      ...args: [connection: PlatformConnection, ...ParamsArgument<O, Id>, ...InputArgument<O>, options?: RequestOptions]
    ) => Promise<O['response'] extends null ? void : ResponseOf<O>>
  : never;

/**
 * Declares the client function of an operation. A query or body without required fields can be omitted and is sent
 * as `{}`.
 * @param id - the path parameter to take as a plain argument; without it, the function takes an object of all path
 * parameters.
 */
export function endpoint<O extends OperationShape, Id extends IdOf<O> | undefined = undefined>(
  operation: O,
  id?: Id,
): Endpoint<O, Id>;
/** @__NO_SIDE_EFFECTS__ */
export function endpoint(operation: OperationShape, id?: string) {
  return (connection: PlatformConnection, ...args: unknown[]): Promise<unknown> => {
    const params = id === undefined ? operation.params && args.shift() : { [id]: args.shift() };
    // Only an omitted body becomes `{}`, because the platform must reject `null`.
    const [input = {}] = operation.query || operation.body ? args.splice(0, 1) : [];
    const [options] = args as [RequestOptions?];
    const parts = { params, ...(operation.query && { query: input }), ...(operation.body && { body: input }) };
    return call(operation, connection, parts, options);
  };
}
