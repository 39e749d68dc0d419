import { setImmediate } from 'node:timers/promises';
import type { AnswerBody } from './answer-body.js';
import { type StreamLimits, streamBody } from './sql-stream-body.js';

/** The response to one request of a batch. */
export interface BatchPart {
  readonly status: number;
  /** JSON. */
  readonly body: string | AnswerBody;
  /** Value of `Retry-After` in seconds. */
  readonly retryAfter?: number;
}

/** Runs one request of a batch. Must not reject, because a failed request must not affect the others. */
export type RunPart = (signal: AbortSignal) => Promise<BatchPart>;

const limits: StreamLimits = { stallMs: 60_000, readMs: 600_000 };

/** Maximum number of bytes of a streamed body that are read before its line is written. */
const maxAheadBytes = 64 * 1024;
/** Maximum time for which a large body waits for the other parts, ms. It may occupy a connection to a cluster. */
const maxHoldMs = 250;

const [newline, carriageReturn, space] = [10, 13, 32];
const [nothing, lineEnd] = [Buffer.alloc(0), Buffer.from('}\n')];

/** Returns the start of a line (`LoadBatchLine`), up to the body. */
function lineStart(index: number, { status, retryAfter }: BatchPart): string {
  const head = JSON.stringify({ index, status, ...(retryAfter !== undefined && { retryAfter }) });
  return `${head.slice(0, -1)},"body":`;
}

/**
 * Returns the response to a batch: one line for each part, as soon as it is ready. A large part is streamed within its
 * line. The parts start when the response is first read, so that nothing runs for a caller who is not admitted, and are
 * aborted if it is not read completely.
 */
export function batchBody(parts: readonly RunPart[]): ReadableStream<Uint8Array> {
  const lines = new BatchLines(parts);
  return streamBody(nothing, { next: () => lines.next(), close: () => lines.close() }, limits, () => undefined);
}

/**
 * Reads a streamed body to its end if it is small, so that it neither waits for the other parts nor occupies a
 * connection to a cluster until they are ready.
 * @throws the error that ends the stream.
 */
export async function readAhead(body: string | AnswerBody): Promise<string | AnswerBody> {
  if (!(body instanceof ReadableStream)) return body;
  const reader = body.getReader();
  const pieces: Uint8Array[] = [];
  for (let size = 0; size <= maxAheadBytes; size += pieces.at(-1)?.byteLength ?? 0) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(pieces);
    pieces.push(value);
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = pieces.shift() ?? (await reader.read()).value;
        if (piece) controller.enqueue(piece);
        else controller.close();
      },
      cancel: reason => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

interface ReadyPart {
  readonly index: number;
  readonly part: BatchPart;
  /** True if a large body has waited for the maximum time. */
  isDue: boolean;
}

/** Runs the parts and writes their lines. */
class BatchLines {
  readonly #parts: readonly RunPart[];
  readonly #abort = new AbortController();
  readonly #ready: ReadyPart[] = [];
  #running: number | null = null;
  #notify: () => void = () => undefined;
  /** The rest of the line that is being written. */
  #body: ReadableStreamDefaultReader<Uint8Array> | null = null;

  constructor(parts: readonly RunPart[]) {
    this.#parts = parts;
  }

  async next(): Promise<Uint8Array | null> {
    if (this.#running === null) {
      this.#running = this.#parts.length;
      void this.#start();
    }
    if (this.#body) return this.#nextOfBody(this.#body);
    while (!this.#isNextReady()) {
      if (this.#running === 0 || this.#abort.signal.aborted) return null;
      await new Promise<void>(resolve => {
        this.#notify = resolve;
      });
    }
    return this.#takeReady();
  }

  close(): void {
    this.#abort.abort();
    this.#notify();
    // The bodies release their memory; the error of a body that has already failed does not matter.
    this.#body?.cancel().catch(() => undefined);
    for (const { part } of this.#ready.splice(0)) cancel(part);
  }

  /** Starts each part in a separate task, so that the first lines are written before the last part has been planned. */
  async #start(): Promise<void> {
    for (const [index, run] of this.#parts.entries()) {
      if (index > 0) await setImmediate();
      if (this.#abort.signal.aborted) return;
      void run(this.#abort.signal).then(part => {
        this.#running = (this.#running ?? 0) - 1;
        if (this.#abort.signal.aborted) return cancel(part);
        const ready: ReadyPart = { index, part, isDue: !isLarge(part) };
        this.#ready.push(ready);
        this.#notify();
        if (ready.isDue) return;
        setTimeout(() => {
          ready.isDue = true;
          this.#notify();
        }, maxHoldMs).unref();
      });
    }
  }

  /**
   * Whether a line can be written. A large body holds up the lines after it, so it waits until all other parts are
   * ready, but only for a limited time.
   */
  #isNextReady(): boolean {
    return this.#ready.some(ready => this.#mayWrite(ready));
  }

  #mayWrite({ isDue }: ReadyPart): boolean {
    return this.#running === 0 || isDue;
  }

  /** Joins the lines of all parts that are ready, up to the first one with a large body. */
  #takeReady(): Uint8Array {
    const pieces: Uint8Array[] = [];
    this.#ready.sort((one, other) => Number(isLarge(one.part)) - Number(isLarge(other.part)));
    for (let next = this.#ready.shift(); next; next = this.#ready.shift()) {
      if (!this.#mayWrite(next)) {
        this.#ready.unshift(next);
        break;
      }
      const { index, part } = next;
      pieces.push(Buffer.from(lineStart(index, part)));
      if (part.body instanceof ReadableStream) {
        this.#body = part.body.getReader();
        break;
      }
      pieces.push(typeof part.body === 'string' ? Buffer.from(part.body) : toLine(part.body), lineEnd);
    }
    return Buffer.concat(pieces);
  }

  async #nextOfBody(body: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array> {
    const { done, value } = await body.read();
    if (!done) return toLine(value);
    this.#body = null;
    return lineEnd;
  }
}

/**
 * Replaces line breaks with spaces, because another service may have formatted the JSON, and a part must be one line.
 */
function toLine(json: Uint8Array): Uint8Array {
  if (!json.includes(newline) && !json.includes(carriageReturn)) return json;
  return json.map(byte => (byte === newline || byte === carriageReturn ? space : byte));
}

function isLarge({ body }: BatchPart): boolean {
  return body instanceof ReadableStream;
}

function cancel({ body }: BatchPart): void {
  // The body releases its memory; the error of a body that has already failed does not matter.
  if (body instanceof ReadableStream) body.cancel().catch(() => undefined);
}
