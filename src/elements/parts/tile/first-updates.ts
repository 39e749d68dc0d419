/** Time after which the next tile waits for another task, ms. An idle page may take more time. */
const sliceMs = 8;
/** Remaining time of an idle page below which the next tile waits, ms. */
const reserveMs = 10;
/** Maximum time that tiles outside the viewport wait for an idle page, ms. */
const maxIdleWaitMs = 200;

/** The first update of a tile. */
interface FirstUpdate {
  readonly run: () => void;
  /** Whether the tile needs its rows, so that it cannot wait for an idle page. */
  readonly isUrgent: () => boolean;
}

/**
 * Splits the first updates of many tiles into tasks. Tiles that need rows are updated together in the next task, so
 * that their queries are sent as one request. The others are updated when the page is idle.
 */
class FirstUpdates {
  #waiting: FirstUpdate[] = [];
  #isTaskDue = false;
  #isIdleDue = false;

  /** Runs the update in a later task; resolves when it has run. */
  add(update: FirstUpdate): Promise<void> {
    return new Promise((resolve, reject) => {
      const run = (): void => {
        try {
          update.run();
          resolve();
        } catch (error) {
          reject(error);
        }
      };
      this.#waiting.push({ ...update, run });
      this.schedule();
    });
  }

  /** Schedules the next updates. Called again when a waiting tile has become urgent. */
  schedule(): void {
    if (this.#waiting.some(({ isUrgent }) => isUrgent())) this.#scheduleTask();
    else if (this.#waiting.length > 0) this.#scheduleIdle();
  }

  #scheduleTask(): void {
    if (this.#isTaskDue) return;
    this.#isTaskDue = true;
    // A message instead of a timer, because timers are throttled in hidden pages.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      this.#isTaskDue = false;
      const urgent = this.#waiting.filter(({ isUrgent }) => isUrgent());
      this.#waiting = this.#waiting.filter(update => !urgent.includes(update));
      for (const { run } of urgent) run();
      this.schedule();
    };
    port2.postMessage(null);
  }

  #scheduleIdle(): void {
    if (this.#isIdleDue) return;
    this.#isIdleDue = true;
    const runSome = (idle?: IdleDeadline): void => {
      this.#isIdleDue = false;
      const since = performance.now();
      const hasTime = () => performance.now() - since < sliceMs || (idle?.timeRemaining() ?? 0) > reserveMs;
      do this.#waiting.shift()?.run();
      while (this.#waiting.length > 0 && hasTime());
      this.schedule();
    };
    if ('requestIdleCallback' in globalThis) requestIdleCallback(runSome, { timeout: maxIdleWaitMs });
    else setTimeout(() => runSome());
  }
}

/** The first updates of the tiles of a page, which share one main thread. */
export const firstUpdates = new FirstUpdates();
