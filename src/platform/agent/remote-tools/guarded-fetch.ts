import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { guardedLookup } from '../../runtime/public-address.js';

/** Restrictions of a guarded fetch. */
interface GuardOptions {
  /** Address of the service. Requests to other origins are rejected. */
  readonly origin: string;
  readonly isAllowedAddress: (address: string) => boolean;
  /** Maximum size of a response in bytes. */
  readonly maxBytes: number;
  /** Called with the status of each response. */
  readonly onStatus: (status: number) => void;
  /** Called if a response is too large or ends early. The client of MCP does not report this to its caller. */
  readonly onInterruption: () => void;
}

const emptyStatuses = [204, 205, 304];

/**
 * Creates a fetch function that reaches only one service at allowed addresses, follows no redirects, and limits the
 * size of responses. Requests for a stream of events are answered with 405, because the service must not start
 * requests.
 */
export function createGuardedFetch({ origin, isAllowedAddress, maxBytes, onStatus, onInterruption }: GuardOptions) {
  return async (
    input: string | URL,
    { method = 'GET', headers, body, signal }: RequestInit = {},
  ): Promise<Response> => {
    const url = new URL(input);
    if (url.origin !== origin) throw new Error('a request to another host was blocked');
    if (method === 'GET') return new Response(null, { status: 405 });
    const host = url.hostname.replace(/^\[|\]$/g, '');
    // The lookup function is not called for IP addresses, so they are checked here.
    if (isIP(host) !== 0 && !isAllowedAddress(host)) throw new Error('the address is not allowed');
    const send = url.protocol === 'http:' ? requestHttp : requestHttps;
    return new Promise<Response>((resolve, reject) => {
      const options = {
        method,
        headers: Object.fromEntries(new Headers(headers)),
        agent: false,
        lookup: guardedLookup(isAllowedAddress),
        ...(signal && { signal }),
      } as const;
      const sent = send(url, options, response => {
        const { statusCode: status = 0 } = response;
        onStatus(status);
        if (status < 200 || status >= 300) {
          // The text of an error is never read, because it could quote the token.
          response.destroy();
          resolve(new Response(null, { status: status >= 400 && status <= 599 ? status : 502 }));
          return;
        }
        const type = response.headers['content-type'] ?? 'application/octet-stream';
        const session = response.headers['mcp-session-id'];
        const shown = { 'content-type': type, ...(typeof session === 'string' && { 'mcp-session-id': session }) };
        if (emptyStatuses.includes(status)) {
          response.resume();
          resolve(new Response(null, { status, headers: shown }));
          return;
        }
        const bytes = limitSize(response, maxBytes, onInterruption);
        resolve(new Response(Readable.toWeb(Readable.from(bytes)) as ReadableStream, { status, headers: shown }));
      });
      sent.on('error', reject);
      // Some responses, such as an upgrade, end without a separate event.
      sent.on('close', () => reject(new Error('the connection was closed')));
      sent.end(typeof body === 'string' ? body : undefined);
    });
  };
}

/** Passes on the chunks of a response. @throws Error if they exceed `maxBytes` */
async function* limitSize(
  response: AsyncIterable<Buffer>,
  maxBytes: number,
  onInterruption: () => void,
): AsyncGenerator<Buffer> {
  let left = maxBytes;
  try {
    for await (const chunk of response) {
      left -= chunk.byteLength;
      if (left < 0) throw new Error('the response is too large');
      yield chunk;
    }
  } catch (error) {
    onInterruption();
    throw error;
  }
}
