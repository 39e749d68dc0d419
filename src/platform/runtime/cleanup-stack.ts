/** Cleanup steps that run in reverse order of their addition. */
export class CleanupStack {
  readonly #steps: (() => Promise<void>)[] = [];
  #running: Promise<void> | null = null;

  add(step: () => Promise<void>): void {
    this.#steps.push(step);
  }

  /** Runs every step, even if one fails. Later calls return the same promise. */
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
