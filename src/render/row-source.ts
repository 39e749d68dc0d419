import { setMaxListeners } from 'node:events';
import type { SqlReportSource } from '../report/query/load-report.js';
import { RowsTimeout } from './problems.js';
import type { RowSource } from './render-options.js';

const defaultTimeoutMs = 60_000;
/** Maximum number of concurrent requests for rows. */
const maxConcurrent = 6;

/** Maximum delay of a timer, ms. */
const maxTimeoutMs = 2_147_483_647;

function boundedTimeout(timeoutMs = defaultTimeoutMs): number {
  return Math.min(timeoutMs, maxTimeoutMs);
}

/** Rows of a caller for one file: bounded in time and concurrency. */
export interface BoundedSource extends SqlReportSource {
  /** Stops the timer. */
  readonly close: () => void;
}

/** Options of `boundedSource`. */
interface SourceOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number | undefined;
}

/**
 * Bounds the requests for the rows of a file. After the time limit, all requests are aborted and reject with
 * `RowsTimeout`, including those of a function that ignores its signal.
 */
export function boundedSource({ load, sql, meta }: RowSource, { signal, timeoutMs }: SourceOptions): BoundedSource {
  const stop = new AbortController();
  const timer = setTimeout(
    () => stop.abort(new RowsTimeout('The rows were not loaded within the time limit. Increase timeoutMs.')),
    boundedTimeout(timeoutMs),
  );
  const limit = AbortSignal.any([signal, stop.signal]);
  // Each request adds a listener to the signal, so disable the warning about many listeners.
  setMaxListeners(0, limit);
  const queue = new RequestQueue(maxConcurrent);
  const request = <T>(send: () => Promise<T>): Promise<T> => queue.run(() => withAbort(send, limit));
  let model: ReturnType<SqlReportSource['meta']> | null = null;
  const readModel: SqlReportSource['meta'] = async () => {
    if (!meta) return null;
    try {
      return await withAbort(() => meta({ signal: limit }), limit);
    } catch {
      // Ignore the error, because the model is optional. An abort is reported to the requests for rows.
      return null;
    }
  };
  return {
    load: query => request(() => load(query, { signal: limit })),
    sql: text => {
      if (!sql) return Promise.reject(new TypeError('Reports in SQL require the option "sql".'));
      return request(() => sql(text, { signal: limit }));
    },
    meta: () => {
      model ??= readModel();
      return model;
    },
    close: () => clearTimeout(timer),
  };
}

/** Rejects with the reason of the signal if it aborts first. */
async function withAbort<T>(send: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([send(), aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Runs requests in order, a limited number at a time. */
class RequestQueue {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(size: number) {
    this.#free = size;
  }

  async run<T>(send: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>(resolve => this.#waiting.push(resolve));
    try {
      return await send();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
