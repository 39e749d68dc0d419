import * as status from '../../contract/deployment-status.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/** Returns whether the model of a branch compiles. */
export const getBuildStatus: Endpoint<typeof status.buildStatus, 'deploymentId'> = /* @__PURE__ */ endpoint(
  status.buildStatus,
  'deploymentId',
);

/** Lists the platform processes that serve a deployment. */
export const listPods: Endpoint<typeof status.listPods, 'deploymentId'> = /* @__PURE__ */ endpoint(
  status.listPods,
  'deploymentId',
);

/** Lists log lines of a deployment, newest first. */
export const listDeploymentLogs: Endpoint<typeof status.listDeploymentLogs, 'deploymentId'> = /* @__PURE__ */ endpoint(
  status.listDeploymentLogs,
  'deploymentId',
);

/** Lists the versions that a deployment can run. */
export const listDeploymentVersions: Endpoint<typeof status.listDeploymentVersions, 'deploymentId'> =
  /* @__PURE__ */ endpoint(status.listDeploymentVersions, 'deploymentId');
