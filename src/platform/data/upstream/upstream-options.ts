import { isLoopback } from '../../../contract/loopback.js';
import { readSecret } from '../../auth/secrets.js';
import type { DataLocationOptions } from '../engines/open-engine.js';
import type { QueryLimits } from '../query-limits.js';

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

const minSecretLength = 16;

/**
 * Reads where the Data API is passed on to.
 * @throws Error in one sentence, without the address, which may hold a password, and without the secret.
 */
export function readUpstream({ url, secret }: UpstreamOptions): Upstream {
  const base = URL.canParse(url) ? new URL(url) : null;
  if (!base || !/^https?:$/.test(base.protocol)) {
    throw mistake('be an address like https://cluster.example.com/cubejs-api');
  }
  if (base.username || base.password) throw mistake('be given without user and password');
  if (base.search || base.hash) throw mistake('be given without what stands after ? or #');
  if (base.protocol === 'http:' && !isLoopback(base.hostname)) {
    throw mistake('begin with https:, unless it is on this machine: tokens and rows go that way');
  }
  base.pathname = base.pathname.replace(/\/+$/, '');
  if (/\/v1$/.test(base.pathname)) throw mistake('be given without /v1 at its end');
  return { base, secret: readSecret('PA_DATA_API_UPSTREAM_SECRET', secret, minSecretLength) };
}

function mistake(what: string): Error {
  return new Error(`The upstream of the Data API (--data-api-upstream) must ${what}.`);
}

/**
 * Refuses what only means something where the data are the platform's own.
 * @throws Error in one sentence that names the flags.
 */
export function refuseOwnData(
  own: DataLocationOptions & { readonly modelDirectory?: string },
  limits: QueryLimits,
): void {
  if (own.modelDirectory !== undefined) {
    throw new Error(
      'Give either --model or --data-api-upstream: a platform serves a model of its own, or passes its Data API on.',
    );
  }
  const idle = Object.entries({
    '--sources': own.sourcesDirectory,
    PA_DATA_SOURCE_URL: own.dataSourceUrl,
    '--data-schema': own.dataSchema,
    '--continue-wait': limits.continueWaitMs,
    '--query-timeout': limits.queryTimeoutMs,
    '--memory-limit': limits.memoryLimit,
    '--cache-size': limits.cacheBytes,
  }).flatMap(([flag, value]) => (value === undefined ? [] : flag));
  if (idle.length === 0) return;
  const [does, it] = idle.length === 1 ? ['does', 'it'] : ['do', 'them'];
  throw new Error(`${idle.join(', ')} ${does} nothing beside --data-api-upstream: leave ${it} out.`);
}
