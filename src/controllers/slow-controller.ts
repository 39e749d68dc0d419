import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** How long something may take before the viewer is told that it goes on, in ms. */
const slowAfterMs = 3_000;

/** Updates its host when something that is under way has taken long. */
export class SlowController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #since: () => number | null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What the timer is set for. */
  #timed: number | null = null;

  /** `since` says when it began, by `performance.now()`; null while nothing is under way. */
  constructor(host: ReactiveControllerHost, since: () => number | null) {
    this.#host = host;
    this.#since = since;
    host.addController(this);
  }

  /** When it began, once it has taken long; null before. */
  get slowSince(): number | null {
    const since = this.#since();
    return since !== null && performance.now() - since >= slowAfterMs ? since : null;
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
    if (since === this.#timed) return;
    clearTimeout(this.#timer);
    this.#timed = since;
    if (since === null) return;
    this.#timer = setTimeout(
      () => {
        this.#timed = null;
        this.#host.requestUpdate();
      },
      since + slowAfterMs - performance.now(),
    );
  }
}
