import type { Dialect, DialectName } from '../dialect.js';
import { errorOf, PaAuthenticationError, PaConnectionError, PaError, PaErrorCode } from '../errors.js';
import { serviceUrl } from '../http/address.js';
import { fetchOrFail, parseJson, readText, redact, withDeadline } from '../http/fetch.js';
import type { EmbedToken } from './embed-token.js';

/** Most that minting and exchanging a session may take together. */
const mintTimeoutMs = 15_000;

type Services = typeof import('./session-services.js');

/** Where a session comes from. */
export interface MintOptions {
  readonly baseUrl: string;
  readonly sessionUrl?: string | undefined;
  readonly session?: (() => Promise<string>) | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly dialect?: Dialect | DialectName | undefined;
}

/** A new token, and what speaks to the services with it. */
export interface MintResult {
  readonly token: EmbedToken;
  readonly services: Services;
  readonly dialect: Dialect | undefined;
}

/** Has the host mint a one-time session and exchanges it for an embed token: two requests, one after the other. */
export function mintToken(options: MintOptions, signal: AbortSignal): Promise<MintResult> {
  const limits = { timeoutMs: mintTimeoutMs, signals: [signal], what: 'The session' };
  return withDeadline(limits, async both => {
    // A wrong address or word must not cost a session.
    serviceUrl(options.baseUrl, '/');
    checkDialect(options.dialect);
    const loaded = Promise.all([loadServices(), loadDialect(options.dialect)]);
    const [answer, [services, dialect]] = await Promise.all([askHost(options, both), loaded]);
    const connection = { baseUrl: options.baseUrl, fetch: options.fetch, dialect };
    return { token: await services.exchange(answer, connection, both), services, dialect };
  });
}

function loadServices(): Promise<Services> {
  return orMissing(import('./session-services.js'));
}

function checkDialect(dialect: MintOptions['dialect']): void {
  if (typeof dialect !== 'string' || dialect === 'neutral' || dialect === 'cube') return;
  throw new PaError(PaErrorCode.invalidOptions, 'Set dialect to neutral or cube, or leave it out.');
}

/** By its name, a dialect is a chunk of its own, for the pages that name one. */
async function loadDialect(dialect: MintOptions['dialect']): Promise<Dialect | undefined> {
  if (typeof dialect !== 'string') return dialect;
  return dialect === 'cube' ? (await orMissing(import('../dialect.js'))).cube : undefined;
}

async function orMissing<T>(part: Promise<T>): Promise<T> {
  try {
    return await part;
  } catch {
    throw new PaConnectionError('A part of pa-embed could not be loaded: check the network and what the page serves.');
  }
}

/** The host's answer, as it is. */
async function askHost({ session, sessionUrl, fetch }: MintOptions, signal: AbortSignal): Promise<unknown> {
  if (session) return callHost(session);
  if (sessionUrl) return postToHost(sessionUrl, fetch, signal);
  throw new PaError(PaErrorCode.invalidOptions, 'Say where the session comes from: set session-url or session.');
}

async function callHost(session: () => Promise<string>): Promise<unknown> {
  try {
    return { sessionId: await session() };
  } catch (error) {
    if (error instanceof PaError) throw error;
    const said = error instanceof Error ? redact(error.message) : 'no reason given';
    throw new PaError(PaErrorCode.notAuthenticated, `The session function of the page failed: ${said}`);
  }
}

/** The host knows its user by its own cookie, so this one request carries cookies, to the page's own origin alone. */
async function postToHost(url: string, fetch: MintOptions['fetch'], signal: AbortSignal): Promise<unknown> {
  const what = 'The session address of the page';
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
  if (status === 401) throw new PaAuthenticationError(`${what} answered 401: sign in again.`, { status });
  if (!response.ok) throw errorOf(`${what} answered ${status}.`, { status });
  return parseJson(text, what, null);
}
