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

/** The result of the last pull that a webhook started. */
const WebhookPull = z.looseObject({
  branchName: z.string(),
  finishedAt: z.string(),
  /** Whether the branch has changed. */
  isChanged: z.boolean(),
  /** Why the pull failed; `null` if it succeeded. */
  problem: optional(z.string()),
});

/** The repository that a deployment is connected to. */
export const ConnectedRepository = z.looseObject({
  installationId: z.int(),
  name: z.string(),
  /** The branch of the repository that the branch `main` of the deployment exchanges commits with. */
  deployBranchName: z.string(),
  connectedAt: z.string(),
  hasWebhook: z.boolean(),
  lastWebhookPull: optional(WebhookPull),
});
/** The repository that a deployment is connected to. */
export type ConnectedRepository = z.infer<typeof ConnectedRepository>;

const one = { api: 'platform', access: 'authenticated', params: DeploymentParams } as const;
const base = '/build/api/v1/deployments/{deploymentId}';
const host = {
  404: 'The deployment or branch does not exist.',
  502: 'The git host could not be reached, or rejected the request.',
} as const;
const unconnected = { 404: 'The deployment does not exist, or is not connected to a repository.' } as const;

/**
 * Connects a deployment to a repository of an installation, pulls its branch `deployBranchName` (the default branch of
 * the repository unless set) to `main`, and triggers a build (spec 4.4). Requires `DeploymentUpdate` on the deployment,
 * and `SchemaUpdate` on all deployments. With `isNewRepo`, the repository must be empty, and `main` is pushed to it.
 * The specification does not say which fields are required; as in the operations document, they are `installationId`
 * and `name`.
 * `deployProjectRoot` must be omitted or the root; `private` has no effect. The response is the specification's
 * connection result (2.7) with status 200, not the deployment as in the operations document.
 */
export const connectRepository = operation({
  ...one,
  id: 'connect',
  method: 'POST',
  path: `${base}/repohost/connect`,
  body: ConnectRepository,
  response: RepositoryConnection,
  errors: {
    404: 'The deployment, the installation or its repository does not exist.',
    409: 'The deployment has no repository, or the commits of the connected repository cannot be used.',
    502: host[502],
  },
});

/** Returns the repository that a deployment is connected to, which is an extension. Requires `SchemaRead`. */
export const getConnectedRepository = operation({
  ...one,
  id: 'getRepositoryConnection',
  method: 'GET',
  path: `${base}/repohost/connection`,
  response: ConnectedRepository,
  errors: unconnected,
});

/**
 * Disconnects a deployment from its repository and deletes its webhook, which is an extension. The branches remain.
 * Requires `DeploymentUpdate`.
 */
export const disconnectRepository = operation({
  ...one,
  id: 'disconnectRepository',
  method: 'DELETE',
  path: `${base}/repohost/connection`,
  response: null,
  errors: unconnected,
});

/**
 * Fetches a branch from the connected repository, and updates the branch of the deployment: by fast-forward, or by a
 * merge. `main` is updated only if the result compiles. Conflicts return 409 with the list of files in `conflicts`, and
 * change nothing. Requires `SchemaUpdate`. `buildTriggered` is true if the branch has changed.
 */
export const pullModel = operation({
  ...one,
  id: 'pull',
  method: 'POST',
  path: `${base}/pull`,
  body: z.strictObject({ branchName: BranchName }),
  response: z.looseObject({ buildTriggered: z.boolean() }),
  errors: { ...host, 409: 'The deployment is not connected, files conflict, or the fetched commits cannot be used.' },
});

/**
 * Pushes the commits of a branch to the connected repository, which is an extension. Returns 409 if the repository has
 * commits that the branch does not have; pull first. Changes that are not committed are not pushed. Requires
 * `SchemaUpdate`. `pushed` is true if the repository has changed.
 */
export const pushModel = operation({
  ...one,
  id: 'push',
  method: 'POST',
  path: `${base}/push`,
  body: z.strictObject({ branchName: BranchName }),
  response: z.looseObject({ pushed: z.boolean() }),
  errors: { ...host, 409: 'The deployment is not connected, or the repository has other commits.' },
});

/**
 * Creates the webhook of a connected repository, or replaces its secret, which is an extension. The git host must send
 * pushes to `url`, signed with `secret`, which is not shown again. Requires `DeploymentUpdate` and `SchemaUpdate`.
 */
export const createRepositoryWebhook = operation({
  ...one,
  id: 'createRepositoryWebhook',
  method: 'POST',
  path: `${base}/repohost/webhook`,
  response: z.looseObject({ url: z.string(), secret: z.string() }),
  errors: unconnected,
});

/** Maximum size of the body of a webhook, in bytes. */
export const maxWebhookBytes = 2_000_000;

/**
 * Receives a push event from a git host and starts a pull. An extension. The header `x-hub-signature-256` must contain
 * `sha256=` and the HMAC-SHA256 of the body with the secret of the webhook, in hexadecimal digits. If the body is JSON
 * with a `ref`, that branch is pulled, otherwise the deploy branch. Events for branches that the deployment does not
 * have are ignored.
 */
export const receiveRepositoryWebhook = operation({
  api: 'platform',
  access: 'public',
  params: DeploymentParams,
  id: 'receiveRepositoryWebhook',
  method: 'POST',
  path: '/api/v1/repohost/webhooks/{deploymentId}',
  response: null,
  errors: {
    401: 'The signature is not valid.',
    408: 'The body did not arrive in time.',
    413: 'The body is too large.',
    415: 'The body is compressed.',
    429: 'Too many events. Retry after the delay in Retry-After.',
  },
});
