import { PlatformError } from '../../errors.js';

/** Kinds of upstream problems, with the status and message for the caller. */
const problems = {
  /** The cluster cannot be reached. */
  away: [502, "The data service can't be reached. Try again in a moment."],
  /**
   * The response does not come from a Data API that accepts the platform's tokens, because the URL or the secret is
   * wrong.
   */
  unfit: [502, 'The data service is not available. The administrator of this platform must check its settings.'],
  /** The response ended early. */
  cut: [502, 'The connection to the data service was lost. Try again.'],
  /** The cluster or a gateway is overloaded. */
  busy: [503, 'The data service is busy. Try again in a moment.'],
  slow: [504, 'The data service took too long to respond. Try again, or request less data.'],
  /**
   * The query fails in the cluster, so a retry does not help. A status of 502 would make clients retry indefinitely.
   */
  failed: [500, 'The data service failed to run this query.'],
} as const;

/** Kind of an upstream problem. */
export type UpstreamProblemKind = keyof typeof problems;

/**
 * Failure of a request to the cluster. The message is shown to the caller. Neither the message nor `note` contains the
 * URL of the cluster, a token or a value.
 */
export class UpstreamProblem extends PlatformError {
  /** Message for the operator of the platform. */
  readonly note: string;

  constructor(kind: UpstreamProblemKind, note: string) {
    const [status, message] = problems[kind];
    super(status, message);
    this.name = 'UpstreamProblem';
    this.note = `The upstream of the Data API ${note}`;
    // Remove the stack, which would point to unrelated code when servers log errors of streams.
    this.stack = String(this);
  }
}

/** Node's error codes of rejected certificates and failed TLS handshakes. */
const tlsCode = /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** Returns the problem for a connection error. The error's message is omitted, because it may quote the request. */
export function connectionProblem(error: unknown): PlatformError {
  if (error instanceof PlatformError) return error;
  const code = codeOf(error);
  if (tlsCode.test(code)) return new UpstreamProblem('away', `has no trusted certificate (${code}).`);
  if (code.startsWith('HPE_')) return new UpstreamProblem('unfit', `returned a response that is not HTTP (${code}).`);
  return new UpstreamProblem('away', `can't be reached (${code}).`);
}

/** Returns the problem for a response that ended early. */
export function brokenProblem(error: unknown): PlatformError {
  if (error instanceof PlatformError) return error;
  return new UpstreamProblem('cut', `closed the connection in the middle of a response (${codeOf(error)}).`);
}

/** Returns the problem for an HTTP status that is neither a success nor a client error; `null` for all others. */
export function problemOfStatus(status: number): UpstreamProblem | null {
  if (status < 200 || status === 407) return new UpstreamProblem('unfit', `returned ${status}.`);
  if (status < 300) return new UpstreamProblem('unfit', `returned ${status}, which a Data API never returns.`);
  if (status < 400) {
    return new UpstreamProblem('unfit', `returned a redirect (${status}): set the URL that it redirects to.`);
  }
  if (status === 401 || status === 403) {
    return new UpstreamProblem(
      'unfit',
      `rejected the platform's token (${status}): set PA_DATA_API_UPSTREAM_SECRET to the secret with which it verifies tokens, and check its clock.`,
    );
  }
  if (status === 431) {
    return new UpstreamProblem(
      'unfit',
      "rejected the platform's token as too long (431): reduce the security context of the session.",
    );
  }
  if ([429, 502, 503, 504].includes(status)) return new UpstreamProblem('busy', `returned ${status}.`);
  return status < 500 ? null : new UpstreamProblem('failed', `returned ${status}.`);
}

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : 'no code';
}
