import { PlatformError } from './errors.js';

/**
 * Reads the body of a request as text, and no more of it than the limit.
 * @throws PlatformError 413 when it is larger, announced or not; 400 when it is compressed.
 */
export async function readBody(request: Request, maxBytes: number): Promise<string> {
  if ((request.headers.get('content-encoding') ?? 'identity') !== 'identity') {
    throw new PlatformError(400, 'content-encoding: send the body as it is, not compressed.');
  }
  if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes);
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
