import { SignJWT } from 'jose';
import type { SecurityContext } from '../../auth/principal.js';

/**
 * Lifetime of a token in seconds. The cluster verifies the token when a request starts, so a long response may continue
 * after it expires.
 */
const lifetimeSeconds = 120;
/**
 * Age in seconds after which a new token is signed. A sent token is therefore valid for at least as long again, which
 * allows for clock differences.
 */
const maxAgeSeconds = 60;

interface Signed {
  readonly token: Promise<string>;
  /** Time until which to use the token, in milliseconds since 1970. */
  readonly until: number;
}

/** Signs the tokens that authenticate requests to a cluster. Each token contains the security context of a caller. */
export class ContextTokens {
  readonly #key: Uint8Array;
  /** Tokens by security context. Contexts are frozen, and all requests with the same data token share one context. */
  readonly #signed = new WeakMap<SecurityContext, Signed>();

  constructor(secret: string) {
    this.#key = new TextEncoder().encode(secret);
  }

  /**
   * Returns a token (HS256) whose payload is the security context with `iat` and `exp`. These two claims override keys
   * of the same name in the context.
   */
  of(context: SecurityContext): Promise<string> {
    const now = Date.now();
    const cached = this.#signed.get(context);
    if (cached && now < cached.until) return cached.token;
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
