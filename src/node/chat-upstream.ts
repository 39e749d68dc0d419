import { PaError, PaErrorCode } from '../client/errors.js';
import { fillPath, serviceUrl } from '../client/http/address.js';
import { fetchOrFail, readText, withDeadline } from '../client/http/fetch.js';
import { failureOf } from '../client/http/request.js';
import { chatPath } from '../contract/chat-terms.js';

/** An endpoint of the Chat API that the proxy forwards. */
export interface ChatRoute {
  /** Path relative to the base path of the agent's chat. */
  readonly path: string;
  readonly method: string;
  /** Body fields that a page may set, which never include the user; `null` if the request has no body. */
  readonly fields: readonly string[] | null;
  /** Where the user's session settings are sent. Only some bodies have a field for them. */
  readonly settingsIn: 'body' | 'header';
}

const feedbackPath = '/threads/{id}/messages/{messageId}/feedback';

const routes: Readonly<Record<string, readonly ChatRoute[]>> = {
  'stream-chat-state': [
    {
      path: '/stream-chat-state',
      method: 'POST',
      fields: ['input', 'chatId', 'messageId', 'images', 'context'],
      settingsIn: 'body',
    },
  ],
  'ui-messages': [
    { path: '/ui-messages', method: 'POST', fields: ['id', 'messages', 'trigger', 'messageId'], settingsIn: 'body' },
  ],
  'ui-messages/': [{ path: '/ui-messages/{id}/stream', method: 'GET', fields: null, settingsIn: 'header' }],
  'ag-ui': [{ path: '/ag-ui', method: 'POST', fields: ['threadId', 'runId', 'messages'], settingsIn: 'body' }],
  abort: [{ path: '/abort', method: 'POST', fields: ['chatId'], settingsIn: 'body' }],
  suggestions: [{ path: '/suggestions', method: 'GET', fields: null, settingsIn: 'header' }],
  threads: [{ path: '/threads', method: 'GET', fields: null, settingsIn: 'header' }],
  'threads/': [
    { path: '/threads/{id}', method: 'PATCH', fields: ['title'], settingsIn: 'header' },
    { path: '/threads/{id}', method: 'DELETE', fields: null, settingsIn: 'header' },
  ],
  feedback: [
    { path: feedbackPath, method: 'PUT', fields: ['rating', 'comment'], settingsIn: 'header' },
    { path: feedbackPath, method: 'DELETE', fields: null, settingsIn: 'header' },
  ],
};
const names = `(?<name>stream-chat-state|ui-messages|ag-ui|abort|suggestions|threads)`;
const thread = String.raw`(?<folder>threads/)(?<id>[\w-]{1,64})`;
const rating = String.raw`threads/(?<ratedId>[\w-]{1,64})/messages/(?<messageId>[\w-]{1,64})/(?<feedback>feedback)`;
const uiStream = `(?<uiFolder>ui-messages/)(?<uiId>[^/]{1,768})/stream`;
const tail = new RegExp(`/chat/(?:${names}|${thread}|${rating}|${uiStream})$`);

/** Ids in the path of a call, by their names in `ChatRoute.path`. */
type PathIds = Readonly<Record<string, string>>;

/**
 * Finds the routes that match the end of a path, one per method. Works wherever the handler is mounted. Returns no
 * routes for other paths.
 */
export function findRoutes(pathname: string): { readonly routes: readonly ChatRoute[]; readonly ids: PathIds } {
  const { name, folder, feedback, uiFolder, ...parts } = tail.exec(pathname)?.groups ?? {};
  const { id = parts.ratedId ?? decode(parts.uiId ?? ''), messageId = '' } = parts;
  const found = id === null ? undefined : routes[name ?? folder ?? feedback ?? uiFolder ?? ''];
  return { routes: found ?? [], ids: { id: id ?? '', messageId } };
}

/** Decodes a part of a path; `null` if it is malformed. */
function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** Maximum length of the session settings header, because servers limit all headers to 16 KB. */
const maxSettingsLength = 12_000;
const streamTypes = ['application/json', 'application/x-ndjson', 'text/plain', 'text/event-stream'];

