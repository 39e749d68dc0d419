import { setImmediate } from 'node:timers/promises';
import { PlatformError } from '../errors.js';

/** Processes items and returns one result per item, in order. */
export type RunBatch<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

/** Options of a batcher. */
export interface BatcherOptions {
  /** Maximum number of items per batch; 500 by default. */
  readonly maxItems?: number;
  /**
   * Timeout of one batch, so that a database that does not respond cannot block later batches; 10 seconds by default.
   */
  readonly timeoutMs?: number;
}

interface Batch<Item, Result> {
  readonly items: Item[];
  readonly done: Promise<readonly Result[]>;
  readonly settle: (done: Promise<readonly Result[]>) => void;
}

/**
 * Collects individual items into batches, so that many items share one statement. The work on a batch always begins
 * after its items were added. Items that arrive during a batch form the next one; a single item is processed without
 * delay.
 */
export class Batcher<Item, Result> {
  readonly #work: RunBatch<Item, Result>;
  readonly #maxItems: number;
  readonly #timeoutMs: number;
  readonly #waiting: Batch<Item, Result>[] = [];
  #isWorking = false;

  constructor(work: RunBatch<Item, Result>, { maxItems = 500, timeoutMs = 10_000 }: BatcherOptions = {}) {
    this.#work = work;
    this.#maxItems = maxItems;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Returns the result for an item.
   * @throws errors of the work on its batch, and PlatformError 503 after the timeout.
   */
  async add(item: Item): Promise<Result> {
    const last = this.#waiting.at(-1);
    const batch = last && last.items.length < this.#maxItems ? last : this.#open();
    const index = batch.items.push(item) - 1;
    if (!this.#isWorking) void this.#run();
    const results = await batch.done;
    if (index >= results.length) throw new Error('The batch returned fewer results than items.');
    return results[index] as Result;
  }

  #open(): Batch<Item, Result> {
    let settle: Batch<Item, Result>['settle'] = () => {};
    const done = new Promise<readonly Result[]>(resolve => {
      settle = resolve;
    });
    const batch = { items: [], done, settle };
    this.#waiting.push(batch);
    return batch;
  }

  /** Processes batches until none is left. A batch accepts no items after it has begun. */
  async #run(): Promise<void> {
    this.#isWorking = true;
    // Items that arrive in the same event-loop turn share the first batch.
    await setImmediate();
    for (let batch = this.#waiting.shift(); batch; batch = this.#waiting.shift()) {
      const done = this.#begin(batch.items);
      batch.settle(done);
      // Ignore the error here, because the callers of the batch get the error.
      await done.catch(() => undefined);
    }
    this.#isWorking = false;
  }

  async #begin(items: readonly Item[]): Promise<readonly Result[]> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      const message = 'The platform is not ready. Try again in a moment.';
      timer = setTimeout(() => reject(new PlatformError(503, message)), this.#timeoutMs);
    });
    try {
      return await Promise.race([this.#work(items), timeout]);
    } finally {
      clearTimeout(timer);
    }
  }
}
