import { maxTimerMs } from '../http/fetch.js';
import { backOff } from '../http/retry.js';

/**
 * Lower bound for the lifetime of a token. The service decides whether a token is valid, but renewals must not follow
 * each other without a pause.
 */
const minLifetimeMs = 10_000;
/** A token is renewed when a tenth of its lifetime is left, but at most this time before it expires, in ms. */
const maxLeadMs = 3_600_000;
const firstRetryMs = 1000;
const maxRetryMs = 60_000;
/**
 * After this many consecutive failures, only a page event (foreground, online) or a request triggers another attempt.
 */
const maxRetries = 10;

type Timer = ReturnType<typeof setTimeout>;

/** Schedules the renewal and expiry of a token, and retries after failed renewals. */
export class RenewalSchedule {
  readonly #renew: () => void;
  readonly #expire: () => void;
  #renewAt = Number.POSITIVE_INFINITY;
  #retries = 0;
  #renewTimer: Timer | undefined;
  #expiryTimer: Timer | undefined;

  constructor(actions: { readonly renew: () => void; readonly expire: () => void }) {
    this.#renew = actions.renew;
    this.#expire = actions.expire;
  }

  /**
   * Whether the token is about to expire or has expired. Checks the clock, because timers are late after a machine
   * sleeps.
   */
  get isDue(): boolean {
    return Date.now() >= this.#renewAt;
  }

  /** Schedules the renewal and expiry of a new token. */
  begin(lifetimeMs: number): void {
    this.clear();
    const life = Math.max(lifetimeMs, minLifetimeMs);
    const lead = Math.min(maxLeadMs, life / 10);
    this.#renewAt = Date.now() + life - lead;
    this.#renewTimer = setTimeout(this.#renew, Math.min(life - lead, maxTimerMs));
    this.#expiryTimer = setTimeout(this.#expire, Math.min(life, maxTimerMs));
  }

  /** Schedules a retry after a transient failure, with a growing pause. */
  retry(): void {
    clearTimeout(this.#renewTimer);
    if (this.#retries >= maxRetries) return;
    this.#renewTimer = setTimeout(this.#renew, backOff(this.#retries, firstRetryMs, maxRetryMs));
    this.#retries += 1;
  }

  /** Resets the retry count, for example when the network is back. */
  resetRetries(): void {
    this.#retries = 0;
  }

  /** Cancels all timers. */
  clear(): void {
    clearTimeout(this.#renewTimer);
    clearTimeout(this.#expiryTimer);
    this.#renewAt = Number.POSITIVE_INFINITY;
    this.#retries = 0;
  }
}
