import { isLoopback } from '../../../contract/loopback.js';
import { readSecret } from '../../auth/secrets.js';
import type { DataLocationOptions } from '../engines/open-engine.js';
import type { QueryLimits } from '../query-limits.js';

/** A cluster that serves the Data API instead of this platform. */
export interface UpstreamOptions {
  /** Base URL of its Data API, without `/v1`: `https://cluster.example.com/cubejs-api`. HTTPS, or HTTP on loopback. */
  readonly url: string;
  /** The secret with which the cluster verifies tokens (HS256). */
  readonly secret: string;
}

/** The validated URL and secret of a cluster. */
export interface Upstream {
  readonly base: URL;
  readonly secret: string;
}

const minSecretLength = 16;

/**
 * Validates the options of the upstream cluster.
 * @throws Error whose message contains neither the URL, which may include a password, nor the secret.
 */
export function readUpstream({ url, secret }: UpstreamOptions): Upstream {
  const base = URL.canParse(url) ? new URL(url) : null;
  if (!base || !/^https?:$/.test(base.protocol)) {
    throw mistake('be a URL like https://cluster.example.com/cubejs-api');
  }
  if (base.username || base.password) throw mistake('not contain a user or password');
  if (base.search || base.hash) throw mistake('not have a query string or a fragment');
  if (base.protocol === 'http:' && !isLoopback(base.hostname)) {
    throw mistake('start with https:, unless it is on this machine, because tokens and rows are sent to it');
  }
  base.pathname = base.pathname.replace(/\/+$/, '');
  if (/\/v1$/.test(base.pathname)) throw mistake('not end with /v1');
  return { base, secret: readSecret('PA_DATA_API_UPSTREAM_SECRET', secret, minSecretLength) };
}

function mistake(what: string): Error {
  return new Error(`The upstream of the Data API (--data-api-upstream) must ${what}.`);
}

/**
 * Rejects options that have no effect with an upstream cluster.
 * @throws Error that names the options.
 */
export function rejectOwnData(
  own: DataLocationOptions & { readonly modelDirectory?: string },
  limits: QueryLimits,
): void {
  if (own.modelDirectory !== undefined) {
    throw new Error(
      'Set either --model or --data-api-upstream: a platform serves its own model or forwards its Data API.',
    );
  }
  const unused = Object.entries({
    '--sources': own.sourcesDirectory,
    PA_DATA_SOURCE_URL: own.dataSourceUrl,
    '--data-schema': own.dataSchema,
    '--continue-wait': limits.continueWaitMs,
    '--query-timeout': limits.queryTimeoutMs,
    '--memory-limit': limits.memoryLimit,
    '--cache-size': limits.cacheBytes,
  }).flatMap(([flag, value]) => (value === undefined ? [] : flag));
  if (unused.length === 0) return;
  const [verb, pronoun] = unused.length === 1 ? ['has', 'it'] : ['have', 'them'];
  throw new Error(`${unused.join(', ')} ${verb} no effect with --data-api-upstream: remove ${pronoun}.`);
}
