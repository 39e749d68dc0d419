/** What one request holds until its answer is written. */
export class HeldResults {
  readonly #giveBacks: (() => void)[] = [];

  /** Notes a result that was picked up, and how it is given back. */
  readonly take = (giveBack: () => void): void => {
    this.#giveBacks.push(giveBack);
  };

  /** The client asks for all of it again, and must find what was ready: else it would never have everything at once. */
  giveBack(): void {
    for (const giveBack of this.#giveBacks) giveBack();
  }
}
