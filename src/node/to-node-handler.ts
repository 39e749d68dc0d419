import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyConsumedMessage, problem } from './page-responses.js';

/** Most that a body may hold, where a handler doesn't say. */
const maxBodyBytes = 65_536;

/** A handler as `node:http`, Express and Connect call it; Fastify hands over `request.raw` and `reply.raw` after `reply.hijack()`. */
export type NodeHandler<R extends IncomingMessage> = (
  request: R,
  response: ServerResponse,
  next?: (error: unknown) => void,
) => void;

/** A Fetch-API handler, which may say how many bytes a body may hold. */
export interface WebHandler<R> {
  (request: Request, incoming: R): Promise<Response>;
  readonly mostBodyBytes?: number;
}

/**
 * Serves a Fetch-API handler where requests come as `(req, res)`. The handler gets `req` as well, with what a framework put on it
 * (`req.user`, `req.session`). An error goes to `next`, where there is one, else it is a 500 without details. An answer is sent piece
 * by piece, as fast as the client takes it; a client that hangs up aborts `request.signal` and ends the answer's body.
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
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const url = urlOf(incoming);
  const body = await readBody(incoming, handler.mostBodyBytes ?? maxBodyBytes);
  if (!url || body === null) {
    response.writeHead(url ? 413 : 400, { 'cache-control': 'no-store', connection: 'close' }).end();
    return;
  }
  const method = incoming.method ?? 'GET';
  const init: RequestInit = { method, headers: headersOf(incoming), signal: gone.signal };
  const bodied = body.length > 0 && method !== 'GET' && method !== 'HEAD';
  const lacksBody = handler.mostBodyBytes !== undefined && !bodied && wasRead(incoming);
  const request = new Request(url, bodied ? { ...init, body } : init);
  const answer = lacksBody ? problem(500, bodyConsumedMessage) : await handler(request, incoming);
  response.statusCode = answer.status;
  answer.headers.forEach((value, name) => {
    if (name !== 'set-cookie') response.setHeader(name, value);
  });
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
  await send(answer.body, response, gone.signal);
}

async function send(
  body: ReadableStream<Uint8Array> | null,
  response: ServerResponse,
  gone: AbortSignal,
): Promise<void> {
  const reader = body?.getReader();
  // Whoever reads ahead of the client lets go at once, even while nothing comes.
  const leave = (): void => void reader?.cancel().catch(() => {});
  gone.addEventListener('abort', leave, { once: true });
  if (gone.aborted) return leave();
  if (reader) response.flushHeaders();
  for (let chunk = await reader?.read(); chunk?.value && !gone.aborted; chunk = await reader?.read()) {
    if (!response.write(chunk.value)) await drained(response, gone);
  }
  gone.removeEventListener('abort', leave);
  response.end();
}

function drained(response: ServerResponse, gone: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const go = (): void => {
      response.off('drain', go);
      gone.removeEventListener('abort', go);
      resolve();
    };
    response.once('drain', go);
    gone.addEventListener('abort', go, { once: true });
    if (gone.aborted) go();
  });
}

/** The address as the browser wrote it, as far as it can be known here: a router may have cut `url`. */
function urlOf(incoming: IncomingMessage): string | null {
  const path = 'originalUrl' in incoming ? String(incoming.originalUrl) : (incoming.url ?? '/');
  // A request target in absolute form.
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

/** The body; what a framework has read already is written again, as far as it was JSON. Null where there is too much of it. */
async function readBody(incoming: IncomingMessage, most: number): Promise<Uint8Array<ArrayBuffer> | string | null> {
  if (incoming.readableEnded) return parsedBody(incoming);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += chunk.length;
    if (size > most) return null;
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

/** Whether the request had a body that something in front has read and not handed over. */
function wasRead({ readableEnded, headers }: IncomingMessage): boolean {
  return readableEnded && (Number(headers['content-length']) > 0 || headers['transfer-encoding'] !== undefined);
}

/** A parser in front has its own limit. */
function parsedBody(incoming: IncomingMessage): string {
  const body: unknown = 'body' in incoming ? incoming.body : undefined;
  return typeof body === 'object' && body !== null ? JSON.stringify(body) : '';
}
