/** What has to be given back at the end, in the mirror of the order in which it was taken. */
export class CleanupStack {
  readonly #steps: (() => Promise<void>)[] = [];
  #running: Promise<void> | null = null;

  add(step: () => Promise<void>): void {
    this.#steps.push(step);
  }

  /** Runs every step, also after one that failed; asked twice it runs once. */
  run(): Promise<void> {
    this.#running ??= this.#runAll();
    return this.#running;
  }

  async #runAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const step of this.#steps.splice(0).reverse()) {
      await step().catch(failure => failures.push(failure));
    }
    if (failures.length > 0) throw new AggregateError(failures, 'The platform did not stop cleanly.');
  }
}
