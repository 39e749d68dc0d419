/** Longest that the first request goes ahead of the others. */
const headStartMs = 30;

/**
 * Lets the first request to an address go ahead, until it is answered or for a moment: its preflight then answers for the others,
 * where all at once would send a preflight each.
 */
export class HeadStart {
  #gate: Promise<void> | null = null;

  /** Runs `send` at once if it is the first, else when the first has had its head start. */
  async run<T>(send: () => Promise<T>): Promise<T> {
    if (this.#gate) {
      await this.#gate;
      return send();
    }
    const result = send();
    this.#gate = new Promise(resolve => {
      const timer = setTimeout(resolve, headStartMs);
      const open = (): void => {
        clearTimeout(timer);
        resolve();
      };
      result.then(open, open);
    });
    return result;
  }
}
