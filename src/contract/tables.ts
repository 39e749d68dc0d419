import * as z from 'zod/mini';
import { DeploymentParams } from './deployments.js';
import { maxUploadBytes } from './model-uploads.js';
import { operation } from './operation.js';
import { BranchName } from './transform-sync.js';
import { optional, PageInfo, PageQuery } from './wire.js';

/** A column of a table. `type` is a DuckDB type, such as `BIGINT`. */
export const TableColumn = z.looseObject({ name: z.string(), type: z.string() });
/** A column of a table. */
export type TableColumn = z.infer<typeof TableColumn>;

/**
 * A table of a deployment. `fileName`, `rows` and `columns` are not set for a file that was copied to the folder of the
 * sources.
 */
export const DataTable = z.looseObject({
  name: z.string(),
  bytes: z.int(),
  updatedAt: z.string(),
  fileName: optional(z.string()),
  rows: optional(z.int()),
  columns: optional(z.array(TableColumn)),
});
/** A table of a deployment. */
export type DataTable = z.infer<typeof DataTable>;

/** An uploaded file that is not a table yet. `preview` contains the first rows as text, in the order of `columns`. */
export const TableUpload = z.looseObject({
  uploadId: z.string(),
  fileName: z.string(),
  table: z.string(),
  rows: z.int(),
  columns: z.array(TableColumn),
  preview: z.array(z.array(z.nullable(z.string()))),
  sheets: z.array(z.string()),
  existingTable: optional(DataTable),
  expiresAt: z.string(),
});
/** An uploaded file that is not a table yet. */
export type TableUpload = z.infer<typeof TableUpload>;

/** How an uploaded file is imported: as a new table, instead of the rows of a table, or in addition to them. */
export const TableImportMode = { create: 'create', replace: 'replace', append: 'append' } as const;
/** How an uploaded file is imported. */
export type TableImportMode = (typeof TableImportMode)[keyof typeof TableImportMode];

const TableName = z
  .string()
  .check(
    z.regex(
      /^[a-z_][a-z0-9_]{0,62}$/,
      'must be a table name: lowercase letters, digits and underscores, not beginning with a digit',
    ),
  );

const one = { api: 'platform', access: 'authenticated', params: DeploymentParams } as const;
const base = '/build/api/v1/deployments/{deploymentId}/tables';
const errors = {
  404: 'The deployment, upload or table does not exist, or the upload has expired.',
  409: 'The deployment has no repository, the table already exists, or another request has changed it.',
} as const;

/** Lists the tables of a deployment. Requires `SchemaRead`. An extension. */
export const listTables = operation({
  ...one,
  id: 'listTables',
  method: 'GET',
  path: base,
  query: PageQuery,
  response: z.looseObject({ items: z.array(DataTable), pageInfo: PageInfo }),
  errors,
});

/**
 * Uploads a data file, and returns its columns with their types and its first rows. Requires `SchemaUpdate`. The file
 * becomes a table with `importTable`, within an hour. `sheet` is the name of a sheet of a workbook, the first one by
 * default. An extension.
 */
export const previewTable = operation({
  ...one,
  id: 'previewTable',
  method: 'POST',
  path: `${base}/preview`,
  maxBodyBytes: maxUploadBytes + 64 * 1024,
  form: z.strictObject({
    file: z.file().check(z.maxSize(maxUploadBytes)),
    sheet: optional(z.string().check(z.minLength(1), z.maxLength(100))),
  }),
  response: TableUpload,
  errors,
});

/**
 * Imports an uploaded file as a table of the deployment. Requires `SchemaUpdate`. All branches of the deployment use
 * the table immediately. An extension.
 */
export const importTable = operation({
  ...one,
  id: 'importTable',
  method: 'POST',
  path: base,
  body: z.strictObject({
    uploadId: z.string().check(z.minLength(1), z.maxLength(100)),
    table: TableName,
    mode: z.enum(TableImportMode),
  }),
  response: DataTable,
  errors,
});

/**
 * Writes a model file with a cube for each of these tables, by default for all, to a branch. Requires `SchemaUpdate`. A
 * cube without a tenant column is visible only with `allowAll`. An extension.
 */
export const generateModel = operation({
  ...one,
  id: 'generateModel',
  method: 'POST',
  path: '/build/api/v1/deployments/{deploymentId}/data-model/generate',
  body: z.strictObject({
    branchName: BranchName,
    tables: optional(z.array(TableName).check(z.minLength(1), z.maxLength(50))),
    tenantColumn: optional(z.string().check(z.minLength(1), z.maxLength(200))),
    allowAll: optional(z.boolean()),
  }),
  response: z.looseObject({ files: z.array(z.looseObject({ path: z.string(), content: z.string() })) }),
  errors,
});

/** Deletes a table and its file. Requires `SchemaUpdate`. An extension. */
export const deleteTable = operation({
  ...one,
  id: 'deleteTable',
  method: 'DELETE',
  path: base,
  query: z.strictObject({ table: TableName }),
  response: null,
  errors,
});
