import { PlatformError } from '../errors.js';

/** JSON on its way out: a text, or what is too large to be held as one. */
export type AnswerBody = string | ReadableStream<Uint8Array>;

/** What a body may take until it is read. */
export interface BodyLimits {
  /** Bodies of more characters are streamed, in pieces of as many. */
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
  make(fragments: Iterable<string>, bytes: number, onEnd: OnBodyEnd = () => {}): AnswerBody {
    const rest = fragments[Symbol.iterator]();
    const { text, isLast } = this.#piece(rest);
    if (!isLast) return this.#stream(text, rest, bytes, onEnd);
    onEnd(true);
    return text;
  }

  /** Fragments together: what it takes to hand one on is that of many fragments. */
  #piece(rest: Iterator<string>): { readonly text: string; readonly isLast: boolean } {
    let text = '';
    for (let next = rest.next(); !next.done; next = rest.next()) {
      text += next.value;
      if (text.length > this.#limits.wholeUpTo) return { text, isLast: false };
    }
    return { text, isLast: true };
  }

  #stream(first: string, rest: Iterator<string>, bytes: number, onEnd: OnBodyEnd): ReadableStream<Uint8Array> {
    // One alone may be as large as the engine lets it be.
    if (this.#heldBytes > 0 && this.#heldBytes + bytes > this.#limits.heldBytes) {
      throw new PlatformError(503, 'Too many large results are being read: try again in a moment.');
    }
    this.#heldBytes += bytes;
    let text = first;
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
      // Twice as fast as an encoder of the platform.
      controller.enqueue(Buffer.from(text));
      if (isLast) {
        controller.close();
        end(true);
      } else {
        ({ text, isLast } = this.#piece(rest));
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
