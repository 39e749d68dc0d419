import { PlatformError } from '../../errors.js';

/** JSON on its way out: whole, or what is too large to be held as one. */
export type AnswerBody = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/**
 * The whole of a body.
 * @throws PlatformError 500 when it is larger, and what the body breaks off by.
 */
export async function textOf(body: AnswerBody, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body instanceof Uint8Array ? [body] : body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new PlatformError(500, 'The answer is too large to be read as a whole.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** A piece of JSON: text, or text that was encoded already. */
export type Fragment = string | Uint8Array;

/** What a body may take until it is read. */
export interface BodyLimits {
  /** Bodies of more bytes are streamed, in pieces of as many, about. */
  readonly wholeUpTo: number;
  /** Bytes that the rows of all streamed bodies may have, a quarter of them for one caller: they are held until they were read. */
  readonly heldBytes: number;
  /** A client that reads nothing for so long is given up. */
  readonly stallMs: number;
  /** A client that has not read everything after so long is given up, too. */
  readonly readMs: number;
}

/** The rows that a body is made of. */
export interface BodyRows {
  /** In memory, about. */
  readonly bytes: number;
  /** Who asked: any text that tells callers apart. Called only for what has to be held. */
  readonly caller: () => string;
}

/** Hears once that a body was read to its end, or that it wasn't. */
export type OnBodyEnd = (complete: boolean) => void;

const defaults: BodyLimits = { wholeUpTo: 512 * 1024, heldBytes: 256 * 1024 * 1024, stallMs: 60_000, readMs: 300_000 };

/** Makes bodies of fragments, within bounds that all of them share. */
export class AnswerBodies {
  readonly limits: BodyLimits;
  #heldBytes = 0;
  readonly #heldBy = new Map<string, number>();

  constructor(limits: Partial<BodyLimits> = {}) {
    this.limits = { ...defaults, ...limits };
  }

  /**
   * @param fragments - pieces of the body, made one after another as they are read.
   * @throws PlatformError 503 when too many large bodies are being read.
   */
  make(fragments: Iterable<Fragment>, rows: BodyRows, onEnd: OnBodyEnd = () => {}): AnswerBody {
    const rest = fragments[Symbol.iterator]();
    const { piece, isLast } = this.#piece(rest);
    if (!isLast) return this.#stream(piece, rest, this.#hold(rows), onEnd);
    onEnd(true);
    return piece;
  }

  /** Fragments together: to hand on a large piece takes no longer than a small one. */
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
      isLast = size <= this.limits.wholeUpTo;
      if (!isLast) break;
    }
    return { piece: Buffer.concat([...parts, Buffer.from(text)]), isLast };
  }

  /** Takes the room that rows need, and returns what gives it back. A body alone may be as large as the engine lets it be. */
  #hold({ bytes, caller }: BodyRows): () => void {
    const who = caller();
    const own = this.#heldBy.get(who) ?? 0;
    const { heldBytes } = this.limits;
    const isTooMuch =
      (this.#heldBytes > 0 && this.#heldBytes + bytes > heldBytes) || (own > 0 && own + bytes > heldBytes / 4);
    if (isTooMuch) throw new PlatformError(503, 'Too many large results are being read: try again in a moment.');
    this.#heldBytes += bytes;
    this.#heldBy.set(who, own + bytes);
    return () => {
      this.#heldBytes -= bytes;
      const left = (this.#heldBy.get(who) ?? 0) - bytes;
      if (left > 0) this.#heldBy.set(who, left);
      else this.#heldBy.delete(who);
    };
  }

  #stream(
    first: Uint8Array,
    rest: Iterator<Fragment>,
    release: () => void,
    onEnd: OnBodyEnd,
  ): ReadableStream<Uint8Array> {
    const givenUpAt = performance.now() + this.limits.readMs;
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
        Math.min(this.limits.stallMs, givenUpAt - performance.now()),
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
 * What a body that nobody reads breaks off by. Servers print that, but this is the reader's doing: there is no place in the code to
 * point to.
 */
export function unreadProblem(): Error {
  const error = new Error('Nobody reads the answer.');
  error.stack = String(error);
  return error;
}
