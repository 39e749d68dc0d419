import { CacheMode } from '../../contract/query.js';
import type { CacheEntry } from './bounded-cache.js';
import { ContinueWait } from './continue-wait.js';
import { CacheUse } from './query-event.js';

/** What is kept for a request, and what can be done for it. */
export interface ByCacheMode<V, T> {
  readonly mode: CacheMode;
  /** What is kept, however old; undefined where nothing is, or where it doesn't count. */
  readonly found: CacheEntry<V> | undefined;
  /** How long what is kept is given out without a question, in milliseconds. */
  readonly maxAgeMs: number;
  giveOut(found: CacheEntry<V>, cache: CacheUse): T;
  /** Brings what is kept up to date, for whoever asks next. */
  refresh(): void;
  /** @param keepMs - how long it goes on when it takes too long, because what is kept is given out then. */
  run(keepMs?: number): Promise<T>;
}

/** How long a query goes on whose old rows were given out, so that there are new ones in the end. */
const refreshLimitMs = 120_000;

/** Gives out what is kept as long as it is young enough or the cache mode allows it, else runs. */
export async function byCacheMode<V, T>(call: ByCacheMode<V, T>): Promise<T> {
  const { mode, found, maxAgeMs } = call;
  if (!found) return call.run();
  if (Date.now() - found.storedAt < maxAgeMs) return call.giveOut(found, CacheUse.hit);
  if (mode === CacheMode.staleWhileRevalidate) {
    call.refresh();
    return call.giveOut(found, CacheUse.stale);
  }
  if (mode !== CacheMode.staleIfSlow) return call.run();
  try {
    return await call.run(refreshLimitMs);
  } catch (error) {
    if (error instanceof ContinueWait) return call.giveOut(found, CacheUse.stale);
    throw error;
  }
}
