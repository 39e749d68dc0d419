import { PaAuthenticationError } from '../../client/errors.js';
import type { PlatformConnection } from '../../client/http/connection.js';
import { createSessionToken, endMySessions, getSignIn, signIn, signOut } from '../../client/operations/sign-in.js';
import { getMe } from '../../client/operations/users.js';
import type { User } from '../../contract/users.js';

/** Available sign-in methods. */
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

/** Time before its expiry at which the token is renewed, ms. */
const marginMs = 60_000;

/**
 * Creates the session of a page of the platform.
 * @param onSignedOut - called when a request finds that the session has ended.
 */
export function createPeopleApi(baseUrl: string, onSignedOut: () => void): PeopleApi {
  let current: Promise<{ readonly token: string; readonly expiresAt: string }> | null = null;
  /** Id of the user that the page shows; `null` if no user is loaded (see `me`). */
  let personId: number | null = null;

  async function token(): Promise<string> {
    // If the previous exchange failed, retry it.
    const known = await current?.catch(() => null);
    if (known && Date.parse(known.expiresAt) - Date.now() > marginMs) return known.token;
    current = exchange();
    return (await current).token;
  }

  /**
   * Exchanges the cookie for a token. The cookie is shared with other tabs, where another person may have signed in
   * since. This page must not act on behalf of that person, so it checks the user of the token.
   */
  async function exchange() {
    const session = await createSessionToken({ baseUrl });
    if (personId === null) return session;
    const { id } = await getMe({ baseUrl, token: session.token });
    if (id !== personId) throw new PaAuthenticationError('Another user has signed in. Sign in again.', { status: 401 });
    return session;
  }

  /** Calls an operation, and retries it with a new token if the token is rejected before it expires. */
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

  function forget(): void {
    current = null;
    personId = null;
  }

  return {
    options: () => getSignIn({ baseUrl }),
    async signIn(email, password) {
      forget();
      await signIn({ baseUrl }, { email, password });
    },
    async me() {
      personId = null;
      try {
        const user = await call(connection => getMe(connection));
        personId = user.id;
        return user;
      } catch (error) {
        current = null;
        if (error instanceof PaAuthenticationError) return null;
        throw error;
      }
    },
    call,
    async signOut() {
      forget();
      await signOut({ baseUrl });
    },
    async signOutEverywhere() {
      await call(connection => endMySessions(connection));
      forget();
      await signOut({ baseUrl });
    },
    forget,
  };
}
