import { createParser } from 'eventsource-parser';
import type { ChatFrame } from '../../contract/chat.js';
import { FrameId } from '../../contract/chat-terms.js';
import { PaAbortError, PaConnectionError, PaError, PaErrorCode } from '../errors.js';
import { lineSplitter } from '../http/line-splitter.js';
import { readFrame } from './read-frame.js';

/** Maximum length of one line or event, in characters. */
const maxLineLength = 8 * 1024 * 1024;
/** Maximum length of one response, in bytes. */
const maxResponseLength = 256 * 1024 * 1024;
/** Maximum number of frames in one response. */
const maxFrames = 200_000;
/** Maximum time without any data, not even a heartbeat, in ms. */
const idleMs = 60_000;
/** Maximum time without any data after the last frame, when only the end of the response is missing, in ms. */
const afterUsageMs = 1000;

/** Event ids that are valid in a header. */
const sendableId = /^[\x21-\x7e]{1,200}$/;

/** Options for reading the frames of a response. */
export interface FrameOptions {
  /** Called for every frame, in order. `eventId` is the id of the Server-Sent Event, or `null` if it has none. */
  readonly onFrame: (frame: ChatFrame, eventId: string | null) => void;
  readonly signal?: AbortSignal | undefined;
  /**
   * Whether the request reads a thread. If so, the response is complete once the thread has been sent, even without an
   * answer.
   */
  readonly isReading?: boolean | undefined;
}

/**
 * Reads the frames of one response until it ends: Server-Sent Events if the content type says so, else
 * newline-delimited JSON. Empty lines and comments are heartbeats. Older services send no `__usage__`; their response
 * is complete if it ends cleanly after a complete text.
 * @throws {PaError} PaConnectionError if the connection is lost or silent for 60 s, PaAbortError if the signal is
 * aborted, PaAuthenticationError if the response reports rejected credentials, `invalid_response` if the response is
 * not a frame stream or exceeds a limit.
 */
export async function readFrames(response: Response, options: FrameOptions): Promise<{ sawUsage: boolean }> {
  const isEvents = checkType(response) === 'text/event-stream';
  const progress = new Progress(isEvents);
  const take = (text: string, eventId: string | null): void => {
    const frame = parseLine(text);
    if (!frame) return;
    progress.see(frame);
    options.onFrame(frame, eventId);
  };
  const splitter = isEvents ? eventSplitter(take) : ndjsonSplitter(take);
  await readBody(response, options.signal, splitter, progress);
  const { sawUsage, isComplete, sawThread } = progress;
  if (!sawUsage && !isComplete && !(options.isReading && sawThread)) throw brokenOff();
  return { sawUsage };
}

/** Splits a body into lines or events. `end` is called when the body ends. */
interface Splitter {
  feed(text: string): void;
  end(): void;
}

function checkType(response: Response): string {
  const type = (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const isStream = ['', 'application/json', 'application/x-ndjson', 'text/plain', 'text/event-stream'].includes(type);
  if (isStream) return type;
  throw unreadable('a response that is not a stream. Check the URL of the Chat API');
}

async function readBody(
  { body }: Response,
  signal: AbortSignal | undefined,
  splitter: Splitter,
  progress: Progress,
): Promise<void> {
  const reader = body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  let length = 0;
  try {
    for (;;) {
      const chunk = await nextChunk(reader, { signal, sawUsage: progress.sawUsage });
      if (!chunk) break;
      length += chunk.length;
      if (length > maxResponseLength) throw unreadable(`more than ${maxResponseLength} bytes`);
      splitter.feed(decoder.decode(chunk, { stream: true }));
    }
    splitter.feed(decoder.decode());
    splitter.end();
  } finally {
    // Ignore the result, which only states whether the connection was closed.
    reader.cancel().catch(() => {});
  }
}

/** Reads the next bytes; `null` at the end. */
function nextChunk(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { signal, sawUsage }: { readonly signal: AbortSignal | undefined; readonly sawUsage: boolean },
): Promise<Uint8Array | null> {
  return new Promise((resolve, reject) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    const abort = (): void => {
      finish();
      reject(new PaAbortError());
    };
    const timer = setTimeout(
      () => {
        finish();
        // The answer is complete, so an end delayed by a proxy loses nothing.
        if (sawUsage) resolve(null);
        else reject(brokenOff());
      },
      sawUsage ? afterUsageMs : idleMs,
    );
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) return abort();
    reader
      .read()
      .then(
        ({ value }) => resolve(value ?? null),
        () => (sawUsage ? resolve(null) : reject(brokenOff())),
      )
      .finally(finish);
  });
}

