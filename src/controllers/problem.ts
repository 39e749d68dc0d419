import { PaError, PaErrorCode } from '../client/errors.js';

/** What stands between a viewer and their data, by what they can do about it. */
export const ProblemKind = {
  /** The browser itself is offline. */
  offline: 'offline',
  /** The service did not answer. */
  unreachable: 'unreachable',
  /** The answer took longer than the time limit. */
  timeout: 'timeout',
  /** No session, or one that is over. */
  session: 'session',
  /** The session may not see this. */
  denied: 'denied',
  /** There is no such thing, or it is not shared. */
  missing: 'missing',
  /** The service refused the query as it stands. */
  rejected: 'rejected',
  /** The data arrived and could not be drawn. */
  drawing: 'drawing',
  /** Anything else. */
  failed: 'failed',
} as const;
/** What stands between a viewer and their data, by what they can do about it. */
export type ProblemKind = (typeof ProblemKind)[keyof typeof ProblemKind];

/** A failure in words for the screen: no token, no key, no row values. */
export interface Problem {
  readonly kind: ProblemKind;
  /** Code of the client's error, or the kind where there is none. */
  readonly code: string;
  /** HTTP status, where the service answered. */
  readonly status: number | null;
  /** Id of the request in the service's log, where there is one. */
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

/** Says what an error means to a viewer. What is not an error of the client keeps its words to itself: they may quote data. */
export function toProblem(error: unknown): Problem {
  if (!(error instanceof PaError)) {
    return { kind: ProblemKind.failed, code: ProblemKind.failed, status: null, requestId: null, message: '' };
  }
  const { code, status, requestId, message } = error;
  const kind =
    kindByCode[code] ?? (status === null ? ProblemKind.failed : (kindByStatus[status] ?? ProblemKind.failed));
  return { kind: isOffline(kind) ? ProblemKind.offline : kind, code, status, requestId, message };
}

/** A specification that can't be drawn: the rows are fine. */
export function drawingProblem(message: string): Problem {
  return { kind: ProblemKind.drawing, code: ProblemKind.drawing, status: null, requestId: null, message };
}

/** A part of this package that the page could not load. */
export function chunkProblem(): Problem {
  const kind = isOffline(ProblemKind.unreachable) ? ProblemKind.offline : ProblemKind.unreachable;
  return { kind, code: 'chunk_not_loaded', status: null, requestId: null, message: '' };
}

function isOffline(kind: ProblemKind): boolean {
  return kind === ProblemKind.unreachable && globalThis.navigator?.onLine === false;
}

/** A report that its dashboard does not contain. */
export function missingReportProblem(): Problem {
  return {
    kind: ProblemKind.missing,
    code: PaErrorCode.notFound,
    status: null,
    requestId: null,
    message: 'The dashboard has no report with this number or public id.',
  };
}
