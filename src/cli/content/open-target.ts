import { randomUUID } from 'node:crypto';
import { listDeployments } from '../../client/deployments.js';
import { eachItem } from '../../client/pages.js';
import { readKey } from '../read-key.js';
import type { TargetOptions } from '../target-options.js';
import { UsageError } from '../usage-error.js';
import type { Target } from './deployment-state.js';

/**
 * Opens the deployment that the flags name.
 * @throws UsageError where there is no key, or the deployment must be named.
 */
export async function openTarget(
  { url, deploymentId, keyFile }: TargetOptions,
  {
    environment,
    signal,
  }: { readonly environment: Readonly<Record<string, string | undefined>>; readonly signal: AbortSignal },
): Promise<Target> {
  const token = await readKey(keyFile, environment);
  const connection = { baseUrl: url, token, retries: 5, newRequestId: randomUUID };
  if (deploymentId !== null) return { connection, deploymentId, signal };
  const found: number[] = [];
  for await (const { id } of eachItem(page => listDeployments(connection, page, { signal }), { signal }))
    found.push(id);
  const [only] = found;
  if (only === undefined || found.length > 1) {
    throw new UsageError(
      `--deployment must name one of the deployments that there are: ${found.join(', ') || 'none'}.`,
    );
  }
  return { connection, deploymentId: only, signal };
}
