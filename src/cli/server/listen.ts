import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { errorBody } from '../../platform/http/error-response.js';
import type { RequestOrigin } from '../../platform/http/request-id.js';
import type { Address } from '../serve-options.js';
import type { Certificate } from './tls-files.js';
import { originOf, type TrustedProxies } from './trusted-proxies.js';

/**
 * Most bytes of a request line and its headers together; what of that a URL may be is for each API to say. Node reads 64 KB at once: with
 * less than that, the request line is still there to look at when it is what was too long.
 */
const maxHeaderBytes = 60 * 1024;

/** Answers what can't be read as a request in the words of the Platform API, not by an empty body, and ends the connection. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  // Nobody is there, or an answer is on its way that this one would be taken for a part of.
  if (error.code === 'ECONNRESET' || !socket.writable || hasBegunToAnswer(socket)) {
    socket.destroy();
    return;
  }
  const [status, message] = reasonOf(error);
  const body = JSON.stringify(errorBody({ status, message }));
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      'cache-control: no-store',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
    // Who still sends must not keep the connection.
    () => socket.destroy(),
  );
}

/** The answer to what is an HTTP request, but to no URL that could be asked for here. */
function refuseUnaddressed(): Response {
  const problem = { status: 400, message: 'This is no request for an address of this platform.' };
  return Response.json(errorBody(problem), { status: 400, headers: { 'cache-control': 'no-store' } });
}

function reasonOf(error: NodeJS.ErrnoException): readonly [status: number, message: string] {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, 'The request took too long to arrive.'];
  if (error.code !== 'HPE_HEADER_OVERFLOW') return [400, 'This is no HTTP request.'];
  if (endsInUrl(error)) return [414, 'The URL is too long: 16 KB is the most.'];
  return [431, `URL and headers are too large: ${maxHeaderBytes / 1024} KB is the most.`];
}

/** Whether what overflowed begins with a request line that has no end. Of one that came in small pieces that can't be told. */
function endsInUrl(error: Error): boolean {
  const packet: unknown = Reflect.get(error, 'rawPacket');
  return packet instanceof Uint8Array && /^[A-Z]+ [^\r\n]*$/.test(Buffer.from(packet).toString('latin1'));
}

/** Node's server keeps the answer that a connection is busy with there. */
function hasBegunToAnswer(socket: Duplex): boolean {
  const answer: unknown = Reflect.get(socket, '_httpMessage');
  return typeof answer === 'object' && answer !== null && Reflect.get(answer, 'headersSent') === true;
}

/** Answers a request; `origin` says where it comes from. */
type Fetch = (request: Request, origin: RequestOrigin) => Promise<Response>;

/** An address that is taken; requests are answered 503 until `serve` says by whom. */
export interface Listener {
  /** `http://host:port` or `https://host:port`, with the port that was picked. */
  readonly url: string;
  serve(fetch: Fetch): void;
  /** Uses another certificate for connections from now on; without one at the start there is nothing to change. */
  setCertificate(certificate: Certificate): void;
  /** Takes no more connections, tells those that are open to end with their answers, and breaks off what is left at the limit. */
  close(limitMs: number): Promise<void>;
}

/** What a listener is given beside its address. */
interface ListenOptions {
  /** Serves HTTPS. */
  readonly certificate?: Certificate | null;
  /** Whose word on where a request comes from counts; nobody's by default. */
  readonly trustedProxies?: TrustedProxies | null;
  /** In place of 10 seconds for the headers, and 30 more for the rest. */
  readonly limits?: ConnectionLimits;
}

/** Times in milliseconds that a request may take to arrive; how long its answer takes is another matter. */
export interface ConnectionLimits {
  readonly headersTimeout?: number;
  /** For headers and body together. */
  readonly requestTimeout?: number;
  /** How often a server looks after both. */
  readonly connectionsCheckingInterval?: number;
}

/** Limits of one connection: Node's own are five minutes for a request and no end for what a closing server waits for. */
const defaults = {
  headersTimeout: 10_000,
  requestTimeout: 40_000,
  keepAliveTimeout: 20_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: maxHeaderBytes,
  // A request without one is refused as a request to another host is, with a body that says so.
  requireHostHeader: false,
} as const;

/**
 * Listens on an address.
 * @throws Error that says in one sentence why it can't.
 */
export async function listen({ host, port }: Address, options: ListenOptions = {}): Promise<Listener> {
  const { certificate, trustedProxies = null, limits } = options;
  let answer: Fetch = async () => new Response(null, { status: 503, headers: { 'retry-after': '1' } });
  // This process is ours, so its Request and Response may be those of the server: they spare two streams a request.
  const handle = getRequestListener((request, { incoming }) => answer(request, originOf(incoming, trustedProxies)), {
    overrideGlobalObjects: true,
    errorHandler: refuseUnaddressed,
  });
  const answering = new Set<ServerResponse>();
  const take = (request: IncomingMessage, response: ServerResponse) => {
    answering.add(response);
    response.once('close', () => answering.delete(response));
    if (!server.listening) response.setHeader('connection', 'close');
    void handle(request, response);
  };
  const settings = { ...defaults, ...limits };
  const tls = certificate && createTlsServer({ ...settings, ...certificate, minVersion: 'TLSv1.2' }, take);
  const server = tls ?? createServer(settings, take);
  server.on('clientError', refuseUnreadable);
  await bound(server, { host, port });
  const address = server.address();
  const taken = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    serve(fetch) {
      answer = fetch;
    },
    setCertificate: changed => tls?.setSecureContext({ ...changed, minVersion: 'TLSv1.2' }),
    close: limitMs => close(server, answering, limitMs),
  };
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

async function close(server: Server, answering: ReadonlySet<ServerResponse>, limitMs: number): Promise<void> {
  const closed = new Promise<void>(resolve => {
    server.close(() => resolve());
  });
  for (const response of answering) {
    if (!response.headersSent) response.setHeader('connection', 'close');
  }
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
