import type { FormOf, ResponseOf } from '../../contract/operation.js';
import * as tables from '../../contract/tables.js';
import { call, type Endpoint, endpoint, type PlatformConnection } from '../http/connection.js';
import type { RequestOptions } from '../http/request.js';

/** Lists the tables of a deployment, one page at a time. */
export const listTables: Endpoint<typeof tables.listTables, 'deploymentId'> = /* @__PURE__ */ endpoint(
  tables.listTables,
  'deploymentId',
);

/** Uploads a data file, and returns its columns with their types and its first rows. */
export function previewTable(
  connection: PlatformConnection,
  deploymentId: number,
  form: FormOf<typeof tables.previewTable>,
  options?: RequestOptions,
): Promise<ResponseOf<typeof tables.previewTable>> {
  return call(tables.previewTable, connection, { params: { deploymentId }, form }, options);
}

/** Imports an uploaded file as a table of the deployment. */
export const importTable: Endpoint<typeof tables.importTable, 'deploymentId'> = /* @__PURE__ */ endpoint(
  tables.importTable,
  'deploymentId',
);

/** Writes a model file with a cube for each table to a branch. */
export const generateModel: Endpoint<typeof tables.generateModel, 'deploymentId'> = /* @__PURE__ */ endpoint(
  tables.generateModel,
  'deploymentId',
);

/** Deletes a table and its file. */
export const deleteTable: Endpoint<typeof tables.deleteTable, 'deploymentId'> = /* @__PURE__ */ endpoint(
  tables.deleteTable,
  'deploymentId',
);
