import type { Dialect } from '../client/dialect.js';
import { PaConnectionError, PaError, PaErrorCode } from '../client/errors.js';
import { serviceUrl } from '../client/http/address.js';
import { backOff, pause, withDeadline } from '../client/http/fetch.js';
import { request } from '../client/http/request.js';
import { checkEmbedGrant, EmbedGrant, generateSession } from '../contract/embed-grant.js';
import '../contract/messages.js';

/**
 * Checks who calls the platform, before anything is sent.
 * @throws {PaError} `invalid_options`: in a browser, without a key, or with an address that is none.
 */
export function checkCaller(what: string, { baseUrl, apiKey }: { baseUrl: string; apiKey: string }): void {
  if (typeof window !== 'undefined' && typeof document !== 'undefined') {
    throw new PaError(
      PaErrorCode.invalidOptions,
      `${what} runs on a server: in a browser everyone could read the API key.`,
    );
  }
  if (typeof apiKey !== 'string' || apiKey.trim() === '') {
    throw new PaError(PaErrorCode.invalidOptions, 'Set apiKey to an admin API key of the platform.');
  }
  serviceUrl(baseUrl, '/');
}

const firstRetryMs = 200;
const maxRetryMs = 2000;

/** Who mints, and how long it may take. */
export interface EmbedSessionOptions {
  /** Address of the platform, HTTPS unless on loopback. */
  readonly baseUrl: string;
  /** An admin API key. It stays on the server: no error, log or answer holds it. */
  readonly apiKey: string;
  /** Most that minting may take, all attempts together; 10 s by default. */
  readonly timeoutMs?: number;
  /** How often a failed connection or a 5xx is tried again, with back-off; 2 by default. */
  readonly retries?: number;
  readonly signal?: AbortSignal;
  /** The `fetch` to use, where it is not the global one. */
  readonly fetch?: typeof fetch;
  /** The words of the service, where they are not the contract's: `cube`, or nothing. */
  readonly dialect?: Dialect;
}

/**
 * Mints a one-time embed session for a user of yours (spec 1.4, 2.8). The grant is checked before anything is sent: `creatorMode`
 * and the rest stand as written, nothing is switched on by itself. The id is to be handed to that user's page and exchanged there
 * within 5 minutes.
 * @throws {PaError} `invalid_grant` or `invalid_options` name the field and what to do, and nothing was sent; other codes tell how
 * the platform answered.
 */
export async function createEmbedSession(
  options: EmbedSessionOptions,
  grant: EmbedGrant,
): Promise<{ sessionId: string }> {
  checkCaller('createEmbedSession', options);
  checkGrant(grant, options.dialect);
  const { baseUrl, apiKey, timeoutMs = 10_000, retries = 2, fetch, dialect } = options;
  const limits = { timeoutMs, signals: [options.signal], what: 'Minting an embed session' };
  return withDeadline(limits, async signal => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const authorization = `Bearer ${apiKey}`;
        const input = { baseUrl, authorization, body: grant, fetch, dialect, signal, timeoutMs };
        const { sessionId } = await request(generateSession, input);
        return { sessionId };
      } catch (error) {
        if (attempt >= retries || !isWorthAnotherTry(error)) throw error;
        await pause(backOff(attempt, firstRetryMs, maxRetryMs), signal);
      }
    }
  });
}

/** Minting twice does no harm: a session that nobody exchanges is gone after 5 minutes. */
function isWorthAnotherTry(error: unknown): boolean {
  return error instanceof PaConnectionError || (error instanceof PaError && (error.status ?? 0) >= 500);
}

function checkGrant(grant: EmbedGrant, dialect: Dialect | undefined): void {
  const parsed = EmbedGrant.safeParse(grant);
  if (!parsed.success) {
    const issues = parsed.error.issues.slice(0, 5);
    const told = issues.map(issue => `${['grant', ...issue.path.map(String)].join('.')}: ${issue.message}`);
    throw new PaError(PaErrorCode.invalidGrant, told.join('; '));
  }
  const problem = checkEmbedGrant(grant);
  const reserved = dialect?.securityContextKey;
  if (reserved !== undefined && Object.hasOwn(grant.securityContext ?? {}, reserved)) {
    const message = `grant.securityContext: must not hold the key "${reserved}": the platform writes it itself`;
    throw new PaError(PaErrorCode.invalidGrant, message);
  }
  if (problem) throw new PaError(PaErrorCode.invalidGrant, `grant.${problem.field}: ${problem.message}`);
}
