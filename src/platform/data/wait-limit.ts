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