function ndjsonSplitter(take: (line: string, eventId: null) => void): Splitter {
  const lines = lineSplitter(
    line => take(line, null),
    maxLineLength,
    () => unreadable(`a line longer than ${maxLineLength} characters`),
  );
  return {
    feed: lines.feed,
    end: () => {
      const rest = lines.rest();
      if (rest.trim() === '') return;
      // The last line may lack its line break. If it is not valid JSON, the response was cut off.
      if (parse(rest) === undefined) throw brokenOff();
      take(rest, null);
    },
  };
}

function eventSplitter(take: (data: string, eventId: string | null) => void): Splitter {
  const parser = createParser({
    maxBufferSize: maxLineLength,
    onEvent: ({ data, id }) => {
      if (data.trim() !== '') take(data, id !== undefined && sendableId.test(id) ? id : null);
    },
    onError: error => {
      if (error.type === 'max-buffer-size-exceeded')
        throw unreadable(`an event longer than ${maxLineLength} characters`);
    },
  });
  // Events without a trailing blank line are incomplete; the standard requires dropping them.
  return { feed: text => parser.feed(text), end: () => {} };
}

function parseLine(line: string): ChatFrame | null {
  const value = parse(line);
  if (value === undefined) throw unreadable('a line that is not valid JSON');
  return readFrame(value);
}

/** Returns `undefined` if the text is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Tracks how much of a response has arrived, to distinguish a complete response from a lost connection. */
class Progress {
  /** Whether `__usage__`, the last frame of a response, has arrived. */
  sawUsage = false;
  /** Whether the response looks complete, even without `__usage__`. */
  isComplete = false;
  /** Whether the frame `__cutoff__`, which ends the frames of the existing thread, has arrived. */
  sawThread = false;
  readonly #isEvents: boolean;
  #count = 0;

  constructor(isEvents: boolean) {
    this.#isEvents = isEvents;
  }

  see(frame: ChatFrame): void {
    this.#count += 1;
    if (this.#count > maxFrames) throw unreadable(`more than ${maxFrames} frames`);
    switch (frame.id) {
      case FrameId.cutoff:
        // The frames before this one belong to earlier turns, including their ends.
        this.sawThread = true;
        this.isComplete = false;
        this.sawUsage = false;
        break;
      case FrameId.usage:
        this.sawUsage = true;
        break;
      case FrameId.aborted:
      case FrameId.suspended:
      case FrameId.state:
        this.isComplete = true;
        break;
      default:
        this.isComplete = frame.error !== undefined || this.#isCompleteText(frame);
    }
  }

  /**
   * Whether a frame completes the response. Services that send events always end with `__usage__`, so a complete text
   * is not sufficient there.
   */
  #isCompleteText({ role, content, toolCall, isDelta, isInProcess }: ChatFrame): boolean {
    if (this.#isEvents || role !== 'assistant' || toolCall) return false;
    return content !== undefined && !isDelta && !isInProcess;
  }
}

function unreadable(what: string): PaError {
  return new PaError(PaErrorCode.invalidResponse, `The chat service returned ${what}.`);
}

function brokenOff(): PaConnectionError {
  return new PaConnectionError('The chat service closed the connection before the answer was complete.');
}
