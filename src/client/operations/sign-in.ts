import type { ResponseOf } from '../../contract/operation.js';
import * as contract from '../../contract/sign-in.js';
import { type Endpoint, endpoint } from '../http/connection.js';
import { type RequestOptions, request } from '../http/request.js';

/** Connection of a page that the platform serves. The credential is the cookie of the platform. */
export interface SignInConnection {
  /** Origin of the platform, which is also the origin of the page. */
  readonly baseUrl: string;
  /** Custom `fetch`. Defaults to the global one. */
  readonly fetch?: typeof fetch | undefined;
}

const withCookie = ({ baseUrl, fetch }: SignInConnection, options: RequestOptions | undefined) =>
  ({ ...options, baseUrl, fetch, credentials: 'same-origin' }) as const;

/**
 * Returns the available sign-in methods, and whether this browser has a session. Works only in pages of the platform.
 */
export function getSignIn(
  connection: SignInConnection,
  options?: RequestOptions,
): Promise<ResponseOf<typeof contract.getSignIn>> {
  return request(contract.getSignIn, withCookie(connection, options));
}

/** Signs in with email and password, and sets the session cookie. Works only in pages of the platform. */
export async function signIn(
  connection: SignInConnection,
  body: { readonly email: string; readonly password: string },
  options?: RequestOptions,
): Promise<void> {
  await request(contract.signIn, { ...withCookie(connection, options), body });
}

/** Exchanges the browser's session for a token that is valid for 10 minutes. Works only in pages of the platform. */
export function createSessionToken(
  connection: SignInConnection,
  options?: RequestOptions,
): Promise<ResponseOf<typeof contract.createSessionToken>> {
  return request(contract.createSessionToken, withCookie(connection, options));
}

/** Ends the browser's session. Works only in pages of the platform. */
export async function signOut(connection: SignInConnection, options?: RequestOptions): Promise<void> {
  await request(contract.signOut, withCookie(connection, options));
}

/** Ends all sessions of the caller's own user, in all browsers. */
export const endMySessions: Endpoint<typeof contract.endMySessions> = /* @__PURE__ */ endpoint(contract.endMySessions);

/** Changes the password of the signed-in user and ends the user's other sessions. */
export const changeMyPassword: Endpoint<typeof contract.changeMyPassword> = /* @__PURE__ */ endpoint(
  contract.changeMyPassword,
);

/** Lists the sessions of a user, newest first. Requires an administrator. */
export const listUserSessions: Endpoint<typeof contract.listUserSessions, 'id'> = /* @__PURE__ */ endpoint(
  contract.listUserSessions,
  'id',
);

/** Ends all sessions of a user. Requires an administrator. */
export const endUserSessions: Endpoint<typeof contract.endUserSessions, 'id'> = /* @__PURE__ */ endpoint(
  contract.endUserSessions,
  'id',
);

/** Sets the password of a user and ends the user's sessions. Requires an administrator. */
export const setUserPassword: Endpoint<typeof contract.setUserPassword, 'id'> = /* @__PURE__ */ endpoint(
  contract.setUserPassword,
  'id',
);
