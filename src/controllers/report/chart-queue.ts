/** Time after which the next chart waits for another task, ms. */
const sliceMs = 8;

/** Time after which a rendered chart is shown although others are still waiting to be rendered, ms. */
const showMs = 100;

/**
 * Reads what a chart depends on from the page, without changing the page, and returns a function that renders the
 * chart. The function calls `show` when the chart is rendered, and adds it to the page when the promise resolves.
 */
export type Measure = () => (show: () => Promise<void>) => Promise<void>;

/**
 * Splits the rendering of charts into tasks. Many charts can become ready in the same task, for example when Vega has
 * been loaded. Waiting charts are measured together and shown together, because after each change of the page, the
 * browser computes styles, lays out and paints again.
 */
export class ChartQueue {
  readonly #unmeasured: (() => void)[] = [];
  readonly #ready: (() => void)[] = [];
  /** Shows the charts that are rendered. */
  readonly #rendered: (() => void)[] = [];
  #rendering = 0;
  #since = 0;
  #isOpen = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Measures and renders a chart: immediately, unless another chart was rendered in this task. */
  run(measure: Measure): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#unmeasured.push(() => {
        try {
          const render = measure();
          this.#ready.push(() => void this.#render(render).then(resolve, reject));
        } catch (error) {
          reject(error);
        }
      });
      if (!this.#isOpen) this.#startSlice();
    });
  }

  async #render(render: ReturnType<Measure>): Promise<void> {
    let isRendering = true;
    this.#rendering += 1;
    const finish = (): void => {
      if (!isRendering) return;
      isRendering = false;
      this.#rendering -= 1;
      this.#continueSlice();
      this.#showSoon();
    };
    try {
      await render(() => {
        const shown = new Promise<void>(resolve => this.#rendered.push(resolve));
        queueMicrotask(finish);
        return shown;
      });
    } finally {
      finish();
    }
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

  /** Shows the rendered charts immediately if no other chart is waiting; otherwise within `showMs`. */
  #showSoon(): void {
    if (this.#rendered.length === 0) return;
    const isLast = this.#rendering + this.#ready.length + this.#unmeasured.length === 0;
    if (isLast) this.#show();
    else this.#timer ??= setTimeout(() => this.#show(), showMs);
  }

  #show(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const show of this.#rendered.splice(0)) show();
  }
}
