import type { ResponseOf } from '../../contract/operation.js';
import * as contract from '../../contract/sign-in.js';
import { type Endpoint, endpoint } from '../http/connection.js';
import { type RequestOptions, request } from '../http/request.js';

/** Connection of a page of the platform, whose cookie is the credential. */
export interface SignInConnection {
  /** Origin of the platform, which is that of the page. */
  readonly baseUrl: string;
  /** Custom `fetch`. Defaults to the global one. */
  readonly fetch?: typeof fetch | undefined;
}

const withCookie = ({ baseUrl, fetch }: SignInConnection, options: RequestOptions | undefined) =>
  ({ ...options, baseUrl, fetch, credentials: 'same-origin' }) as const;

/** Returns how persons can sign in, and whether this browser has a session. Works in pages of the platform only. */
export function getSignIn(
  connection: SignInConnection,
  options?: RequestOptions,
): Promise<ResponseOf<typeof contract.getSignIn>> {
  return request(contract.getSignIn, withCookie(connection, options));
}

/** Signs in with email and password, and sets the cookie of the browser. Works in pages of the platform only. */
export async function signIn(
  connection: SignInConnection,
  body: { readonly email: string; readonly password: string },
  options?: RequestOptions,
): Promise<void> {
  await request(contract.signIn, { ...withCookie(connection, options), body });
}

/** Exchanges the session of the browser for a token, valid for 10 minutes. Works in pages of the platform only. */
export function createSessionToken(
  connection: SignInConnection,
  options?: RequestOptions,
): Promise<ResponseOf<typeof contract.createSessionToken>> {
  return request(contract.createSessionToken, withCookie(connection, options));
}

/** Ends the session of the browser. Works in pages of the platform only. */
export async function signOut(connection: SignInConnection, options?: RequestOptions): Promise<void> {
  await request(contract.signOut, withCookie(connection, options));
}

/** Ends all sessions of the caller's own user, in all browsers. */
export const endMySessions: Endpoint<typeof contract.endMySessions> = /* @__PURE__ */ endpoint(contract.endMySessions);

/** Changes the password of the signed-in person and ends its other sessions. */
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

/** Sets the password of a user and ends its sessions. Requires an administrator. */
export const setUserPassword: Endpoint<typeof contract.setUserPassword, 'id'> = /* @__PURE__ */ endpoint(
  contract.setUserPassword,
  'id',
);
