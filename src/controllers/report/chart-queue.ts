/** Time after which the next chart waits for another task, ms. */
const sliceMs = 8;

/**
 * Reads what a chart depends on from the page, without changing the page, and returns a function that renders the
 * chart.
 */
export type Measure = () => () => Promise<void>;

/**
 * Splits the rendering of charts into tasks. Many charts can become ready in the same task, for example when Vega has
 * been loaded. Waiting charts are measured together, because each measurement after a change of the page makes the
 * browser compute styles.
 */
export class ChartQueue {
  readonly #unmeasured: (() => void)[] = [];
  readonly #ready: (() => void)[] = [];
  #since = 0;
  #isOpen = false;

  /** Measures and renders a chart, at once unless another one was rendered in this task. */
  run(measure: Measure): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#unmeasured.push(() => {
        try {
          const render = measure();
          this.#ready.push(
            () =>
              void render()
                .then(resolve, reject)
                .then(() => this.#continueSlice()),
          );
        } catch (error) {
          reject(error);
        }
      });
      if (!this.#isOpen) this.#startSlice();
    });
  }

  #startSlice(): void {
    const start = this.#next();
    this.#isOpen = start !== undefined;
    if (!start) return;
    this.#since = performance.now();
    // Set before the chart is rendered, so that a chart that waits for a chunk does not delay the others.
    setTimeout(() => this.#startSlice());
    start();
  }

  /**
   * Renders the next chart in the same task if there is time left. A hidden page does not wait for the timer, because
   * its timers are throttled.
   */
  #continueSlice(): void {
    if (performance.now() - this.#since < sliceMs || document.hidden) this.#next()?.();
  }

  #next(): (() => void) | undefined {
    for (const measure of this.#unmeasured.splice(0)) measure();
    return this.#ready.shift();
  }
}
