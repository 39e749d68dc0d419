import { PlatformError } from '../errors.js';

/** Maximum size of a body, and maximum time to receive it. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** Maximum time in ms from the start of reading; 30 seconds by default. */
  readonly maxMs?: number;
}

const defaultMaxMs = 30_000;
const megabyte = 1024 * 1024;

/**
 * Reads the body of a request as text, within limits.
 * @throws PlatformError 413 if the body is larger than announced or allowed, 408 if it takes too long, 415 if it is
 * compressed.
 */
export async function readBody(request: Request, limits: BodyLimits): Promise<string> {
  checkHeaders(request, limits);
  // Reads the body as a whole, which is faster than as a stream. The server enforces the announced length.
  if (request.headers.has('content-length')) {
    return withTimeout(request.text(), limits.maxMs ?? defaultMaxMs, () => undefined);
  }
  return new TextDecoder().decode(await readBytes(request, limits));
}

/**
 * Reads the body of a request, within limits.
 * @throws PlatformError as `readBody` does.
 */
export async function readBytes(request: Request, limits: BodyLimits): Promise<Buffer<ArrayBuffer>> {
  const { maxBytes, maxMs = defaultMaxMs } = limits;
  checkHeaders(request, limits);
  if (request.body === null) return Buffer.alloc(0);
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  // Ignore the error, because the request is already rejected for its size or duration.
  const cancel = () => void reader.cancel().catch(() => undefined);
  return withTimeout(readChunks(reader, maxBytes, cancel), maxMs, cancel);
}

function checkHeaders(request: Request, { maxBytes }: BodyLimits): void {
  if ((request.headers.get('content-encoding') ?? 'identity').toLowerCase() !== 'identity') {
    throw new PlatformError(415, 'content-encoding: send the body without compression.');
  }
  if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes);
}

async function readChunks(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
  cancel: () => void,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size > maxBytes) {
      cancel();
      throw tooLarge(maxBytes);
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks);
}

/** Waits for a body until the timeout. The result of a body that arrives later is ignored. */
async function withTimeout<T>(body: Promise<T>, maxMs: number, cancel: () => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new PlatformError(408, `The body took too long to arrive. The limit is ${maxMs / 1000} s.`));
      cancel();
    }, maxMs);
  });
  // Prevents an unhandled rejection after the timeout.
  body.catch(() => undefined);
  try {
    return await Promise.race([body, limit]);
  } finally {
    clearTimeout(timer);
  }
}

function tooLarge(maxBytes: number): PlatformError {
  const limit = maxBytes < megabyte ? `${maxBytes / 1024} KB` : `${maxBytes / megabyte} MB`;
  return new PlatformError(413, `The body is too large. The limit is ${limit}.`);
}
