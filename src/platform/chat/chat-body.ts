import { setImmediate } from 'node:timers/promises';
import { type ChatFrame, FrameId } from '../../contract/chat.js';
import { PlatformError } from '../errors.js';
import { toPlatformError } from '../http/error-response.js';
import type { StreamFrame } from './chat-service.js';
import { usageFrame } from './frames.js';

/** How frames are written. */
export interface FrameFormat {
  readonly contentType: string;
  write(placed: StreamFrame): string;
  /** What stands between frames and says nothing: it keeps a proxy from taking the stream for dead. */
  readonly heartbeat: string;
}

/** One JSON object per line, in the type that the facts give it (operations.md, Chat API). */
export const lineFormat: FrameFormat = {
  contentType: 'application/json',
  write: ({ frame }) => `${JSON.stringify(frame)}\n`,
  heartbeat: '\n',
};

/** Server-Sent Events: a frame that can be gone back to tells its place as the event's id. */
export const eventFormat: FrameFormat = {
  contentType: 'text/event-stream',
  write: ({ id, frame }) => `${id === null ? '' : `id: ${id}\n`}data: ${JSON.stringify(frame)}\n\n`,
  heartbeat: ':\n\n',
};

/** What a body is made with. */
export interface ChatBodyOptions {
  readonly format: FrameFormat;
  /** Hears what went wrong with the frames, unless it was the caller's doing. */
  readonly onFailure: (error: unknown) => void;
  /** Hears once that the body has ended, read or not. */
  readonly onEnd?: () => void;
  /** Without a frame for so long the stream shows that it lives; 10 seconds by default. */
  readonly heartbeatMs?: number;
  /** A reader that reads nothing for so long is given up; 60 seconds by default. */
  readonly stallMs?: number;
}

/** A chunk holds about as many characters at most. */
const maxChunk = 64 * 1024;

interface Chunk {
  readonly text: string;
  readonly isLast: boolean;
}

/**
 * Frames as a body. It is made as it is read: frames that are there at once share a chunk, and of frames that nobody reads none is
 * taken. A reader that goes or stalls ends the iterator, and no more than that.
 */
export function chatBody(frames: AsyncIterable<StreamFrame>, options: ChatBodyOptions): ReadableStream<Uint8Array> {
  const { stallMs = 60_000, onEnd } = options;
  const chunks = new Chunks(frames[Symbol.asyncIterator](), options);
  const encoder = new TextEncoder();
  let stalled: NodeJS.Timeout | undefined;
  let ended = false;
  const end = () => {
    clearTimeout(stalled);
    if (ended) return;
    ended = true;
    chunks.leave();
    onEnd?.();
  };
  const watch = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    stalled = setTimeout(() => {
      end();
      controller.error(unreadProblem());
    }, stallMs).unref();
  };
  return new ReadableStream<Uint8Array>(
    {
      start: watch,
      async pull(controller) {
        clearTimeout(stalled);
        const { text, isLast } = await chunks.next();
        // It may have been cancelled meanwhile.
        if (ended) return;
        controller.enqueue(encoder.encode(text));
        if (isLast) {
          end();
          controller.close();
        } else {
          watch(controller);
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}

/** Servers print what a body breaks off by. This is the reader's doing: there is no place in the code to point to. */
function unreadProblem(): Error {
  const error = new Error('Nobody reads the chat.');
  error.stack = String(error);
  return error;
}

/** Frames as text, as many together as there are. */
class Chunks {
  readonly #frames: AsyncIterator<StreamFrame>;
  readonly #options: ChatBodyOptions;
  /** A frame that was asked for and isn't there yet. */
  #pending: Promise<IteratorResult<StreamFrame>> | null = null;
  #lastId: string | undefined;

  constructor(frames: AsyncIterator<StreamFrame>, options: ChatBodyOptions) {
    this.#frames = frames;
    this.#options = options;
  }

  /** The next frames, or a heartbeat when there is none in time. Never throws: what goes wrong is told in frames. */
  async next(): Promise<Chunk> {
    const { format, heartbeatMs = 10_000 } = this.#options;
    let text = '';
    try {
      let result = await this.#within(heartbeatMs);
      if (result === null) return { text: format.heartbeat, isLast: false };
      // Whatever is at hand settles before the event loop turns.
      const turn = setImmediate(null);
      while (result !== null && !result.done) {
        text += this.#write(result.value);
        if (text.length >= maxChunk) return { text, isLast: false };
        result = await Promise.race([this.#ask(), turn]);
        if (result !== null) this.#pending = null;
      }
      return { text, isLast: result !== null };
    } catch (error) {
      return { text: text + this.#explain(error), isLast: true };
    }
  }

  /** Asks for no more. The frames may be in the middle of making one: nobody waits for that. */
  leave(): void {
    this.#frames.return?.().catch(() => undefined);
  }

  async #within(limitMs: number): Promise<IteratorResult<StreamFrame> | null> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>(resolve => {
      timer = setTimeout(() => resolve(null), limitMs).unref();
    });
    const result = await Promise.race([this.#ask(), late]).finally(() => clearTimeout(timer));
    if (result !== null) this.#pending = null;
    return result;
  }

  #ask(): Promise<IteratorResult<StreamFrame>> {
    this.#pending ??= this.#frames.next();
    return this.#pending;
  }

  #write(placed: StreamFrame): string {
    this.#lastId = placed.frame.id;
    return this.#options.format.write(placed);
  }

  /** Errors are lines of a stream that has begun, and usage is told in any case. */
  #explain(error: unknown): string {
    if (!(error instanceof PlatformError)) this.#options.onFailure(error);
    const told: ChatFrame[] = [{ error: toPlatformError(error).message }];
    if (this.#lastId !== FrameId.usage) told.push(usageFrame(null));
    return told.map(frame => this.#write({ id: null, frame })).join('');
  }
}
