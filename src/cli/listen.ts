import { createServer, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import type { Address } from './serve-options.js';

/** Answers a request; `origin` says which address it comes from. */
export type Fetch = (request: Request, origin: { readonly remoteAddress: string | undefined }) => Promise<Response>;

/** An address that is taken; requests are answered 503 until `serve` says by whom. */
export interface Listener {
  /** `http://host:port`, with the port that was picked. */
  readonly url: string;
  serve(fetch: Fetch): void;
  /** Takes no more requests, lets open ones end within the limit, and breaks off the rest. */
  close(limitMs: number): Promise<void>;
}

/** Times in milliseconds that a request may take to arrive; how long its answer takes is another matter. */
export interface ConnectionLimits {
  readonly headersTimeout?: number;
  readonly requestTimeout?: number;
  /** How often a server looks after both. */
  readonly connectionsCheckingInterval?: number;
}

/** Limits of one connection: Node's own are five minutes for a request and no end for what a closing server waits for. */
const defaults = {
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 20_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 64 * 1024,
} as const;

/**
 * Listens on an address.
 * @param limits - in place of 15 seconds for the headers and a minute for the whole request.
 * @throws Error that says in one sentence why it can't.
 */
export async function listen({ host, port }: Address, limits: ConnectionLimits = {}): Promise<Listener> {
  let answer: Fetch = async () => new Response(null, { status: 503, headers: { 'retry-after': '1' } });
  // This process is ours, so its Request and Response may be those of the server: they spare two streams a request.
  const handle = getRequestListener(
    (request, { incoming }) => answer(request, { remoteAddress: incoming.socket.remoteAddress }),
    { overrideGlobalObjects: true },
  );
  const server = createServer({ ...defaults, ...limits }, (request, response) => void handle(request, response));
  server.on('clientError', refuseUnreadable);
  await bound(server, { host, port });
  const address = server.address();
  const taken = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    serve(fetch) {
      answer = fetch;
    },
    close: limitMs => close(server, limitMs),
  };
}

/** What can't be read as a request is answered in the words that the services use, not by an empty body. */
function refuseUnreadable({ code }: NodeJS.ErrnoException, socket: Duplex): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, error] =
    code === 'HPE_HEADER_OVERFLOW'
      ? ['413 Content Too Large', `URL and headers are too large: ${defaults.maxHeaderSize / 1024} KB is the most.`]
      : code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'The request took too long to arrive.']
        : ['400 Bad Request', 'This is no HTTP request.'];
  const body = JSON.stringify({ error });
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

function bound(server: Server, { host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new Error(explain(error, host, port), { cause: error })),
    );
    server.listen({ host, port }, resolve);
  });
}

function explain({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use: stop what listens there, or choose another port.`;
  if (code === 'EACCES') return `Port ${port} on ${host} may not be listened on: choose one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This machine has no address ${host}: choose another host.`;
  return `Listening on ${host}:${port} failed: ${message}`;
}

async function close(server: Server, limitMs: number): Promise<void> {
  const closed = new Promise<void>(resolve => {
    server.close(() => resolve());
  });
  const drained = new AbortController();
  const end = Date.now() + limitMs;
  const breakOff = async () => {
    while (!drained.signal.aborted && Date.now() < end) {
      // Connections that were busy a moment ago may be idle now.
      server.closeIdleConnections();
      await setTimeout(50, undefined, { signal: drained.signal }).catch(() => undefined);
    }
    server.closeAllConnections();
  };
  await Promise.all([closed.then(() => drained.abort()), breakOff()]);
}
