import { PaAuthenticationError } from '../../client/errors.js';
import type { PlatformConnection } from '../../client/http/connection.js';
import { createSessionToken, endMySessions, getSignIn, signIn, signOut } from '../../client/operations/sign-in.js';
import { getMe } from '../../client/operations/users.js';
import type { User } from '../../contract/users.js';

/** How persons can sign in. */
export type SignInOptions = Awaited<ReturnType<typeof getSignIn>>;

/** Calls an operation with a valid token. */
export type Call = <T>(operation: (connection: PlatformConnection) => Promise<T>) => Promise<T>;

/** The session of the page. Its token is only in closures: never in a property, an attribute, a URL or storage. */
export interface PeopleApi {
  options(): Promise<SignInOptions>;
  signIn(email: string, password: string): Promise<void>;
  /** Returns the user of the session; `null` if the browser has none. */
  me(): Promise<User | null>;
  readonly call: Call;
  signOut(): Promise<void>;
  signOutEverywhere(): Promise<void>;
  /** Discards the token. */
  forget(): void;
}

/** The token is renewed this long before it expires. */
const marginMs = 60_000;

/**
 * Creates the session of a page of the platform.
 * @param onSignedOut - called when a request finds that the session has ended.
 */
export function createPeopleApi(baseUrl: string, onSignedOut: () => void): PeopleApi {
  let current: Promise<{ readonly token: string; readonly expiresAt: string }> | null = null;

  async function token(): Promise<string> {
    // After a failure, the exchange is tried again.
    const known = await current?.catch(() => null);
    if (known && Date.parse(known.expiresAt) - Date.now() > marginMs) return known.token;
    current = createSessionToken({ baseUrl });
    return (await current).token;
  }

  /** A token can be rejected before it expires. If the session has ended too, so does the page's. */
  const call: Call = async operation => {
    try {
      return await operation({ baseUrl, token: await token() });
    } catch (error) {
      if (!(error instanceof PaAuthenticationError)) throw error;
      current = null;
      try {
        return await operation({ baseUrl, token: await token() });
      } catch (failure) {
        current = null;
        if (failure instanceof PaAuthenticationError) onSignedOut();
        throw failure;
      }
    }
  };

  return {
    options: () => getSignIn({ baseUrl }),
    async signIn(email, password) {
      current = null;
      await signIn({ baseUrl }, { email, password });
    },
    async me() {
      try {
        return await call(connection => getMe(connection));
      } catch (error) {
        current = null;
        if (error instanceof PaAuthenticationError) return null;
        throw error;
      }
    },
    call,
    async signOut() {
      current = null;
      await signOut({ baseUrl });
    },
    async signOutEverywhere() {
      await call(connection => endMySessions(connection));
      current = null;
      await signOut({ baseUrl });
    },
    forget() {
      current = null;
    },
  };
}
