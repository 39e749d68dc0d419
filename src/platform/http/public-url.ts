import { isLoopback } from '../../contract/loopback.js';

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Reads the URL under which the platform is reached from outside.
 * @throws Error in one sentence when it isn't an address of HTTPS, or of HTTP on loopback (spec 1.3, 5.1).
 */
export function readPublicUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new Error('The public URL must be an address like https://analytics.example.com.');
  }
  if (url.pathname !== '/') throw new Error('The public URL must have no path: the platform is mounted at the root.');
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new Error('The public URL must begin with https:, because plain HTTP is served on loopback alone.');
  }
  return url;
}

/** The values of a `Host` header that mean us: the public URL's, and on loopback its synonyms. */
export function hostsOf(publicUrl: URL): ReadonlySet<string> {
  const { hostname, port, protocol } = publicUrl;
  const names = loopbackNames.includes(hostname) ? loopbackNames : [hostname];
  // Browsers leave a default port out, other clients may write it.
  const ports = port === '' ? ['', protocol === 'https:' ? ':443' : ':80'] : [`:${port}`];
  return new Set(names.flatMap(name => ports.map(suffix => name + suffix)));
}

/**
 * Reads an origin that pages may call from.
 * @throws Error in one sentence when it isn't exactly one origin.
 */
export function readOrigin(text: string): string {
  const url = URL.canParse(text) && !text.includes('*') ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || (text !== url.origin && text !== `${url.origin}/`)) {
    throw new Error(
      `"${text}" is not an allowed origin: write it like https://app.example.com, one by one, without "*".`,
    );
  }
  return url.origin;
}
