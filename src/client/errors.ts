import { ErrorCode } from '../contract/error-code.js';
import type { Open } from '../contract/wire.js';

/** What went wrong, for a program. */
export const PaErrorCode = {
  ...ErrorCode,
  /** No answer: the network, DNS, TLS, CORS or a wrong address. */
  connectionFailed: 'connection_failed',
  /** No answer within the time limit. */
  timedOut: 'timed_out',
  /** The caller, the end of the session or a change of identity called it off. */
  aborted: 'aborted',
  /** 401, or the Data API's 403 `Invalid token`: the credential is missing, wrong, used or expired. */
  notAuthenticated: 'not_authenticated',
  /** 403: the credential is valid and not enough. */
  notAllowed: 'not_allowed',
  /** 404: it does not exist, or is not visible to this caller. */
  notFound: 'not_found',
  /** 409: another writer or record is in the way. */
  conflict: 'conflict',
  /** 429: too many requests of this caller; `retryAfterMs` says when to come back. */
  rateLimited: 'rate_limited',
  /** 400 and the other 4xx: the request is wrong as it stands. */
  badRequest: 'bad_request',
  /** 5xx: the service failed. */
  serverFailed: 'server_failed',
  /** The answer is not what the contract says. */
  invalidResponse: 'invalid_response',
  /** A setting of the caller's own is missing or wrong; nothing was sent. */
  invalidOptions: 'invalid_options',
  /** An embed session was asked for with a grant that can't be right; nothing was sent. */
  invalidGrant: 'invalid_grant',
  /** The host ended the session. */
  sessionEnded: 'session_ended',
} as const;
/** What went wrong, for a program. */
export type PaErrorCode = (typeof PaErrorCode)[keyof typeof PaErrorCode];

/** What an error says beside its message. */
export interface PaErrorOptions {
  /** HTTP status, where there was an answer. */
  readonly status?: number | null;
  /** Id of the request in the service's log, where it told one. */
  readonly requestId?: string | null;
  /** How long the service asks to wait before the next attempt, in ms, where it said so (`Retry-After`). */
  readonly retryAfterMs?: number | null;
}

/**
 * Every failure of a client. `message` says what to do and, like every other field, never holds a token, a key or the values of
 * a row: there is no `cause`, because causes quote what was sent.
 */
export class PaError extends Error {
  override readonly name: string = 'PaError';
  /** One of `PaErrorCode`, or a code that a newer platform sends. */
  readonly code: Open<PaErrorCode>;
  /** HTTP status, null where there was no answer. */
  readonly status: number | null;
  /** Id of the request in the service's log, null where it told none. */
  readonly requestId: string | null;
  /** How long the service asks to wait before the next attempt, in ms; null where it didn't say. */
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

/** No answer: the network, DNS, TLS, CORS or a wrong address. Trying again may help. */
export class PaConnectionError extends PaError {
  override readonly name = 'PaConnectionError';

  constructor(message: string, options: PaErrorOptions = {}) {
    super(PaErrorCode.connectionFailed, message, options);
  }
}

/** No answer within the time limit. */
export class PaTimeoutError extends PaError {
  override readonly name = 'PaTimeoutError';

  constructor(message: string, options: PaErrorOptions = {}) {
    super(PaErrorCode.timedOut, message, options);
  }
}

/** Called off by the caller's signal, by the end of the session or by a change of identity. */
export class PaAbortError extends PaError {
  override readonly name = 'PaAbortError';

  constructor(message = 'The request was called off.') {
    super(PaErrorCode.aborted, message);
  }
}

/** The credential was refused: 401, or the Data API's 403 `Invalid token`. */
export class PaAuthenticationError extends PaError {
  override readonly name = 'PaAuthenticationError';

  constructor(message: string, options: PaErrorOptions = {}) {
    super(PaErrorCode.notAuthenticated, message, options);
  }
}

/** 403: the credential is valid and not enough. */
export class PaPermissionError extends PaError {
  override readonly name = 'PaPermissionError';
}

/** 404: it does not exist, or is not visible to this caller. */
export class PaNotFoundError extends PaError {
  override readonly name = 'PaNotFoundError';
}

/** 409: another writer or record is in the way; `code` says which, such as `upsert_branch_changed` or `slug_taken`. */
export class PaConflictError extends PaError {
  override readonly name = 'PaConflictError';
}

/** 429: too many requests of this caller; `retryAfterMs` says when to come back. */
export class PaRateLimitError extends PaError {
  override readonly name = 'PaRateLimitError';
}

/** 400 and the other 4xx: the request is wrong as it stands; the message names the field. */
export class PaRequestError extends PaError {
  override readonly name = 'PaRequestError';
}

/** 5xx: the service failed. Trying again may help. */
export class PaServerError extends PaError {
  override readonly name = 'PaServerError';
}

/** Whether the same request may well succeed later: no connection, no answer in time, 429 or 5xx. */
export function isTransient(error: unknown): boolean {
  if (error instanceof PaConnectionError || error instanceof PaTimeoutError) return true;
  return error instanceof PaError && error.status !== null && (error.status === 429 || error.status >= 500);
}

/**
 * The error of an HTTP error status other than a refused credential.
 * @param code - the code that the answer names, where it names one.
 */
export function errorOf(
  message: string,
  options: PaErrorOptions & { readonly status: number },
  code?: string,
): PaError {
  const { status } = options;
  const [Failure, ownCode] =
    status === 403
      ? [PaPermissionError, PaErrorCode.notAllowed]
      : status === 404
        ? [PaNotFoundError, PaErrorCode.notFound]
        : status === 409
          ? [PaConflictError, PaErrorCode.conflict]
          : status === 429
            ? [PaRateLimitError, PaErrorCode.rateLimited]
            : status >= 500
              ? [PaServerError, PaErrorCode.serverFailed]
              : [PaRequestError, PaErrorCode.badRequest];
  return new Failure(code ?? ownCode, message, options);
}
