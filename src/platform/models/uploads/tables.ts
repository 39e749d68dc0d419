import { createHash, randomUUID } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Hono } from 'hono';
import * as contract from '../../../contract/tables.js';
import { suggestTable, tableExtension } from '../../data/tables/table-format.js';
import { PlatformError } from '../../errors.js';
import { notFound } from '../../http/access.js';
import type { Call } from '../../http/mount.js';
import { pageOfList } from '../../http/paging.js';
import { readForm } from '../../http/read-form.js';
import type { RouteDeps } from '../../http/route-deps.js';
import { serve } from '../../http/serve.js';
import { TaskQueue } from '../../runtime/task-queue.js';
import { RepositoryAccess } from '../repository-access.js';
import { appendUpload, convertUpload } from './convert-upload.js';
import { type DeploymentUploads, uploadsOf } from './deployment-uploads.js';
import { describeUpload, TableDescription, type TableFile } from './table-files.js';
import type { UploadFolder } from './upload-folders.js';

/** Files of an upload of a table. */
const names = { raw: 'raw', table: 'table.parquet', description: 'table.json' } as const;
const maxFileName = 200;

/** Models that are generated at the same time in this process, because the statements read all rows. */
const generations = new TaskQueue({
  concurrency: 1,
  queueLimit: 20,
  rejection: () => new PlatformError(503, 'Too many models are being generated. Try again in a moment.'),
});

/** Mounts the routes for the tables of deployments with a repository, which are an extension. */
export function mountTables(app: Hono, deps: RouteDeps): void {
  const { db } = deps;
  const access = new RepositoryAccess(deps);

  serve(app, contract.listTables, deps, async call => {
    const uploads = uploadsOf(access, db, call, await access.open(call, 'SchemaRead'));
    const { items, pageInfo } = pageOfList(await uploads.tables.list(), call.query);
    return { items: items.map(showTable), pageInfo };
  });

  serve(app, contract.previewTable, deps, call =>
    access.write(contract.previewTable, call, 'SchemaUpdate', async repository => {
      const { request, principal } = call;
      const uploads = uploadsOf(access, db, call, repository);
      const { userId } = principal;
      const { folder, sheet } = await readForm(
        contract.previewTable,
        { request, caller: String(userId) },
        async form => {
          const fileName = form.file.name;
          checkFileName(fileName);
          const created = await uploads.folders.create({ kind: 'table', userId, fileName });
          await writeFile(created.pathOf(names.raw), new Uint8Array(await form.file.arrayBuffer()));
          return { folder: created, sheet: form.sheet ?? null };
        },
      );
      try {
        return await preview(uploads, folder, sheet);
      } catch (error) {
        await folder.remove();
        throw error;
      }
    }),
  );

  serve(app, contract.importTable, deps, call =>
    access.changeBranch(contract.importTable, call, 'SchemaUpdate', async (repository, _author, marker) => {
      const uploads = uploadsOf(access, db, call, repository);
      const { uploadId, ...target } = call.body;
      const folder = await uploads.folders.open(uploadId, 'table');
      await importUpload(uploads, folder, { ...target, marker });
      await deps.refreshTables(call.params.deploymentId);
      const table = await uploads.tables.find(target.table);
      if (!table) throw notFound('Table');
      return showTable(table);
    }),
  );

  serve(app, contract.generateModel, deps, call =>
    access.changeBranch(contract.generateModel, call, 'SchemaUpdate', async (repository, author) => {
      const { branchName } = call.body;
      const existing = await repository.files(await repository.version(branchName));
      const files = await generate(deps, call);
      const taken = existing.filter(({ path }) => files.has(path)).map(({ path }) => path);
      if (taken.length > 0) {
        const message = `The branch already has the files ${taken.join(', ')}. Delete them, or omit their tables.`;
        throw new PlatformError(409, message);
      }
      await repository.write(branchName, files, author);
      return { files: [...files].map(([path, content]) => ({ path, content })) };
    }),
  );

  serve(app, contract.deleteTable, deps, call =>
    access.write(contract.deleteTable, call, 'SchemaUpdate', async repository => {
      const uploads = uploadsOf(access, db, call, repository);
      const { table } = call.query;
      if (!(await uploads.change(() => uploads.tables.remove(table)))) throw notFound('Table');
      await deps.refreshTables(call.params.deploymentId);
      return undefined;
    }),
  );
}

