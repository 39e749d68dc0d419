import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyConsumedMessage, problem } from './page-responses.js';

/** Default limit for a request body, in bytes. */
const maxBodyBytes = 65_536;

/**
 * A handler for `node:http`, Express and Connect. In Fastify, call it with `request.raw` and `reply.raw` after
 * `reply.hijack()`.
 */
export type NodeHandler<R extends IncomingMessage> = (
  request: R,
  response: ServerResponse,
  next?: (error: unknown) => void,
) => void;

/** A Fetch API handler with an optional limit for request bodies. */
export interface WebHandler<R> {
  (request: Request, incoming: R): Promise<Response>;
  /** Maximum size of a request body in bytes; 65,536 by default. `toNodeHandler` rejects larger ones with 413. */
  readonly maxBodyBytes?: number;
}

/**
 * Adapts a Fetch API handler to `(req, res)`. The handler also receives `req`, with properties that a framework added
 * (`req.user`, `req.session`). An error is passed to `next` if there is one, else the response is a 500 without
 * details. The response is streamed with backpressure. If the client disconnects, `request.signal` is aborted and the
 * response body is canceled.
 */
export function toNodeHandler<R extends IncomingMessage = IncomingMessage>(handler: WebHandler<R>): NodeHandler<R> {
  return (incoming, response, next) => {
    serve(handler, incoming, response).catch(error => {
      if (response.headersSent) response.destroy();
      else if (next) next(error);
      else response.writeHead(500, { 'cache-control': 'no-store' }).end();
    });
  };
}

async function serve<R extends IncomingMessage>(
  handler: WebHandler<R>,
  incoming: R,
  response: ServerResponse,
): Promise<void> {
  const disconnected = new AbortController();
  response.once('close', () => disconnected.abort());
  const url = urlOf(incoming);
  const body = await readBody(incoming, handler.maxBodyBytes ?? maxBodyBytes);
  if (!url || body === null) {
    response.writeHead(url ? 413 : 400, { 'cache-control': 'no-store', connection: 'close' }).end();
    return;
  }
  const method = incoming.method ?? 'GET';
  const init: RequestInit = { method, headers: headersOf(incoming), signal: disconnected.signal };
  const hasBody = body.length > 0 && method !== 'GET' && method !== 'HEAD';
  const lacksBody = handler.maxBodyBytes !== undefined && !hasBody && wasRead(incoming);
  const request = new Request(url, hasBody ? { ...init, body } : init);
  const answer = lacksBody ? problem(500, bodyConsumedMessage) : await handler(request, incoming);
  response.statusCode = answer.status;
  answer.headers.forEach((value, name) => {
    if (name !== 'set-cookie') response.setHeader(name, value);
  });
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
  await send(answer.body, response, disconnected.signal);
}

async function send(
  body: ReadableStream<Uint8Array> | null,
  response: ServerResponse,
  disconnected: AbortSignal,
): Promise<void> {
  const reader = body?.getReader();
  // Cancel immediately, so that a source that buffers ahead of the client, or is idle, releases its resources. The
  // client has disconnected, so there is no receiver for an error.
  const cancel = (): void => void reader?.cancel().catch(() => {});
  disconnected.addEventListener('abort', cancel, { once: true });
  if (disconnected.aborted) return cancel();
  if (reader) response.flushHeaders();
  for (let chunk = await reader?.read(); chunk?.value && !disconnected.aborted; chunk = await reader?.read()) {
    if (!response.write(chunk.value)) await waitForDrain(response, disconnected);
  }
  disconnected.removeEventListener('abort', cancel);
  response.end();
}

function waitForDrain(response: ServerResponse, disconnected: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const go = (): void => {
      response.off('drain', go);
      disconnected.removeEventListener('abort', go);
      resolve();
    };
    response.once('drain', go);
    disconnected.addEventListener('abort', go, { once: true });
    if (disconnected.aborted) go();
  });
}

/** Returns the URL as the browser sent it, if it is known. A router may have shortened `url`. */
function urlOf(incoming: IncomingMessage): string | null {
  const path = 'originalUrl' in incoming ? String(incoming.originalUrl) : (incoming.url ?? '/');
  // The request target can be in absolute form.
  if (/^https?:\/\//i.test(path)) return URL.canParse(path) ? path : null;
  const scheme = 'encrypted' in incoming.socket ? 'https' : 'http';
  const url = `${scheme}://${incoming.headers.host ?? 'localhost'}${path.startsWith('/') ? path : '/'}`;
  return URL.canParse(url) ? url : null;
}

function headersOf(incoming: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (name.startsWith(':')) continue;
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) headers.append(name, item);
    }
  }
  return headers;
}

/**
 * Reads the body. If a framework has already consumed it, serializes the parsed JSON again. Returns `null` if the body
 * exceeds `limit`.
 */
async function readBody(incoming: IncomingMessage, limit: number): Promise<Uint8Array<ArrayBuffer> | string | null> {
  if (incoming.readableEnded) return parsedBody(incoming);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += chunk.length;
    if (size > limit) return null;
    chunks.push(chunk);
  }
  const body = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.length;
  }
  return body;
}

/** Whether the request had a body that was consumed and not provided as `body`. */
function wasRead({ readableEnded, headers }: IncomingMessage): boolean {
  return readableEnded && (Number(headers['content-length']) > 0 || headers['transfer-encoding'] !== undefined);
}

/** Serializes the body that a framework parsed. The limit does not apply, because the parser has its own. */
function parsedBody(incoming: IncomingMessage): string {
  const body: unknown = 'body' in incoming ? incoming.body : undefined;
  return typeof body === 'object' && body !== null ? JSON.stringify(body) : '';
}
