import { isLoopback } from '../../contract/loopback.js';
import { PaError, PaErrorCode } from '../errors.js';

/**
 * Joins an operation's path to the base URL of its service. Only HTTPS is allowed, except for loopback hosts (spec
 * 1.3), because a token must not cross a network unencrypted.
 * @throws {PaError} `invalid_options` if the URL is relative, not HTTPS or contains credentials.
 */
export function serviceUrl(baseUrl: string, path: string): URL {
  if (!URL.canParse(baseUrl)) {
    throw new PaError(PaErrorCode.invalidOptions, 'Set baseUrl (base-url) to the absolute URL of the service.');
  }
  const base = new URL(baseUrl);
  // Browsers resolve every name below `localhost` to this machine.
  const isLocal = isLoopback(base.hostname) || base.hostname.endsWith('.localhost');
  if (base.protocol !== 'https:' && !(base.protocol === 'http:' && isLocal)) {
    throw new PaError(
      PaErrorCode.invalidOptions,
      `Use HTTPS for ${base.host}: plain HTTP is allowed only for loopback hosts.`,
    );
  }
  if (base.username !== '' || base.password !== '') {
    throw new PaError(PaErrorCode.invalidOptions, `Remove the user name and password from the URL of ${base.host}.`);
  }
  return new URL(`${base.pathname.replace(/\/+$/, '')}${path}`, base.origin);
}

/**
 * Fills path parameters into `{name}`. Values are encoded, so that they cannot add or leave a path segment.
 * @throws {PaError} `bad_request` if a value is missing or is `.` or `..`.
 */
export function fillPath(path: string, params: Readonly<Record<string, unknown>>): string {
  return path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const segment = encodeURIComponent(String(params[name] ?? ''));
    if (segment === '' || segment === '.' || segment === '..') {
      throw new PaError(PaErrorCode.badRequest, `${name} is required: it is part of the path.`);
    }
    return segment;
  });
}

/** Adds query parameters. Null and undefined values are omitted; a list adds one parameter per item. */
export function addQuery(url: URL, query: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== null && item !== undefined) url.searchParams.append(name, String(item));
    }
  }
}
