import { PlatformError } from '../../errors.js';

/**
 * Browsers accept the prefix `__Host-` only with `Secure`, with `Path=/` and without `Domain`, so no other host can set
 * the cookie.
 */
const name = '__Host-pa-session';
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax';

/**
 * Returns the `Set-Cookie` header that starts a session. The browser deletes the cookie when it closes; the server ends
 * the session.
 */
export function sessionCookie(secret: string): string {
  return `${name}=${secret}; ${attributes}`;
}

/** `Set-Cookie` header that removes the cookie. */
export const endedCookie = `${name}=; Max-Age=0; ${attributes}`;

const pendingName = '__Host-pa-sign-in';

/** Returns the `Set-Cookie` header with the state of a sign-in that continues at the provider, for 10 minutes. */
export function pendingCookie(sealed: string): string {
  return `${pendingName}=${sealed}; Max-Age=600; ${attributes}`;
}

/** `Set-Cookie` header that removes the state of a sign-in. */
export const endedPendingCookie = `${pendingName}=; Max-Age=0; ${attributes}`;

/** Reads the state of a sign-in; `null` if the request has none. */
export function readPendingCookie(request: Request): string | null {
  return readCookie(request, pendingName);
}

/** Reads the value of a cookie; `null` if it is missing, or does not have the form of values that the platform sets. */
export function readCookie(request: Request, cookie: string = name): string | null {
  for (const pair of request.headers.get('cookie')?.split(';') ?? []) {
    const [key, value = ''] = pair.trim().split('=', 2);
    if (key === cookie && /^[\w.-]{20,2000}$/.test(value)) return value;
  }
  return null;
}

/**
 * Checks that a page of the platform sent the request. Browsers set these headers, and pages cannot change them.
 * @param origin - origin of the platform.
 * @throws PlatformError 403
 */
export function requireOwnPage(request: Request, origin: string): void {
  const isOwn = request.headers.get('origin') === origin && isSameOrigin(request);
  if (!isOwn) throw otherPage();
}

/**
 * Checks a request that reads the session. Browsers send `Origin` only with some of these requests.
 * @returns false if a browser states that a page on another origin, or a link, sent the request.
 * @throws PlatformError 403 if `Origin` is another origin.
 */
export function isOwnRead(request: Request, origin: string): boolean {
  if ([origin, null].includes(request.headers.get('origin'))) return isSameOrigin(request);
  throw otherPage();
}

function isSameOrigin(request: Request): boolean {
  return ['same-origin', null].includes(request.headers.get('sec-fetch-site'));
}

function otherPage(): PlatformError {
  return new PlatformError(403, 'Only pages of the platform can use the session of a browser.');
}
