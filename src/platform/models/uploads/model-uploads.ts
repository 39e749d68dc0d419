import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Hono } from 'hono';
import * as contract from '../../../contract/model-uploads.js';
import { PlatformError } from '../../errors.js';
import type { Call } from '../../http/mount.js';
import { readForm } from '../../http/read-form.js';
import type { RouteDeps } from '../../http/route-deps.js';
import { serve } from '../../http/serve.js';
import { DevelopmentMode } from '../development-mode.js';
import { deployBranch } from '../git/paths.js';
import type { FileChanges, Repository } from '../git/repository.js';
import { type ModelCall, RepositoryAccess } from '../repository-access.js';
import { requireDeployment } from '../require-deployment.js';
import { convertUpload } from './convert-upload.js';
import { type DeploymentUploads, type UploadJournal, uploadsOf } from './deployment-uploads.js';
import { describeUpload } from './table-files.js';
import type { StagedFile, UploadFolder } from './upload-folders.js';
import { checkText, isDataPath, pathOfTable, planUpload, tableOfPath } from './upload-plan.js';

/** Mounts the routes for uploads of model files (operations.md, Data Model Uploads). */
export function mountModelUploads(app: Hono, deps: RouteDeps): void {
  const { db } = deps;
  const access = new RepositoryAccess(deps);
  const development = new DevelopmentMode(db);

  serve(app, contract.fileHashes, deps, async call => {
    const repository = await access.open(call, 'SchemaRead');
    const uploads = uploadsOf(access, db, call, repository);
    const branch = call.query.branchName ?? (await development.activeBranch(call, repository)) ?? deployBranch;
    const hashes = await hashesOf(repository, await repository.version(branch));
    for (const table of await uploads.tables.list()) {
      const path = pathOfTable(table);
      if (path !== null && table.description?.hash) hashes.set(path, table.description.hash);
    }
    return Object.fromEntries([...hashes].map(([path, hash]) => [path, { hash }]));
  });

  serve(app, contract.startUpload, deps, call =>
    access.write(contract.startUpload, call, 'SchemaUpdate', async repository => {
      const branch = call.query.branchName ?? (await development.requireActiveBranch(call, repository));
      requireOtherBranch(branch);
      const { name } = await requireDeployment(db, call.principal, call.params.deploymentId);
      const head = await repository.committedHead(branch);
      const { folders } = uploadsOf(access, db, call, repository);
      const { id } = await folders.create({ kind: 'model', userId: call.principal.userId, branch, head });
      return { deploymentName: name, transaction: { id } };
    }),
  );

  serve(app, contract.uploadFile, deps, call =>
    access.write(contract.uploadFile, call, 'SchemaUpdate', async repository => {
      const { principal, request } = call;
      const uploads = uploadsOf(access, db, call, repository);
      const body = { request, caller: String(principal.userId) };
      await readForm(contract.uploadFile, body, async ({ file, fileName, transaction }) => {
        const folder = await openUpload(uploads, transactionId(transaction), call);
        const isData = tableOfPath(fileName, 'body.fileName') !== null;
        const content = new Uint8Array(await file.arrayBuffer());
        if (!isData) checkText(content, 'body.file');
        await folder.add(fileName, content);
      });
      return undefined;
    }),
  );

  serve(app, contract.finishUpload, deps, call =>
    access.changeBranch(contract.finishUpload, call, 'SchemaUpdate', async (repository, author, marker) => {
      const { deploymentId } = call.params;
      const uploads = uploadsOf(access, db, call, repository);
      const folder = await openUpload(uploads, call.body.transaction.id, call);
      const finish = new UploadFinish(repository, uploads, folder);
      const { head, hasTables } = await finish.run(call.body, { author, marker });
      if (hasTables) await deps.refreshTables(deploymentId);
      return { lastHash: head };
    }),
  );
}

type UploadCall = ModelCall & Pick<Call<typeof contract.uploadFile>, 'query'>;

async function openUpload(uploads: DeploymentUploads, id: string, call: UploadCall): Promise<UploadFolder> {
  const folder = await uploads.folders.open(id, 'model');
  const { branchName } = call.query;
  if (branchName == null || branchName === folder.info.branch) return folder;
  throw new PlatformError(400, 'query.branchName: must be the branch of the upload, or omitted');
}

