import { abortedError, PlatformError } from '../errors.js';

/** Limits of a task queue. */
export interface TaskQueueOptions {
  /** Maximum number of running tasks. One caller can run one fewer, so that a slot remains for other callers. */
  readonly concurrency: number;
  /**
   * Maximum number of waiting tasks. One caller can have a quarter of them. Further tasks are rejected. If the queue is
   * full, a task of a caller with fewer tasks replaces the last task of the caller with the most.
   */
  readonly queueLimit: number;
  /** Creates the error of a rejected task; a 503 for queries by default. */
  readonly rejection?: (limit: QueueLimit) => PlatformError;
}

/** The limit that a rejected task exceeds: that of its caller, or that of the queue. */
export type QueueLimit = 'caller' | 'queue';

const tooManyQueries = () => new PlatformError(503, 'Too many queries are running. Try again in a moment.');

interface WaitingTask {
  readonly begin: () => void;
  readonly reject: (error: PlatformError) => void;
}

/** Running and waiting tasks of one caller. */
interface Share {
  running: number;
  readonly waiting: WaitingTask[];
}

/**
 * Runs a bounded number of tasks concurrently and lets a bounded number wait. Callers take turns regardless of how many
 * tasks each has; the tasks of one caller run in order of arrival.
 */
export class TaskQueue {
  readonly #concurrency: number;
  readonly #ownConcurrency: number;
  readonly #queueLimit: number;
  readonly #ownQueueLimit: number;
  readonly #rejection: (limit: QueueLimit) => PlatformError;
  /** Tasks by caller. The caller whose last turn was longest ago comes first. */
  readonly #shares = new Map<string, Share>();
  #running = 0;
  #waiting = 0;

  /** Number of running tasks. */
  get running(): number {
    return this.#running;
  }

  /** Number of waiting tasks. */
  get waiting(): number {
    return this.#waiting;
  }

  constructor({ concurrency, queueLimit, rejection = tooManyQueries }: TaskQueueOptions) {
    this.#concurrency = concurrency;
    this.#ownConcurrency = Math.max(1, concurrency - 1);
    this.#queueLimit = queueLimit;
    this.#ownQueueLimit = Math.ceil(queueLimit / 4);
    this.#rejection = rejection;
  }

  /**
   * Runs a task when it is its turn.
   * @param caller - a key that identifies the caller.
   * @throws PlatformError 503, or `rejection`, if too many tasks wait, 499 if the signal aborts before the task starts.
   */
  async run<T>(caller: string, task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const share = this.#shares.get(caller) ?? { running: 0, waiting: [] };
    if (this.#hasCapacityFor(share)) this.#start(caller, share);
    else await this.#waitForTurn(caller, share, signal);
    try {
      return await task();
    } finally {
      this.#running -= 1;
      share.running -= 1;
      this.#moveToEnd(caller, share);
      this.#next();
    }
  }

  #hasCapacityFor({ running }: Share): boolean {
    return this.#running < this.#concurrency && running < this.#ownConcurrency;
  }

  #start(caller: string, share: Share): void {
    this.#running += 1;
    share.running += 1;
    this.#moveToEnd(caller, share);
  }

  #waitForTurn(caller: string, share: Share, signal: AbortSignal): Promise<void> {
    if (share.waiting.length >= this.#ownQueueLimit) throw this.#rejection('caller');
    if (this.#waiting >= this.#queueLimit && !this.#evictTaskFor(share)) throw this.#rejection('queue');
    return new Promise((resolve, reject) => {
      const removeFromQueue = () => {
        share.waiting.splice(share.waiting.indexOf(waiting), 1);
        this.#waiting -= 1;
        signal.removeEventListener('abort', onAbort);
      };
      const onAbort = () => {
        removeFromQueue();
        this.#moveToEnd(caller, share);
        reject(abortedError());
      };
      const waiting: WaitingTask = {
        begin: () => {
          removeFromQueue();
          this.#start(caller, share);
          resolve();
        },
        reject: error => {
          removeFromQueue();
          reject(error);
        },
      };
      share.waiting.push(waiting);
      this.#waiting += 1;
      this.#shares.set(caller, share);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Rejects the last task of the caller with the most waiting tasks, if it has more than this one will have. */
  #evictTaskFor({ waiting }: Share): boolean {
    const shares = [...this.#shares.values()];
    const greediest = shares.reduce((most, each) => (each.waiting.length > most.waiting.length ? each : most));
    if (greediest.waiting.length <= waiting.length + 1) return false;
    greediest.waiting.at(-1)?.reject(this.#rejection('queue'));
    return true;
  }

  #next(): void {
    const isNext = (share: Share) => share.waiting.length > 0 && this.#hasCapacityFor(share);
    const share = [...this.#shares.values()].find(isNext);
    share?.waiting[0]?.begin();
  }

  /** Moves a caller to the end of the order, and removes it if it has no tasks. */
  #moveToEnd(caller: string, share: Share): void {
    this.#shares.delete(caller);
    if (share.running + share.waiting.length > 0) this.#shares.set(caller, share);
  }
}
