import { isTransient, PaAbortError, PaError, PaErrorCode } from '../client/errors.js';
import { isRecord } from '../client/http/fetch.js';
import { ChatSessionSettings } from '../contract/chat.js';
import '../contract/messages.js';
import { type ChatRoute, ChatUpstream, findRoutes } from './chat-upstream.js';
import { checkCaller } from './create-embed-session.js';
import { bodyConsumedMessage, failureWarning, isCrossSite, problem } from './page-responses.js';

/** Most bytes of a request: a message with all the images that it may have. */
const mostBodyBytes = 12 * 1024 * 1024;

/** Whose key is used, which agent is asked, and for whom. */
export interface ChatProxyOptions<Context extends unknown[]> {
  /** Address of the Chat API, HTTPS unless on loopback. */
  readonly baseUrl: string;
  /** An admin API key. It stays on the server: no error, log or answer holds it. */
  readonly apiKey: string;
  /** The account that the agent belongs to; `local` by default. */
  readonly account?: string;
  readonly agentId: number | string;
  /**
   * Who asks, by your own sign-in, and what they may see; null if nobody is signed in. Whatever the framework hands over beside
   * the request comes after it. What it throws is for the framework to handle.
   */
  readonly sessionFor: (
    request: Request,
    ...context: Context
  ) => ChatSessionSettings | null | undefined | Promise<ChatSessionSettings | null | undefined>;
  /** Most that the service may take until it begins to answer; 30 s by default. */
  readonly timeoutMs?: number;
  /** The `fetch` to use, where it is not the global one. */
  readonly fetch?: typeof fetch;
  /** Told of every failure that is not the page's own: the page gets the code alone. By default it is a warning of the process. */
  readonly onError?: (error: PaError) => void;
}

/** A Fetch-API handler for chats; `toNodeHandler` reads how large a body may be. */
export interface ChatProxyHandler<Context extends unknown[]> {
  (request: Request, ...context: Context): Promise<Response>;
  readonly mostBodyBytes: number;
}

/**
 * What the page's `proxy-url` leads to: a Fetch-API handler that passes chats on with a key of the host's own, in the name of whoever
 * `sessionFor` finds signed in; whom a page names instead is dropped. It serves every path that ends like one of the Chat API
 * (`…/chat/stream-chat-state`, `…/chat/threads/{chatId}`), and refuses pages of other sites. Answers pass through piece by piece. A page
 * that hangs up ends its connection to the service, not the answer: that goes on until `…/chat/abort` stops it.
 * @throws {PaError} `invalid_options` where an option is missing or wrong.
 */
export function chatProxyHandler<Context extends unknown[] = []>(
  options: ChatProxyOptions<Context>,
): ChatProxyHandler<Context> {
  checkCaller('chatProxyHandler', options);
  const { baseUrl, apiKey, account = 'local', agentId, timeoutMs = 30_000, fetch, sessionFor } = options;
  const { onError = failureWarning('A chat failed') } = options;
  const upstream = new ChatUpstream({ baseUrl, apiKey, account, agentId, timeoutMs, fetch });
  const handle = async (request: Request, ...context: Context): Promise<Response> => {
    const { routes, chatId } = findRoutes(new URL(request.url).pathname);
    const route = routes.find(({ method }) => method === request.method);
    if (!route) return refusePath(routes);
    if (isCrossSite(request)) return problem(403, 'Only pages of this site may chat here.');
    const session = await sessionFor(request, ...context);
    if (!session) return problem(401, 'Sign in first.');
    try {
      const settings = checkSession(session);
      const fields = route.fields && (await readFields(request, route.fields));
      return await upstream.pass(request, { route, chatId, fields, settings });
    } catch (error) {
      if (!(error instanceof PaError)) throw error;
      return answerTo(error, onError);
    }
  };
  return Object.assign(handle, { mostBodyBytes });
}

function refusePath(routes: readonly ChatRoute[]): Response {
  if (routes.length === 0) return problem(404, 'This is no address of the Chat API.');
  const allow = routes.map(({ method }) => method).join(', ');
  return problem(405, `Use ${allow}.`, { allow });
}

function checkSession(session: ChatSessionSettings): ChatSessionSettings {
  const read = ChatSessionSettings.safeParse(session);
  if (!read.success) {
    const issues = read.error.issues.slice(0, 5);
    const told = issues.map(issue => `${['session', ...issue.path.map(String)].join('.')}: ${issue.message}`);
    throw new PaError(PaErrorCode.invalidOptions, told.join('; '));
  }
  const { externalId, internalId } = read.data;
  if (Boolean(externalId) !== Boolean(internalId)) return read.data;
  throw new PaError(PaErrorCode.invalidOptions, 'session: give either externalId or internalId.');
}

/** What a page says, as far as it may. */
async function readFields(request: Request, fields: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  // A form of another site can't send this type.
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? '')) {
    throw refusal(415, 'Send JSON as application/json.');
  }
  if (request.bodyUsed) throw new PaError(PaErrorCode.invalidOptions, bodyConsumedMessage, { status: 500 });
  const said = parse(await readBody(request));
  if (!isRecord(said)) throw refusal(400, 'Send a JSON object.');
  return Object.fromEntries(fields.flatMap(name => (Object.hasOwn(said, name) ? [[name, said[name]]] : [])));
}

async function readBody({ body }: Request): Promise<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (let chunk = await reader?.read(); chunk?.value; chunk = await reader?.read()) {
    size += chunk.value.length;
    if (size > mostBodyBytes) throw refusal(413, `Send ${mostBodyBytes / 1024 / 1024} MB at most.`);
    text += decoder.decode(chunk.value, { stream: true });
  }
  return text + decoder.decode();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function refusal(status: number, message: string): PaError {
  return new PaError(PaErrorCode.badRequest, message, { status });
}

/** What the page's own request was refused for, it is told; that the host's key was, or that nobody answers, is for the host to know. */
function answerTo(error: PaError, onError: (error: PaError) => void): Response {
  const { status, message, code, retryAfterMs } = error;
  const retry: Record<string, string> =
    retryAfterMs === null ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) };
  if (error instanceof PaAbortError) return problem(499, 'The page has gone.');
  if (status !== null && status < 500 && status !== 401) return problem(status, message, retry, code);
  onError(error);
  if (status !== null && status !== 401) return problem(status, message, retry, code);
  const hidden = 'The chat can’t be reached: the server of this page knows why.';
  return problem(isTransient(error) ? 503 : 500, hidden, {}, code);
}
