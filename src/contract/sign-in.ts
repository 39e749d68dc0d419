import * as z from 'zod/mini';
import { operation } from './operation.js';
import { IdParam, openEnum, optional, PageQuery, pageOf } from './wire.js';

/** How a user signed in: with a password, through the OpenID provider, or with a token of the configured issuer. */
export const signInMethods = ['password', 'oidc', 'issuer'] as const;

/** A session of a user who signed in. */
export const PersonSession = z.looseObject({
  id: z.int(),
  method: openEnum(signInMethods),
  createdAt: z.string(),
  /** Time of the last exchange for a token, with a precision of one minute. */
  lastUsedAt: z.string(),
  expiresAt: z.string(),
});
/** A session of a user who signed in. */
export type PersonSession = z.infer<typeof PersonSession>;

/** A new password: 12 to 200 characters. */
export const NewPassword = z.string().check(z.minLength(12, 'must have at least 12 characters'), z.maxLength(200));
const Password = z.string().check(z.minLength(1), z.maxLength(1000));

const common = { api: 'platform', access: 'public' } as const;
const limited = { 429: 'There were too many attempts. Retry after the delay in Retry-After.' } as const;
const otherPage = { 403: 'The request comes from a page on another origin.' } as const;
const noUser = { 404: 'The user does not exist.' } as const;

/**
 * Returns how users can sign in, and whether the caller's cookie belongs to a session. All operations for sign-in are
 * extensions. Only operations below this path read the cookie, and only in requests of pages that the platform serves:
 * they check `Origin` and `Sec-Fetch-Site`, and return 403 to other pages.
 */
export const getSignIn = operation({
  ...common,
  id: 'getSignIn',
  method: 'GET',
  path: '/api/v1/sign-in',
  response: z.looseObject({
    isSignedIn: z.boolean(),
    /** The OpenID provider. Signing in with it starts at `path`. */
    provider: optional(z.looseObject({ name: z.string(), path: z.string() })),
    /** True if only the provider and break-glass administrators can sign in. */
    singleSignOnOnly: z.boolean(),
  }),
  errors: otherPage,
});

/**
 * Signs in with email and password. Sets the cookie `__Host-pa-session`, which scripts cannot read, and ends the
 * previous session of the browser. A session ends after 12 hours, or 2 hours without use. The response and its duration
 * are the same for an unknown user, a deactivated user, a user without a password, and a wrong password. Too many
 * attempts from one network are rejected; too many attempts for one user from several networks are delayed.
 */
export const signIn = operation({
  ...common,
  id: 'signIn',
  method: 'POST',
  path: '/api/v1/sign-in',
  body: z.strictObject({ email: z.string().check(z.trim(), z.minLength(1), z.maxLength(320)), password: Password }),
  response: null,
  errors: {
    401: 'The email or the password is not correct.',
    ...otherPage,
    ...limited,
    503: 'There are too many concurrent sign-ins. Retry after the delay in Retry-After.',
  },
});

/**
 * Exchanges the cookie for a token, which is the credential of all other operations. The token is valid for at most 10
 * minutes, and only as long as the session.
 */
export const createSessionToken = operation({
  ...common,
  id: 'createSessionToken',
  method: 'POST',
  path: '/api/v1/sign-in/token',
  response: z.looseObject({ token: z.string().check(z.minLength(1)), expiresAt: z.string() }),
  errors: { 401: 'The browser has no session.', ...otherPage },
});

/** Ends the session of the cookie, and revokes the tokens that were created in it. */
export const signOut = operation({
  ...common,
  id: 'signOut',
  method: 'DELETE',
  path: '/api/v1/sign-in',
  response: null,
  errors: otherPage,
});

/**
 * Ends all sessions of the caller's own user, in all browsers, and revokes the tokens that were created in them. API
 * keys stay valid.
 */
export const endMySessions = operation({
  ...common,
  access: 'authenticated',
  id: 'endMySessions',
  method: 'DELETE',
  path: '/api/v1/users/me/sessions',
  response: null,
  errors: {},
});

/**
 * Changes the password of the signed-in user and ends the user's other sessions. Requires a signed-in user; an API key
 * is not sufficient.
 */
export const changeMyPassword = operation({
  ...common,
  access: 'authenticated',
  id: 'changeMyPassword',
  method: 'PUT',
  path: '/api/v1/users/me/password',
  body: z.strictObject({ currentPassword: Password, newPassword: NewPassword }),
  response: null,
  errors: { ...limited, 503: 'There are too many concurrent sign-ins. Retry after the delay in Retry-After.' },
});

/** Lists the sessions of a user, newest first. Requires an API key or a signed-in user with the admin role. */
export const listUserSessions = operation({
  ...common,
  access: 'admin',
  id: 'listUserSessions',
  method: 'GET',
  path: '/api/v1/users/{id}/sessions',
  params: z.strictObject({ id: IdParam }),
  query: PageQuery,
  response: pageOf(PersonSession),
  errors: noUser,
});

/** Ends all sessions of a user. Requires an API key or a signed-in user with the admin role. */
export const endUserSessions = operation({
  ...common,
  access: 'admin',
  id: 'endUserSessions',
  method: 'DELETE',
  path: '/api/v1/users/{id}/sessions',
  params: z.strictObject({ id: IdParam }),
  response: null,
  errors: noUser,
});

/**
 * Sets the password of a user and ends the user's sessions. The first administrator with a password becomes the
 * break-glass administrator, who can sign in with the password even if the account requires single sign-on. Requires an
 * API key or a signed-in user with the admin role.
 */
export const setUserPassword = operation({
  ...common,
  access: 'admin',
  id: 'setUserPassword',
  method: 'PUT',
  path: '/api/v1/users/{id}/password',
  params: z.strictObject({ id: IdParam }),
  body: z.strictObject({ password: NewPassword }),
  response: null,
  errors: { ...noUser, 503: 'There are too many concurrent sign-ins. Retry after the delay in Retry-After.' },
});
