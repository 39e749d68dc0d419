import { abortedProblem, PlatformError } from '../errors.js';

/** How much work there may be at once. */
export interface LaneOptions {
  /** Tasks that run at the same time. */
  readonly concurrency: number;
  /** Tasks that wait beyond those; one more is refused. */
  readonly queueLimit: number;
}

/** Lets a bounded number of tasks run at once, and a bounded number wait, first come first served. */
export class Lane {
  readonly #options: LaneOptions;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /**
   * Runs a task when its turn has come.
   * @throws PlatformError 503 when too many wait already, 499 when the signal aborts before its turn.
   */
  async run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#running < this.#options.concurrency) this.#running += 1;
    else await this.#turn(signal);
    try {
      return await task();
    } finally {
      // A task that waits takes over the place of the one that ends.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    if (this.#waiting.length >= this.#options.queueLimit) {
      throw new PlatformError(503, 'Too many queries are running: try again in a moment.');
    }
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.splice(this.#waiting.indexOf(start), 1);
        reject(abortedProblem());
      };
      const start = () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      this.#waiting.push(start);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }
}
