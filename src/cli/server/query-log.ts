import type { Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { QueryEvent } from '../../platform/index.js';

/** Fields of a line, in this order. Other fields of an event are not logged. */
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

/** Batching and buffering of lines. */
interface LineWriterOptions {
  /** Number of buffered characters that triggers a write; 64 K by default. */
  readonly flushAt?: number;
  /** How long a line may wait for its batch, in milliseconds; 100 by default. */
  readonly flushAfterMs?: number;
  /**
   * Maximum number of characters that are buffered while the reader is slow; 1,000,000 by default. Further
   * lines are dropped.
   */
  readonly limit?: number;
}

/**
 * Writes lines in batches without waiting for the reader. Drops lines that do not fit into the buffer, and reports
 * their number with the next batch as `{"event":"dropped","count":N}`. If the reader closes the stream, writing stops
 * but the process continues.
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
  /** The batch that is being written; there is at most one. */
  #writing: Promise<void> | undefined;
  #isGone = false;

  constructor(stream: Writable, { flushAt = 65_536, flushAfterMs = 100, limit = 2 ** 20 }: LineWriterOptions = {}) {
    this.#stream = stream;
    this.#flushAt = flushAt;
    this.#flushAfterMs = flushAfterMs;
    this.#limit = limit;
    // This listener is never removed, because the stream may report a closed reader after the last line.
    stream.on('error', () => {
      this.#isGone = true;
    });
  }

  /** Buffers a line without its line break. */
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

  /** Writes the buffered lines, waiting up to `limitMs` for the reader. */
  async close(limitMs: number): Promise<void> {
    this.#flush();
    const stop = new AbortController();
    // The wait is aborted when the buffer is written.
    const limit = wait(limitMs, undefined, { signal: stop.signal }).catch(() => undefined);
    await Promise.race([this.#waitForWrites(), limit]);
    stop.abort();
    clearTimeout(this.#timer);
  }

  async #waitForWrites(): Promise<void> {
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
