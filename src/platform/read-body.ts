import { PlatformError } from './errors.js';

/**
 * Reads the body of a request as text, and no more of it than the limit.
 * @throws PlatformError 413 when it is larger, announced or not; 400 when it is compressed.
 */
export async function readBody(request: Request, maxBytes: number): Promise<string> {
  if ((request.headers.get('content-encoding') ?? 'identity') !== 'identity') {
    throw new PlatformError(400, 'content-encoding: send the body as it is, not compressed.');
  }
  const announced = request.headers.get('content-length');
  if (Number(announced) > maxBytes) throw tooLarge(maxBytes);
  // HTTP holds a client to what it announced, and a server has a shorter way to a whole text than to a stream.
  if (announced !== null) return request.text();
  if (request.body === null) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function tooLarge(maxBytes: number): PlatformError {
  return new PlatformError(413, `The body is too large: ${maxBytes / 1024} KB is the most.`);
}
