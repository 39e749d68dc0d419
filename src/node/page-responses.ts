import type { PaError } from '../client/errors.js';

/**
 * Whether the request comes from a page on another site. Uses `Sec-Fetch-Site` if the browser sends it, because pages
 * cannot forge it; else compares the host of `Origin`, ignoring the scheme, because TLS may end at a proxy. A client
 * that sends neither header is not a page.
 */
export function isCrossSite(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site === 'same-origin' || site === 'none') return false;
  if (site === 'cross-site') return true;
  const origin = request.headers.get('origin');
  if (origin === null) return site !== null;
  return !URL.canParse(origin) || new URL(origin).host !== new URL(request.url).host;
}

/** Returns an error response for a page. */
export function problem(
  statusCode: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  code?: string,
): Response {
  return json(statusCode, { statusCode, message, ...(code === undefined ? {} : { code }) }, headers);
}

/** Error message for a request whose body was consumed by a framework. */
export const bodyConsumedMessage =
  'The request body was read before the handler ran. Mount the handler before any body parser; in Fastify, register it in a scope without body parsers.';

/** Returns a JSON response that must not be cached. */
export function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } });
}

/**
 * Returns a handler that emits a process warning with the reason of a failure, which pages do not receive. Errors never
 * contain a key or a token.
 * @param what - the failure, as the start of a sentence.
 */
export function failureWarning(what: string): (error: PaError) => void {
  return ({ code, message, requestId }) => {
    const request = requestId === null ? '' : ` (request ${requestId})`;
    process.emitWarning(`${what}: ${message}${request}`, { code });
  };
}
