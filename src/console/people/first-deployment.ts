import { PaError, PaErrorCode } from '../../client/errors.js';
import { listDeployments } from '../../client/operations/deployments.js';
import type { PageTools } from './list-page.js';

/**
 * Returns the id of the first deployment, which the platform serves from its folders.
 * @throws PaError if there is none.
 */
export async function firstDeployment(
  { call, messages }: Pick<PageTools, 'call' | 'messages'>,
  signal?: AbortSignal,
): Promise<number> {
  const { items } = await call(connection => listDeployments(connection, {}, signal && { signal }));
  const [deployment] = items;
  if (!deployment) throw new PaError(PaErrorCode.notFound, messages.noItems);
  return deployment.id;
}
