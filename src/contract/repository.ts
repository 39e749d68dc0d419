import * as z from 'zod/mini';
import { creationSteps } from './deployments.js';
import { openEnum, optional } from './wire.js';

/** Result of connecting a repository (spec 2.7). */
export const RepositoryConnection = z.looseObject({
  creationStep: openEnum(creationSteps),
  deploymentUrl: z.string(),
  id: z.int(),
  name: z.string(),
});

/** Start of a model-transform sync (spec 2.8). */
export const TransformSyncRequest = z.strictObject({ branchName: optional(z.string()) });

/** A model-transform sync that was started (spec 2.8). */
export const TransformSync = z.looseObject({
  branchName: optional(z.string()),
  syncJobId: optional(z.string()),
  workflowId: optional(z.string()),
});
