import type { SignInMethod } from '../../auth/principal.js';
import type { Db } from '../../db/database.js';
import { recordWrite } from '../../http/audit.js';
import { networkOf } from '../../http/limit-requests.js';
import { RateLimiter, takeAllowance } from '../../http/rate-limiter.js';
import { requestIdOf } from '../../http/request-id.js';

const windowMs = 60 * 60_000;
/**
 * Maximum number of entries per hour: for a user, or a network if the user is unknown; for all known users; and for all
 * unknown users. Entries of unknown users cannot use up those of known users.
 */
const limits = { each: 5, knownUsers: 400, unknownUsers: 100 } as const;

/** A sign-in that was rejected. */
interface SignInFailure {
  readonly method: SignInMethod;
  /** Reason why it was rejected. Never contains input of the client, which may be a password. */
  readonly reason: string;
  /** `null` if no active user has the email. */
  readonly userId: number | null;
  /** Address of the client; `null` if unknown. */
  readonly address: string | null;
}

/** Records rejected sign-ins in the audit log, with limits, so that a flood cannot fill it. */
export class SignInFailures {
  readonly #db: Db;
  readonly #limiter: RateLimiter;

  constructor(db: Db) {
    this.#db = db;
    this.#limiter = new RateLimiter({ windowMs, take: (key, ms, amount) => takeAllowance(db, key, ms, amount) });
  }

  /**
   * Records a rejected sign-in as `signInRejected`, unless there are too many. Does not delay the response, because its
   * duration would reveal whether an entry was written, and therefore whether the user exists.
   * @param onFailure - called if the entry cannot be written.
   */
  record(request: Request, failure: SignInFailure, onFailure: (error: unknown) => void): void {
    this.#record(request, failure).catch(onFailure);
  }

  async #record(request: Request, { method, reason, userId, address }: SignInFailure): Promise<void> {
    const network = address === null ? null : networkOf(address);
    const each = userId === null ? `network ${network}` : `user ${userId}`;
    const isCounted =
      (await this.#limiter.tryCount(`rejected ${each}`, limits.each)) &&
      (await (userId === null
        ? this.#limiter.tryCount('rejected unknown users', limits.unknownUsers)
        : this.#limiter.tryCount('rejected known users', limits.knownUsers)));
    if (!isCounted) return;
    const target = { id: userId, method, reason, network };
    await recordWrite(this.#db, {
      operation: 'signInRejected',
      principal: null,
      target,
      requestId: requestIdOf(request),
    });
  }
}
