import { randomUUID } from 'node:crypto';
import { listDeployments } from '../../client/deployments.js';
import { PaConnectionError, PaTimeoutError } from '../../client/errors.js';
import { eachItem } from '../../client/pages.js';
import type { CommandContext } from '../command-context.js';
import { readKey } from '../read-key.js';
import type { TargetOptions } from '../target-options.js';
import { UsageError } from '../usage-error.js';
import type { Target } from './deployment-state.js';

type TargetContext = Pick<CommandContext, 'environment' | 'signal'>;

/**
 * Does something with the deployment that the flags name.
 * @throws UsageError where there is no key, or the deployment must be named; Error where no platform answers.
 */
export async function atTarget<T>(
  options: TargetOptions,
  context: TargetContext,
  work: (target: Target) => Promise<T>,
): Promise<T> {
  try {
    return await work(await openTarget(options, context));
  } catch (error) {
    if (!(error instanceof PaConnectionError || error instanceof PaTimeoutError)) throw error;
    throw new Error(`No answer of ${options.url}: name the address of a running platform as --url. ${error.message}`);
  }
}

async function openTarget(
  { url, deploymentId, keyFile }: TargetOptions,
  { environment, signal }: TargetContext,
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
