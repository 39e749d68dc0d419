import { createHash } from 'node:crypto';
import { lt, sql } from 'drizzle-orm';
import type { Db } from '../db/database.js';
import { rateLimits } from '../db/schema.js';
import { PlatformError } from '../errors.js';
import { BoundedCache } from '../runtime/bounded-cache.js';

/** What of an allowance is used up in the window of this moment, what was just taken included. */
interface AllowanceUsage {
  readonly used: number;
  /** Milliseconds to the end of the window. */
  readonly msLeft: number;
}

/**
 * Takes a part of an allowance, in one statement. Windows go by the clock of the database, so that replicas agree on them; one that
 * waited for another across the end of a window doesn't bring the old window back.
 * @param key - stands for whom it counts.
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

/** Forgets windows that have ended long ago. */
export async function deleteOldRateLimitWindows(db: Db): Promise<void> {
  await db.delete(rateLimits).where(lt(rateLimits.windowStart, sql`now() - interval '1 hour'`));
}

/** What a limiter is put together from. */
export interface RateLimiterOptions {
  /** Takes a part of what all replicas share: `takeAllowance` on the database. */
  readonly take: (key: string, windowMs: number, amount: number) => Promise<AllowanceUsage>;
  /** Length of a window in ms; a minute by default. */
  readonly windowMs?: number;
  /** The time in ms; that of the process by default. */
  readonly now?: () => number;
  /** Memory for those who were here last, about; 8 MB by default. */
  readonly maxBytes?: number;
}

/** What one of many takes at a time of an allowance: a twentieth. */
const parts = 20;
const stateBytes = 200;

/** Where somebody stands in the window of this moment. */
interface Standing {
  /** When the window ends, by this process' clock. */
  endsAt: number;
  /** Requests that may come before the database is asked. */
  left: number;
  /** Requests that were allowed before the database was told of them. */
  owed: number;
  isUsedUp: boolean;
  asking: Promise<void> | null;
}

/**
 * Counts requests by whom they are from, within windows. All replicas share one allowance, and still few requests wait for the
 * database: each process takes a twentieth at a time, and the first one of a window on credit, so that who asks little costs no
 * statement at all. Each replica may let that much more through in all.
 */
export class RateLimiter {
  readonly #take: RateLimiterOptions['take'];
  readonly #windowMs: number;
  readonly #now: () => number;
  readonly #standings: BoundedCache<Standing>;

  constructor({ take, windowMs = 60_000, now = Date.now, maxBytes = 8_000_000 }: RateLimiterOptions) {
    this.#take = take;
    this.#windowMs = windowMs;
    this.#now = now;
    this.#standings = new BoundedCache(maxBytes);
  }

  /** How many are remembered. */
  get size(): number {
    return this.#standings.size;
  }

  /**
   * Counts one request.
   * @param who - whom it is from.
   * @param allowance - requests that they may send within a window.
   * @throws PlatformError 429 that says when the next window begins
   */
  async count(who: string, allowance: number): Promise<void> {
    const part = Math.max(1, Math.floor(allowance / parts));
    const standing = this.#standingOf(who);
    for (;;) {
      this.#renew(standing, part);
      if (standing.left > 0) {
        standing.left--;
        return;
      }
      if (standing.isUsedUp) throw this.#tooMany(standing, allowance);
      standing.asking ??= this.#ask(who, standing, allowance, part).finally(() => {
        standing.asking = null;
      });
      await standing.asking;
    }
  }

  #standingOf(who: string): Standing {
    const known = this.#standings.find(who)?.value;
    if (known) return known;
    const standing: Standing = { endsAt: 0, left: 0, owed: 0, isUsedUp: false, asking: null };
    this.#standings.set(who, standing, stateBytes);
    return standing;
  }

  /** Begins the next window when the last one has ended. */
  #renew(standing: Standing, part: number): void {
    const now = this.#now();
    if (now < standing.endsAt) return;
    standing.endsAt = (Math.floor(now / this.#windowMs) + 1) * this.#windowMs;
    standing.left = part;
    standing.owed = part;
    standing.isUsedUp = false;
  }

  async #ask(who: string, standing: Standing, allowance: number, part: number): Promise<void> {
    const { owed } = standing;
    const amount = owed + part;
    // Addresses and ids don't go into the store as they are.
    const key = createHash('sha256').update(who).digest('base64url');
    standing.owed = 0;
    const { used, msLeft } = await this.#take(key, this.#windowMs, amount).catch(error => {
      standing.owed = owed;
      throw error;
    });
    const granted = Math.min(amount, Math.max(0, allowance - (used - amount)));
    standing.endsAt = this.#now() + Math.max(1, msLeft);
    standing.left = Math.max(0, granted - owed);
    standing.isUsedUp = standing.left === 0;
  }

  #tooMany({ endsAt }: Standing, allowance: number): PlatformError {
    const seconds = Math.max(1, Math.ceil((endsAt - this.#now()) / 1000));
    const per = this.#windowMs === 60_000 ? 'a minute' : `in ${this.#windowMs / 1000} s`;
    const message = `Too many requests: ${allowance} ${per} are allowed. Try again in ${seconds} s.`;
    return new PlatformError(429, message, { retryAfter: seconds });
  }
}
