import type { UpstreamOptions } from '../platform/data-upstream/upstream-options.js';
import { UsageError } from './usage-error.js';

/**
 * The cluster that the Data API is passed on to; null where there is none. The secret comes from the environment alone, because others
 * on the machine can read a command line.
 * @throws UsageError where but half of it is said
 */
export function readUpstreamOptions(
  url: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): UpstreamOptions | null {
  const { PA_DATA_API_UPSTREAM_SECRET: secret } = environment;
  if (url !== undefined && secret) return { url, secret };
  if (url !== undefined) {
    throw new UsageError(
      '--data-api-upstream needs PA_DATA_API_UPSTREAM_SECRET: the secret that the cluster verifies its tokens by.',
    );
  }
  if (secret)
    throw new UsageError('PA_DATA_API_UPSTREAM_SECRET needs --data-api-upstream: where the cluster is asked.');
  return null;
}

/** Who serves the Data API, in a line. */
export function describeUpstream({ url }: UpstreamOptions): string {
  return `Data API: passed on to ${new URL(url).host}`;
}
