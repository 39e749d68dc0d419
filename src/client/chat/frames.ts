import { createParser } from 'eventsource-parser';
import type { ChatFrame } from '../../contract/chat.js';
import { FrameId } from '../../contract/chat-terms.js';
import { PaAbortError, PaConnectionError, PaError, PaErrorCode } from '../errors.js';
import { lineSplitter } from '../http/line-splitter.js';
import { readFrame } from './read-frame.js';

/** Most characters of one line, or of one event. */
const maxLineLength = 8 * 1024 * 1024;
/** Most characters of one answer. */
const maxResponseLength = 256 * 1024 * 1024;
/** Most frames of one answer. */
const maxFrames = 200_000;
/** Longest that a service may say nothing, not even a heartbeat. */
const idleMs = 60_000;
/** The same after the last frame, where only the end is missing. */
const afterUsageMs = 1000;

/** Ids of events that can be sent back as a header. */
const sendableId = /^[\x21-\x7e]{1,200}$/;

/** How the frames of an answer are read. */
export interface FrameOptions {
  /** Called for every frame in order; `eventId` where the stream is one of Server-Sent Events that names it. */
  readonly onFrame: (frame: ChatFrame, eventId: string | null) => void;
  readonly signal?: AbortSignal | undefined;
  /** A thread was asked for, so that the answer is whole once it has been told, though nothing was answered. */
  readonly isReading?: boolean | undefined;
}

/**
 * Reads the frames of one answer to its end: Server-Sent Events where its content type says so, else lines of JSON. Empty lines and
 * comments are heartbeats. Services of old send no `__usage__`: there a clean end after a whole text is the end.
 * @throws PaError: PaConnectionError where it broke off or fell silent for 60 s, PaAbortError for the signal, PaAuthenticationError where
 * the credential was refused within the answer, `invalid_response` for what is no such stream or has no bounds.
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
  const { sawUsage, isWhole, isTold } = progress;
  if (!sawUsage && !isWhole && !(options.isReading && isTold)) throw brokenOff();
  return { sawUsage };
}

/** Takes a body apart; `end` where the body ended. */
interface Splitter {
  feed(text: string): void;
  end(): void;
}

function checkType(response: Response): string {
  const type = (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const isStream = ['', 'application/json', 'application/x-ndjson', 'text/plain', 'text/event-stream'].includes(type);
  if (isStream) return type;
  throw unreadable('something else than a stream: check the address of the Chat API');
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
      const chunk = await nextChunk(reader, signal, progress.sawUsage);
      if (!chunk) break;
      length += chunk.length;
      if (length > maxResponseLength) throw unreadable('more than an answer may hold');
      splitter.feed(decoder.decode(chunk, { stream: true }));
    }
    splitter.feed(decoder.decode());
    splitter.end();
  } finally {
    // Settles when the connection is gone; nobody waits for that.
    reader.cancel().catch(() => {});
  }
}

/** The next bytes; null at the end. */
function nextChunk(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  signal: AbortSignal | undefined,
  sawUsage: boolean,
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
        // All has been said: an end that a proxy holds back is no loss.
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
    () => unreadable('a line without an end'),
  );
  return {
    feed: lines.feed,
    end: () => {
      const rest = lines.rest();
      if (rest.trim() === '') return;
      // A line may lack its end; one that can't be read then is a piece of one.
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
      if (error.type === 'max-buffer-size-exceeded') throw unreadable('an event without an end');
    },
  });
  // An event without an empty line after it is not whole: by the standard it is dropped.
  return { feed: text => parser.feed(text), end: () => {} };
}

function parseLine(line: string): ChatFrame | null {
  const value = parse(line);
  if (value === undefined) throw unreadable('a line that is no JSON');
  return readFrame(value);
}

/** Undefined for what is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How far an answer has come, to tell its end from a cut. */
class Progress {
  /** `__usage__` came, the last frame of an answer. */
  sawUsage = false;
  /** Nothing is missing, as far as can be seen without `__usage__`. */
  isWhole = false;
  /** `__cutoff__` came: the thread has been told. */
  isTold = false;
  readonly #isEvents: boolean;
  #count = 0;

  constructor(isEvents: boolean) {
    this.#isEvents = isEvents;
  }

  see(frame: ChatFrame): void {
    this.#count += 1;
    if (this.#count > maxFrames) throw unreadable('more frames than an answer may have');
    switch (frame.id) {
      case FrameId.cutoff:
        // What came before is the thread's past, ends included.
        this.isTold = true;
        this.isWhole = false;
        this.sawUsage = false;
        break;
      case FrameId.usage:
        this.sawUsage = true;
        break;
      case FrameId.aborted:
      case FrameId.suspended:
      case FrameId.state:
        this.isWhole = true;
        break;
      default:
        this.isWhole = frame.error !== undefined || this.#isWholeText(frame);
    }
  }

  /** Services that send events end with `__usage__`, so a text says nothing there. */
  #isWholeText({ role, content, toolCall, isDelta, isInProcess }: ChatFrame): boolean {
    if (this.#isEvents || role !== 'assistant' || toolCall) return false;
    return content !== undefined && !isDelta && !isInProcess;
  }
}

function unreadable(what: string): PaError {
  return new PaError(PaErrorCode.invalidResponse, `The chat service answered with ${what}.`);
}

function brokenOff(): PaConnectionError {
  return new PaConnectionError('The chat service broke off in the middle of its answer.');
}
