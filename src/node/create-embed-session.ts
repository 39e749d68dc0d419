import type { Dialect } from '../client/dialect.js';
import { PaConnectionError, PaError, PaErrorCode } from '../client/errors.js';
import { serviceUrl } from '../client/http/address.js';
import { withDeadline } from '../client/http/fetch.js';
import { request } from '../client/http/request.js';
import { backOff, retry } from '../client/http/retry.js';
import { checkEmbedGrant, EmbedGrant, generateSession } from '../contract/embed-grant.js';
import { describeIssues } from '../contract/messages.js';

/**
 * Validates the caller's options before any request.
 * @throws {PaError} `invalid_options` in a browser, without a key, or with an invalid URL.
 */
export function checkCaller(what: string, { baseUrl, apiKey }: { baseUrl: string; apiKey: string }): void {
  if (typeof window !== 'undefined' && typeof document !== 'undefined') {
    throw new PaError(
      PaErrorCode.invalidOptions,
      `${what} must run on a server: in a browser, the API key would be public.`,
    );
  }
  if (typeof apiKey !== 'string' || apiKey.trim() === '') {
    throw new PaError(PaErrorCode.invalidOptions, 'Set apiKey to an admin API key of the platform.');
  }
  serviceUrl(baseUrl, '/');
}

const firstRetryMs = 200;
const maxRetryMs = 2000;

/** Options for creating embed sessions. */
export interface EmbedSessionOptions {
  /** Base URL of the platform: HTTPS, except for loopback hosts. */
  readonly baseUrl: string;
  /** Admin API key. It stays on the server; no error, log or response contains it. */
  readonly apiKey: string;
  /** Time limit for all attempts together, in ms. Defaults to 10 s. */
  readonly timeoutMs?: number;
  /** How often a failed connection or a 5xx response is retried, with exponential backoff. Defaults to 2. */
  readonly retries?: number;
  readonly signal?: AbortSignal;
  /** Custom `fetch`. Defaults to the global one. */
  readonly fetch?: typeof fetch;
  /** Dialect of the service: `cube`, or undefined for the contract's own names. */
  readonly dialect?: Dialect;
}

/**
 * Creates a one-time embed session for a user of the host (spec 1.4, 2.8). The grant is validated before it is sent,
 * and sent unchanged: no option, such as `creatorMode`, is enabled automatically. Pass the session id to the user's
 * page, which must exchange it within 5 minutes.
 * @throws {PaError} `invalid_grant` or `invalid_options` if no request was sent; the message names the field and the
 * fix. Other codes describe the platform's response.
 */
export async function createEmbedSession(
  options: EmbedSessionOptions,
  grant: EmbedGrant,
): Promise<{ sessionId: string }> {
  checkCaller('createEmbedSession', options);
  checkGrant(grant, options.dialect);
  const { baseUrl, apiKey, timeoutMs = 10_000, retries = 2, fetch, dialect } = options;
  const limits = { timeoutMs, signals: [options.signal], what: 'The platform' };
  return withDeadline(limits, async signal => {
    const authorization = `Bearer ${apiKey}`;
    const input = { baseUrl, authorization, body: grant, fetch, dialect, signal, timeoutMs };
    const mint = () => request(generateSession, input);
    const { sessionId } = await retry(mint, { maxRetries: retries, pauseAfter, signal });
    return { sessionId };
  });
}

/**
 * Returns the delay before a retry, or `null` if a retry cannot succeed. Retrying is safe, because a session that is
 * not exchanged expires after 5 minutes.
 */
function pauseAfter(error: unknown, failures: number): number | null {
  const isTransient = error instanceof PaConnectionError || (error instanceof PaError && (error.status ?? 0) >= 500);
  return isTransient ? backOff(failures, firstRetryMs, maxRetryMs) : null;
}

function checkGrant(grant: EmbedGrant, dialect: Dialect | undefined): void {
  const parsed = EmbedGrant.safeParse(grant);
  if (!parsed.success) {
    throw new PaError(PaErrorCode.invalidGrant, describeIssues('grant', parsed.error.issues));
  }
  const problem = checkEmbedGrant(grant);
  const reserved = dialect?.securityContextKey;
  if (reserved !== undefined && Object.hasOwn(grant.securityContext ?? {}, reserved)) {
    const message = `grant.securityContext: must not contain the key "${reserved}": it is reserved`;
    throw new PaError(PaErrorCode.invalidGrant, message);
  }
  if (problem) throw new PaError(PaErrorCode.invalidGrant, `grant.${problem.field}: ${problem.message}`);
}
