import { createHash } from 'node:crypto';
import { lt, sql } from 'drizzle-orm';
import type { Db } from '../db/database.js';
import { rateLimits } from '../db/schema.js';
import { PlatformError } from '../errors.js';
import { BoundedCache } from '../runtime/bounded-cache.js';

/** Usage of an allowance in the current window, including the amount just taken. */
interface AllowanceUsage {
  readonly used: number;
  /** Milliseconds until the window ends. */
  readonly msLeft: number;
}

/**
 * Deducts an amount from an allowance in one statement. Windows follow the clock of the database, so that replicas
 * agree on them. A statement that waited for a lock until after the end of its window does not restore the old window.
 * @param key - identifies the caller.
 */
export async function takeAllowance(db: Db, key: string, windowMs: number, amount: number): Promise<AllowanceUsage> {
  const window = sql`${windowMs}::double precision * interval '1 millisecond'`;
  const { windowStart, used } = rateLimits;
  const [taken] = await db
    .insert(rateLimits)
    .values({ key, windowStart: sql`date_bin(${window}, now(), timestamptz 'epoch')`, used: amount })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        windowStart: sql`greatest(${windowStart}, excluded.window_start)`,
        used: sql`case when excluded.window_start > ${windowStart} then excluded.used
          else least(${used}::bigint + excluded.used, 2000000000) end`,
      },
    })
    .returning({ used, msLeft: sql<number>`extract(epoch from ${windowStart} + ${window} - now())::float8 * 1000` });
  if (!taken) throw new Error('An upsert returned no row.');
  return taken;
}

/** Deletes windows that ended more than an hour ago. */
export async function deleteOldRateLimitWindows(db: Db): Promise<void> {
  await db.delete(rateLimits).where(lt(rateLimits.windowStart, sql`now() - interval '1 hour'`));
}

/** Options of a rate limiter. */
export interface RateLimiterOptions {
  /** Takes an amount from the allowance that all replicas share: `takeAllowance` on the database. */
  readonly take: (key: string, windowMs: number, amount: number) => Promise<AllowanceUsage>;
  /** Length of a window in ms; a minute by default. */
  readonly windowMs?: number;
  /** Current time in ms; the clock of the process by default. */
  readonly now?: () => number;
  /** Approximate memory for recent callers; 8 MB by default. */
  readonly maxBytes?: number;
}

/** Number of parts of an allowance. A process takes one part at a time. */
const parts = 20;
const stateBytes = 200;

/** State of one caller in the current window. */
interface WindowState {
  /** End of the window, by the clock of this process. */
  endsAt: number;
  /** Number of requests that are allowed before the next database statement. */
  remaining: number;
  /** Number of allowed requests that are not recorded in the database yet. */
  unrecorded: number;
  isUsedUp: boolean;
  pending: Promise<void> | null;
}

/**
 * Counts requests per caller in time windows. All replicas share one allowance, but few requests wait for the database:
 * each process takes a twentieth at a time. The first twentieth of a window is recorded only when the second is needed,
 * so that a caller with few requests needs no statement. In total, each replica may allow one twentieth too much.
 */
export class RateLimiter {
  readonly #takeShared: RateLimiterOptions['take'];
  readonly #windowMs: number;
  readonly #now: () => number;
  readonly #states: BoundedCache<WindowState>;

  constructor({ take, windowMs = 60_000, now = Date.now, maxBytes = 8_000_000 }: RateLimiterOptions) {
    this.#takeShared = take;
    this.#windowMs = windowMs;
    this.#now = now;
    this.#states = new BoundedCache(maxBytes);
  }

  /** Number of callers in memory. */
  get size(): number {
    return this.#states.size;
  }

  /**
   * Counts one request.
   * @param caller - identifies the caller.
   * @param allowance - requests per window.
   * @throws PlatformError 429 with the time until the next window.
   */
  async count(caller: string, allowance: number): Promise<void> {
    const part = Math.max(1, Math.floor(allowance / parts));
    const state = this.#stateOf(caller);
    for (;;) {
      this.#renew(state, part);
      if (state.remaining > 0) {
        state.remaining--;
        return;
      }
      if (state.isUsedUp) throw this.#tooMany(state, allowance);
      state.pending ??= this.#take(caller, state, allowance, part).finally(() => {
        state.pending = null;
      });
      await state.pending;
    }
  }

  /** Counts one request, and returns false instead of throwing if there are too many. */
  async tryCount(caller: string, allowance: number): Promise<boolean> {
    try {
      await this.count(caller, allowance);
      return true;
    } catch (error) {
      if (error instanceof PlatformError && error.status === 429) return false;
      throw error;
    }
  }

  #stateOf(caller: string): WindowState {
    const known = this.#states.find(caller)?.value;
    if (known) return known;
    const state: WindowState = { endsAt: 0, remaining: 0, unrecorded: 0, isUsedUp: false, pending: null };
    this.#states.set(caller, state, stateBytes);
    return state;
  }

  /** Begins the next window if the last one has ended. */
  #renew(state: WindowState, part: number): void {
    const now = this.#now();
    if (now < state.endsAt) return;
    state.endsAt = (Math.floor(now / this.#windowMs) + 1) * this.#windowMs;
    state.remaining = part;
    state.unrecorded = part;
    state.isUsedUp = false;
  }

  async #take(caller: string, state: WindowState, allowance: number, part: number): Promise<void> {
    const { unrecorded } = state;
    const amount = unrecorded + part;
    // Store a hash, so that the database contains no plain addresses or ids.
    const key = createHash('sha256').update(caller).digest('base64url');
    state.unrecorded = 0;
    const { used, msLeft } = await this.#takeShared(key, this.#windowMs, amount).catch(error => {
      state.unrecorded = unrecorded;
      throw error;
    });
    const granted = Math.min(amount, Math.max(0, allowance - (used - amount)));
    state.endsAt = this.#now() + Math.max(1, msLeft);
    state.remaining = Math.max(0, granted - unrecorded);
    state.isUsedUp = state.remaining === 0;
  }

  #tooMany({ endsAt }: WindowState, allowance: number): PlatformError {
    const seconds = Math.max(1, Math.ceil((endsAt - this.#now()) / 1000));
    const per = this.#windowMs === 60_000 ? 'per minute' : `per ${this.#windowMs / 1000} s`;
    const message = `Too many requests. The limit is ${allowance} ${per}. Try again in ${seconds} s.`;
    return new PlatformError(429, message, { retryAfter: seconds });
  }
}
