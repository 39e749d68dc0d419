import { setTimeout } from 'node:timers/promises';
import { lowerAscii } from '../../../contract/lower-ascii.js';
import { findSignInUser, type SignInUser } from '../../auth/password-store.js';
import { hashPassword, verifyPassword } from '../../auth/passwords.js';
import type { Db } from '../../db/database.js';
import { abortedError, PlatformError } from '../../errors.js';
import { networkOf } from '../../http/limit-requests.js';
import { RateLimiter, takeAllowance } from '../../http/rate-limiter.js';
import { type QueueLimit, TaskQueue } from '../../runtime/task-queue.js';

const windowMs = 5 * 60_000;
/**
 * Attempts per window: for a user from one network, from one network, and for a user. More attempts from a network are
 * rejected. More attempts for a user are delayed but not rejected, so that attackers in many networks cannot lock the
 * user out.
 */
const limits = { userAndNetwork: 10, network: 100, user: 100 } as const;
const delayMs = 3_000;
/** Maximum number of delayed attempts. Further attempts wait in the queue of hashes only. */
const maxDelayed = 2_000;

/** Hashing uses the thread pool that also reads files. A concurrency of 2 leaves threads for other requests. */
const hashLimits = { concurrency: 2, queueLimit: 200, rejection: tooManySignIns } as const;

/** Result of the verification of an email and a password. */
interface Verification {
  readonly user: SignInUser | null;
  readonly isVerified: boolean;
}

/** Options of a password guard, for tests. */
interface PasswordGuardOptions {
  /** Waits before an attempt for a user with too many of them; 3 s by default. */
  readonly delay?: (signal: AbortSignal) => Promise<void>;
}

/**
 * Verifies and hashes passwords, with limits on attempts and on concurrent hashes. Networks take turns in the queue of
 * hashes, regardless of how many attempts each sends.
 */
export class PasswordGuard {
  readonly #db: Db;
  readonly #limiter: RateLimiter;
  readonly #wait: (signal: AbortSignal) => Promise<void>;
  readonly #hashes = new TaskQueue(hashLimits);
  #delayed = 0;

  constructor(db: Db, options: PasswordGuardOptions = {}) {
    this.#db = db;
    this.#wait = options.delay ?? (signal => setTimeout(delayMs, undefined, { signal }));
    this.#limiter = new RateLimiter({ windowMs, take: (key, ms, amount) => takeAllowance(db, key, ms, amount) });
  }

  /**
   * Returns the user with this email, if there is one, and whether the password is correct. Takes the same time for any
   * combination.
   * @param address - address of the client; `null` if unknown.
   * @throws PlatformError 429 after too many attempts of a network, 503 if too many passwords are being verified.
   */
  async find(email: string, password: string, { address, signal }: Attempt): Promise<Verification> {
    await this.#count(`email ${lowerAscii(email)}`, { address, signal });
    const user = await findSignInUser(this.#db, email);
    return { user, isVerified: await this.#verify(password, user?.hash ?? null, { address, signal }) };
  }

  /** Verifies the password of a signed-in user, with the same limits as `find`. */
  async verify(userId: number, password: string, hash: string | null, attempt: Attempt): Promise<boolean> {
    await this.#count(`id ${userId}`, attempt);
    return this.#verify(password, hash, attempt);
  }

  /** Hashes a password. @throws PlatformError 503 if too many passwords are being hashed. */
  hash(password: string, { address, signal }: Attempt): Promise<string> {
    return this.#hashes.run(networkName(address), () => hashPassword(password), signal);
  }

  #verify(password: string, hash: string | null, { address, signal }: Attempt): Promise<boolean> {
    return this.#hashes.run(networkName(address), () => verifyPassword(password, hash), signal);
  }

  async #count(user: string, { address, signal }: Attempt): Promise<void> {
    const network = networkName(address);
    // Count by network first, so that rejected attempts do not delay those of other networks.
    await this.#limiter.count(`sign-in ${user} ${network}`, limits.userAndNetwork);
    if (address !== null) await this.#limiter.count(`sign-in network ${network}`, limits.network);
    if (!(await this.#limiter.tryCount(`sign-in ${user}`, limits.user))) await this.#delay(signal);
  }

  async #delay(signal: AbortSignal): Promise<void> {
    if (this.#delayed >= maxDelayed) return;
    this.#delayed += 1;
    try {
      await this.#wait(signal);
    } catch {
      // The wait rejects only if the client disconnects.
      throw abortedError();
    } finally {
      this.#delayed -= 1;
    }
  }
}

function tooManySignIns(limit: QueueLimit): PlatformError {
  if (limit === 'caller') {
    const message = 'Too many concurrent sign-ins from your network. Try again in 5 s.';
    return new PlatformError(429, message, { retryAfter: 5 });
  }
  return new PlatformError(503, 'Too many concurrent sign-ins. Try again in 5 s.', { retryAfter: 5 });
}

/** Origin of an attempt. */
interface Attempt {
  /** Address of the client; `null` if unknown. */
  readonly address: string | null;
  /** Aborts if the client disconnects. */
  readonly signal: AbortSignal;
}

function networkName(address: string | null): string {
  return address === null ? '' : networkOf(address);
}
