import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Time after which the viewer is notified of slow loading, in ms. */
const slowAfterMs = 3_000;

/** Updates its host when an operation is slow. */
export class SlowLoadController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #since: () => number | null;
  readonly #afterMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Start of the operation that the timer is set for. */
  #timed: number | null = null;
  /** Start of the slow operation. Set between updates, so that an update at the time limit cannot miss it. */
  #slow: number | null = null;

  /**
   * @param since - returns when the operation started, by `performance.now()`; `null` if none is in progress.
   * @param afterMs - time after which an operation is slow, in ms.
   */
  constructor(host: ReactiveControllerHost, since: () => number | null, afterMs = slowAfterMs) {
    this.#host = host;
    this.#since = since;
    this.#afterMs = afterMs;
    host.addController(this);
  }

  /** When the slow operation started; `null` if no operation is slow. */
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
    this.#timer = setTimeout(() => this.#markSlow(since), left);
  }

  #markSlow(since: number): void {
    this.#timed = null;
    this.#slow = since;
    this.#host.requestUpdate();
  }
}
