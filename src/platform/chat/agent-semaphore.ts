/** Options of an agent semaphore. */
export interface AgentSemaphoreOptions {
  /** Maximum number of concurrent agents. */
  readonly atOnce: number;
  /** Maximum time in milliseconds that a waiting agent is delayed while new messages are being accepted. */
  readonly yieldFor: number;
}

/**
 * Limits the number of concurrent agents; agents start in order of arrival. No agent starts while messages are being
 * accepted, so that all concurrent messages are confirmed before an agent occupies the process.
 */
export class AgentSemaphore {
  readonly #options: AgentSemaphoreOptions;
  /** Start functions of waiting agents and the times of their arrival, in order of arrival. */
  readonly #waiting = new Map<() => void, number>();
  #working = 0;
  #accepting = 0;
  #next: { readonly timer: NodeJS.Timeout; readonly at: number } | null = null;

  constructor(options: AgentSemaphoreOptions) {
    this.#options = options;
  }

  /** Runs the function that accepts a message. No agent starts until it ends. */
  async accept<T>(task: () => Promise<T>): Promise<T> {
    this.#accepting += 1;
    try {
      return await task();
    } finally {
      this.#accepting -= 1;
      this.#schedule(0);
    }
  }

  /**
   * Waits until an agent may start.
   * @returns a function that releases the slot; `null` if the signal aborts first.
   */
  take(signal: AbortSignal): Promise<(() => void) | null> {
    return new Promise(resolve => {
      const removeFromQueue = () => {
        signal.removeEventListener('abort', onAbort);
        this.#waiting.delete(begin);
      };
      const onAbort = () => {
        removeFromQueue();
        resolve(null);
      };
      const begin = () => {
        removeFromQueue();
        this.#working += 1;
        resolve(() => {
          this.#working -= 1;
          this.#schedule(0);
        });
      };
      if (signal.aborted) {
        resolve(null);
        return;
      }
      signal.addEventListener('abort', onAbort);
      this.#waiting.set(begin, performance.now());
      this.#schedule(0);
    });
  }

  /**
   * Schedules the start of the next agent, never in the current event-loop turn, so that accepted messages are
   * confirmed first.
   */
  #schedule(afterMs: number): void {
    const at = performance.now() + afterMs;
    if (this.#next && this.#next.at <= at) return;
    clearTimeout(this.#next?.timer);
    this.#next = { timer: setTimeout(() => this.#beginNext(), afterMs), at };
  }

  #beginNext(): void {
    this.#next = null;
    const { atOnce, yieldFor } = this.#options;
    for (const [begin, since] of this.#waiting) {
      if (this.#working >= atOnce) return;
      const left = this.#accepting === 0 ? 0 : since + yieldFor - performance.now();
      if (left > 0) {
        this.#schedule(left);
        return;
      }
      begin();
    }
  }
}
