import * as z from 'zod/mini';
import { DeploymentParams } from './deployments.js';
import { operation } from './operation.js';
import { openEnum, optional, PageQuery, pageOf } from './wire.js';

const one = { api: 'platform', method: 'GET', access: 'authenticated', params: DeploymentParams } as const;
const noDeployment = { 404: 'The deployment does not exist.' } as const;

/** The state of the model of a branch. */
export const BuildStatus = z.looseObject({
  deploymentId: z.int(),
  branchName: z.string(),
  mode: openEnum(['production', 'dev_mode']),
  status: openEnum(['success', 'failed']),
  /** First problem of a model that does not compile. */
  errorText: optional(z.string()),
  /** The last commit of the branch. */
  lastHash: optional(z.string()),
  /** The version with the changes that are not committed. */
  filesHash: optional(z.string()),
});

/**
 * Compiles the model of a branch (the deploy branch by default), and returns whether it can be used (operations.md,
 * Deployments). Requires `SchemaRead`.
 */
export const buildStatus = operation({
  ...one,
  id: 'buildStatus',
  path: '/api/v1/deployments/{deploymentId}/build-status',
  query: z.strictObject({ branchName: z.optional(z.string().check(z.minLength(1), z.maxLength(255))) }),
  response: BuildStatus,
  errors: { 404: 'The deployment or the branch does not exist.' },
});

/** A process that serves a deployment. */
export const DeploymentPod = z.looseObject({
  name: z.string(),
  ready: optional(z.boolean()),
  status: optional(z.string()),
  type: optional(z.string()),
  containers: optional(z.array(z.string())),
  restartCount: optional(z.int()),
  startedAt: optional(z.string()),
  version: optional(z.string()),
});

/**
 * Lists the platform processes that serve a deployment. Each process reports every 5 seconds that it runs; one that
 * was killed is listed for up to 20 seconds. Requires `SchemaRead`.
 */
export const listPods = operation({
  ...one,
  id: 'pods',
  path: '/api/v1/deployments/{deploymentId}/pods',
  query: PageQuery,
  response: pageOf(DeploymentPod),
  errors: noDeployment,
});

/** Containers whose lines can be requested. All lines of this platform are lines of `platform-server`. */
const logContainers = ['INIT', 'MAIN', 'platform-server', 'vector', 'api-proxy'] as const;

/** A line of the log of a deployment. */
export const DeploymentLogLine = z.looseObject({
  date: z.string(),
  pod: z.string(),
  message: z.string(),
  source: openEnum(['production', 'dev']),
  level: openEnum(['info', 'error']),
  branchName: optional(z.string()),
});

/**
 * Lists the last 1,000 log lines of a deployment, newest first: compiled models, models that do not compile, and
 * content runs. `source: production` selects lines about the deploy branch, and `dev` those about other branches.
 * Requires `SchemaRead`.
 */
export const listDeploymentLogs = operation({
  ...one,
  id: 'logs',
  path: '/api/v1/deployments/{deploymentId}/logs',
  query: z.strictObject({
    ...PageQuery.shape,
    source: z.optional(z.enum(['production', 'dev'])),
    pod: z.optional(z.string().check(z.maxLength(255))),
    container: z.optional(z.enum(logContainers)),
  }),
  response: pageOf(DeploymentLogLine),
  errors: noDeployment,
});

/** A version of the platform. */
export const DeploymentVersion = z.looseObject({
  version: z.string(),
  releaseChannel: openEnum(['latest', 'release']),
  releaseChannelVersion: z.string(),
  isCurrent: z.boolean(),
  isLatestInChannel: z.boolean(),
});

/** Lists the versions that a deployment can run: the installed one. Requires `SchemaRead`. */
export const listDeploymentVersions = operation({
  ...one,
  id: 'listDeploymentVersions',
  path: '/api/v1/deployments/{deploymentId}/versions',
  query: PageQuery,
  response: pageOf(DeploymentVersion),
  errors: noDeployment,
});
