import { setTimeout } from 'node:timers/promises';
import { abortedProblem } from '../errors.js';
import { ContinueWait } from './continue-wait.js';

/** Whoever says `Continue wait` sooner than this did not hold the request: the next one comes after a pause. */
const heldMs = 1000;
const pauseMs = 250;

/**
 * Asks until the answer is something other than `Continue wait`.
 * @throws what asking throws, and PlatformError 499 when the signal aborts.
 */
export async function patiently<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
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
  await setTimeout(pauseMs, undefined, { signal }).catch(() => {
    throw abortedProblem();
  });
}