/** Generates the files of a model. A client that disconnects does not cancel the work, which has a time limit. */
function generate(
  deps: RouteDeps,
  { params, body }: Call<typeof contract.generateModel>,
): Promise<ReadonlyMap<string, string>> {
  const { deploymentId } = params;
  const { tables = null, tenantColumn = null, allowAll } = body;
  const options = { tables, tenantColumn, allowAll: allowAll ?? false };
  const work = () => deps.generateModel(deploymentId, options);
  return generations.run(String(deploymentId), work, new AbortController().signal);
}

function checkFileName(fileName: string): void {
  if (fileName.length > maxFileName) throw new PlatformError(400, `body.file: name is longer than ${maxFileName}`);
  try {
    tableExtension(fileName);
  } catch (error) {
    throw error instanceof TypeError ? new PlatformError(400, `body.file: ${error.message}`) : error;
  }
}

/** Converts an uploaded file, and describes the result. */
async function preview(
  uploads: DeploymentUploads,
  folder: UploadFolder,
  sheet: string | null,
): Promise<contract.TableUpload> {
  const { fileName = '' } = folder.info;
  const raw = folder.pathOf(names.raw);
  const { table } = await convertUpload(folder, { file: raw, fileName, sheet, output: names.table });
  // The hash identifies a complete file, so there is none for a single sheet.
  const hash =
    sheet === null
      ? createHash('sha1')
          .update(await readFile(raw))
          .digest('hex')
      : null;
  await rm(raw);
  await writeFile(folder.pathOf(names.description), JSON.stringify(describeUpload(fileName, hash, table)));
  const suggested = suggestTable(fileName);
  const existing = await uploads.tables.find(suggested);
  return {
    uploadId: folder.id,
    fileName,
    table: suggested,
    rows: table.rows,
    columns: table.columns.map(({ name, type }) => ({ name, type })),
    preview: table.preview.map(row => [...row]),
    sheets: [...table.sheets],
    ...(existing && { existingTable: showTable(existing) }),
    expiresAt: folder.expiresAt.toISOString(),
  };
}

interface ImportTarget {
  readonly table: string;
  readonly mode: contract.TableImportMode;
}

/** Imports an upload as a table. @throws PlatformError 400, 404, 409 */
async function importUpload(
  uploads: DeploymentUploads,
  folder: UploadFolder,
  { table: name, mode, marker }: ImportTarget & { readonly marker: string | null },
): Promise<void> {
  const before = await uploads.tables.find(name);
  if (mode === 'create' && before)
    throw new PlatformError(409, `The table ${name} already exists. Replace it, or append to it.`);
  if (mode === 'append' && !before) throw notFound('Table');
  const isAppended = mode === 'append' && before !== null;
  const next = isAppended ? await append(folder, before) : await readUpload(folder);
  await uploads.change(async () => {
    await uploads.tables.checkNew([{ name, bytes: next.bytes }]);
    const current = await uploads.tables.find(name);
    if (current?.fingerprint !== before?.fingerprint) {
      throw new PlatformError(409, `The table ${name} was changed by another request. Try again.`);
    }
    await uploads.apply(folder, [{ name, ...next }], { marker });
  });
}

/** A Parquet file in the folder of an upload. */
interface UploadedTable {
  readonly file: string;
  readonly bytes: number;
  readonly description: TableDescription;
}

async function readUpload(folder: UploadFolder): Promise<UploadedTable> {
  const description = TableDescription.parse(JSON.parse(await readFile(folder.pathOf(names.description), 'utf8')));
  return { file: names.table, bytes: (await stat(folder.pathOf(names.table))).size, description };
}

async function append(folder: UploadFolder, { name, path, description }: TableFile): Promise<UploadedTable> {
  const fileName = folder.info.fileName ?? name;
  if (extname(path) !== '.parquet') {
    throw new PlatformError(409, `The table ${name} is a file that was not uploaded. Delete the table first.`);
  }
  // Requests for the same upload can run at the same time.
  const output = `appended-${randomUUID()}.parquet`;
  const files = { base: path, added: names.table, output, fileName };
  const { table, bytes } = await appendUpload(folder, files);
  return { file: output, bytes, description: describeUpload(description?.fileName ?? fileName, null, table) };
}

function showTable({ name, bytes, updatedAt, description }: TableFile): contract.DataTable {
  const { fileName, rows, columns } = description ?? {};
  return {
    name,
    bytes,
    updatedAt: updatedAt.toISOString(),
    ...(description && { fileName, rows, columns }),
  };
}
