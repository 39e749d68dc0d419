import * as z from 'zod/mini';
import { DeploymentParams } from './deployments.js';
import { operation } from './operation.js';
import { openEnum, PageQuery, pageOf } from './wire.js';

// Content of a deployment's repository. All operations are extensions of the specification.

/** States of a content run. */
export const contentRunStatuses = ['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED'] as const;

/** A line of the log of a content run. */
export const ContentRunLogLine = z.looseObject({
  timestamp: z.string(),
  level: openEnum(['info', 'error']),
  message: z.string(),
});
/** A line of the log of a content run. */
export type ContentRunLogLine = z.infer<typeof ContentRunLogLine>;

/** A run that applies the files in `content/` of the deploy branch to the deployment: all of them, or none. */
export const ContentRun = z.looseObject({
  contentRunId: z.string(),
  deploymentId: z.int(),
  status: openEnum(contentRunStatuses),
  /** Commit whose files are applied; `null` until the run starts. */
  commit: z.nullable(z.string()),
  /** User as whom the run writes; `null` if the user was deleted. */
  userId: z.nullable(z.int()),
  requestedAt: z.string(),
  startedAt: z.nullable(z.string()),
  completedAt: z.nullable(z.string()),
  /** Written objects, or the problems of the files. At most 200 lines. */
  log: z.array(ContentRunLogLine),
});
/** A run that applies the files in `content/` of the deploy branch to the deployment. */
export type ContentRun = z.infer<typeof ContentRun>;

/** Lists the last 20 content runs of a deployment with their logs, newest first. Requires `SchemaRead`. */
export const listContentRuns = operation({
  id: 'listContentRuns',
  api: 'platform',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/content-runs',
  access: 'authenticated',
  params: DeploymentParams,
  query: PageQuery,
  response: pageOf(ContentRun),
  errors: { 404: 'The deployment does not exist.' },
});
