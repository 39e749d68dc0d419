import * as z from 'zod/mini';
import { creationSteps, DeploymentParams } from './deployments.js';
import { operation } from './operation.js';
import { BranchName } from './transform-sync.js';
import { openEnum, optional } from './wire.js';

/**
 * Result of connecting a repository (spec 2.7). `syncJobId`, our extension, is the build that it triggered, to be followed as a run of
 * the model-transform sync.
 */
export const RepositoryConnection = z.looseObject({
  creationStep: openEnum(creationSteps),
  deploymentUrl: z.string(),
  id: z.int(),
  name: z.string(),
  syncJobId: optional(z.string()),
});

/** The repository that a deployment is to be connected to (spec 4.4). */
export const ConnectRepository = z.strictObject({
  installationId: z.int().check(z.positive()),
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(255)),
  deployBranchName: optional(BranchName),
  deployProjectRoot: optional(z.string().check(z.maxLength(1000))),
  isNewRepo: optional(z.boolean()),
  private: optional(z.boolean()),
});
/** The repository that a deployment is to be connected to. */
export type ConnectRepository = z.infer<typeof ConnectRepository>;

/**
 * Connects a deployment to a repository and triggers a build (spec 4.4); needs DeploymentUpdate on the deployment. Which fields are
 * required the specification leaves open: `installationId` and `name`, as in the operations document. Where that document answers with
 * the deployment, the specification's connection result (2.7) wins. The answer is 200.
 */
export const connectRepository = operation({
  id: 'connect',
  api: 'platform',
  method: 'POST',
  path: '/build/api/v1/deployments/{deploymentId}/repohost/connect',
  access: 'developer',
  params: DeploymentParams,
  body: ConnectRepository,
  response: RepositoryConnection,
  errors: { 404: 'no such deployment' },
});
