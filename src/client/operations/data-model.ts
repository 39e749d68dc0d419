import * as dataModel from '../../contract/data-model.js';
import { type Endpoint, endpoint } from '../http/connection.js';

/** Lists the branches of a model, one page at a time. */
export const listBranches: Endpoint<typeof dataModel.listBranches, 'deploymentId'> = /* @__PURE__ */ endpoint(
  dataModel.listBranches,
  'deploymentId',
);

/** Creates a branch from another one, `main` by default. */
export const createBranch: Endpoint<typeof dataModel.createBranch, 'deploymentId'> = /* @__PURE__ */ endpoint(
  dataModel.createBranch,
  'deploymentId',
);

/** Deletes a branch with its changes. */
export const removeBranch: Endpoint<typeof dataModel.removeBranch, 'deploymentId'> = /* @__PURE__ */ endpoint(
  dataModel.removeBranch,
  'deploymentId',
);

/** Lists the files of a branch, optionally with their content. */
export const listModelFiles: Endpoint<typeof dataModel.listModelFiles, 'deploymentId'> = /* @__PURE__ */ endpoint(
  dataModel.listModelFiles,
  'deploymentId',
);

/** Creates or overwrites files of a branch. Queries of the branch use them immediately. */
export const updateModelFiles: Endpoint<typeof dataModel.updateModelFiles, 'deploymentId'> = /* @__PURE__ */ endpoint(
  dataModel.updateModelFiles,
  'deploymentId',
);

/** Deletes files of a branch. */
export const removeModelFiles: Endpoint<typeof dataModel.removeModelFiles, 'deploymentId'> = /* @__PURE__ */ endpoint(
  dataModel.removeModelFiles,
  'deploymentId',
);

/** Renames files of a branch. */
export const renameModelFiles: Endpoint<typeof dataModel.renameModelFiles, 'deploymentId'> = /* @__PURE__ */ endpoint(
  dataModel.renameModelFiles,
  'deploymentId',
);

/** Compiles the model of a branch and returns its problems. */
export const validateModel: Endpoint<typeof dataModel.validateModel, 'deploymentId'> = /* @__PURE__ */ endpoint(
  dataModel.validateModel,
  'deploymentId',
);

/** Commits the changes of a branch. */
export const commitModel: Endpoint<typeof dataModel.commitModel, 'deploymentId'> = /* @__PURE__ */ endpoint(
  dataModel.commitModel,
  'deploymentId',
);

/** Merges a branch into the deploy branch, which is served as production. */
export const mergeToDefault: Endpoint<typeof dataModel.mergeToDefault, 'deploymentId'> = /* @__PURE__ */ endpoint(
  dataModel.mergeToDefault,
  'deploymentId',
);

/** Merges a branch into the branch that it was created from. */
export const mergeToParent: Endpoint<typeof dataModel.mergeToParent, 'deploymentId'> = /* @__PURE__ */ endpoint(
  dataModel.mergeToParent,
  'deploymentId',
);

/** Turns the staging environment of a branch on or off. */
export const setBranchStagingEnvironment: Endpoint<typeof dataModel.setBranchStagingEnvironment, 'deploymentId'> =
  /* @__PURE__ */ endpoint(dataModel.setBranchStagingEnvironment, 'deploymentId');

/** Enters development mode on a branch, or on the personal branch of the user. */
export const startDevMode: Endpoint<typeof dataModel.startDevMode, 'deploymentId'> = /* @__PURE__ */ endpoint(
  dataModel.startDevMode,
  'deploymentId',
);

/** Leaves development mode. */
export const stopDevMode: Endpoint<typeof dataModel.stopDevMode, 'deploymentId'> = /* @__PURE__ */ endpoint(
  dataModel.stopDevMode,
  'deploymentId',
);
