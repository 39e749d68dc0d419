import { PaError, PaErrorCode } from '../client/errors.js';

/** Kinds of failures, by what the viewer can do about them. */
export const ProblemKind = {
  /** The browser itself is offline. */
  offline: 'offline',
  /** The service did not respond. */
  unreachable: 'unreachable',
  /** The response took longer than the time limit. */
  timeout: 'timeout',
  /** There is no session, or it has ended. */
  session: 'session',
  /** The session does not permit this. */
  denied: 'denied',
  /** It does not exist, or is not shared. */
  missing: 'missing',
  /** The service rejected the query. */
  rejected: 'rejected',
  /** The data was loaded but could not be rendered. */
  drawing: 'drawing',
  /** Any other failure. */
  failed: 'failed',
} as const;
/** Kinds of failures, by what the viewer can do about them. */
export type ProblemKind = (typeof ProblemKind)[keyof typeof ProblemKind];

/** A failure as shown to the viewer. Contains no token, key or row values. */
export interface Problem {
  readonly kind: ProblemKind;
  /** Error code of the client; the kind if there is none. */
  readonly code: string;
  /** HTTP status; `null` if there was no response. */
  readonly status: number | null;
  /** Id of the request in the service's log; `null` if there is none. */
  readonly requestId: string | null;
  readonly message: string;
}

const kindByStatus: Readonly<Record<number, ProblemKind>> = {
  400: ProblemKind.rejected,
  401: ProblemKind.session,
  403: ProblemKind.denied,
  404: ProblemKind.missing,
  408: ProblemKind.timeout,
  422: ProblemKind.rejected,
  504: ProblemKind.timeout,
};

const kindByCode: Readonly<Record<string, ProblemKind>> = {
  [PaErrorCode.connectionFailed]: ProblemKind.unreachable,
  [PaErrorCode.timedOut]: ProblemKind.timeout,
  [PaErrorCode.notAuthenticated]: ProblemKind.session,
  [PaErrorCode.sessionEnded]: ProblemKind.session,
  [PaErrorCode.notAllowed]: ProblemKind.denied,
  [PaErrorCode.notFound]: ProblemKind.missing,
  [PaErrorCode.badRequest]: ProblemKind.rejected,
};

/**
 * Converts an error to a problem for the viewer. Messages of errors other than PaError are dropped, because they may
 * quote data.
 */
export function toProblem(error: unknown): Problem {
  if (!(error instanceof PaError)) {
    return { kind: ProblemKind.failed, code: ProblemKind.failed, status: null, requestId: null, message: '' };
  }
  const { code, status, requestId, message } = error;
  const kind =
    kindByCode[code] ?? (status === null ? ProblemKind.failed : (kindByStatus[status] ?? ProblemKind.failed));
  return { kind: isOffline(kind) ? ProblemKind.offline : kind, code, status, requestId, message };
}

/** Creates the problem of a specification that cannot be rendered. */
export function drawingProblem(message: string): Problem {
  return { kind: ProblemKind.drawing, code: ProblemKind.drawing, status: null, requestId: null, message };
}

/** Creates the problem of a module of this package that could not be loaded. */
export function chunkProblem(): Problem {
  const kind = isOffline(ProblemKind.unreachable) ? ProblemKind.offline : ProblemKind.unreachable;
  return { kind, code: 'chunk_not_loaded', status: null, requestId: null, message: '' };
}

function isOffline(kind: ProblemKind): boolean {
  return kind === ProblemKind.unreachable && globalThis.navigator?.onLine === false;
}

/** Creates the problem for a report that is not part of its dashboard. */
export function missingReportProblem(): Problem {
  return {
    kind: ProblemKind.missing,
    code: PaErrorCode.notFound,
    status: null,
    requestId: null,
    message: 'The dashboard has no report with this id or public id.',
  };
}
