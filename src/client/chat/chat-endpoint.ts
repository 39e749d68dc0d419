import type { ChatFrame } from '../../contract/chat.js';
import { chatPath, FrameId } from '../../contract/chat-terms.js';
import type { Dialect } from '../dialect.js';
import { PaError, PaErrorCode } from '../errors.js';
import { fillPath, serviceUrl } from '../http/address.js';
import { fetchOrFail, readText, withDeadline } from '../http/fetch.js';
import { defaultTimeoutMs, failureOf } from '../http/request.js';
import type { SessionSource } from '../session/session-status.js';
import type { StreamAsk, StreamOptions } from './chat-service.js';
import { readFrames } from './frames.js';

/** Selects the agent and how requests are authorized: with the token of a session, or by the host's proxy. */
export interface ChatOptions {
  /** Session whose token authorizes the requests. */
  readonly source?: Pick<SessionSource, 'authorize'> | undefined;
  /** URL of the host's proxy (`chatProxyHandler`), used instead of a session. The proxy identifies the user. */
  readonly proxyUrl?: string | undefined;
  /** Base URL of the Chat API. Defaults to the platform's. */
  readonly aiUrl?: string | undefined;
  readonly account: string;
  /** Agent that answers. If not set, the agent of `deploymentId` answers. */
  readonly agentId?: number | string | undefined;
  readonly deploymentId?: number | string | undefined;
  /** Custom `fetch`. Defaults to the session's, then to the global one. */
  readonly fetch?: typeof fetch | undefined;
  /** Dialect of the service behind a proxy. Defaults to the contract's; a session provides its own. */
  readonly dialect?: Dialect | undefined;
}

/** Path parameters of one agent's Chat API. */
interface ChatPathParams {
  readonly account: string;
  readonly scope: 'agents' | 'deployments';
  readonly scopeId: string;
}

/** Address of an agent's Chat API and the credentials for it. */
export interface ChatEndpoint {
  readonly baseUrl: string;
  readonly place: ChatPathParams;
  /** Undefined if a proxy identifies the user. */
  readonly authorization: string | undefined;
  readonly fetch: typeof fetch | undefined;
  readonly dialect: Dialect | undefined;
}

/**
 * Runs a call with a resolved endpoint. If the session's token is rejected, runs it once more with a renewed session.
 */
export type WithChatEndpoint = <T>(call: (endpoint: ChatEndpoint) => Promise<T>) => Promise<T>;

/**
 * Resolves the endpoint of an agent's Chat API.
 * @throws {PaError} `invalid_options` if the options name no session or proxy, or no agent.
 */
export function resolveChatEndpoint(options: ChatOptions): WithChatEndpoint {
  const { source, proxyUrl, aiUrl } = options;
  if (proxyUrl) return resolveProxyEndpoint(proxyUrl, options);
  if (!source)
    throw new PaError(
      PaErrorCode.invalidOptions,
      'The chat has no session: set session-url or proxy-url, or put it inside a <pa-session>.',
    );
  const place = pathParamsOf(options);
  return call =>
    source.authorize(({ baseUrl, token, fetch, dialect }) =>
      call({
        baseUrl: aiUrl || baseUrl,
        place,
        authorization: `Bearer ${token}`,
        fetch: options.fetch ?? fetch,
        dialect: options.dialect ?? dialect,
      }),
    );
}

function pathParamsOf({ account, agentId, deploymentId }: ChatOptions): ChatPathParams {
  const scope = agentId ? 'agents' : 'deployments';
  const scopeId = String(agentId || deploymentId || '');
  if (!account || !scopeId) {
    throw new PaError(PaErrorCode.invalidOptions, 'The chat has no agent: set account, and agent-id or deployment-id.');
  }
  return { account, scope, scopeId };
}

/**
 * Resolves the endpoint of the host's proxy, which serves the same paths without the part that identifies the agent.
 * `proxyUrl` may be relative to the page. The proxy identifies the user by the page's cookie, which is sent only to the
 * page's origin.
 */
