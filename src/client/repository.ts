import type { BodyOf, ResponseOf } from '../contract/operation.js';
import * as repository from '../contract/repository.js';
import { call, type PlatformConnection } from './connection.js';
import type { RequestOptions } from './request.js';

/** Connects a deployment to a repository and triggers a build (spec 4.4). */
export function connectRepository(
  connection: PlatformConnection,
  deploymentId: number,
  body: BodyOf<typeof repository.connectRepository>,
  options?: RequestOptions,
): Promise<ResponseOf<typeof repository.connectRepository>> {
  return call(repository.connectRepository, connection, { params: { deploymentId }, body }, options);
}
