import * as z from 'zod/mini';
import { creationSteps, DeploymentParams } from './deployments.js';
import { operation } from './operation.js';
import { BranchName } from './transform-sync.js';
import { openEnum, optional } from './wire.js';

/**
 * Result of connecting a repository (spec 2.7). `syncJobId`, an extension, identifies the triggered build, which can be
 * tracked as a model-transform sync run.
 */
export const RepositoryConnection = z.looseObject({
  creationStep: openEnum(creationSteps),
  deploymentUrl: z.string(),
  id: z.int(),
  name: z.string(),
  syncJobId: optional(z.string()),
});

/** Input for connecting a deployment to a repository (spec 4.4). */
export const ConnectRepository = z.strictObject({
  installationId: z.int().check(z.positive()),
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(255)),
  deployBranchName: optional(BranchName),
  deployProjectRoot: optional(z.string().check(z.maxLength(1000))),
  isNewRepo: optional(z.boolean()),
  private: optional(z.boolean()),
});
/** Input for connecting a deployment to a repository. */
export type ConnectRepository = z.infer<typeof ConnectRepository>;

/**
 * Connects a deployment to a repository and triggers a build (spec 4.4). Requires `DeploymentUpdate` on the deployment.
 * The specification does not say which fields are required; as in the operations document, they are `installationId`
 * and `name`. The response is the specification's connection result (2.7) with status 200, not the deployment as in the
 * operations document.
 */
export const connectRepository = operation({
  id: 'connect',
  api: 'platform',
  method: 'POST',
  path: '/build/api/v1/deployments/{deploymentId}/repohost/connect',
  access: 'authenticated',
  params: DeploymentParams,
  body: ConnectRepository,
  response: RepositoryConnection,
  errors: { 404: 'The deployment does not exist.' },
});
