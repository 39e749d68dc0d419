import { abortedError, PlatformError } from '../errors.js';

/** How much work there may be at once. */
export interface TaskQueueOptions {
  /** Tasks that run at the same time; of one caller one less, so that a place is left for the others. */
  readonly concurrency: number;
  /** Tasks that wait beyond those, of one caller a quarter of it; one more is refused. */
  readonly queueLimit: number;
}

/** What one caller has in the lane. */
interface Share {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Lets a bounded number of tasks run at once, and a bounded number wait. Callers take turns, however many tasks each has; those of
 * one caller run first come first served.
 */
export class TaskQueue {
  readonly #concurrency: number;
  readonly #ownConcurrency: number;
  readonly #queueLimit: number;
  readonly #ownQueueLimit: number;
  /** By caller, whoever had a turn last at the end. */
  readonly #shares = new Map<string, Share>();
  #running = 0;
  #waiting = 0;

  /** Tasks that run. */
  get running(): number {
    return this.#running;
  }

  /** Tasks that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  constructor({ concurrency, queueLimit }: TaskQueueOptions) {
    this.#concurrency = concurrency;
    this.#ownConcurrency = Math.max(1, concurrency - 1);
    this.#queueLimit = queueLimit;
    this.#ownQueueLimit = Math.ceil(queueLimit / 4);
  }

  /**
   * Runs a task when its turn has come.
   * @param caller - Whose task it is: any text that tells callers apart.
   * @throws PlatformError 503 when too many wait already, 499 when the signal aborts before its turn.
   */
  async run<T>(caller: string, task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const share = this.#shares.get(caller) ?? { running: 0, waiting: [] };
    if (this.#hasRoomFor(share)) this.#start(caller, share);
    else await this.#turn(caller, share, signal);
    try {
      return await task();
    } finally {
      this.#running -= 1;
      share.running -= 1;
      this.#lineUp(caller, share);
      this.#next();
    }
  }

  #hasRoomFor({ running }: Share): boolean {
    return this.#running < this.#concurrency && running < this.#ownConcurrency;
  }

  #start(caller: string, share: Share): void {
    this.#running += 1;
    share.running += 1;
    this.#lineUp(caller, share);
  }

  #turn(caller: string, share: Share, signal: AbortSignal): Promise<void> {
    if (this.#waiting >= this.#queueLimit || share.waiting.length >= this.#ownQueueLimit) {
      throw new PlatformError(503, 'Too many queries are running: try again in a moment.');
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        share.waiting.splice(share.waiting.indexOf(begin), 1);
        this.#waiting -= 1;
        signal.removeEventListener('abort', onAbort);
      };
      const onAbort = () => {
        leave();
        this.#lineUp(caller, share);
        reject(abortedError());
      };
      const begin = () => {
        leave();
        this.#start(caller, share);
        resolve();
      };
      share.waiting.push(begin);
      this.#waiting += 1;
      this.#shares.set(caller, share);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  #next(): void {
    const isNext = (share: Share) => share.waiting.length > 0 && this.#hasRoomFor(share);
    const share = [...this.#shares.values()].find(isNext);
    share?.waiting[0]?.();
  }

  /** Behind everyone else; whoever has nothing in the lane is forgotten. */
  #lineUp(caller: string, share: Share): void {
    this.#shares.delete(caller);
    if (share.running + share.waiting.length > 0) this.#shares.set(caller, share);
  }
}
