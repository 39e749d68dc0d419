import { PlatformError } from '../errors.js';

const maxWaiting = 50;

/** Lets the asks of one owner be settled one after the other, so that equal ones find what the first has begun. */
export class OwnerQueue {
  readonly #last = new Map<string, { readonly settled: Promise<unknown>; waiting: number }>();

  /** @throws PlatformError 429 when too many wait. */
  async run<T>(ownerKey: string, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(ownerKey);
    const waiting = (before?.waiting ?? 0) + 1;
    if (waiting > maxWaiting) throw new PlatformError(429, 'Too many messages at once: try again in a moment.');
    const done = before ? before.settled.then(task) : task();
    const place = { settled: done.catch(() => undefined), waiting };
    this.#last.set(ownerKey, place);
    try {
      return await done;
    } finally {
      const last = this.#last.get(ownerKey);
      if (last === place) this.#last.delete(ownerKey);
      else if (last) last.waiting -= 1;
    }
  }
}
