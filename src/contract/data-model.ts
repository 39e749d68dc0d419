import * as z from 'zod/mini';
import { DeploymentParams } from './deployments.js';
import { ModelFileChange } from './model-history.js';
import { operation } from './operation.js';
import { BranchName } from './transform-sync.js';
import { Flag, optional, PageInfo, PageQuery } from './wire.js';

/** The differences of a branch to the deploy branch, as in `diffModel`. `files` lists the first 100 of `fileCount`. */
const BranchDiff = z.looseObject({ isBehind: z.boolean(), fileCount: z.int(), files: z.array(ModelFileChange) });

/** A branch of a model. `id` is derived from the name. `hasPendingChanges`, `isActive` and `diff` are extensions. */
export const ModelBranch = z.looseObject({
  id: z.int(),
  name: z.string(),
  lastHash: optional(z.string()),
  isStagingEnvironmentEnabled: optional(z.boolean()),
  parentBranch: optional(z.string()),
  hasPendingChanges: optional(z.boolean()),
  /** Whether the branch is the caller's active branch; set in lists. */
  isActive: optional(z.boolean()),
  /** Set in lists with `withDiff`, except for the deploy branch. */
  diff: optional(BranchDiff),
});
/** A branch of a model. */
export type ModelBranch = z.infer<typeof ModelBranch>;

/** A file of a model. `content` is set if it was requested; `hash` is an extension. */
export const ModelFile = z.looseObject({
  name: z.string(),
  path: z.string(),
  type: z.string(),
  hash: z.string(),
  content: optional(z.string()),
});
/** A file of a model. */
export type ModelFile = z.infer<typeof ModelFile>;

/** A problem in a model. `line` and `column`, which start at 1, are extensions. */
export const ModelFileProblem = z.looseObject({
  fileName: optional(z.string()),
  line: optional(z.int()),
  column: optional(z.int()),
  message: z.string(),
});
/** A problem in a model. */
export type ModelFileProblem = z.infer<typeof ModelFileProblem>;

/** A report of a published dashboard that uses members that the model does not contain. */
const BrokenReport = z.looseObject({
  dashboardPublicId: z.string(),
  reportId: z.int(),
  members: z.array(z.string()),
});

/** Maximum size of all model files of a branch, in bytes. */
export const maxModelBytes = 2_000_000;

/** A branch after the caller created it or switched to it. `active` states whether it is the caller's active branch. */
const DevBranch = z.looseObject({
  active: z.boolean(),
  branchName: optional(z.string()),
  parentBranch: optional(z.string()),
});

const WriteResult = z.looseObject({ success: z.boolean() });
const FilePath = z.string().check(z.minLength(1), z.maxLength(300));
const maxFiles = 100;
const filesOf = <T extends z.ZodMiniType>(file: T) => z.array(file).check(z.minLength(1), z.maxLength(maxFiles));
/** Base hash of a file that must not exist. */
export const newModelFile = 'new';
const FileHash = z.string().check(z.regex(/^[0-9a-f]{40}$/, 'must be the hash of a file'));
/** The `hash` of the file when the caller read it. If the file has changed since then, the request returns 409. */
const BaseHash = optional(z.union([FileHash, z.literal(newModelFile)]));
const onBranch = { branchName: BranchName, branchId: optional(z.int()) };

const one = { api: 'platform', access: 'authenticated', params: DeploymentParams } as const;
const base = '/build/api/v1/deployments/{deploymentId}';
const noBranch = { 404: 'The deployment or branch does not exist.', 409: 'The deployment has no repository.' } as const;
const changed = {
  ...noBranch,
  409: 'The deployment has no repository, the branch is the deploy branch, or it was changed at the same time.',
} as const;

/**
 * Lists the branches of a model, and marks the active one. Requires `SchemaRead`. The deploy branch is `main`. With
 * `withDiff`, an extension, each branch has the files that it has changed.
 */
export const listBranches = operation({
  ...one,
  id: 'listBranches',
  method: 'GET',
  path: `${base}/branches`,
  query: z.extend(PageQuery, { withDiff: optional(z.stringbool()) }),
  response: z.looseObject({ items: z.array(ModelBranch), data: z.array(ModelBranch), pageInfo: PageInfo }),
  errors: noBranch,
});