function resolveProxyEndpoint(proxyUrl: string, options: ChatOptions): WithChatEndpoint {
  const place: ChatPathParams = { account: 'proxy', scope: 'agents', scopeId: '1' };
  const inner = fillPath(chatPath, { ...place }).length - '/chat'.length;
  const outer = proxyUrl.replace(/\/+$/, '');
  const viaProxy: typeof fetch = (input, init) => {
    const { pathname, search } = new URL(String(input));
    const fetcher = options.fetch ?? globalThis.fetch;
    return fetcher(`${outer}${pathname.slice(inner)}${search}`, { ...init, credentials: 'same-origin' });
  };
  // The host is a placeholder, which appears only in error messages.
  const { dialect } = options;
  const endpoint: ChatEndpoint = {
    baseUrl: 'https://proxy',
    place,
    authorization: undefined,
    fetch: viaProxy,
    dialect,
  };
  return call => call(endpoint);
}

const path = `${chatPath}/stream-chat-state`;

/**
 * Opens one stream and reads it until it ends. If the response to a message lacks a `__usage__` frame, adds one without
 * token counts.
 */
export async function readStream(endpoint: ChatEndpoint, ask: StreamAsk, options: StreamOptions): Promise<void> {
  const lifetime = new AbortController();
  const abort = (): void => lifetime.abort();
  options.signal?.addEventListener('abort', abort, { once: true });
  try {
    const response = await open(endpoint, ask, options.signal, lifetime.signal);
    options.onOpen?.();
    const isReading = ask.messageId === undefined && ask.input === undefined;
    const onFrame = (frame: ChatFrame, eventId: string | null): void => {
      checkThread(frame, ask.chatId);
      options.onFrame(endpoint.dialect ? endpoint.dialect.read(path, frame) : frame, eventId);
    };
    const { sawUsage } = await readFrames(response, { onFrame, signal: options.signal, isReading });
    if (!sawUsage && !isReading) options.onFrame({ id: FrameId.usage, type: 'usage' }, null);
  } finally {
    options.signal?.removeEventListener('abort', abort);
    lifetime.abort();
  }
}

/**
 * Opens a stream. The time limit covers only the response headers, because the duration of an answer is not limited.
 */
function open(
  endpoint: ChatEndpoint,
  ask: StreamAsk,
  signal: AbortSignal | undefined,
  lifetime: AbortSignal,
): Promise<Response> {
  const { authorization } = endpoint;
  const { chatId, messageId, input, images, context } = ask;
  const url = serviceUrl(endpoint.baseUrl, fillPath(path, { ...endpoint.place }));
  const what = `POST ${url.host}${path}`;
  const init: RequestInit = {
    method: 'POST',
    headers: {
      accept: 'text/event-stream, application/json;q=0.9',
      'content-type': 'application/json',
      ...(authorization === undefined ? {} : { authorization }),
      ...(ask.lastEventId === undefined ? {} : { 'last-event-id': ask.lastEventId }),
    },
    body: JSON.stringify({ chatId, messageId, input, images, context }),
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    signal: lifetime,
  };
  const limits = { timeoutMs: defaultTimeoutMs, signals: [signal], what };
  return withDeadline(limits, async () => {
    const response = await fetchOrFail(endpoint.fetch, url.href, init, what);
    if (response.ok) return response;
    throw failureOf(response, await readText(response, what), { api: 'chat', what, authorization });
  });
}

/** Rejects a frame of another thread, so that its messages are never shown in this one. @throws {PaError} */
function checkThread({ id, state }: ChatFrame, asked: string | undefined): void {
  if (id !== FrameId.cutoff || asked === undefined || state?.chatId === undefined || state.chatId === asked) return;
  throw new PaError(
    PaErrorCode.invalidResponse,
    'The chat service returned a different thread from the one requested.',
  );
}