/** The agent's Chat API and the host's API key. */
interface UpstreamOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly account: string;
  readonly agentId: number | string;
  readonly timeoutMs: number;
  readonly fetch: typeof fetch | undefined;
}

/** A call to forward. */
interface UpstreamCall {
  readonly route: ChatRoute;
  readonly ids: PathIds;
  readonly fields: Readonly<Record<string, unknown>> | null;
  readonly settings: object;
}

/** The Chat API of one agent, called with the host's key. */
export class ChatUpstream {
  readonly #base: string;
  readonly #options: UpstreamOptions;
  readonly #authorization: string;

  constructor(options: UpstreamOptions) {
    const { baseUrl, account, agentId } = options;
    this.#base = serviceUrl(baseUrl, fillPath(chatPath, { account, scope: 'agents', scopeId: agentId })).href;
    this.#options = options;
    this.#authorization = `Api-Key ${options.apiKey}`;
  }

  /**
   * Forwards a call and returns its response.
   * @throws {PaError} for every error response.
   */
  pass(request: Request, { route, ids, fields, settings }: UpstreamCall): Promise<Response> {
    const { method, settingsIn } = route;
    const headers = pick(request.headers, ['accept', 'last-event-id', 'x-request-id']);
    headers.set('authorization', this.#authorization);
    if (settingsIn === 'header') headers.set('x-session-settings', encode(settings));
    if (fields) headers.set('content-type', 'application/json');
    const payload = settingsIn === 'body' ? { ...fields, sessionSettings: settings } : fields;
    const url = new URL(`${this.#base}${fillPath(route.path, ids)}`);
    for (const [name, value] of new URL(request.url).searchParams) {
      if (name === 'first' || name === 'after') url.searchParams.append(name, value);
    }
    const body = payload ? { body: JSON.stringify(payload) } : {};
    const what = `${method} ${url.host}${chatPath}${route.path}`;
    return this.#send(url.href, { method, headers, ...body }, what, request.signal);
  }

  /**
   * Sends a request. The time limit covers only the response headers; the page's signal can close the connection later.
   */
  async #send(url: string, init: RequestInit, what: string, signal: AbortSignal): Promise<Response> {
    const life = new AbortController();
    const end = (): void => life.abort();
    signal.addEventListener('abort', end, { once: true });
    try {
      return await withDeadline({ timeoutMs: this.#options.timeoutMs, signals: [signal], what }, async () => {
        const sent: RequestInit = { ...init, redirect: 'error', cache: 'no-store', signal: life.signal };
        const answer = await fetchOrFail(this.#options.fetch, url, sent, what);
        if (answer.ok) return passOn(answer);
        const failed = { api: 'chat', what, authorization: this.#authorization } as const;
        throw failureOf(answer, await readText(answer, what), failed);
      });
    } catch (error) {
      end();
      throw error;
    }
  }
}

/** Streams the response, with headers that prevent proxies from buffering it. */
function passOn(answer: Response): Response {
  const type = (answer.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (answer.body && !streamTypes.includes(type)) {
    // Reject other content types, because the content would be served from the host's own origin.
    throw new PaError(PaErrorCode.invalidResponse, 'The chat service returned a response that is not a stream.');
  }
  const headers = pick(answer.headers, ['content-type', 'x-request-id', 'x-vercel-ai-ui-message-stream']);
  headers.set('cache-control', 'no-store, no-transform');
  headers.set('x-accel-buffering', 'no');
  headers.set('x-content-type-options', 'nosniff');
  return new Response(answer.body, { status: answer.status, headers });
}

function pick(from: Headers, names: readonly string[]): Headers {
  const headers = new Headers();
  for (const name of names) {
    const value = from.get(name);
    if (value !== null) headers.set(name, value);
  }
  return headers;
}

/** Encodes a value as JSON in base64url. */
function encode(settings: object): string {
  const ascii = JSON.stringify(settings).replace(
    /[\u0080-\uffff]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const text = btoa(ascii).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  if (text.length <= maxSettingsLength) return text;
  throw new PaError(
    PaErrorCode.invalidOptions,
    'session: exceeds the maximum size of a header. Remove fields that the agent does not need.',
  );
}
