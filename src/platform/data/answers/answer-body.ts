import { PlatformError } from '../../errors.js';

/** A JSON response body: a buffer, or a stream if it is too large to buffer. */
export type AnswerBody = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/**
 * Reads a whole body as text.
 * @throws PlatformError 500 if the body is larger than `maxBytes`, or the error that ends the stream.
 */
export async function textOf(body: AnswerBody, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body instanceof Uint8Array ? [body] : body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new PlatformError(500, 'The response is too large to be read as a whole.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** A piece of JSON: text, or UTF-8 bytes. */
export type Fragment = string | Uint8Array;

/** Limits of response bodies. */
export interface BodyLimits {
  /** Bodies with more than this number of bytes are streamed in chunks of about this size. */
  readonly maxBufferedBytes: number;
  /**
   * Maximum memory of the rows of all streamed bodies in bytes; one caller can use a quarter of it. Rows stay in memory
   * until the body has been read.
   */
  readonly heldBytes: number;
  /** Time without a read after which the stream is aborted, in milliseconds. */
  readonly stallMs: number;
  /** Maximum total read time of a stream, in milliseconds. */
  readonly readMs: number;
}

/** The rows from which a body is generated. */
export interface BodyRows {
  /** Approximate size in memory, in bytes. */
  readonly bytes: number;
  /** Returns a key that identifies the caller. Called only if memory has to be reserved. */
  readonly caller: () => string;
}

/** Called once when a body ends; `complete` is false if it was not read completely. */
export type OnBodyEnd = (complete: boolean) => void;

const defaults: BodyLimits = {
  maxBufferedBytes: 512 * 1024,
  heldBytes: 256 * 1024 * 1024,
  stallMs: 60_000,
  readMs: 300_000,
};

/** Creates response bodies from fragments and enforces memory limits across all bodies. */
export class AnswerBodies {
  readonly limits: BodyLimits;
  #heldBytes = 0;
  readonly #heldBy = new Map<string, number>();

  constructor(limits: Partial<BodyLimits> = {}) {
    this.limits = { ...defaults, ...limits };
  }

  /**
   * Creates a body.
   * @param fragments - pieces of the body, generated lazily while the body is read.
   * @throws PlatformError 503 if too many large bodies are being read.
   */
  make(fragments: Iterable<Fragment>, rows: BodyRows, onEnd: OnBodyEnd = () => {}): AnswerBody {
    const rest = fragments[Symbol.iterator]();
    const { piece, isLast } = this.#piece(rest);
    if (!isLast) return this.#stream(piece, rest, this.#reserve(rows), onEnd);
    onEnd(true);
    return piece;
  }

  /** Concatenates fragments, because the cost per chunk does not depend on its size. */
  #piece(rest: Iterator<Fragment>): { readonly piece: Uint8Array<ArrayBuffer>; readonly isLast: boolean } {
    const parts: Uint8Array[] = [];
    let text = '';
    let size = 0;
    let isLast = true;
    for (let next = rest.next(); !next.done; next = rest.next()) {
      if (typeof next.value === 'string') text += next.value;
      else {
        parts.push(Buffer.from(text), next.value);
        text = '';
      }
      size += next.value.length;
      isLast = size <= this.limits.maxBufferedBytes;
      if (!isLast) break;
    }
    return { piece: Buffer.concat([...parts, Buffer.from(text)]), isLast };
  }

  /**
   * Reserves memory for rows and returns a function that releases it. The size of a single body is limited only by the
   * engine.
   */
  #reserve({ bytes, caller }: BodyRows): () => void {
    const key = caller();
    const own = this.#heldBy.get(key) ?? 0;
    const { heldBytes } = this.limits;
    const isTooMuch =
      (this.#heldBytes > 0 && this.#heldBytes + bytes > heldBytes) || (own > 0 && own + bytes > heldBytes / 4);
    if (isTooMuch) throw new PlatformError(503, 'Too many large results are being read. Try again in a moment.');
    this.#heldBytes += bytes;
    this.#heldBy.set(key, own + bytes);
    return () => {
      this.#heldBytes -= bytes;
      const remaining = (this.#heldBy.get(key) ?? 0) - bytes;
      if (remaining > 0) this.#heldBy.set(key, remaining);
      else this.#heldBy.delete(key);
    };
  }

  #stream(
    first: Uint8Array,
    rest: Iterator<Fragment>,
    release: () => void,
    onEnd: OnBodyEnd,
  ): ReadableStream<Uint8Array> {
    const deadline = performance.now() + this.limits.readMs;
    let piece = first;
    let isLast = false;
    let stalled: NodeJS.Timeout | undefined;
    const end = (complete: boolean) => {
      clearTimeout(stalled);
      rest.return?.();
      release();
      onEnd(complete);
    };
    const watch = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      stalled = setTimeout(
        () => {
          end(false);
          controller.error(unreadProblem());
        },
        Math.min(this.limits.stallMs, deadline - performance.now()),
      ).unref();
    };
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      clearTimeout(stalled);
      controller.enqueue(piece);
      if (isLast) {
        controller.close();
        end(true);
      } else {
        ({ piece, isLast } = this.#piece(rest));
        watch(controller);
      }
    };
    return new ReadableStream<Uint8Array>(
      {
        start: watch,
        pull(controller) {
          try {
            pull(controller);
          } catch (error) {
            end(false);
            throw error;
          }
        },
        cancel: () => end(false),
      },
      { highWaterMark: 0 },
    );
  }
}

/**
 * Returns the error of a stream that the client stopped reading. Servers log this error. It has no stack trace, because
 * the client causes it.
 */
export function unreadProblem(): Error {
  const error = new Error('The client stopped reading the response.');
  error.stack = String(error);
  return error;
}
