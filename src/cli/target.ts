import { randomUUID } from 'node:crypto';
import { PaConnectionError, PaTimeoutError } from '../client/errors.js';
import { listDeployments } from '../client/operations/deployments.js';
import { eachItem } from '../client/operations/pagination.js';
import type { Target } from '../content/deployment-state.js';
import { type CommandContext, UsageError } from './command.js';
import { readKey, type TargetOptions } from './target-options.js';

type TargetContext = Pick<CommandContext, 'environment' | 'signal'>;

/**
 * Runs `work` with the deployment that the flags select.
 * @throws UsageError if no key is set or the deployment is ambiguous; Error if the platform does not respond.
 */
export async function withTarget<T>(
  options: TargetOptions,
  context: TargetContext,
  work: (target: Target) => Promise<T>,
): Promise<T> {
  try {
    return await work(await openTarget(options, context));
  } catch (error) {
    if (!(error instanceof PaConnectionError || error instanceof PaTimeoutError)) throw error;
    const isRunning = error.message.includes('TLS certificate');
    const advice = isRunning ? '' : ' Set --url to the address of a running platform.';
    throw new Error(`Could not connect to ${options.url}.${advice} ${error.message}`);
  }
}

async function openTarget(
  { url, deploymentId, ...keySource }: TargetOptions,
  { environment, signal }: TargetContext,
): Promise<Target> {
  const token = await readKey(keySource, environment);
  const connection = { baseUrl: url, token, retries: 5, newRequestId: randomUUID };
  if (deploymentId !== null) return { connection, deploymentId, signal };
  const found: number[] = [];
  for await (const { id } of eachItem(page => listDeployments(connection, page, { signal }), { signal }))
    found.push(id);
  const [only] = found;
  if (only === undefined) throw new UsageError('The platform has no deployment.');
  if (found.length > 1) {
    throw new UsageError(`The platform has several deployments. Set --deployment to one of ${found.join(', ')}.`);
  }
  return { connection, deploymentId: only, signal };
}
