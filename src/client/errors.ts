import { ErrorCode } from '../contract/error-code.js';
import type { Open } from '../contract/wire.js';

/** Error codes of the client, for programs. */
export const PaErrorCode = {
  ...ErrorCode,
  /** No response: the network, DNS, TLS, CORS or a wrong URL. */
  connectionFailed: 'connection_failed',
  /** No response within the time limit. */
  timedOut: 'timed_out',
  /** Canceled by the caller, by the end of the session or by a change of identity. */
  aborted: 'aborted',
  /** 401, or the Data API's 403 `Invalid token`: the credential is missing, wrong, used or expired. */
  notAuthenticated: 'not_authenticated',
  /** 403: the credential is valid but does not permit the request. */
  notAllowed: 'not_allowed',
  /** 404: it does not exist, or is not visible to this caller. */
  notFound: 'not_found',
  /** 409: the request conflicts with another write or an existing record. */
  conflict: 'conflict',
  /** 429: too many requests from this caller; retry after `retryAfterMs`. */
  rateLimited: 'rate_limited',
  /** 400 and other 4xx: the request is invalid. */
  badRequest: 'bad_request',
  /** 5xx: the service failed. */
  serverFailed: 'server_failed',
  /** The response does not match the contract. */
  invalidResponse: 'invalid_response',
  /** An option is missing or invalid; no request was sent. */
  invalidOptions: 'invalid_options',
  /** An embed session was requested with an invalid grant; no request was sent. */
  invalidGrant: 'invalid_grant',
  /** The host ended the session. */
  sessionEnded: 'session_ended',
} as const;
/** One of the client's error codes. */
export type PaErrorCode = (typeof PaErrorCode)[keyof typeof PaErrorCode];

/** Details of an error in addition to its message. */
export interface PaErrorOptions {
  /** HTTP status, if there was a response. */
  readonly status?: number | null;
  /** Id of the request in the service's log, if the service returned one. */
  readonly requestId?: string | null;
  /** Wait before the next attempt in ms, if the service requested one (`Retry-After`). */
  readonly retryAfterMs?: number | null;
}

/**
 * Base class of all client errors. `message` says what failed and how to fix it. No field ever contains a token, a key
 * or row values; there is no `cause`, because causes can quote what was sent.
 */
export class PaError extends Error {
  override readonly name: string = 'PaError';
  /** One of `PaErrorCode`, or a code from a newer platform. */
  readonly code: Open<PaErrorCode>;
  /** HTTP status; `null` if there was no response. */
  readonly status: number | null;
  /** Id of the request in the service's log; `null` if the service returned none. */
  readonly requestId: string | null;
  /** Wait before the next attempt in ms, as requested by the service; `null` if it requested none. */
  readonly retryAfterMs: number | null;

  constructor(code: Open<PaErrorCode>, message: string, options: PaErrorOptions = {}) {
    const { status = null, requestId = null, retryAfterMs = null } = options;
    super(message);
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

/** No response: the network, DNS, TLS, CORS or a wrong URL. A retry may succeed. */
export class PaConnectionError extends PaError {
  override readonly name = 'PaConnectionError';

  constructor(message: string, options: PaErrorOptions = {}) {
    super(PaErrorCode.connectionFailed, message, options);
  }
}

/** No response within the time limit. */
export class PaTimeoutError extends PaError {
  override readonly name = 'PaTimeoutError';

  constructor(message: string, options: PaErrorOptions = {}) {
    super(PaErrorCode.timedOut, message, options);
  }
}

/** Canceled by the caller's signal, by the end of the session or by a change of identity. */
export class PaAbortError extends PaError {
  override readonly name = 'PaAbortError';

  constructor(message = 'The request was canceled.') {
    super(PaErrorCode.aborted, message);
  }
}

/** The credential was rejected: 401, or the Data API's 403 `Invalid token`. */
export class PaAuthenticationError extends PaError {
  override readonly name = 'PaAuthenticationError';

  constructor(message: string, options: PaErrorOptions = {}) {
    super(PaErrorCode.notAuthenticated, message, options);
  }
}

/** 403: the credential is valid but does not permit the request. */
export class PaPermissionError extends PaError {
  override readonly name = 'PaPermissionError';
}

/** 404: it does not exist, or is not visible to this caller. */
export class PaNotFoundError extends PaError {
  override readonly name = 'PaNotFoundError';
}

/**
 * 409: the request conflicts with another write or an existing record; `code` names the conflict, such as
 * `upsert_branch_changed` or `slug_taken`.
 */
export class PaConflictError extends PaError {
  override readonly name = 'PaConflictError';
}

/** 429: too many requests from this caller; retry after `retryAfterMs`. */
export class PaRateLimitError extends PaError {
  override readonly name = 'PaRateLimitError';
}

/** 400 and other 4xx: the request is invalid; the message names the field. */
export class PaRequestError extends PaError {
  override readonly name = 'PaRequestError';
}

/** 5xx: the service failed. A retry may succeed. */
export class PaServerError extends PaError {
  override readonly name = 'PaServerError';
}

/** Whether the same request may succeed later: no connection, no response in time, 429 or 5xx. */
export function isTransient(error: unknown): boolean {
  if (error instanceof PaConnectionError || error instanceof PaTimeoutError) return true;
  return error instanceof PaError && error.status !== null && (error.status === 429 || error.status >= 500);
}

/**
 * Returns the error for an HTTP error status other than rejected credentials.
 * @param code - the code that the response names, if any.
 */
export function errorOf(
  message: string,
  options: PaErrorOptions & { readonly status: number },
  code?: string,
): PaError {
  const [Failure, ownCode] = failureOf(options.status);
  return new Failure(code ?? ownCode, message, options);
}

function failureOf(status: number): readonly [typeof PaError, PaErrorCode] {
  switch (status) {
    case 403:
      return [PaPermissionError, PaErrorCode.notAllowed];
    case 404:
      return [PaNotFoundError, PaErrorCode.notFound];
    case 409:
      return [PaConflictError, PaErrorCode.conflict];
    case 429:
      return [PaRateLimitError, PaErrorCode.rateLimited];
    default:
      return status >= 500 ? [PaServerError, PaErrorCode.serverFailed] : [PaRequestError, PaErrorCode.badRequest];
  }
}
