import { isTransient, PaAbortError, PaError, PaErrorCode } from '../client/errors.js';
import { ChatSessionSettings } from '../contract/chat.js';
import { describeIssues } from '../contract/messages.js';
import { type ChatRoute, ChatUpstream, findRoutes } from './chat-upstream.js';
import { checkCaller } from './create-embed-session.js';
import { failureWarning, isCrossSite, problem } from './page-responses.js';
import { readJsonBody } from './read-json-body.js';

/** Maximum size of a request body: a message with the maximum number of images. */
const maxBodyBytes = 12 * 1024 * 1024;

/** Options of the chat proxy: the service, its API key and agent, and the user of each request. */
export interface ChatProxyOptions<Context extends unknown[]> {
  /** Base URL of the Chat API: HTTPS, except for loopback hosts. */
  readonly baseUrl: string;
  /** Admin API key. It stays on the server: no error, log or response contains it. */
  readonly apiKey: string;
  /** Account of the agent. Defaults to `local`. */
  readonly account?: string;
  readonly agentId: number | string;
  /**
   * Identifies the user with your own sign-in and returns what the user may see; `null` if no user is signed in.
   * Receives the framework's own arguments after the request. Errors that it throws are passed to the framework.
   */
  readonly sessionFor: (
    request: Request,
    ...context: Context
  ) => ChatSessionSettings | null | undefined | Promise<ChatSessionSettings | null | undefined>;
  /** Time until the service must start to respond, in ms. Defaults to 30 s. */
  readonly timeoutMs?: number;
  /** Custom `fetch`. Defaults to the global one. */
  readonly fetch?: typeof fetch;
  /**
   * Called for every failure that the page did not cause; the page only receives the error code. By default, emits a
   * process warning.
   */
  readonly onError?: (error: PaError) => void;
}

/** A Fetch API handler for chats. */
export interface ChatProxyHandler<Context extends unknown[]> {
  (request: Request, ...context: Context): Promise<Response>;
  /** Maximum size of a request body in bytes: a message with images. `toNodeHandler` applies it too. */
  readonly maxBodyBytes: number;
}

/**
 * Returns a Fetch API handler for the page's `proxy-url`. It forwards chats with the host's API key on behalf of the
 * user that `sessionFor` identifies; a user named by the page is ignored. It handles every path that ends like one of
 * the Chat API (`…/chat/stream-chat-state`, `…/chat/threads/{chatId}`) and rejects requests from other sites. Responses
 * are streamed. If a page disconnects, its connection to the service is closed, but the answer continues until
 * `…/chat/abort` stops it.
 * @throws {PaError} `invalid_options` if an option is missing or invalid.
 */
export function chatProxyHandler<Context extends unknown[] = []>(
  options: ChatProxyOptions<Context>,
): ChatProxyHandler<Context> {
  checkCaller('chatProxyHandler', options);
  const { baseUrl, apiKey, account = 'local', agentId, timeoutMs = 30_000, fetch, sessionFor } = options;
  const { onError = failureWarning('A chat failed') } = options;
  const upstream = new ChatUpstream({ baseUrl, apiKey, account, agentId, timeoutMs, fetch });
  const handle = async (request: Request, ...context: Context): Promise<Response> => {
    const { routes, ids } = findRoutes(new URL(request.url).pathname);
    const route = routes.find(({ method }) => method === request.method);
    if (!route) return refusePath(routes);
    if (isCrossSite(request)) return problem(403, 'Requests from other sites are not allowed.');
    const session = await sessionFor(request, ...context);
    if (!session) return problem(401, 'Sign in first.');
    try {
      const settings = checkSession(session);
      const fields = route.fields && (await readFields(request, route.fields));
      return await upstream.pass(request, { route, ids, fields, settings });
    } catch (error) {
      if (!(error instanceof PaError)) throw error;
      return answerTo(error, onError);
    }
  };
  return Object.assign(handle, { maxBodyBytes });
}

function refusePath(routes: readonly ChatRoute[]): Response {
  if (routes.length === 0) return problem(404, 'The Chat API has no such path.');
  const allow = routes.map(({ method }) => method).join(', ');
  return problem(405, `Use ${allow}.`, { allow });
}

function checkSession(session: ChatSessionSettings): ChatSessionSettings {
  const read = ChatSessionSettings.safeParse(session);
  if (!read.success) {
    throw new PaError(PaErrorCode.invalidOptions, describeIssues('session', read.error.issues));
  }
  const { externalId, internalId } = read.data;
  if (Boolean(externalId) !== Boolean(internalId)) return read.data;
  throw new PaError(PaErrorCode.invalidOptions, 'session: set either externalId or internalId.');
}

/** Reads the fields that a page may set from the request body. */
async function readFields(request: Request, fields: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const body = await readJsonBody(request, maxBodyBytes);
  return Object.fromEntries(fields.flatMap(name => (Object.hasOwn(body, name) ? [[name, body[name]]] : [])));
}

/**
 * Errors of the page's own request are returned to the page. Rejected API keys and unreachable services are reported to
 * the host only.
 */
function answerTo(error: PaError, onError: (error: PaError) => void): Response {
  const { status, message, code, retryAfterMs } = error;
  const retry: Record<string, string> =
    retryAfterMs === null ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) };
  if (error instanceof PaAbortError) return problem(499, 'The client closed the connection.');
  if (status !== null && status < 500 && status !== 401) return problem(status, message, retry, code);
  onError(error);
  if (status !== null && status !== 401) return problem(status, message, retry, code);
  const hidden = 'The chat is unavailable. See the server log.';
  return problem(isTransient(error) ? 503 : 500, hidden, {}, code);
}
