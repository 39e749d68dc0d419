import { backOff, maxTimerMs } from '../http/fetch.js';

/** A token whose own times say less is tried all the same: the service is the judge, and renewals must not chase each other. */
const minLifetimeMs = 10_000;
/** A token is renewed when a tenth of its life is left, and at most this long before its end. */
const maxLeadMs = 3_600_000;
const firstRetryMs = 1000;
const maxRetryMs = 60_000;
/** After this many failures in a row, only the page (foreground, online) or a request tries again. */
const maxRetries = 10;

type Timer = ReturnType<typeof setTimeout>;

/** When a token is to be renewed, when it ends, and when to try again after a failure. */
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

  /** Whether the token is near or past its end. A sleeping machine's timers are late, its clock is not. */
  get due(): boolean {
    return Date.now() >= this.#renewAt;
  }

  /** A new token came. */
  begin(lifetimeMs: number): void {
    this.clear();
    const life = Math.max(lifetimeMs, minLifetimeMs);
    const lead = Math.min(maxLeadMs, life / 10);
    this.#renewAt = Date.now() + life - lead;
    this.#renewTimer = setTimeout(this.#renew, Math.min(life - lead, maxTimerMs));
    this.#expiryTimer = setTimeout(this.#expire, Math.min(life, maxTimerMs));
  }

  /** A renewal failed in a way that may pass: tries again, later each time. */
  retry(): void {
    clearTimeout(this.#renewTimer);
    if (this.#retries >= maxRetries) return;
    this.#renewTimer = setTimeout(this.#renew, backOff(this.#retries, firstRetryMs, maxRetryMs));
    this.#retries += 1;
  }

  /** Something happened that makes another try worth it: counts failures from none. */
  hope(): void {
    this.#retries = 0;
  }

  /** Forgets the token. */
  clear(): void {
    clearTimeout(this.#renewTimer);
    clearTimeout(this.#expiryTimer);
    this.#renewAt = Number.POSITIVE_INFINITY;
    this.#retries = 0;
  }
}
