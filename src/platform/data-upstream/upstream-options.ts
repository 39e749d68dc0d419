import { isLoopback } from '../../contract/loopback.js';
import { readSecret } from '../auth/secrets.js';

/** A cluster that serves the Data API in place of this platform. */
export interface UpstreamOptions {
  /** Base URL of its Data API, without `/v1`: `https://cluster.example.com/cubejs-api`. HTTPS, or HTTP on loopback. */
  readonly url: string;
  /** What the cluster verifies its tokens by (HS256). */
  readonly secret: string;
}

/** Where a cluster is, and what its tokens are signed with; both were checked. */
export interface Upstream {
  readonly base: URL;
  readonly secret: string;
}

const shortestSecret = 16;

/**
 * Reads where the Data API is passed on to.
 * @throws Error in one sentence, without the address, which may hold a password, and without the secret.
 */
export function readUpstream({ url, secret }: UpstreamOptions): Upstream {
  const base = URL.canParse(url) ? new URL(url) : null;
  if (!base || !/^https?:$/.test(base.protocol) || base.username || base.password || base.search || base.hash) {
    throw new Error(
      'The upstream of the Data API (--data-api-upstream) must be an address like https://cluster.example.com/cubejs-api, without user and password.',
    );
  }
  if (base.protocol === 'http:' && !isLoopback(base.hostname)) {
    throw new Error(
      'The upstream of the Data API (--data-api-upstream) must begin with https:, unless it is on this machine: tokens and rows go that way.',
    );
  }
  base.pathname = base.pathname.replace(/\/+$/, '');
  if (/\/v1$/.test(base.pathname)) {
    throw new Error('The upstream of the Data API (--data-api-upstream) must be given without /v1 at its end.');
  }
  return { base, secret: readSecret('PA_DATA_API_UPSTREAM_SECRET', secret, shortestSecret) };
}
