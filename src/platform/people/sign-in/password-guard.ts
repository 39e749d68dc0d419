import { findSignInUser, type SignInUser } from '../../auth/password-store.js';
import { hashPassword, verifyPassword } from '../../auth/passwords.js';
import type { Db } from '../../db/database.js';
import { networkOf } from '../../http/limit-requests.js';
import { RateLimiter, takeAllowance } from '../../http/rate-limiter.js';
import { TaskQueue } from '../../runtime/task-queue.js';

const windowMs = 5 * 60_000;
/** Maximum number of attempts per window: for a user from one network, for a user, and from one network. */
const limits = { userAndNetwork: 10, user: 100, network: 100 } as const;

/** Hashing uses the thread pool that also reads files. A concurrency of 2 leaves threads for other requests. */
const concurrency = { concurrency: 2, queueLimit: 200 } as const;

/** Verifies and hashes passwords, with limits on attempts and on concurrent hashes. */
export class PasswordGuard {
  readonly #db: Db;
  readonly #limiter: RateLimiter;
  readonly #hashes = new TaskQueue(concurrency);

  constructor(db: Db) {
    this.#db = db;
    this.#limiter = new RateLimiter({ windowMs, take: (key, ms, amount) => takeAllowance(db, key, ms, amount) });
  }

  /**
   * Returns the user with this email and password; `null` for any other combination, after the same time.
   * @param address - address of the client; `null` if unknown.
   * @throws PlatformError 429 after too many attempts, 503 if too many passwords are being verified.
   */
  async find(email: string, password: string, { address, signal }: Attempt): Promise<SignInUser | null> {
    const user = email.toLowerCase();
    await this.#count(`email ${user}`, address);
    const found = await findSignInUser(this.#db, user);
    return (await this.#verify(password, found?.hash ?? null, { address, signal })) ? found : null;
  }

  /** Verifies the password of a signed-in user, with the same limits as `find`. */
  async verify(userId: number, password: string, hash: string | null, attempt: Attempt): Promise<boolean> {
    await this.#count(`id ${userId}`, attempt.address);
    return this.#verify(password, hash, attempt);
  }

  /** @throws PlatformError 503 if too many passwords are being hashed. */
  hash(password: string, { address, signal }: Attempt): Promise<string> {
    return this.#hashes.run(networkName(address), () => hashPassword(password), signal);
  }

  #verify(password: string, hash: string | null, { address, signal }: Attempt): Promise<boolean> {
    return this.#hashes.run(networkName(address), () => verifyPassword(password, hash), signal);
  }

  async #count(user: string, address: string | null): Promise<void> {
    const network = networkName(address);
    await this.#limiter.count(`sign-in ${user} ${network}`, limits.userAndNetwork);
    await this.#limiter.count(`sign-in ${user}`, limits.user);
    if (address !== null) await this.#limiter.count(`sign-in network ${network}`, limits.network);
  }
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
