import type { BodyOf, FormOf, OperationShape, ParamsOf, QueryOf, ResponseOf } from '../../contract/operation.js';
import type { Dialect } from '../dialect.js';
import { errorOf, PaAuthenticationError, PaError, PaErrorCode } from '../errors.js';
import { addQuery, fillPath, serviceUrl } from './address.js';
import { fetchOrFail, isRecord, parseJson, readText, redact, withDeadline } from './fetch.js';

/** Default time limit of a request, in ms. */
export const defaultTimeoutMs = 30_000;

/** Options of every request. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Time limit of one request including its body, in ms. */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of retries of a Platform API call, when a retry is safe. Defaults to 2; 0 disables retries. */
  readonly retries?: number | undefined;
  /** Sent as `X-Request-Id`; identifies the request in the service's log and in errors. */
  readonly requestId?: string | undefined;
}

/** Input of one call: connection settings and parameters. */
export interface RequestInput<O extends OperationShape> extends RequestOptions {
  /** Base URL of the service; for the Data API including its path. */
  readonly baseUrl: string;
  readonly params?: ParamsOf<O> | undefined;
  readonly query?: QueryOf<O> | undefined;
  readonly body?: BodyOf<O> | undefined;
  /** Fields of a `multipart/form-data` body, instead of `body`. */
  readonly form?: FormOf<O> | undefined;
  /** Value of the `Authorization` header. */
  readonly authorization?: string | undefined;
  /** Sends the cookies of the page's own origin. By default, no cookies are sent. */
  readonly credentials?: 'same-origin' | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** Dialect of the service. Defaults to the contract's own names. */
  readonly dialect?: Dialect | undefined;
  /** Reads the body of a successful response if it is not a single JSON text. */
  readonly read?: ReadBody | undefined;
}

/** Reads the body of a response. `what` names the request in errors. */
export type ReadBody = (response: Response, what: string, requestId: string | null) => Promise<unknown>;

/** A response before it is checked against the contract. */
export interface Answer {
  readonly body: unknown;
  readonly requestId: string | null;
}

/**
 * Calls an operation of the contract and validates its response. Sends no cookies by default, bypasses the browser's
 * cache and follows no redirects, because a response belongs to the token that was sent.
 * @throws {PaError} with status, code and request id; never with a token.
 */
export async function request<O extends OperationShape>(operation: O, input: RequestInput<O>): Promise<ResponseOf<O>> {
  const { body, requestId } = await send(operation, input);
  return readAnswer(operation, body, requestId);
}

/** Calls an operation and returns its response without validation; error statuses reject as in `request`. */
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
    credentials: input.credentials ?? 'omit',
    cache: 'no-store',
    redirect: 'error',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(isRecord(input.form) && { body: formDataOf(input.form) }),
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

/** Returns the body of a form. Omits fields without a value. */
function formDataOf(fields: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Blob) form.append(name, value);
    else if (value != null) form.append(name, String(value));
  }
  return form;
}

const readJson: ReadBody = async (response, what, requestId) => {
  const text = await readText(response, what, requestId);
  return text === '' ? undefined : parseJson(text, what, requestId);
};

/** Validates a response against the contract. */
export function readAnswer<O extends OperationShape>(
  operation: O,
  body: unknown,
  requestId: string | null,
): ResponseOf<O> {
  // A response without a body has the type `void`, which TypeScript cannot infer from `null`.
  if (operation.response === null) return undefined as ResponseOf<O>;
  const result = operation.response.safeParse(body);
  if (result.success) return result.data as ResponseOf<O>;
  const fields = result.error.issues.slice(0, 3).map(issue => issue.path.map(String).join('.') || 'the body');
  throw new PaError(
    PaErrorCode.invalidResponse,
    `The response to ${operation.path} does not match the contract: check ${fields.join(', ')}.`,
    { requestId },
  );
}

function readParams(operation: OperationShape, params: unknown): Readonly<Record<string, unknown>> {
  const result = operation.params?.safeParse(params);
  if (result && !result.success) {
    const [issue] = result.error.issues;
    // In browsers, only the contract's own messages are bundled, and they all start with `must`. Other issues get a
    // generic message.
    const expected = issue?.message.startsWith('must ') ? issue.message : `is invalid for ${operation.path}`;
    throw new PaError(PaErrorCode.badRequest, `${issue?.path.join('.') ?? 'params'} ${expected}.`);
  }
  return isRecord(params) ? params : {};
}

function readHeaders({ authorization, body, requestId }: RequestInput<OperationShape>): Record<string, string> {
  if (authorization !== undefined && !/^[\x20-\x7e]+$/.test(authorization)) {
    throw new PaError(PaErrorCode.invalidOptions, 'The credential contains invalid characters.');
  }
  if (requestId !== undefined && !/^[\w.:-]{1,128}$/.test(requestId)) {
    throw new PaError(
      PaErrorCode.invalidOptions,
      'A request id must have 1 to 128 characters: letters, digits, or any of . : _ -',
    );
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

/** Reads `Retry-After` as ms. The header is a number of seconds or a date. */
function retryAfterOf({ headers }: Response): number | null {
  const text = headers.get('retry-after')?.trim();
  if (!text) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

/** The parts of a failed request that its error contains. */
export interface FailedRequest {
  readonly api: OperationShape['api'];
  /** Method and URL, as shown in errors. */
  readonly what: string;
  /** Value of the `Authorization` header, to be removed from the error message. */
  readonly authorization: string | undefined;
  /** Id that the request was sent with. */
  readonly requestId?: string | undefined;
}

/** Creates the error for a response with an error status. */
export function failureOf(response: Response, text: string, failed: FailedRequest): PaError {
  const { api, what, authorization = '', requestId } = failed;
  const { status } = response;
  const body = errorBody(text);
  // The platform sends `message`, the Data API `error`, SCIM `detail`. A proxy in front of them may send anything.
  const detail = [body.message, body.error, body.detail].find(value => typeof value === 'string' && value !== '');
  const message = typeof detail === 'string' ? redact(detail, secretsIn(authorization)) : `${what} returned ${status}.`;
  const options = { status, requestId: requestIdOf(response, text, requestId), retryAfterMs: retryAfterOf(response) };
  const isUnauthorized = status === 401 || (api === 'data' && status === 403 && body.error === 'Invalid token');
  if (isUnauthorized) return new PaAuthenticationError(message, options);
  return errorOf(
    message,
    options,
    typeof body.code === 'string' && /^\w{1,64}$/.test(body.code) ? body.code : undefined,
  );
}

/** Returns the credential as sent, and without its scheme (`Bearer`). */
function secretsIn(authorization: string): string[] {
  return [authorization, authorization.slice(authorization.indexOf(' ') + 1)];
}

function errorBody(text: string): Readonly<Record<string, unknown>> {
  try {
    const body: unknown = JSON.parse(text);
    return isRecord(body) ? body : {};
  } catch {
    // If the body is not JSON, such as an HTML page of a proxy, the error has only the status.
    return {};
  }
}
