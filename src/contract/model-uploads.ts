import * as z from 'zod/mini';
import { DeploymentParams } from './deployments.js';
import { operation } from './operation.js';
import { BranchName } from './transform-sync.js';
import { optional } from './wire.js';

/** Hash of a file: SHA-1 of its content, as 40 hexadecimal digits. */
export const FileHash = z.looseObject({ hash: z.string() });
/** Hash of a file. */
export type FileHash = z.infer<typeof FileHash>;

/** An open upload. */
export const UploadTransaction = z.looseObject({ id: z.string() });
/** An open upload. */
export type UploadTransaction = z.infer<typeof UploadTransaction>;

const Transaction = z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(100)) });
const Hash = z.string().check(z.regex(/^[0-9a-f]{40}$/, 'must be a SHA-1 hash of 40 hexadecimal digits'));
const FilePath = z.string().check(z.minLength(1), z.maxLength(300));

/** Maximum size of an uploaded file in bytes. */
export const maxUploadBytes = 50 * 1024 * 1024;
/** Space for the other fields and the boundaries of a body, in bytes. */
const formBytes = 64 * 1024;

const one = {
  api: 'platform',
  access: 'authenticated',
  params: DeploymentParams,
  /**
   * `live` has no effect: queries use a branch immediately. `useDeployProjectRoot` has no effect either: the root is
   * `/`.
   */
  query: z.strictObject({
    branchName: optional(BranchName),
    live: optional(z.stringbool()),
    useDeployProjectRoot: optional(z.stringbool()),
  }),
} as const;
const base = '/build/api/v1/deployments/{deploymentId}/data-model';
const errors = {
  404: 'The deployment, branch or upload does not exist, or the upload has expired.',
  409: 'The deployment has no repository, the branch is the deploy branch, or it has changed since the upload started.',
} as const;

/**
 * Returns the hashes of the files of a branch, and of the data files that were uploaded to
 * `sources/`. Requires `SchemaRead`.
 */
export const fileHashes = operation({
  ...one,
  id: 'fileHashes',
  method: 'GET',
  path: `${base}/file-hashes`,
  response: z.record(z.string(), FileHash),
  errors,
});

/**
 * Opens an upload to a branch. Requires `SchemaUpdate`. An upload that is not finished within an hour is discarded.
 * `branchName` is required, even in development mode.
 */
export const startUpload = operation({
  ...one,
  id: 'startUpload',
  method: 'POST',
  path: `${base}/upload/start`,
  response: z.looseObject({ deploymentName: z.string(), transaction: UploadTransaction }),
  errors,
});

/**
 * Adds a file to an open upload. `fileName` is the path of the file in the project, and `transaction` the JSON text of
 * the transaction.
 */
export const uploadFile = operation({
  ...one,
  id: 'uploadFile',
  method: 'POST',
  path: `${base}/upload/file`,
  maxBodyBytes: maxUploadBytes + formBytes,
  form: z.strictObject({
    fileName: FilePath,
    transaction: z.string().check(z.maxLength(1_000)),
    file: z.file().check(z.maxSize(maxUploadBytes)),
  }),
  response: null,
  errors,
});

/**
 * Finishes an upload with one commit. `files` maps the path of each file of the project to its hash: a file must be
 * uploaded, unless the branch has it with this hash. With `autoRemoveFiles` (default), other files of the branch are
 * deleted, except data files. `awaitGitOperations` has no effect: the response always follows the commit.
 */
export const finishUpload = operation({
  ...one,
  id: 'finishUpload',
  method: 'POST',
  path: `${base}/upload/finish`,
  body: z.strictObject({
    transaction: Transaction,
    files: z.record(FilePath, z.strictObject({ hash: Hash })),
    autoRemoveFiles: optional(z.boolean()),
    awaitGitOperations: optional(z.boolean()),
    commitMessage: optional(z.string().check(z.maxLength(5_000))),
  }),
  response: z.looseObject({ lastHash: optional(z.string()) }),
  errors,
});
