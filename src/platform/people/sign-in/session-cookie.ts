import { PlatformError } from '../../errors.js';

/** Browsers accept the prefix only with `Secure`, `Path=/` and without `Domain`: no other host can set the cookie. */
const name = '__Host-pa-session';
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax';

/** `Set-Cookie` header that starts a session. The cookie ends with the browser, the session on the server. */
export function sessionCookie(secret: string): string {
  return `${name}=${secret}; ${attributes}`;
}

/** `Set-Cookie` header that removes the cookie. */
export const endedCookie = `${name}=; Max-Age=0; ${attributes}`;

/** Reads the value of a cookie; `null` if it is missing, or has a form that the platform does not set. */
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
  if (!isOwn) throw new PlatformError(403, 'Only pages of the platform can use the session of a browser.');
}

/** False if a browser states that a page of another origin sent the request. */
export function isSameOrigin(request: Request): boolean {
  return ['same-origin', null].includes(request.headers.get('sec-fetch-site'));
}
