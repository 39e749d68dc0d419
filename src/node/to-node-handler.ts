import type { IncomingMessage, ServerResponse } from 'node:http';

/** Most that a body may hold. */
const mostBodyBytes = 65_536;

/** A handler as `node:http`, Express and Connect call it; Fastify hands over `request.raw` and `reply.raw`. */
export type NodeHandler<R extends IncomingMessage> = (
  request: R,
  response: ServerResponse,
  next?: (error: unknown) => void,
) => void;

/**
 * Serves a Fetch-API handler where requests come as `(req, res)`. The handler gets `req` as well, with what a framework put on it
 * (`req.user`, `req.session`). An error goes to `next`, where there is one, else it is a 500 without details. A client that hangs up
 * aborts `request.signal`.
 */
export function toNodeHandler<R extends IncomingMessage = IncomingMessage>(
  handler: (request: Request, incoming: R) => Promise<Response>,
): NodeHandler<R> {
  return (incoming, response, next) => {
    serve(handler, incoming, response).catch(error => {
      if (next) next(error);
      else if (response.headersSent) response.destroy();
      else response.writeHead(500, { 'cache-control': 'no-store' }).end();
    });
  };
}

async function serve<R extends IncomingMessage>(
  handler: (request: Request, incoming: R) => Promise<Response>,
  incoming: R,
  response: ServerResponse,
): Promise<void> {
  const url = urlOf(incoming);
  const body = await readBody(incoming);
  if (!url || !body) {
    response.writeHead(url ? 413 : 400, { 'cache-control': 'no-store', connection: 'close' }).end();
    return;
  }
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const method = incoming.method ?? 'GET';
  const init: RequestInit = { method, headers: headersOf(incoming), signal: gone.signal };
  const bodied = body.length > 0 && method !== 'GET' && method !== 'HEAD';
  const answer = await handler(new Request(url, bodied ? { ...init, body } : init), incoming);
  if (gone.signal.aborted) return;
  response.statusCode = answer.status;
  answer.headers.forEach((value, name) => {
    if (name !== 'set-cookie') response.setHeader(name, value);
  });
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
  response.end(new Uint8Array(await answer.arrayBuffer()));
}

/** The address as the browser wrote it, as far as it can be known here: a router may have cut `url`. */
function urlOf(incoming: IncomingMessage): string | null {
  const path = 'originalUrl' in incoming ? String(incoming.originalUrl) : (incoming.url ?? '/');
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

/** The body, empty where a framework has read it already; null where there is too much of it. */
async function readBody(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (!incoming.readableEnded) {
    for await (const chunk of incoming) {
      size += chunk.length;
      if (size > mostBodyBytes) return null;
      chunks.push(chunk);
    }
  }
  const body = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.length;
  }
  return body;
}
