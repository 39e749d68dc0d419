/** How agents take turns. */
export interface AgentSemaphoreOptions {
  /** Agents that work at once. */
  readonly atOnce: number;
  /** How long, in milliseconds, an agent that could begin is kept back for callers who wait to hear that their message has come. */
  readonly yieldFor: number;
}

/**
 * Lets a bounded number of agents work at once, first come first served. None begins while messages are being taken in, so that of many
 * that come at the same moment each is told at once that it has come, before the work for the first of them takes the processor.
 */
export class AgentSemaphore {
  readonly #options: AgentSemaphoreOptions;
  /** What begins an agent, and since when it waits; in the order in which they came. */
  readonly #waiting = new Map<() => void, number>();
  #working = 0;
  #arriving = 0;
  #next: { readonly timer: NodeJS.Timeout; readonly at: number } | null = null;

  constructor(options: AgentSemaphoreOptions) {
    this.#options = options;
  }

  /** Takes in a message: meanwhile no agent begins. */
  async arrive<T>(take: () => Promise<T>): Promise<T> {
    this.#arriving += 1;
    try {
      return await take();
    } finally {
      this.#arriving -= 1;
      this.#look(0);
    }
  }

  /**
   * Waits for an agent's turn.
   * @returns what ends the turn; null when the signal was aborted before.
   */
  take(signal: AbortSignal): Promise<(() => void) | null> {
    return new Promise(resolve => {
      const leave = () => {
        signal.removeEventListener('abort', onAbort);
        this.#waiting.delete(begin);
      };
      const onAbort = () => {
        leave();
        resolve(null);
      };
      const begin = () => {
        leave();
        this.#working += 1;
        resolve(() => {
          this.#working -= 1;
          this.#look(0);
        });
      };
      if (signal.aborted) {
        resolve(null);
        return;
      }
      signal.addEventListener('abort', onAbort);
      this.#waiting.set(begin, performance.now());
      this.#look(0);
    });
  }

  /** Looks for who may begin. Never in this turn of the event loop: what was just taken in is told first. */
  #look(afterMs: number): void {
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
      const left = this.#arriving === 0 ? 0 : since + yieldFor - performance.now();
      if (left > 0) {
        this.#look(left);
        return;
      }
      begin();
    }
  }
}
