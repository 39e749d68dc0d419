import { EmbedSession } from '../contract/embed.js';
import { serviceUrl } from './address.js';
import { withDeadline } from './deadline.js';
import { exchangeSession } from './embed.js';
import { type EmbedToken, readEmbedToken } from './embed-token.js';
import { PaAuthenticationError, PaError, PaErrorCode } from './errors.js';
import { redact } from './redact.js';
import { fetchOrFail, parseJson, readText } from './request.js';

/** Most that minting and exchanging a session may take together. */
export const mintTimeoutMs = 15_000;

/** Where a session comes from. */
export interface MintOptions {
  readonly baseUrl: string;
  readonly sessionUrl?: string | undefined;
  readonly session?: (() => Promise<string>) | undefined;
  readonly fetch?: typeof fetch | undefined;
}

/** Has the host mint a one-time session and exchanges it for an embed token: two requests, one after the other. */
export function mintToken(options: MintOptions, signal: AbortSignal): Promise<EmbedToken> {
  const limits = { timeoutMs: mintTimeoutMs, signals: [signal], what: 'The session' };
  return withDeadline(limits, async both => {
    // A wrong address must not cost a session.
    serviceUrl(options.baseUrl, '/');
    const sessionId = await obtainSessionId(options, both);
    const connection = { baseUrl: options.baseUrl, fetch: options.fetch };
    return readEmbedToken(await exchangeSession(connection, sessionId, { signal: both }));
  });
}

async function obtainSessionId({ session, sessionUrl, fetch }: MintOptions, signal: AbortSignal): Promise<string> {
  if (session) return callHost(session);
  if (sessionUrl) return postToHost(sessionUrl, fetch, signal);
  throw new PaError(PaErrorCode.invalidOptions, 'Say where the session comes from: set session-url or session.');
}

async function callHost(session: () => Promise<string>): Promise<string> {
  try {
    return readSessionId({ sessionId: await session() }, 'The session function');
  } catch (error) {
    if (error instanceof PaError) throw error;
    const said = error instanceof Error ? redact(error.message) : 'no reason given';
    throw new PaError(PaErrorCode.notAuthenticated, `The session function of the page failed: ${said}`);
  }
}

/** The host knows its user by its own cookie, so this one request carries cookies, to the page's own origin alone. */
async function postToHost(url: string, fetch: MintOptions['fetch'], signal: AbortSignal): Promise<string> {
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
  if (!response.ok) throw new PaError(PaErrorCode.serverFailed, `${what} answered ${status}.`, { status });
  return readSessionId(parseJson(text, what, null), what);
}

function readSessionId(answer: unknown, what: string): string {
  const session = EmbedSession.safeParse(answer);
  if (session.success) return session.data.sessionId;
  throw new PaError(PaErrorCode.invalidResponse, `${what} must answer {"sessionId": "<32 lower-case hex digits>"}.`);
}
