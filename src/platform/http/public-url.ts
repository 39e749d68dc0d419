import { isLoopback } from '../../contract/loopback.js';

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Parses the public URL of the platform.
 * @throws Error if it is neither an HTTPS URL nor an HTTP URL on loopback (spec 1.3, 5.1).
 */
export function readPublicUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new Error('The public URL must be a URL such as https://analytics.example.com.');
  }
  if (url.pathname !== '/')
    throw new Error('The public URL must not have a path, because the platform is mounted at the root.');
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new Error('The public URL must start with https:, because plain HTTP is served only on loopback.');
  }
  return url;
}

/**
 * Returns the accepted values of the `Host` header: the host of the public URL and, on loopback, the other names of
 * loopback.
 */
export function hostsOf(publicUrl: URL): ReadonlySet<string> {
  const { hostname, port, protocol } = publicUrl;
  const names = loopbackNames.includes(hostname) ? loopbackNames : [hostname];
  // Browsers omit a default port; other clients may send it.
  const ports = port === '' ? ['', protocol === 'https:' ? ':443' : ':80'] : [`:${port}`];
  return new Set(names.flatMap(name => ports.map(suffix => name + suffix)));
}

/**
 * Parses an origin from which pages may call the platform.
 * @throws Error if it is not exactly one origin.
 */
export function readOrigin(text: string): string {
  const url = URL.canParse(text) && !text.includes('*') ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || (text !== url.origin && text !== `${url.origin}/`)) {
    throw new Error(`"${text}" is not a valid origin. Use the form https://app.example.com, without a path or "*".`);
  }
  return url.origin;
}
