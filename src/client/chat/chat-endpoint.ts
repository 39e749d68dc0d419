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

/** Which agent to speak to, and in whose name: a session's, or that of the host's proxy. */
export interface ChatOptions {
  /** The session whose token is sent. */
  readonly source?: Pick<SessionSource, 'authorize'> | undefined;
  /** In its place, the address of the host's own proxy (`chatProxyHandler`), which knows who asks. */
  readonly proxyUrl?: string | undefined;
  /** Address of the Chat API where it is not the platform's. */
  readonly aiUrl?: string | undefined;
  readonly account: string;
  /** Agent that answers. If not set, the agent of `deploymentId` answers. */
  readonly agentId?: number | string | undefined;
  readonly deploymentId?: number | string | undefined;
  /** Custom `fetch`. Defaults to the session's, then to the global one. */
  readonly fetch?: typeof fetch | undefined;
  /** The words of the service behind a proxy, where they are not the contract's; a session brings its own. */
  readonly dialect?: Dialect | undefined;
}

/** Path parameters of one agent's Chat API. */
interface ChatPathParams {
  readonly account: string;
  readonly scope: 'agents' | 'deployments';
  readonly scopeId: string;
}

/** Where a request goes in, and as whom. */
export interface ChatEndpoint {
  readonly baseUrl: string;
  readonly place: ChatPathParams;
  /** Absent where a proxy knows who asks. */
  readonly authorization: string | undefined;
  readonly fetch: typeof fetch | undefined;
  readonly dialect: Dialect | undefined;
}

/** Runs a call at the door, and once more with a new session where the one in force is refused. */
export type WithChatEndpoint = <T>(call: (door: ChatEndpoint) => Promise<T>) => Promise<T>;

/**
 * Finds the door of an agent.
 * @throws PaError `invalid_options` where it isn't said whom to ask, and as whom.
 */
export function resolveChatEndpoint(options: ChatOptions): WithChatEndpoint {
  const { source, proxyUrl, aiUrl } = options;
  if (proxyUrl) return resolveProxyEndpoint(proxyUrl, options);
  if (!source) throw new PaError(PaErrorCode.invalidOptions, 'Give the chat a session, or a proxy-url.');
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
    throw new PaError(PaErrorCode.invalidOptions, 'Give the chat an account, and an agent-id or a deployment-id.');
  }
  return { account, scope, scopeId };
}

/**
 * The host's proxy has the same paths, without what says which agent it is for. It may be named relative to the page, and it knows its
 * user by the page's own cookie, which goes to the page's own origin alone.
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
  // Errors name the address by this host.
  const { dialect } = options;
  const door: ChatEndpoint = { baseUrl: 'https://proxy', place, authorization: undefined, fetch: viaProxy, dialect };
  return call => call(door);
}

const path = `${chatPath}/stream-chat-state`;

/** Opens one stream and reads it to its end. Every answer ends with `__usage__`, without figures where the service sent none. */
export async function readStream(door: ChatEndpoint, ask: StreamAsk, options: StreamOptions): Promise<void> {
  const life = new AbortController();
  const leave = (): void => life.abort();
  options.signal?.addEventListener('abort', leave, { once: true });
  try {
    const response = await open(door, ask, options.signal, life.signal);
    options.onOpen?.();
    const isReading = ask.messageId === undefined && ask.input === undefined;
    const onFrame = (frame: ChatFrame, eventId: string | null): void => {
      checkThread(frame, ask.chatId);
      options.onFrame(door.dialect ? door.dialect.read(path, frame) : frame, eventId);
    };
    const { sawUsage } = await readFrames(response, { onFrame, signal: options.signal, isReading });
    if (!sawUsage && !isReading) options.onFrame({ id: FrameId.usage, type: 'usage' }, null);
  } finally {
    options.signal?.removeEventListener('abort', leave);
    life.abort();
  }
}

/** The time limit ends with the head of the answer: an answer takes as long as it takes. */
function open(
  door: ChatEndpoint,
  ask: StreamAsk,
  signal: AbortSignal | undefined,
  life: AbortSignal,
): Promise<Response> {
  const { authorization } = door;
  const url = serviceUrl(door.baseUrl, fillPath(path, { ...door.place }));
  const what = `POST ${url.host}${path}`;
  const init: RequestInit = {
    method: 'POST',
    headers: {
      accept: 'text/event-stream, application/json;q=0.9',
      'content-type': 'application/json',
      ...(authorization === undefined ? {} : { authorization }),
      ...(ask.lastEventId === undefined ? {} : { 'last-event-id': ask.lastEventId }),
    },
    body: JSON.stringify({ chatId: ask.chatId, messageId: ask.messageId, input: ask.input, images: ask.images }),
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    signal: life,
  };
  const limits = { timeoutMs: defaultTimeoutMs, signals: [signal], what };
  return withDeadline(limits, async () => {
    const response = await fetchOrFail(door.fetch, url.href, init, what);
    if (response.ok) return response;
    throw failureOf(response, await readText(response, what), { api: 'chat', what, authorization });
  });
}

/** @throws {PaError} if the frame belongs to another thread, so that its messages are never shown in this one. */
function checkThread({ id, state }: ChatFrame, asked: string | undefined): void {
  if (id !== FrameId.cutoff || asked === undefined || state?.chatId === undefined || state.chatId === asked) return;
  throw new PaError(
    PaErrorCode.invalidResponse,
    'The chat service returned a different thread from the one requested.',
  );
}
