import * as z from 'zod/mini';
import { DeploymentParams } from './deployments.js';
import { operation } from './operation.js';
import { BranchName } from './transform-sync.js';
import { optional, PageInfo, PageQuery } from './wire.js';

const one = { api: 'platform', access: 'authenticated', params: DeploymentParams } as const;
const base = '/build/api/v1/deployments/{deploymentId}';
const noBranch = { 404: 'The deployment or branch does not exist.', 409: 'The deployment has no repository.' } as const;
const CommitHash = z.string().check(z.regex(/^[0-9a-f]{40}$/, 'must be the hash of a commit'));

/** A file that differs between two branches. A hash is not set if the file does not exist in that branch. */
export const ModelFileChange = z.looseObject({
  path: z.string(),
  status: z.enum(['added', 'modified', 'deleted']),
  baseHash: optional(z.string()),
  hash: optional(z.string()),
});
/** A file that differs between two branches. */
export type ModelFileChange = z.infer<typeof ModelFileChange>;

/** A commit of a branch. */
export const ModelCommit = z.looseObject({
  hash: z.string(),
  message: z.string(),
  author: z.string(),
  committedAt: z.string(),
});
/** A commit of a branch. */
export type ModelCommit = z.infer<typeof ModelCommit>;

/**
 * Compares a branch, including changes that are not committed, with the deploy branch (an extension). Requires
 * `SchemaRead`. `files` are the files that the branch has changed since the merge base. If `withPatch` is true, `patch`
 * is a unified diff of them. `isBehind` is true if the deploy branch has newer commits.
 */
export const diffModel = operation({
  ...one,
  id: 'diffDataModel',
  method: 'GET',
  path: `${base}/data-model/diff`,
  query: z.strictObject({ branchName: BranchName, withPatch: optional(z.stringbool()) }),
  response: z.looseObject({
    branchName: z.string(),
    hasPendingChanges: z.boolean(),
    isBehind: z.boolean(),
    files: z.array(ModelFileChange),
    patch: optional(z.string()),
  }),
  errors: noBranch,
});

/** Lists the latest 1,000 commits of a branch, newest first (an extension). Requires `SchemaRead`. */
export const listModelCommits = operation({
  ...one,
  id: 'listCommits',
  method: 'GET',
  path: `${base}/commits`,
  query: z.extend(PageQuery, { branchName: optional(BranchName) }),
  response: z.looseObject({ items: z.array(ModelCommit), pageInfo: PageInfo }),
  errors: noBranch,
});

/**
 * Reverts a commit or files of a branch (an extension). Requires `SchemaUpdate` or `SchemaUpdateDevBranches`. `commit`
 * reverses the changes of one commit. `paths` restores files: as in the last commit of the branch, or with
 * `fromDeployBranch`, as in production. The result is not committed. If later changes conflict, returns 409 with the
 * paths and changes nothing.
 */
export const revertModel = operation({
  ...one,
  id: 'revertChanges',
  method: 'POST',
  path: `${base}/revert`,
  body: z.strictObject({
    branchName: BranchName,
    commit: optional(CommitHash),
    paths: optional(
      z.array(z.string().check(z.minLength(1), z.maxLength(300))).check(z.minLength(1), z.maxLength(100)),
    ),
    fromDeployBranch: optional(z.boolean()),
  }),
  response: z.looseObject({ success: z.boolean() }),
  errors: {
    ...noBranch,
    409: 'The deployment has no repository, the branch is the deploy branch, or later changes conflict.',
  },
});
