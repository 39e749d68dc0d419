import type { BodyOf, OperationShape, ParamsOf, QueryOf, ResponseOf } from '../../contract/operation.js';
import type { Dialect } from '../dialect.js';
import { errorOf, PaAuthenticationError, PaError, PaErrorCode } from '../errors.js';
import { addQuery, fillPath, serviceUrl } from './address.js';
import { fetchOrFail, isRecord, parseJson, readText, redact, withDeadline } from './fetch.js';

/** Time limit of a request that names none. */
export const defaultTimeoutMs = 30_000;

/** What every request may say. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Most that one request may take, the body included. */
  readonly timeoutMs?: number | undefined;
  /** How often a call of the Platform API is tried again where that does no harm; 2 where nothing else is said, 0 for never. */
  readonly retries?: number | undefined;
  /** Sent as `X-Request-Id`, by which the service's log and every error name the request. */
  readonly requestId?: string | undefined;
}

/** One call of an operation: where to, with what. */
export interface RequestInput<O extends OperationShape> extends RequestOptions {
  /** Address of the service; for the Data API with its path. */
  readonly baseUrl: string;
  readonly params?: ParamsOf<O> | undefined;
  readonly query?: QueryOf<O> | undefined;
  readonly body?: BodyOf<O> | undefined;
  /** `Authorization` as it is sent. */
  readonly authorization?: string | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** The words of the service, where they are not the contract's. */
  readonly dialect?: Dialect | undefined;
  /** Reads the body of a success in another way than as one JSON text. */
  readonly read?: ReadBody | undefined;
}

/** Reads the body of an answer; `what` names the answer in errors. */
export type ReadBody = (response: Response, what: string, requestId: string | null) => Promise<unknown>;

/** An answer as it came, before the contract looks at it. */
export interface Answer {
  readonly body: unknown;
  readonly requestId: string | null;
}

/**
 * Calls an operation of the contract and checks its answer. No cookie travels, nothing is cached by the browser and no redirect is
 * followed: an answer belongs to the token that was sent.
 * @throws {PaError} with status, code and request id; never with a token.
 */
export async function request<O extends OperationShape>(operation: O, input: RequestInput<O>): Promise<ResponseOf<O>> {
  const { body, requestId } = await send(operation, input);
  return readAnswer(operation, body, requestId);
}