/**
 * Creates a branch from another one, `main` by default, without the changes of that branch that are not committed.
 * Requires `SchemaUpdate` or `SchemaUpdateDevBranches`. With `activate`, the caller enters development mode on it.
 */
export const createBranch = operation({
  ...one,
  id: 'createBranch',
  method: 'POST',
  path: `${base}/branches`,
  body: z.strictObject({ name: BranchName, from: optional(BranchName), activate: optional(z.boolean()) }),
  response: DevBranch,
  errors: changed,
});

/**
 * Deletes a branch with its changes. Requires `SchemaUpdate` or `SchemaUpdateDevBranches`. Users whose active branch it
 * is leave development mode.
 */
export const removeBranch = operation({
  ...one,
  id: 'removeBranch',
  method: 'DELETE',
  path: `${base}/branches`,
  query: z.strictObject({ branchName: BranchName, removeOnUpstream: z.optional(Flag) }),
  response: WriteResult,
  errors: changed,
});

/**
 * Turns the staging environment of a branch on or off. Requires `SchemaUpdate`. While it is on, the Data API of the
 * branch has a separate address, which the list of environments contains. The deploy branch and personal branches have
 * none.
 */
export const setBranchStagingEnvironment = operation({
  ...one,
  id: 'setBranchStagingEnvironment',
  method: 'PUT',
  path: `${base}/branches/staging-environment`,
  body: z.strictObject({ branchName: BranchName, branchId: optional(z.int()), enabled: z.boolean() }),
  response: z.looseObject({ data: ModelBranch }),
  errors: noBranch,
});

/**
 * Enters development mode: the branch becomes the active branch of the caller's user, whatever branch was active
 * before. Without `branchName`, this is the personal branch of the user, `dev-<user id>-<hash>`, which is created from
 * `main` if it does not exist. Requires `SchemaUpdate` or `SchemaUpdateDevBranches`.
 */
export const startDevMode = operation({
  ...one,
  id: 'startDevMode',
  method: 'POST',
  path: `${base}/dev-mode`,
  body: z.strictObject({ branchName: optional(BranchName) }),
  response: DevBranch,
  errors: noBranch,
});

/**
 * Leaves development mode. The branch and its changes remain. Without an active branch, does nothing. Requires
 * `SchemaUpdate` or `SchemaUpdateDevBranches`.
 */
export const stopDevMode = operation({
  ...one,
  id: 'stopDevMode',
  method: 'DELETE',
  path: `${base}/dev-mode`,
  response: WriteResult,
  errors: noBranch,
});

/**
 * Lists the files of a branch, `main` by default, including changes that are not committed. Requires `SchemaRead`.
 * Files are listed by path, without nodes for folders.
 */
export const listModelFiles = operation({
  ...one,
  id: 'listFiles',
  method: 'GET',
  path: `${base}/data-model/files`,
  query: z.extend(PageQuery, { branchName: optional(BranchName), withContent: optional(z.stringbool()) }),
  response: z.looseObject({ items: z.array(ModelFile), data: z.array(ModelFile), pageInfo: PageInfo }),
  errors: noBranch,
});

/**
 * Creates or overwrites files of a branch. Requires `SchemaUpdate` or `SchemaUpdateDevBranches`. Queries use the
 * changes immediately. `removed` and `baseHash` are extensions: `removed` deletes files in the same transaction. If a
 * file no longer has the `baseHash`, the request returns 409 and changes nothing; `conflicts` then has the current
 * content and the content of the base hash. The base hash of a new file is `new`.
 */
export const updateModelFiles = operation({
  ...one,
  id: 'updateFiles',
  method: 'PUT',
  path: `${base}/data-model/files`,
  body: z.strictObject({
    ...onBranch,
    files: z
      .array(z.strictObject({ path: FilePath, content: z.string().check(z.maxLength(500_000)), baseHash: BaseHash }))
      .check(z.maxLength(maxFiles)),
    removed: optional(filesOf(z.strictObject({ path: FilePath, baseHash: BaseHash }))),
  }),
  response: WriteResult,
  errors: changed,
});

/** Deletes files of a branch. Requires `SchemaUpdate` or `SchemaUpdateDevBranches`. `baseHash` is an extension. */
export const removeModelFiles = operation({
  ...one,
  id: 'removeFiles',
  method: 'DELETE',
  path: `${base}/data-model/files`,
  body: z.strictObject({ ...onBranch, files: filesOf(z.strictObject({ path: FilePath, baseHash: BaseHash })) }),
  response: WriteResult,
  errors: changed,
});

