import { SignJWT } from 'jose';
import type { SecurityContext } from '../../auth/principal.js';

/** Seconds that a token is good for; it is looked at as a request begins, so that a long answer may outlive it. */
const lifetimeSeconds = 120;
/** Age in seconds at which another is signed: what is sent has at least as much left, for clocks that differ. */
const maxAgeSeconds = 60;

interface Signed {
  readonly token: Promise<string>;
  /** In milliseconds since 1970. */
  readonly until: number;
}

/** Signs tokens for a cluster, each of which says whose rows are asked for. */
export class ContextTokens {
  readonly #key: Uint8Array;
  /** Contexts are frozen, and one object for all requests with one data token. */
  readonly #signed = new WeakMap<SecurityContext, Signed>();

  constructor(secret: string) {
    this.#key = new TextEncoder().encode(secret);
  }

  /**
   * A token (HS256) whose payload is the context as models see it, with `iat` and `exp`: these two are ours, also where the
   * context has keys of that name.
   */
  of(context: SecurityContext): Promise<string> {
    const now = Date.now();
    const known = this.#signed.get(context);
    if (known && now < known.until) return known.token;
    const seconds = Math.floor(now / 1000);
    const token = new SignJWT({ ...context })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + lifetimeSeconds)
      .sign(this.#key);
    this.#signed.set(context, { token, until: now + maxAgeSeconds * 1000 });
    return token;
  }
}
