import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '../../db/database.js';
import { PlatformError } from '../../errors.js';
import { TaskQueue } from '../../runtime/task-queue.js';
import type { Repositories } from '../git/repositories.js';
import type { Repository } from '../git/repository.js';
import type { ModelCall, RepositoryAccess } from '../repository-access.js';
import { TableDescription, TableFiles } from './table-files.js';
import { type UploadFolder, UploadFolders } from './upload-folders.js';

/** First key of the advisory locks on the uploads of a deployment. No other lock of this database uses it. */
const uploadLock = 7_265_011;

/** Each running change has a connection to the database. Those of one deployment would wait for each other. */
const changes = new TaskQueue({ concurrency: 2, queueLimit: 80, rejection: tooManyChanges });
const lockNotAvailable = '55P03';

const Journal = z.object({
  /** The commit that the upload creates; `null` if it changes only tables. */
  commit: z.nullable(z.string()),
  /** Ref that marks the entry of the audit log; the commit also creates it. */
  marker: z.optional(z.nullable(z.string())),
  tables: z.array(
    z.object({
      name: z.string(),
      /** Name of the Parquet file in the folder of the upload. */
      file: z.string(),
      description: TableDescription,
    }),
  ),
});
/** Changes that finish an upload. */
export type UploadJournal = z.infer<typeof Journal>;

/** How an upload changes the repository. */
interface UploadCommit {
  readonly commit?: ((prepare: (commit: string) => Promise<void>) => Promise<string>) | null;
  readonly marker: string | null;
}

/** The uploads and tables of one deployment. */
export class DeploymentUploads {
  readonly folders: UploadFolders;
  readonly tables: TableFiles;
  readonly #db: Db;
  readonly #deploymentId: number;
  readonly #repository: Repository;

  constructor(
    db: Db,
    deploymentId: number,
    { folder, repository }: { readonly folder: string; readonly repository: Repository },
  ) {
    this.#db = db;
    this.#deploymentId = deploymentId;
    this.#repository = repository;
    this.folders = new UploadFolders(folder);
    this.tables = new TableFiles(folder);
  }

  /**
   * Runs a short change to tables and branches. Changes to a deployment run one at a time across all platforms.
   * Interrupted changes are completed first.
   * @throws PlatformError 503 if too many changes wait.
   */
  async change<T>(work: () => Promise<T>): Promise<T> {
    // A disconnected client does not cancel the change, which may have begun.
    const { signal } = new AbortController();
    const run = () =>
      this.#db.transaction(async tx => {
        await this.#lock(tx);
        for (const { folder, journal } of await this.folders.interrupted()) await this.#complete(folder, journal);
        return work();
      });
    return changes.run(String(this.#deploymentId), run, signal);
  }

  /** @throws PlatformError 503 if changes by other platforms take too long. */
  async #lock(tx: Db): Promise<void> {
    try {
      await tx.execute(sql`set local lock_timeout = '30s'`);
      await tx.execute(sql`select pg_advisory_xact_lock(${uploadLock}, hashint8(${this.#deploymentId}))`);
    } catch (error) {
      throw Object(error).cause?.code === lockNotAvailable ? tooManyChanges() : error;
    }
  }

  /**
   * Applies an upload: creates its commit, moves its tables, and deletes its folder. After a crash, either nothing has
   * changed, or the next change completes it.
   * @param commit - creates the commit, and calls its argument before the branch contains it; `null` if the upload has
   * no commit.
   * @param marker - ref that marks the entry of the audit log if the change is completed after a crash.
   */
  async apply(
    folder: UploadFolder,
    tables: UploadJournal['tables'],
    { commit = null, marker }: UploadCommit,
  ): Promise<string | null> {
    // Another request may have finished the upload.
    await this.folders.open(folder.id, folder.info.kind);
    const prepare = (id: string | null) => folder.writeJournal(JSON.stringify({ commit: id, marker, tables }));
    if (commit === null) await prepare(null);
    const done = commit === null ? null : await commit(prepare);
    await this.#moveTables(folder, tables);
    await folder.remove();
    return done;
  }

  async #complete(folder: UploadFolder, text: string): Promise<void> {
    const { commit, marker, tables } = Journal.parse(JSON.parse(text));
    const isCommitted = commit === null || (await this.#repository.contains(commit));
    if (isCommitted) await this.#moveTables(folder, tables);
    if (commit === null && marker != null) await this.#repository.createMarker(marker);
    await folder.remove();
  }

  async #moveTables(folder: UploadFolder, tables: UploadJournal['tables']): Promise<void> {
    for (const { name, file, description } of tables) {
      await this.tables.put({ name, file: folder.pathOf(file), description });
    }
  }
}

function tooManyChanges(): PlatformError {
  return new PlatformError(503, 'Too many table changes are in progress. Try again in a moment.');
}

/** Returns the uploads of the deployment of a call, which `access` has opened. */
export function uploadsOf(
  { repositories }: RepositoryAccess,
  db: Db,
  { params: { deploymentId } }: Pick<ModelCall, 'params'>,
  repository: Repository,
): DeploymentUploads {
  if (!repositories) throw new Error('The platform has no data folder.');
  return new DeploymentUploads(db, deploymentId, { folder: repositories.folderOf(deploymentId), repository });
}

/** Completes the uploads of all deployments that were interrupted when a platform stopped. */
export async function repairUploads(
  db: Db,
  repositories: Repositories,
  onFailure: (error: unknown) => void,
): Promise<void> {
  for (const deploymentId of await repositories.ids()) {
    try {
      const folder = repositories.folderOf(deploymentId);
      if ((await new UploadFolders(folder).interrupted()).length === 0) continue;
      const repository = await repositories.open(deploymentId);
      await new DeploymentUploads(db, deploymentId, { folder, repository }).change(async () => undefined);
    } catch (error) {
      // Continue, so that the other deployments are served. The next upload retries the repair.
      onFailure(error);
    }
  }
}
