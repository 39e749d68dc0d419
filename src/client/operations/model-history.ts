import * as modelHistory from '../../contract/model-history.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/** Compares a branch with the deploy branch. */
export const diffModel: Endpoint<typeof modelHistory.diffModel, 'deploymentId'> = /* @__PURE__ */ endpoint(
  modelHistory.diffModel,
  'deploymentId',
);

/** Lists the commits of a branch, newest first. */
export const listModelCommits: Endpoint<typeof modelHistory.listModelCommits, 'deploymentId'> =
  /* @__PURE__ */ endpoint(modelHistory.listModelCommits, 'deploymentId');

/** Reverts a commit or files of a branch. */
export const revertModel: Endpoint<typeof modelHistory.revertModel, 'deploymentId'> = /* @__PURE__ */ endpoint(
  modelHistory.revertModel,
  'deploymentId',
);