function transactionId(text: string): string {
  try {
    const { id } = Object(JSON.parse(text));
    if (typeof id === 'string') return id;
  } catch {
    // The message is the same as for other JSON.
  }
  throw new PlatformError(400, 'body.transaction: must be JSON with the id of the transaction');
}

function requireOtherBranch(branch: string): void {
  if (branch !== deployBranch) return;
  throw new PlatformError(409, 'The deploy branch cannot be changed. Upload to another branch, and merge it.');
}

/** Returns the hashes of the files of a commit, by path. Data files are not part of the repository. */
async function hashesOf(repository: Repository, commit: string): Promise<Map<string, string>> {
  const files = (await repository.files(commit)).filter(({ path }) => !isDataPath(path));
  const contents = await repository.read(files);
  return new Map(files.map(({ path }, index) => [path, sha1(contents[index] ?? '')]));
}

function sha1(content: string): string {
  return createHash('sha1').update(content).digest('hex');
}

type FinishBody = Call<typeof contract.finishUpload>['body'];

/** Finishes one upload. */
class UploadFinish {
  readonly #repository: Repository;
  readonly #uploads: DeploymentUploads;
  readonly #folder: UploadFolder;

  constructor(repository: Repository, uploads: DeploymentUploads, folder: UploadFolder) {
    this.#repository = repository;
    this.#uploads = uploads;
    this.#folder = folder;
  }

  /** @throws PlatformError 400 for an invalid file, 409 if the branch has changed. Nothing is changed then. */
  async run(
    { files, autoRemoveFiles, commitMessage }: FinishBody,
    { author, marker }: { readonly author: string; readonly marker: string | null },
  ): Promise<{ readonly head: string; readonly hasTables: boolean }> {
    const { branch = '', head = '' } = this.#folder.info;
    await this.#requireHead(branch, head);
    const plan = planUpload({
      files,
      staged: await this.#folder.files(),
      branch: await hashesOf(this.#repository, head),
      tables: await this.#uploads.tables.list(),
      autoRemoveFiles: autoRemoveFiles ?? true,
    });
    const changes = await changesOf(plan.written, plan.removed);
    await this.#repository.checkChanges(head, changes);
    const tables = await this.#convert(plan.tables);
    const text = { author, message: commitMessage || 'Upload files' };
    const commit = (prepare: (commit: string) => Promise<void>) =>
      this.#repository.commitFiles({ branch, head, changes, text }, prepare);
    const done = await this.#uploads.change(async () => {
      await this.#requireHead(branch, head);
      await this.#uploads.tables.checkNew(tables.map(({ name, bytes }) => ({ name, bytes })));
      return this.#uploads.apply(this.#folder, tables, { commit: changes.size > 0 ? commit : null, marker });
    });
    return { head: done ?? head, hasTables: tables.length > 0 };
  }

  async #requireHead(branch: string, head: string): Promise<void> {
    if ((await this.#repository.committedHead(branch)) === head) return;
    throw new PlatformError(409, 'The branch has changed since the upload started. Start another upload.');
  }

  async #convert(tables: ReadonlyMap<string, StagedFile>) {
    const converted: (UploadJournal['tables'][number] & { readonly bytes: number })[] = [];
    for (const [name, { path, hash, file }] of tables) {
      const fileName = path.slice(path.lastIndexOf('/') + 1);
      const output = `${name}.parquet`;
      const { table, bytes } = await convertUpload(this.#folder, { file, fileName, sheet: null, output });
      converted.push({ name, file: output, description: describeUpload(fileName, hash, table), bytes });
      // Check after each file too, so that the upload fails before it fills the disk.
      await this.#uploads.tables.checkNew(converted);
    }
    return converted;
  }
}

async function changesOf(written: readonly StagedFile[], removed: readonly string[]): Promise<FileChanges> {
  const changes = new Map<string, string | null>(removed.map(path => [path, null]));
  for (const { path, file } of written) changes.set(path, await readFile(file, 'utf8'));
  return changes;
}
