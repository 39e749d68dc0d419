import type { Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { QueryEvent } from '../../platform/index.js';

/** The fields of a line, in this order: whatever else an event might come to hold stays out of the log. */
const fields: (keyof QueryEvent)[] = [
  'event',
  'time',
  'requestId',
  'operation',
  'status',
  'outcome',
  'cache',
  'rows',
  'queueMs',
  'compileMs',
  'engineMs',
  'serializeMs',
  'totalMs',
];

/** Formats the event of a Data API request as one line of JSON. */
export function queryLogLine(event: QueryEvent): string {
  return JSON.stringify(event, fields);
}

/** When lines are written, and how many may wait. */
interface LineWriterOptions {
  /** Characters that are written at once; 64 K by default. */
  readonly flushAt?: number;
  /** How long a line waits for others; 100 ms by default. */
  readonly flushAfterMs?: number;
  /** Characters that may wait while the reader is slow; 1 M by default. Lines beyond them are dropped. */
  readonly limit?: number;
}

/**
 * Writes lines in batches and never waits for the reader: what a slow one leaves no room for is dropped, and how many lines that
 * were is said by the next that gets through, as `{"event":"dropped","count":N}`. A reader that is gone ends the writing, not the
 * process.
 */
export class LineWriter {
  readonly #stream: Writable;
  readonly #flushAt: number;
  readonly #flushAfterMs: number;
  readonly #limit: number;
  #waiting: string[] = [];
  #size = 0;
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  /** The one batch that the stream has. */
  #writing: Promise<void> | undefined;
  #isGone = false;

  constructor(stream: Writable, { flushAt = 65_536, flushAfterMs = 100, limit = 2 ** 20 }: LineWriterOptions = {}) {
    this.#stream = stream;
    this.#flushAt = flushAt;
    this.#flushAfterMs = flushAfterMs;
    this.#limit = limit;
    // Stays for good: the stream may tell of a reader that is gone after the last line.
    stream.on('error', () => {
      this.#isGone = true;
    });
  }

  /** Takes a line, without its end. */
  write(line: string): void {
    if (this.#isGone || this.#size + line.length >= this.#limit) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(line);
    this.#size += line.length + 1;
    if (this.#size >= this.#flushAt) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), this.#flushAfterMs).unref();
  }

  /** Writes what still waits, as far as the reader takes it within the limit. */
  async close(limitMs: number): Promise<void> {
    this.#flush();
    const stop = new AbortController();
    const limit = wait(limitMs, undefined, { signal: stop.signal }).catch(() => undefined);
    await Promise.race([this.#drained(), limit]);
    stop.abort();
    clearTimeout(this.#timer);
  }

  async #drained(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#writing || this.#isGone || this.#size === 0) return;
    if (this.#dropped > 0) this.#waiting.push(JSON.stringify({ event: 'dropped', count: this.#dropped }));
    const text = `${this.#waiting.join('\n')}\n`;
    this.#waiting = [];
    this.#size = 0;
    this.#dropped = 0;
    this.#writing = new Promise<void>(resolve => {
      this.#stream.write(text, () => resolve());
    }).then(() => {
      this.#writing = undefined;
      this.#flush();
    });
  }
}
