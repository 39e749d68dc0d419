import { PlatformError } from '../../errors.js';

/** What can be wrong with a cluster that data come from, and what the caller is told of it. */
const problems = {
  /** It can't be reached. */
  away: [502, "The data service can't be reached. Try again in a moment."],
  /** It answers, but not as a Data API that knows us does: address or secret is wrong. */
  unfit: [502, 'The data service is not available: whoever runs this platform has to look at its settings.'],
  /** The answer broke off. */
  cut: [502, 'The connection to the data service broke off. Try again.'],
  /** It asks to be left alone for a while, or what stands before it does. */
  busy: [503, 'The data service is busy. Try again in a moment.'],
  slow: [504, 'The data service took too long to answer. Try again, or ask for less.'],
  /** Asking again would not help: the query fails there. A 502 would make clients ask for ever. */
  failed: [500, 'The data service failed to answer this query.'],
} as const;

/** What is wrong. */
export type UpstreamProblemKind = keyof typeof problems;

/** Why a cluster gave no answer. Neither the message, which is for the caller, nor `note` holds its address, a token or a value. */
export class UpstreamProblem extends PlatformError {
  /** What whoever runs the platform should know. */
  readonly note: string;

  constructor(kind: UpstreamProblemKind, note: string) {
    const [status, message] = problems[kind];
    super(status, message);
    this.name = 'UpstreamProblem';
    this.note = `The upstream of the Data API ${note}`;
    // Servers print what a body breaks off by. There is no place in the code to point to.
    this.stack = String(this);
  }
}

/** Node's codes of a certificate or a handshake that was not accepted. */
const tlsCode = /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** The problem that an error of the connection stands for. Its message is left out: it may quote what was sent. */
export function connectionProblem(error: unknown): PlatformError {
  if (error instanceof PlatformError) return error;
  const code = codeOf(error);
  if (tlsCode.test(code)) return new UpstreamProblem('away', `has no certificate that can be trusted (${code}).`);
  if (code.startsWith('HPE_')) return new UpstreamProblem('unfit', `answers with something other than HTTP (${code}).`);
  return new UpstreamProblem('away', `can't be reached (${code}).`);
}

/** The problem of an answer that broke off. */
export function brokenProblem(error: unknown): PlatformError {
  if (error instanceof PlatformError) return error;
  return new UpstreamProblem('cut', `broke off in the middle of an answer (${codeOf(error)}).`);
}

/** The problem that an HTTP status stands for that is neither an answer nor the caller's own doing; null for any other. */
export function problemOfStatus(status: number): UpstreamProblem | null {
  if (status < 200 || status === 407) return new UpstreamProblem('unfit', `answered ${status}.`);
  if (status < 300) return new UpstreamProblem('unfit', `answered ${status}, which the Data API never does.`);
  if (status < 400) {
    return new UpstreamProblem('unfit', `answered with a redirect (${status}): give the address that it leads to.`);
  }
  if (status === 401 || status === 403) {
    return new UpstreamProblem(
      'unfit',
      `refused our token (${status}): PA_DATA_API_UPSTREAM_SECRET must be the secret that it verifies tokens by, and its clock must be right.`,
    );
  }
  if (status === 431) {
    return new UpstreamProblem(
      'unfit',
      'takes no header as long as our token (431): the security context is too large.',
    );
  }
  if ([429, 502, 503, 504].includes(status)) return new UpstreamProblem('busy', `answered ${status}.`);
  return status < 500 ? null : new UpstreamProblem('failed', `answered ${status}.`);
}

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : 'no code';
}
