import { PaError, PaErrorCode } from '../client/errors.js';
import { ChatSessionSettings } from '../contract/chat.js';
import { describeIssues } from '../contract/messages.js';
import { type ChatRoute, ChatUpstream, findRoutes } from './chat-upstream.js';
import { checkCaller } from './create-embed-session.js';
import { failureResponse, type HostHandler, type HostHandlerOptions } from './host-handler.js';
import { failureWarning, isCrossSite, problem } from './page-responses.js';
import { readJsonBody } from './read-json-body.js';

/** Maximum size of a request body: a message with the maximum number of images. */
const maxBodyBytes = 12 * 1024 * 1024;

/** Options of the chat proxy: the service, its API key and agent, and the user of each request. */
export interface ChatProxyOptions<Context extends unknown[]> extends HostHandlerOptions {
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
}

/** A Fetch API handler for chats. */
export type ChatProxyHandler<Context extends unknown[]> = HostHandler<Context>;

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
    if (!route) return rejectPath(routes);
    if (isCrossSite(request)) return problem(403, 'Requests from other sites are not allowed.');
    const session = await sessionFor(request, ...context);
    if (!session) return problem(401, 'Sign in first.');
    try {
      const settings = checkSession(session);
      const fields = route.fields && (await readFields(request, route.fields));
      return await upstream.pass(request, { route, ids, fields, settings });
    } catch (error) {
      const hidden = 'The chat is unavailable. See the server log.';
      return failureResponse(error, { onError, hidden, showsServerErrors: true });
    }
  };
  return Object.assign(handle, { maxBodyBytes });
}

function rejectPath(routes: readonly ChatRoute[]): Response {
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
  throw new PaError(PaErrorCode.invalidOptions, 'session: set exactly one of externalId and internalId.');
}

/** Returns the fields of the request body that a page may set. */
async function readFields(request: Request, fields: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const body = await readJsonBody(request, maxBodyBytes);
  return Object.fromEntries(fields.flatMap(name => (Object.hasOwn(body, name) ? [[name, body[name]]] : [])));
}
