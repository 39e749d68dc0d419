import * as repository from '../../contract/repository.js';
import * as installations from '../../contract/repository-installations.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/** Lists the git hosts that an administrator has configured. */
export const listRepositoryInstallations: Endpoint<typeof installations.listRepositoryInstallations> =
  /* @__PURE__ */ endpoint(installations.listRepositoryInstallations);

/** Configures a git host. Requires the admin role, like the two functions below. */
export const createRepositoryInstallation: Endpoint<typeof installations.createRepositoryInstallation> =
  /* @__PURE__ */ endpoint(installations.createRepositoryInstallation);

/** Replaces a git host. */
export const updateRepositoryInstallation: Endpoint<
  typeof installations.updateRepositoryInstallation,
  'installationId'
> = /* @__PURE__ */ endpoint(installations.updateRepositoryInstallation, 'installationId');

/** Deletes a git host with its secret. */
export const deleteRepositoryInstallation: Endpoint<
  typeof installations.deleteRepositoryInstallation,
  'installationId'
> = /* @__PURE__ */ endpoint(installations.deleteRepositoryInstallation, 'installationId');

/** Lists the repositories of a git host that deployments may be connected to. */
export const listHostedRepositories: Endpoint<typeof installations.listHostedRepositories, 'installationId'> =
  /* @__PURE__ */ endpoint(installations.listHostedRepositories, 'installationId');

/** Lists the branches of a repository of a git host. */
export const listHostedBranches: Endpoint<typeof installations.listHostedBranches> = /* @__PURE__ */ endpoint(
  installations.listHostedBranches,
);

/** Returns whether a git host is configured. */
export const getRepositoryStatus: Endpoint<typeof installations.getRepositoryStatus> = /* @__PURE__ */ endpoint(
  installations.getRepositoryStatus,
);

/** Connects a deployment to a repository, pulls its deploy branch, and triggers a build (spec 4.4). */
export const connectRepository: Endpoint<typeof repository.connectRepository, 'deploymentId'> =
  /* @__PURE__ */ endpoint(repository.connectRepository, 'deploymentId');

/** Returns the repository that a deployment is connected to. */
export const getConnectedRepository: Endpoint<typeof repository.getConnectedRepository, 'deploymentId'> =
  /* @__PURE__ */ endpoint(repository.getConnectedRepository, 'deploymentId');

/** Disconnects a deployment from its repository. Its branches remain. */
export const disconnectRepository: Endpoint<typeof repository.disconnectRepository, 'deploymentId'> =
  /* @__PURE__ */ endpoint(repository.disconnectRepository, 'deploymentId');

/** Fetches a branch from the connected repository, and updates the branch of the deployment. */
export const pullModel: Endpoint<typeof repository.pullModel, 'deploymentId'> = /* @__PURE__ */ endpoint(
  repository.pullModel,
  'deploymentId',
);

/** Pushes the commits of a branch to the connected repository. */
export const pushModel: Endpoint<typeof repository.pushModel, 'deploymentId'> = /* @__PURE__ */ endpoint(
  repository.pushModel,
  'deploymentId',
);

/** Creates the webhook of a connected repository, or replaces its secret. */
export const createRepositoryWebhook: Endpoint<typeof repository.createRepositoryWebhook, 'deploymentId'> =
  /* @__PURE__ */ endpoint(repository.createRepositoryWebhook, 'deploymentId');
