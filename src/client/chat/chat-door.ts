import { chatPath } from '../../contract/chat-terms.js';
import { fillPath } from '../address.js';
import type { Dialect } from '../dialect.js';
import { PaError, PaErrorCode } from '../errors.js';
import type { SessionSource } from '../session-status.js';

/** Which agent to speak to, and in whose name: a session's, or that of the host's proxy. */
export interface ChatOptions {
  /** The session whose token is sent. */
  readonly source?: Pick<SessionSource, 'authorize'> | undefined;
  /** In its place, the address of the host's own proxy (`chatProxyHandler`), which knows who asks. */
  readonly proxyUrl?: string | undefined;
  /** Address of the Chat API where it is not the platform's. */
  readonly aiUrl?: string | undefined;
  readonly account: string;
  /** The agent; in its place `deploymentId`, whose own agent then answers. */
  readonly agentId?: number | string | undefined;
  readonly deploymentId?: number | string | undefined;
  /** The `fetch` to use, where it is not the session's or the global one. */
  readonly fetch?: typeof fetch | undefined;
  /** The words of the service behind a proxy, where they are not the contract's; a session brings its own. */
  readonly dialect?: Dialect | undefined;
}

/** Path parameters of one agent's Chat API. */
export interface ChatPlace {
  readonly account: string;
  readonly scope: 'agents' | 'deployments';
  readonly scopeId: string;
}

/** Where a request goes in, and as whom. */
export interface ChatDoor {
  readonly baseUrl: string;
  readonly place: ChatPlace;
  /** Absent where a proxy knows who asks. */
  readonly authorization: string | undefined;
  readonly fetch: typeof fetch | undefined;
  readonly dialect: Dialect | undefined;
}

/** Runs a call at the door, and once more with a new session where the one in force is refused. */
export type Enter = <T>(call: (door: ChatDoor) => Promise<T>) => Promise<T>;

/**
 * Finds the door of an agent.
 * @throws PaError `invalid_options` where it isn't said whom to ask, and as whom.
 */
export function findDoor(options: ChatOptions): Enter {
  const { source, proxyUrl, aiUrl } = options;
  if (proxyUrl) return enterProxy(proxyUrl, options);
  if (!source) throw new PaError(PaErrorCode.invalidOptions, 'Give the chat a session, or a proxy-url.');
  const place = placeOf(options);
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

function placeOf({ account, agentId, deploymentId }: ChatOptions): ChatPlace {
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
function enterProxy(proxyUrl: string, options: ChatOptions): Enter {
  const place: ChatPlace = { account: 'proxy', scope: 'agents', scopeId: '1' };
  const inner = fillPath(chatPath, { ...place }).length - '/chat'.length;
  const outer = proxyUrl.replace(/\/+$/, '');
  const viaProxy: typeof fetch = (input, init) => {
    const { pathname, search } = new URL(String(input));
    const fetcher = options.fetch ?? globalThis.fetch;
    return fetcher(`${outer}${pathname.slice(inner)}${search}`, { ...init, credentials: 'same-origin' });
  };
  // Errors name the address by this host.
  const { dialect } = options;
  const door: ChatDoor = { baseUrl: 'https://proxy', place, authorization: undefined, fetch: viaProxy, dialect };
  return call => call(door);
}
