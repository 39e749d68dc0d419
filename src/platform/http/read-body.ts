import { PlatformError } from '../errors.js';

/** Most that a body may be, and how long it may take to arrive. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** From the moment that reading begins; 30 seconds by default. */
  readonly maxMs?: number;
}

const defaultMaxMs = 30_000;
const megabyte = 1024 * 1024;

/**
 * Reads the body of a request as text, and no more of it than the limits.
 * @throws PlatformError 413 when it is larger, announced or not; 408 when it takes too long; 415 when it is compressed.
 */
export async function readBody(request: Request, { maxBytes, maxMs = defaultMaxMs }: BodyLimits): Promise<string> {
  if ((request.headers.get('content-encoding') ?? 'identity').toLowerCase() !== 'identity') {
    throw new PlatformError(415, 'content-encoding: send the body without compression.');
  }
  const announced = request.headers.get('content-length');
  if (Number(announced) > maxBytes) throw tooLarge(maxBytes);
  // HTTP holds a client to what it announced, and a server has a shorter way to a whole text than to a stream.
  if (announced !== null) return inTime(request.text(), maxMs, () => undefined);
  if (request.body === null) return '';
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  const leave = () => void reader.cancel().catch(() => undefined);
  return inTime(readChunks(reader, maxBytes, leave), maxMs, leave);
}

async function readChunks(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
  leave: () => void,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size > maxBytes) {
      leave();
      throw tooLarge(maxBytes);
    }
    chunks.push(part.value);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** Waits for a body no longer than it may take; what comes of it later is nobody's. */
async function inTime(body: Promise<string>, maxMs: number, leave: () => void): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new PlatformError(408, `The body took too long to arrive: ${maxMs / 1000} s is the most.`));
      leave();
    }, maxMs);
  });
  body.catch(() => undefined);
  try {
    return await Promise.race([body, limit]);
  } finally {
    clearTimeout(timer);
  }
}

function tooLarge(maxBytes: number): PlatformError {
  const most = maxBytes < megabyte ? `${maxBytes / 1024} KB` : `${maxBytes / megabyte} MB`;
  return new PlatformError(413, `The body is too large: ${most} is the most.`);
}
