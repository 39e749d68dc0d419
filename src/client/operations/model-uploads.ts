import * as uploads from '../../contract/model-uploads.js';
import type { BodyOf, FormOf, ResponseOf } from '../../contract/operation.js';
import { call, type Endpoint, endpoint, type PlatformConnection } from '../http/connection.js';
import type { RequestOptions } from '../http/request.js';

/** Returns the hashes of the files of a branch, and of uploaded data files. */
export const getFileHashes: Endpoint<typeof uploads.fileHashes, 'deploymentId'> = /* @__PURE__ */ endpoint(
  uploads.fileHashes,
  'deploymentId',
);

/** Opens an upload to a branch. It is discarded unless it is finished within an hour. */
export const startUpload: Endpoint<typeof uploads.startUpload, 'deploymentId'> = /* @__PURE__ */ endpoint(
  uploads.startUpload,
  'deploymentId',
);

/** Adds a file to an open upload. `transaction` is the JSON text of the transaction. */
export function uploadFile(
  connection: PlatformConnection,
  deploymentId: number,
  form: FormOf<typeof uploads.uploadFile>,
  options?: RequestOptions,
): Promise<void> {
  return call(uploads.uploadFile, connection, { params: { deploymentId }, form }, options);
}

/** Finishes an upload with one commit. `files` contains the hashes of all files of the project, by path. */
export function finishUpload(
  connection: PlatformConnection,
  deploymentId: number,
  body: BodyOf<typeof uploads.finishUpload>,
  options?: RequestOptions,
): Promise<ResponseOf<typeof uploads.finishUpload>> {
  return call(uploads.finishUpload, connection, { params: { deploymentId }, body }, options);
}
