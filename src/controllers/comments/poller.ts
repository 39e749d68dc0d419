/** Pauses between polls, in ms. */
export interface PollPauses {
  readonly min: number;
  readonly max: number;
}

/**
 * Polls while the document is visible. The pause grows while nothing changes and after failures, and is
 * reset after a change.
 */
export class Poller {
  readonly #poll: () => Promise<'changed' | 'same' | 'failed'>;
  readonly #pauses: () => PollPauses;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #isRunning = false;
  /** The poll in progress. */
  #current: Promise<unknown> | null = null;
  #pause = 0;

  constructor(poll: () => Promise<'changed' | 'same' | 'failed'>, pauses: () => PollPauses) {
    this.#poll = poll;
    this.#pauses = pauses;
  }

  /** Starts polling with a poll now. */
  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    document.addEventListener('visibilitychange', this.#handleVisibility);
    void this.now();
  }

  /** Stops polling. */
  stop(): void {
    this.#isRunning = false;
    this.#current = null;
    document.removeEventListener('visibilitychange', this.#handleVisibility);
    this.#clear();
  }

  /** Polls now, unless a poll is in progress or the document is hidden. */
  async now(): Promise<void> {
    if (this.#current || !this.#isRunning || document.visibilityState === 'hidden') return;
    this.#clear();
    const poll = this.#poll();
    this.#current = poll;
    const outcome = await poll;
    // Polling was stopped in the meantime.
    if (this.#current !== poll) return;
    this.#current = null;
    const { min, max } = this.#pauses();
    this.#pause = outcome === 'changed' ? min : Math.min(Math.max(this.#pause * 1.5, min), max);
    if (outcome === 'failed') this.#pause = Math.min(this.#pause * 2, max);
    this.#schedule();
  }

  /** Resets the pause. */
  hurry(): void {
    this.#pause = 0;
    if (this.#timer === null) return;
    this.#clear();
    this.#pause = this.#pauses().min;
    this.#schedule();
  }

  #schedule(): void {
    if (!this.#isRunning || document.visibilityState === 'hidden') return;
    this.#timer = setTimeout(() => void this.now(), this.#pause);
  }

  #clear(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  readonly #handleVisibility = (): void => {
    if (document.visibilityState === 'hidden') this.#clear();
    else void this.now();
  };
}
