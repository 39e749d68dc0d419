import { setImmediate } from 'node:timers/promises';
import { type ChatFrame, FrameId } from '../../contract/chat.js';
import { PlatformError } from '../errors.js';
import { toPlatformError } from '../http/error-response.js';
import type { StreamFrame } from './chat-service.js';
import { usageFrame } from './frames.js';

/** A format in which frames are serialized. */
export interface FrameFormat {
  readonly contentType: string;
  /** Headers of the response in addition to the content type. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Serializes a frame. Returns an empty string for a frame that the format omits. */
  write(placed: StreamFrame): string;
  /** Keep-alive text without a frame. It prevents proxies from closing an idle stream. */
  readonly heartbeat: string;
}

/** One JSON object per line, with the content type of the Chat API (operations.md, Chat API). */
export const lineFormat: FrameFormat = {
  contentType: 'application/json',
  write: ({ frame }) => `${JSON.stringify(frame)}\n`,
  heartbeat: '\n',
};

/** Server-Sent Events. Frames after which a client can resume have an event id. */
export const eventFormat: FrameFormat = {
  contentType: 'text/event-stream',
  write: ({ id, frame }) => `${id === null ? '' : `id: ${id}\n`}data: ${JSON.stringify(frame)}\n\n`,
  heartbeat: ':\n\n',
};

/** Options of a stream body. */
export interface ChatBodyOptions {
  readonly format: FrameFormat;
  /** Called with errors of the stream that the caller did not cause. */
  readonly onFailure: (error: unknown) => void;
  /** Called once when the body has ended or was canceled. */
  readonly onEnd?: () => void;
  /** Interval without a frame after which a heartbeat is sent; 10 seconds by default. */
  readonly heartbeatMs?: number;
  /** Time after which a client that reads nothing is disconnected; 60 seconds by default. */
  readonly stallMs?: number;
}

/** Approximate maximum number of characters per chunk. */
const maxChunk = 64 * 1024;

interface Chunk {
  readonly text: string;
  readonly isLast: boolean;
}

/**
 * Converts frames to a body. Frames are requested only while the client reads the body; frames that are available at
 * the same time share a chunk. If the client disconnects or stalls, only the iterator is ended, not the run.
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
    chunks.cancel();
    onEnd?.();
  };
  const watch = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    stalled = setTimeout(() => {
      end();
      controller.error(stalledReaderError());
    }, stallMs).unref();
  };
  return new ReadableStream<Uint8Array>(
    {
      start: watch,
      async pull(controller) {
        clearTimeout(stalled);
        const { text, isLast } = await chunks.next();
        // The client may have canceled the stream in the meantime.
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

/**
 * Returns the error of a body whose client stopped reading. Has no stack trace, because servers log it and the code is
 * not the cause.
 */
function stalledReaderError(): Error {
  const error = new Error('The client stopped reading the chat stream.');
  error.stack = String(error);
  return error;
}

/** Serializes frames in chunks of all frames that are available. */
class Chunks {
  readonly #frames: AsyncIterator<StreamFrame>;
  readonly #options: ChatBodyOptions;
  /** The requested frame, until it arrives. */
  #pending: Promise<IteratorResult<StreamFrame>> | null = null;
  #lastId: string | undefined;

  constructor(frames: AsyncIterator<StreamFrame>, options: ChatBodyOptions) {
    this.#frames = frames;
    this.#options = options;
  }

  /** Returns the next frames, or a heartbeat if none arrives in time. Never throws: errors become frames. */
  async next(): Promise<Chunk> {
    const { format, heartbeatMs = 10_000 } = this.#options;
    let text = '';
    try {
      let result = await this.#nextWithin(heartbeatMs);
      if (result === null) return { text: format.heartbeat, isLast: false };
      // Promises of frames that are already available settle before the next event-loop turn.
      const turn = setImmediate(null);
      while (result !== null && !result.done) {
        text += this.#write(result.value);
        if (text.length >= maxChunk) return { text, isLast: false };
        result = await Promise.race([this.#request(), turn]);
        if (result !== null) this.#pending = null;
      }
      return { text, isLast: result !== null };
    } catch (error) {
      return { text: text + this.#errorText(error), isLast: true };
    }
  }

  /** Ends the iterator. Does not wait for a pending frame. */
  cancel(): void {
    // The client disconnected, so errors cannot be reported to it.
    this.#frames.return?.().catch(() => undefined);
  }

  async #nextWithin(limitMs: number): Promise<IteratorResult<StreamFrame> | null> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<null>(resolve => {
      timer = setTimeout(() => resolve(null), limitMs).unref();
    });
    const result = await Promise.race([this.#request(), timeout]).finally(() => clearTimeout(timer));
    if (result !== null) this.#pending = null;
    return result;
  }

  #request(): Promise<IteratorResult<StreamFrame>> {
    this.#pending ??= this.#frames.next();
    return this.#pending;
  }

  #write(placed: StreamFrame): string {
    this.#lastId = placed.frame.id;
    return this.#options.format.write(placed);
  }

  /**
   * Returns the last frames of a stream that failed. After a stream has begun, errors are reported as frames, and the
   * last frame is always the usage.
   */
  #errorText(error: unknown): string {
    if (!(error instanceof PlatformError)) this.#options.onFailure(error);
    const frames: ChatFrame[] = [{ error: toPlatformError(error).message }];
    if (this.#lastId !== FrameId.usage) frames.push(usageFrame(null));
    return frames.map(frame => this.#write({ id: null, frame })).join('');
  }
}
