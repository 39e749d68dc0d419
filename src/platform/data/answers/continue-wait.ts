import { retry } from '../../runtime/retry.js';

/** Stages of a pending query, as text that clients display. */
export const Stage = { waiting: 'Waiting in the queue', running: 'Executing the query' } as const;
/** Stage of a pending query, as text that clients display. */
export type Stage = (typeof Stage)[keyof typeof Stage];

/**
 * Reports that a query is still running and that the client should repeat the request (domain.md 3, `Continue wait`).
 */
export class ContinueWait extends Error {
  /** One of `Stage`, or the text of an upstream service. */
  readonly stage: string;
  /** Milliseconds since the start of the query. */
  readonly elapsedMs: number;

  constructor(stage: string, elapsedMs: number) {
    super('Continue wait');
    this.name = 'ContinueWait';
    this.stage = stage;
    this.elapsedMs = elapsedMs;
  }
}

/** Timer for the maximum wait of one request. It starts when `expired` is first read. */
export class WaitLimit {
  readonly #ms: number;
  #expired: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param ms - maximum wait in milliseconds. */
  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Resolves when the maximum wait is over. */
  get expired(): Promise<void> {
    this.#expired ??= new Promise(resolve => {
      this.#timer = setTimeout(resolve, this.#ms);
    });
    return this.#expired;
  }

  /** Stops the timer. `expired` then never resolves. */
  clear(): void {
    clearTimeout(this.#timer);
  }
}

/**
 * Waits until all calls have settled, so that none continues to run, and returns their values. @throws the first
 * failure other than `ContinueWait`; a `ContinueWait` only if there is no other failure.
 */
export async function settleAll<T extends readonly unknown[] | []>(
  calls: T,
): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }> {
  const settled = await Promise.allSettled(calls);
  const reasons: unknown[] = settled.flatMap(one => (one.status === 'rejected' ? [one.reason] : []));
  if (reasons.length > 0) throw reasons.find(reason => !(reason instanceof ContinueWait)) ?? reasons[0];
  return Promise.all(calls);
}

/** Minimum duration of a long-polling request. After a faster `Continue wait`, the next request is delayed. */
const minPollMs = 1000;
const quickPollPauseMs = 250;

/**
 * Repeats a request as long as it fails with `ContinueWait`.
 * @throws the error of the request, and PlatformError 499 if the signal aborts.
 */
export async function pollUntilReady<T>(send: () => Promise<T>, signal: AbortSignal): Promise<T> {
  let sentAt = 0;
  const sendAndTime = () => {
    sentAt = performance.now();
    return send();
  };
  return retry(sendAndTime, {
    maxAttempts: Number.POSITIVE_INFINITY,
    isRetryable: error => error instanceof ContinueWait,
    pauseMs: () => (performance.now() - sentAt < minPollMs ? quickPollPauseMs : 0),
    signal,
  });
}
