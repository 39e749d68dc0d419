import { setTimeout as sleep } from 'node:timers/promises';
import { abortedError } from '../../errors.js';

/** What a query is doing that isn't ready yet, as clients show it. */
export const Stage = { waiting: 'Waiting for a place in the queue', running: 'Executing the query' } as const;
/** What a query is doing that isn't ready yet, as clients show it. */
export type Stage = (typeof Stage)[keyof typeof Stage];

/** Not a failure: the query goes on, and whoever wants its rows asks again (domain.md 3, `Continue wait`). */
export class ContinueWait extends Error {
  /** One of `Stage`, or what another service says. */
  readonly stage: string;
  /** Milliseconds since the query began. */
  readonly elapsedMs: number;

  constructor(stage: string, elapsedMs: number) {
    super('Continue wait');
    this.name = 'ContinueWait';
    this.stage = stage;
    this.elapsedMs = elapsedMs;
  }
}

/** How long one request waits; the clock begins with the first question for it. */
export class WaitLimit {
  readonly #ms: number;
  #over: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param ms - milliseconds. */
  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Resolves when the time is over. */
  get over(): Promise<void> {
    this.#over ??= new Promise(resolve => {
      this.#timer = setTimeout(resolve, this.#ms);
    });
    return this.#over;
  }

  /** Ends the wait: `over` won't resolve any more. */
  clear(): void {
    clearTimeout(this.#timer);
  }
}

/**
 * All values, once everything has settled, so that nothing is left behind.
 * @throws the first failure; a wait where there is no other.
 */
export async function settleAll<T extends readonly unknown[] | []>(
  calls: T,
): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }> {
  const settled = await Promise.allSettled(calls);
  const reasons: unknown[] = settled.flatMap(one => (one.status === 'rejected' ? [one.reason] : []));
  if (reasons.length > 0) throw reasons.find(reason => !(reason instanceof ContinueWait)) ?? reasons[0];
  return Promise.all(calls);
}

/** Whoever says `Continue wait` sooner than this did not hold the request: the next one comes after a pause. */
const heldMs = 1000;
const pauseMs = 250;

/**
 * Asks until the answer is something other than `Continue wait`.
 * @throws what asking throws, and PlatformError 499 when the signal aborts.
 */
export async function pollUntilReady<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    const askedAt = performance.now();
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ContinueWait)) throw error;
    }
    if (performance.now() - askedAt < heldMs) await pause(signal);
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  await sleep(pauseMs, undefined, { signal }).catch(() => {
    throw abortedError();
  });
}
