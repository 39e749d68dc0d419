import type { Dialect, DialectName } from '../dialect.js';
import { errorOf, PaAuthenticationError, PaConnectionError, PaError, PaErrorCode } from '../errors.js';
import { serviceUrl } from '../http/address.js';
import { fetchOrFail, parseJson, readText, redact, withDeadline } from '../http/fetch.js';
import type { EmbedToken } from './embed-token.js';

/** Total time limit for creating and exchanging a session, in ms. */
const mintTimeoutMs = 15_000;

type Services = typeof import('./session-services.js');

/** Options that determine where sessions come from. */
export interface MintOptions {
  readonly baseUrl: string;
  readonly sessionUrl?: string | undefined;
  readonly session?: (() => Promise<string>) | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly dialect?: Dialect | DialectName | undefined;
}

/** A new token, and the modules that use it. */
export interface MintResult {
  readonly token: EmbedToken;
  readonly services: Services;
  readonly dialect: Dialect | undefined;
}

/** Requests a one-time session from the host and exchanges it for an embed token. */
export function mintToken(options: MintOptions, signal: AbortSignal): Promise<MintResult> {
  const limits = { timeoutMs: mintTimeoutMs, signals: [signal], what: 'The session source' };
  return withDeadline(limits, async both => {
    // Check the options first, because an invalid URL or dialect must not consume a session.
    serviceUrl(options.baseUrl, '/');
    checkDialect(options.dialect);
    const loaded = Promise.all([loadServices(), loadDialect(options.dialect)]);
    const [answer, [services, dialect]] = await Promise.all([requestSession(options, both), loaded]);
    const connection = { baseUrl: options.baseUrl, fetch: options.fetch, dialect };
    return { token: await services.exchange(answer, connection, both), services, dialect };
  });
}

function loadServices(): Promise<Services> {
  return withLoadError(import('./session-services.js'));
}

function checkDialect(dialect: MintOptions['dialect']): void {
  if (typeof dialect !== 'string' || dialect === 'neutral' || dialect === 'cube') return;
  throw new PaError(PaErrorCode.invalidOptions, `Unknown dialect "${dialect}". Set it to neutral or cube, or omit it.`);
}

/** Returns the dialect; lazy-loads one that is given by name. */
async function loadDialect(dialect: MintOptions['dialect']): Promise<Dialect | undefined> {
  if (typeof dialect !== 'string') return dialect;
  return dialect === 'cube' ? (await withLoadError(import('../dialect.js'))).cube : undefined;
}

async function withLoadError<T>(part: Promise<T>): Promise<T> {
  try {
    return await part;
  } catch {
    throw new PaConnectionError(
      'Could not load a part of pa-embed. Check the network, and that the page serves all files of pa-embed.',
    );
  }
}

/** Returns the host's response unchecked. */
async function requestSession({ session, sessionUrl, fetch }: MintOptions, signal: AbortSignal): Promise<unknown> {
  if (session) return callHost(session);
  if (sessionUrl) return postToHost(sessionUrl, fetch, signal);
  throw new PaError(PaErrorCode.invalidOptions, 'No session source: set session-url or session.');
}

async function callHost(session: () => Promise<string>): Promise<unknown> {
  try {
    return { sessionId: await session() };
  } catch (error) {
    if (error instanceof PaError) throw error;
    const reason = error instanceof Error ? redact(error.message) : 'no reason given';
    throw new PaError(PaErrorCode.notAuthenticated, `The session function of the page failed: ${reason}`);
  }
}

/**
 * Requests a session from the host. Only this request sends cookies, because the host identifies its user by a cookie,
 * and only to the page's own origin.
 */
async function postToHost(url: string, fetch: MintOptions['fetch'], signal: AbortSignal): Promise<unknown> {
  const what = 'The session URL of the page';
  const init: RequestInit = {
    method: 'POST',
    headers: { accept: 'application/json' },
    credentials: 'same-origin',
    cache: 'no-store',
    signal,
  };
  const response = await fetchOrFail(fetch, url, init, what);
  const text = await readText(response, what);
  const { status } = response;
  if (status === 401) throw new PaAuthenticationError(`${what} returned 401. Sign in again.`, { status });
  if (!response.ok) throw errorOf(`${what} returned ${status}.`, { status });
  return parseJson(text, what, null);
}
