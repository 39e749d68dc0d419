import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** How long something may take before the viewer is told that it goes on, in ms. */
const slowAfterMs = 3_000;

/** Updates its host when something that is under way has taken long. */
export class SlowLoadController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #since: () => number | null;
  readonly #afterMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What the timer is set for. */
  #timed: number | null = null;
  /** What has taken long: settled between updates, so that one which runs while that time comes can't miss it. */
  #slow: number | null = null;

  /**
   * @param since - says when it began, by `performance.now()`; null while nothing is under way.
   * @param afterMs - when it has taken long, in ms.
   */
  constructor(host: ReactiveControllerHost, since: () => number | null, afterMs = slowAfterMs) {
    this.#host = host;
    this.#since = since;
    this.#afterMs = afterMs;
    host.addController(this);
  }

  /** When it began, once it has taken long; null before. */
  get slowSince(): number | null {
    return this.#since() === this.#slow ? this.#slow : null;
  }

  hostConnected(): void {
    this.#setTimer();
  }

  hostUpdated(): void {
    this.#setTimer();
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
    this.#timed = null;
  }

  #setTimer(): void {
    const since = this.slowSince === null ? this.#since() : null;
    const left = since === null ? null : since + this.#afterMs - performance.now();
    if (since === this.#timed && (left === null || left > 0)) return;
    clearTimeout(this.#timer);
    this.#timed = since;
    if (since === null || left === null) return;
    this.#timer = setTimeout(() => this.#tell(since), left);
  }

  #tell(since: number): void {
    this.#timed = null;
    this.#slow = since;
    this.#host.requestUpdate();
  }
}
