import { setImmediate } from 'node:timers/promises';
import { PlatformError } from '../errors.js';

/** Works on some items at once and tells of each what came of it, in their order. */
export type RunBatch<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

/** Bounds of batches. */
export interface BatcherOptions {
  /** Items of one batch; 500 by default. */
  readonly maxItems?: number;
  /** How long one batch may take, so that a database that hangs doesn't hold all that come after; 10 seconds by default. */
  readonly timeoutMs?: number;
}

interface Batch<Item, Result> {
  readonly items: Item[];
  readonly done: Promise<readonly Result[]>;
  readonly settle: (done: Promise<readonly Result[]>) => void;
}

/**
 * Gathers items that come one by one, so that many share one statement. Work on a batch always begins after its items were added; what
 * comes while one is under way shares the next, and whoever is alone waits for nobody.
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

  /** What came of an item. @throws what the work on its batch throws, PlatformError 503 when that takes too long. */
  async add(item: Item): Promise<Result> {
    const last = this.#waiting.at(-1);
    const batch = last && last.items.length < this.#maxItems ? last : this.#open();
    const place = batch.items.push(item) - 1;
    if (!this.#isWorking) void this.#run();
    const results = await batch.done;
    if (place >= results.length) throw new Error('The work on a batch did not tell of every item.');
    return results[place] as Result;
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

  /** A batch that has begun takes nothing in any more. */
  async #run(): Promise<void> {
    this.#isWorking = true;
    // What arrives in the same turn of the event loop shares the first batch too.
    await setImmediate();
    for (let batch = this.#waiting.shift(); batch; batch = this.#waiting.shift()) {
      const done = this.#begin(batch.items);
      batch.settle(done);
      await done.catch(() => undefined);
    }
    this.#isWorking = false;
  }

  async #begin(items: readonly Item[]): Promise<readonly Result[]> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const message = 'The platform is not ready: try again in a moment.';
      timer = setTimeout(() => reject(new PlatformError(503, message)), this.#timeoutMs);
    });
    try {
      return await Promise.race([this.#work(items), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
