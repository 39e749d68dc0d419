import type { PaError } from '../client/errors.js';

/**
 * Whether a page of another site asks. Where the browser says it in `Sec-Fetch-Site`, which no page can forge, that decides; else the
 * host of `Origin`, since the scheme may have ended at a proxy. A caller that sends neither is not a page.
 */
export function isCrossSite(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site === 'same-origin' || site === 'none') return false;
  if (site === 'cross-site') return true;
  const origin = request.headers.get('origin');
  if (origin === null) return site !== null;
  return !URL.canParse(origin) || new URL(origin).host !== new URL(request.url).host;
}

/** An answer that tells a page what is wrong. */
export function problem(
  statusCode: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  code?: string,
): Response {
  return json(statusCode, { statusCode, message, ...(code === undefined ? {} : { code }) }, headers);
}

/** The message for a request whose body a framework read and did not hand over. */
export const bodyConsumedMessage =
  'The body of this request was read before its handler ran. Mount the handler before everything that parses bodies; with Fastify, in a scope without body parsers.';

/** An answer that nobody keeps. */
export function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } });
}

/**
 * Says on the server, as a warning of its process, what a page is not told: why something failed. No error holds a key or a token.
 * @param what - what came to nothing, as the beginning of a sentence.
 */
export function failureWarning(what: string): (error: PaError) => void {
  return ({ code, message, requestId }) => {
    const request = requestId === null ? '' : ` (request ${requestId})`;
    process.emitWarning(`${what}: ${message}${request}`, { code });
  };
}
