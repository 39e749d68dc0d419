import { isLoopback } from '../../contract/loopback.js';
import { PaError, PaErrorCode } from '../errors.js';

/**
 * Joins an operation's path to the address of its service. Only HTTPS is spoken, but for loopback (spec 1.3): a token must not
 * cross a network in the clear.
 */
export function serviceUrl(baseUrl: string, path: string): URL {
  if (!URL.canParse(baseUrl)) {
    throw new PaError(PaErrorCode.invalidOptions, 'Set baseUrl (base-url) to the absolute address of the service.');
  }
  const base = new URL(baseUrl);
  // To a browser every name below localhost is this machine too.
  const isOwn = isLoopback(base.hostname) || base.hostname.endsWith('.localhost');
  if (base.protocol !== 'https:' && !(base.protocol === 'http:' && isOwn)) {
    throw new PaError(PaErrorCode.invalidOptions, `Use HTTPS for ${base.host}: plain HTTP is for loopback alone.`);
  }
  if (base.username !== '' || base.password !== '') {
    throw new PaError(
      PaErrorCode.invalidOptions,
      `Take the user name and password out of the address of ${base.host}.`,
    );
  }
  return new URL(`${base.pathname.replace(/\/+$/, '')}${path}`, base.origin);
}

/** Puts path parameters into `{name}`; a value can't leave its segment. */
export function fillPath(path: string, params: Readonly<Record<string, unknown>>): string {
  return path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const segment = encodeURIComponent(String(params[name] ?? ''));
    if (segment === '' || segment === '.' || segment === '..') {
      throw new PaError(PaErrorCode.badRequest, `Give ${name}: it is part of the address.`);
    }
    return segment;
  });
}

/** Adds query parameters; null and undefined mean "not given", a list is repeated. */
export function addQuery(url: URL, query: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== null && item !== undefined) url.searchParams.append(name, String(item));
    }
  }
}