/** Calls an operation and hands over its answer unchecked; error statuses reject as in `request`. */
export async function send<O extends OperationShape>(operation: O, input: RequestInput<O>): Promise<Answer> {
  const { dialect, requestId: sentId } = input;
  const path = dialect?.path(operation.path) ?? operation.path;
  const url = serviceUrl(input.baseUrl, fillPath(path, readParams(operation, input.params)));
  const query = dialect ? dialect.send(operation.path, input.query) : input.query;
  if (isRecord(query)) addQuery(url, query);
  const body = dialect ? dialect.send(operation.path, input.body) : input.body;
  const init: RequestInit = {
    method: operation.method,
    headers: readHeaders(input),
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  const what = `${operation.method} ${url.host}${path}`;
  const limits = { timeoutMs: input.timeoutMs ?? defaultTimeoutMs, signals: [input.signal], what, requestId: sentId };
  return withDeadline(limits, async signal => {
    const response = await fetchOrFail(input.fetch, url.href, { ...init, signal }, what, sentId);
    if (!response.ok) {
      const { authorization } = input;
      const text = await readText(response, what, sentId);
      throw failureOf(response, text, { api: operation.api, what, authorization, requestId: sentId });
    }
    const requestId = response.headers.get('x-request-id') ?? sentId ?? null;
    const answer = await (input.read ?? readJson)(response, what, requestId);
    return { body: dialect ? dialect.read(operation.path, answer) : answer, requestId };
  });
}

const readJson: ReadBody = async (response, what, requestId) => {
  const text = await readText(response, what, requestId);
  return text === '' ? undefined : parseJson(text, what, requestId);
};

/** Checks an answer against the contract. */
export function readAnswer<O extends OperationShape>(
  operation: O,
  body: unknown,
  requestId: string | null,
): ResponseOf<O> {
  // Success without a body; the type says so, but can't follow the null.
  if (operation.response === null) return undefined as ResponseOf<O>;
  const result = operation.response.safeParse(body);
  if (result.success) return result.data as ResponseOf<O>;
  const fields = result.error.issues.slice(0, 3).map(issue => issue.path.map(String).join('.') || 'the body');
  throw new PaError(
    PaErrorCode.invalidResponse,
    `The answer to ${operation.path} is not what the contract says: look at ${fields.join(', ')}.`,
    { requestId },
  );
}

function readParams(operation: OperationShape, params: unknown): Readonly<Record<string, unknown>> {
  const result = operation.params?.safeParse(params);
  if (result && !result.success) {
    const [issue] = result.error.issues;
    // A page has the contract's own words alone, which say what has to be there; others say no more than that it isn't.
    const expected = issue?.message.startsWith('must ') ? issue.message : `is not what ${operation.path} takes`;
    throw new PaError(PaErrorCode.badRequest, `${issue?.path.join('.') ?? 'params'} ${expected}.`);
  }
  return isRecord(params) ? params : {};
}

function readHeaders({ authorization, body, requestId }: RequestInput<OperationShape>): Record<string, string> {
  if (authorization !== undefined && !/^[\x20-\x7e]+$/.test(authorization)) {
    throw new PaError(PaErrorCode.invalidOptions, 'The credential holds characters that no credential has.');
  }
  if (requestId !== undefined && !/^[\w.:-]{1,128}$/.test(requestId)) {
    throw new PaError(PaErrorCode.invalidOptions, 'A request id is up to 128 letters, digits and any of . : _ -');
  }
  return {
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(authorization === undefined ? {} : { authorization }),
    ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
  };
}

function requestIdOf(response: Response, text: string, sentId: string | undefined): string | null {
  const header = response.headers.get('x-request-id');
  if (header !== null) return header;
  const { requestId } = errorBody(text);
  return typeof requestId === 'string' ? requestId.slice(0, 100) : (sentId ?? null);
}

/** `Retry-After` in ms: it comes in seconds or as a date. */
function retryAfterOf({ headers }: Response): number | null {
  const text = headers.get('retry-after')?.trim();
  if (!text) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

/** What was asked, as far as an error needs it. */
export interface FailedRequest {
  readonly api: OperationShape['api'];
  /** Method and address, as an error names them. */
  readonly what: string;
  /** `Authorization` as it was sent: no error may hold it. */
  readonly authorization: string | undefined;
  /** The id that the request was sent with. */
  readonly requestId?: string | undefined;
}

/** The error that an answer with an error status stands for. */
export function failureOf(response: Response, text: string, failed: FailedRequest): PaError {
  const { api, what, authorization = '', requestId } = failed;
  const { status } = response;
  const body = errorBody(text);
  // A platform says `message`, the Data API `error`, SCIM `detail`, and an edge in front of any of them what it likes.
  const said = [body.message, body.error, body.detail].find(value => typeof value === 'string' && value !== '');
  const message = typeof said === 'string' ? redact(said, secretsIn(authorization)) : `${what} answered ${status}.`;
  const options = { status, requestId: requestIdOf(response, text, requestId), retryAfterMs: retryAfterOf(response) };
  const refused = status === 401 || (api === 'data' && status === 403 && body.error === 'Invalid token');
  if (refused) return new PaAuthenticationError(message, options);
  return errorOf(
    message,
    options,
    typeof body.code === 'string' && /^\w{1,64}$/.test(body.code) ? body.code : undefined,
  );
}

/** A credential as it was sent, and without its scheme. */
function secretsIn(authorization: string): string[] {
  return [authorization, authorization.slice(authorization.indexOf(' ') + 1)];
}

function errorBody(text: string): Readonly<Record<string, unknown>> {
  try {
    const body: unknown = JSON.parse(text);
    return isRecord(body) ? body : {};
  } catch {
    // An edge's HTML page: the status says what there is to say.
    return {};
  }
}