/** Renames files of a branch. Requires `SchemaUpdate` or `SchemaUpdateDevBranches`. */
export const renameModelFiles = operation({
  ...one,
  id: 'renameFiles',
  method: 'POST',
  path: `${base}/data-model/files/rename`,
  body: z.strictObject({ ...onBranch, files: filesOf(z.strictObject({ path: FilePath, newPath: FilePath })) }),
  response: WriteResult,
  errors: changed,
});

/**
 * Compiles the model of a branch, `main` by default, and checks its SQL against the tables of the deployment. Requires
 * `SchemaRead`. An invalid model returns 200 with `valid: false`. With `devMode`, the branch is the active one of the
 * caller; without an active branch, returns 400. `warnings` and `brokenReports` are extensions: `brokenReports` lists
 * up to 50 reports of published dashboards whose queries name members that a valid model does not have, if the caller
 * can read their workbook.
 */
export const validateModel = operation({
  ...one,
  id: 'validateDataModel',
  method: 'GET',
  path: `${base}/data-model/validate`,
  query: z.strictObject({ branchName: optional(BranchName), devMode: optional(z.stringbool()) }),
  response: z.looseObject({
    deploymentId: z.int(),
    branchName: z.string(),
    mode: z.enum(['production', 'dev_mode']),
    valid: z.boolean(),
    errors: z.array(ModelFileProblem),
    warnings: z.array(ModelFileProblem),
    brokenReports: optional(z.array(BrokenReport)),
    hasMoreBrokenReports: optional(z.boolean()),
    modelsCount: optional(z.int()),
  }),
  errors: noBranch,
});

/**
 * Commits the changes of a branch: the active one by default; without an active branch, returns 400. `branchName` is an
 * extension. Requires `SchemaUpdate` or `SchemaUpdateDevBranches`. Without changes, does nothing. With `exitDevMode`,
 * the caller leaves development mode. With `resolveMergeConflict`, the commit also contains the commits of the deploy
 * branch, and files that conflict keep the content of the branch.
 */
export const commitModel = operation({
  ...one,
  id: 'commitChanges',
  method: 'POST',
  path: `${base}/commit`,
  body: z.strictObject({
    branchName: optional(BranchName),
    message: optional(z.string().check(z.maxLength(5_000))),
    exitDevMode: optional(z.boolean()),
    resolveMergeConflict: optional(z.boolean()),
  }),
  response: WriteResult,
  errors: changed,
});

/**
 * Merges a branch into the deploy branch, which is served as production. Requires `SchemaUpdate`. If files conflict or
 * the result does not compile, returns 409 and changes nothing.
 */
export const mergeToDefault = operation({
  ...one,
  id: 'mergeToDefaultBranch',
  method: 'POST',
  path: `${base}/merge-to-default`,
  body: z.strictObject({
    ...onBranch,
    message: z.string().check(z.minLength(1), z.maxLength(5_000)),
    removeBranchAfterMerge: optional(z.boolean()),
  }),
  response: z.looseObject({ merged: z.boolean(), branchDeleted: z.boolean() }),
  errors: { ...noBranch, 409: 'Files conflict, the result does not compile, or changes are not committed.' },
});

/**
 * Merges a branch into its parent, the branch that it was created from. Requires `SchemaUpdate`. If the parent is the
 * deploy branch, the rules of `mergeToDefault` apply. With `squashCommits`, the parent gets one commit. With
 * `switchToParentBranch`, a caller whose active branch was the merged branch enters the parent branch, or leaves
 * development mode if the parent is the deploy branch.
 */
export const mergeToParent = operation({
  ...one,
  id: 'mergeIntoParentBranch',
  method: 'POST',
  path: `${base}/merge`,
  body: z.strictObject({
    ...onBranch,
    message: optional(z.string().check(z.maxLength(5_000))),
    deleteBranch: optional(z.boolean()),
    squashCommits: optional(z.boolean()),
    switchToParentBranch: optional(z.boolean()),
  }),
  response: z.looseObject({ merged: z.boolean(), branchDeleted: z.boolean() }),
  errors: { ...noBranch, 409: 'Files conflict, the result does not compile, or changes are not committed.' },
});
