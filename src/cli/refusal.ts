import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { platformBody } from '../platform/error-body.js';

/**
 * Most bytes of a request line and its headers together; what of that a URL may be is for each API to say. Node reads 64 KB at once: with
 * less than that, the request line is still there to look at when it is what was too long.
 */
export const maxHeaderBytes = 60 * 1024;

/** Answers what can't be read as a request in the words of the Platform API, not by an empty body, and ends the connection. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  // Nobody is there, or an answer is on its way that this one would be taken for a part of.
  if (error.code === 'ECONNRESET' || !socket.writable || hasBegunToAnswer(socket)) {
    socket.destroy();
    return;
  }
  const [status, message] = reasonOf(error);
  const body = JSON.stringify(platformBody({ status, message }));
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
export function refuseUnaddressed(): Response {
  const problem = { status: 400, message: 'This is no request for an address of this platform.' };
  return Response.json(platformBody(problem), { status: 400, headers: { 'cache-control': 'no-store' } });
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
