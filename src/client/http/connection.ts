import { ErrorCode } from '../../contract/error-code.js';
import type { BodyOf, OperationShape, ParamsOf, QueryOf, ResponseOf } from '../../contract/operation.js';
import type { Dialect } from '../dialect.js';
import { PaConnectionError, PaError } from '../errors.js';
import { backOff, pause } from './fetch.js';
import { type RequestInput, type RequestOptions, request } from './request.js';

/** How often a call is tried again where nothing else is said, and at most. */
const defaultRetries = 2;
const maxRetries = 10;
/** No attempt begins later than this after the first. */
const withinMs = 60_000;
/** Longest that the client lets itself be sent away for. */
const maxRetryAfterMs = 30_000;
/** The first pause where the service names none, and the longest. */
const pausesMs = { first: 200, most: 5_000 } as const;

/**
 * Runs an attempt, and again where that may help and does no harm. 429 and `upsert_branch_changed` say that nothing was applied, so
 * that every operation is tried again; where it is unknown what became of a request (no connection, or 502, 503 or 504 of something
 * between), what reads, puts and deletes is: doing it twice is doing it once. `Retry-After` is honoured; other pauses grow, and all
 * hold a bit by chance, lest all who were turned away come back together. A time limit that ran out is not tried again: that was
 * as long as the caller would wait.
 */
export async function withRetries<O extends OperationShape>(
  operation: O,
  {
    retries = defaultRetries,
    signal,
  }: { readonly retries: number | undefined; readonly signal: AbortSignal | undefined },
  attempt: () => Promise<ResponseOf<O>>,
): Promise<ResponseOf<O>> {
  const deadline = Date.now() + withinMs;
  let isUncertain = false;
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      // An earlier attempt deleted it, and its answer was lost on the way.
      if (isUncertain && isGone(operation, error)) return undefined as ResponseOf<O>;
      const pauseMs = failures < Math.min(retries, maxRetries) ? pauseAfter(operation, error, failures) : null;
      if (pauseMs === null || Date.now() + pauseMs >= deadline) throw error;
      isUncertain ||= !wasTurnedAway(error);
      await pause(pauseMs, signal);
    }
  }
}

/** Null where another attempt could do harm, or would not help soon. */
function pauseAfter({ method }: OperationShape, error: unknown, failures: number): number | null {
  const isRepeatable = method === 'GET' || method === 'PUT' || method === 'DELETE';
  if (!(error instanceof PaError) || !(wasTurnedAway(error) || (isRepeatable && mayPass(error)))) return null;
  const { retryAfterMs } = error;
  if (retryAfterMs === null) return backOff(failures, pausesMs.first, pausesMs.most);
  return retryAfterMs > maxRetryAfterMs ? null : retryAfterMs + backOff(failures, pausesMs.first, 8 * pausesMs.first);
}

/** Whether the service says that it applied nothing. */
function wasTurnedAway(error: unknown): boolean {
  return error instanceof PaError && (error.status === 429 || error.code === ErrorCode.upsertBranchChanged);
}

function mayPass(error: PaError): boolean {
  return error instanceof PaConnectionError || error.status === 502 || error.status === 503 || error.status === 504;
}

function isGone({ method, response }: OperationShape, error: unknown): boolean {
  return method === 'DELETE' && response === null && error instanceof PaError && error.status === 404;
}

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

/** Path parameters that an endpoint can take as a plain argument. A tuple per parameter, so that editors show its name. */
interface IdArgument {
  deploymentId: [deploymentId: number];
  embedTenantName: [embedTenantName: string];
  id: [id: number];
  publicId: [publicId: string];
  roleId: [roleId: number];
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
 * A function that calls operation `O` of the Platform API. It takes the connection, the path parameters, the query or the body, and the
 * request options, each only if the operation has it. `Id` names a single path parameter that is passed as a plain argument.
 * This is a conditional type so that editors show the signature instead of `Endpoint<{ … }>` with the schemas of the operation.
 */
export type Endpoint<O extends OperationShape, Id = undefined> = O extends OperationShape
  ? (
      ...args: [connection: PlatformConnection, ...ParamsArgument<O, Id>, ...InputArgument<O>, options?: RequestOptions]
    ) => Promise<O['response'] extends null ? void : ResponseOf<O>>
  : never;

/**
 * Declares the client function of an operation. A query or body without required fields can be omitted and is sent
 * as `{}`.
 * @param id - the path parameter to take as a plain argument; without it, the function takes an object of all path parameters.
 */
export function endpoint<O extends OperationShape, Id extends IdOf<O> | undefined = undefined>(
  operation: O,
  id?: Id,
): Endpoint<O, Id>;
/** @__NO_SIDE_EFFECTS__ */
export function endpoint(operation: OperationShape, id?: string) {
  return (connection: PlatformConnection, ...args: unknown[]): Promise<unknown> => {
    const params = id === undefined ? operation.params && args.shift() : { [id]: args.shift() };
    // Only an omitted body becomes `{}`: the platform must reject `null`.
    const [input = {}] = operation.query || operation.body ? args.splice(0, 1) : [];
    const [options] = args as [RequestOptions?];
    const parts = { params, ...(operation.query && { query: input }), ...(operation.body && { body: input }) };
    return call(operation, connection, parts, options);
  };
}
