import { PlatformError } from '../errors.js';

/** JSON on its way out: whole, or what is too large to be held as one. */
export type AnswerBody = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/** A piece of JSON: text, or text that was encoded already. */
export type Fragment = string | Uint8Array;

/** What a body may take until it is read. */
export interface BodyLimits {
  /** Bodies of more bytes are streamed, in pieces of as many, about. */
  readonly wholeUpTo: number;
  /** Bytes that the rows of all streamed bodies may have: they are held until their clients have read them. */
  readonly heldBytes: number;
  /** A client that reads nothing for so long is given up. */
  readonly stallMs: number;
}

/** Hears once that a body was read to its end, or that it wasn't. */
export type OnBodyEnd = (complete: boolean) => void;

const defaults: BodyLimits = { wholeUpTo: 512 * 1024, heldBytes: 256 * 1024 * 1024, stallMs: 60_000 };

/** Makes bodies of fragments, within bounds that all of them share. */
export class AnswerBodies {
  readonly #limits: BodyLimits;
  #heldBytes = 0;

  constructor(limits: Partial<BodyLimits> = {}) {
    this.#limits = { ...defaults, ...limits };
  }

  /**
   * @param fragments - pieces of the body, made one after another as they are read.
   * @param bytes - of the rows that they are made of.
   * @throws PlatformError 503 when too many large bodies are being read.
   */
  make(fragments: Iterable<Fragment>, bytes: number, onEnd: OnBodyEnd = () => {}): AnswerBody {
    const rest = fragments[Symbol.iterator]();
    const { piece, isLast } = this.#piece(rest);
    if (!isLast) return this.#stream(piece, rest, bytes, onEnd);
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
      isLast = size <= this.#limits.wholeUpTo;
      if (!isLast) break;
    }
    return { piece: Buffer.concat([...parts, Buffer.from(text)]), isLast };
  }

  #stream(first: Uint8Array, rest: Iterator<Fragment>, bytes: number, onEnd: OnBodyEnd): ReadableStream<Uint8Array> {
    // One alone may be as large as the engine lets it be.
    if (this.#heldBytes > 0 && this.#heldBytes + bytes > this.#limits.heldBytes) {
      throw new PlatformError(503, 'Too many large results are being read: try again in a moment.');
    }
    this.#heldBytes += bytes;
    let piece = first;
    let isLast = false;
    let stalled: NodeJS.Timeout | undefined;
    const end = (complete: boolean) => {
      clearTimeout(stalled);
      rest.return?.();
      this.#heldBytes -= bytes;
      onEnd(complete);
    };
    const watch = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      stalled = setTimeout(() => {
        end(false);
        controller.error(new Error('Nobody reads the answer.'));
      }, this.#limits.stallMs).unref();
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
