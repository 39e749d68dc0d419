import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { errorBody } from '../../platform/http/error-response.js';
import type { RequestOrigin } from '../../platform/http/request-id.js';
import { pause } from '../../platform/runtime/retry.js';
import type { Address } from '../serve-options.js';
import type { Certificate } from './tls-files.js';
import { originOf, type TrustedProxies } from './trusted-proxies.js';

/**
 * Maximum size of the request line and headers, in bytes. Each API limits its URLs further. The value is less than the
 * 64 KB that Node reads at once, so that `endsInUrl` can examine the request line.
 */
const maxHeaderBytes = 60 * 1024;

/**
 * Responds to unparsable requests with an error body of the Platform API instead of an empty one, and closes the
 * connection.
 */
function rejectUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  // The client disconnected, or the error would corrupt a response that is already being sent.
  if (error.code === 'ECONNRESET' || !socket.writable || hasStartedResponse(socket)) {
    socket.destroy();
    return;
  }
  const [status, message] = parseErrorResponse(error);
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
    // A client that is still sending must not keep the connection open.
    () => socket.destroy(),
  );
}

/** Returns the response to an HTTP request with an invalid URL. */
function rejectUnaddressed(): Response {
  const problem = { status: 400, message: 'The request URL is invalid.' };
  return Response.json(errorBody(problem), { status: 400, headers: { 'cache-control': 'no-store' } });
}

function parseErrorResponse(error: NodeJS.ErrnoException): readonly [status: number, message: string] {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, 'Timed out while waiting for the request.'];
  if (error.code !== 'HPE_HEADER_OVERFLOW') return [400, 'Invalid HTTP request.'];
  if (endsInUrl(error)) return [414, 'The URL exceeds the limit of 16 KB.'];
  return [431, `The URL and headers exceed the limit of ${maxHeaderBytes / 1024} KB.`];
}

/** True if the headers overflowed within the request line. Not detected if the request arrived in small pieces. */
function endsInUrl(error: Error): boolean {
  const packet: unknown = Reflect.get(error, 'rawPacket');
  return packet instanceof Uint8Array && /^[A-Z]+ [^\r\n]*$/.test(Buffer.from(packet).toString('latin1'));
}

/** True if Node has sent the headers of a response (`_httpMessage`) on the connection. */
function hasStartedResponse(socket: Duplex): boolean {
  const response: unknown = Reflect.get(socket, '_httpMessage');
  return typeof response === 'object' && response !== null && Reflect.get(response, 'headersSent') === true;
}

/** Handles a request from `origin`. */
type Fetch = (request: Request, origin: RequestOrigin) => Promise<Response>;

/** Bound address. Returns 503 for every request until `serve` sets a handler. */
export interface Listener {
  /** `http://host:port` or `https://host:port`, with the actual port. */
  readonly url: string;
  serve(fetch: Fetch): void;
  /** Replaces the certificate for new connections. No effect without an initial certificate. */
  setCertificate(certificate: Certificate): void;
  /** Stops accepting connections, closes open ones after their responses, and aborts the rest after `limitMs`. */
  close(limitMs: number): Promise<void>;
}

/** Options of a listener. */
interface ListenOptions {
  /** If set, the listener serves HTTPS. */
  readonly certificate?: Certificate | null;
  /** Proxies whose `X-Forwarded-*` headers are trusted; none by default. */
  readonly trustedProxies?: TrustedProxies | null;
  /** By default 10 seconds for the headers and 40 seconds in total. */
  readonly limits?: ConnectionLimits;
}

/** Time limits for receiving a request, in milliseconds. They do not limit the response. */
export interface ConnectionLimits {
  readonly headersTimeout?: number;
  /** Limit for headers and body together. */
  readonly requestTimeout?: number;
  /** Interval at which the limits are checked. */
  readonly connectionsCheckingInterval?: number;
}

/**
 * Limits per connection. Node's defaults are five minutes for a request and no limit for connections of a closing
 * server.
 */
const defaults = {
  headersTimeout: 10_000,
  requestTimeout: 40_000,
  keepAliveTimeout: 20_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: maxHeaderBytes,
  // Requests without a Host header are rejected like requests for another host, with an error body.
  requireHostHeader: false,
} as const;

/**
 * Listens on an address.
 * @throws Error if it cannot. The message is one sentence.
 */
export async function listen({ host, port }: Address, options: ListenOptions = {}): Promise<Listener> {
  const { certificate, trustedProxies = null, limits } = options;
  let fetchHandler: Fetch = async () => new Response(null, { status: 503, headers: { 'retry-after': '1' } });
  // This saves two streams per request. It is safe, because this process is not embedded in another server.
  const handle = getRequestListener(
    (request, { incoming }) => fetchHandler(request, originOf(incoming, trustedProxies)),
    {
      overrideGlobalObjects: true,
      errorHandler: rejectUnaddressed,
    },
  );
  const openResponses = new Set<ServerResponse>();
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    openResponses.add(response);
    response.once('close', () => openResponses.delete(response));
    if (!server.listening) response.setHeader('connection', 'close');
    void handle(request, response);
  };
  const settings = { ...defaults, ...limits };
  const tls = certificate && createTlsServer({ ...settings, ...certificate, minVersion: 'TLSv1.2' }, onRequest);
  const server = tls ?? createServer(settings, onRequest);
  server.on('clientError', rejectUnreadable);
  await bind(server, { host, port });
  const address = server.address();
  const actualPort = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${actualPort}`,
    serve(fetch) {
      fetchHandler = fetch;
    },
    setCertificate: changed => tls?.setSecureContext({ ...changed, minVersion: 'TLSv1.2' }),
    close: limitMs => close(server, openResponses, limitMs),
  };
}

function bind(server: Server, { host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new Error(listenErrorMessage(error, host, port), { cause: error })),
    );
    server.listen({ host, port }, resolve);
  });
}

function listenErrorMessage({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is already in use. Stop the process that uses it, or choose another port with --port or --ops-port.`;
  if (code === 'EACCES') return `No permission to listen on port ${port} of ${host}. Choose a port above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This machine does not have the address ${host}. Choose one of its addresses.`;
  return `Could not listen on ${host}:${port}: ${message}`;
}

async function close(server: Server, openResponses: ReadonlySet<ServerResponse>, limitMs: number): Promise<void> {
  const closed = new Promise<void>(resolve => {
    server.close(() => resolve());
  });
  for (const response of openResponses) {
    if (!response.headersSent) response.setHeader('connection', 'close');
  }
  const drained = new AbortController();
  const end = Date.now() + limitMs;
  const closeConnections = async () => {
    while (!drained.signal.aborted && Date.now() < end) {
      // Close the connections again, because busy ones may have become idle.
      server.closeIdleConnections();
      await pause(50, { signal: drained.signal });
    }
    server.closeAllConnections();
  };
  await Promise.all([closed.then(() => drained.abort()), closeConnections()]);
}
