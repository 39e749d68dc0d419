import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelTarget } from '../../auth/model-target.js';
import { notFound } from '../../http/access.js';
import { deployBranch, isModelFile } from './paths.js';
import { Repository } from './repository.js';

/** A new project: a valid model without cubes. */
const starter: ReadonlyMap<string, string> = new Map([['model/model.yml', 'cubes: []\n']]);

const repositoryFolder = 'model.git';
/** Marker file in the folder of a deployment that is being created or deleted. */
const markFile = 'uncommitted';
const maxTransactionMs = 60_000;
/** Suffix of the name of a folder that is being deleted. */
const removedSuffix = '.deleted';

/** A file of a model. */
export interface ModelFileText {
  /** Path of the file in the repository. */
  readonly name: string;
  readonly text: string;
}

/** The folders of all deployments except the folder deployment, each with a repository and source files. */
export class Repositories {
  readonly #directory: string;

  /** @param directory - folder that contains one folder per deployment. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Folder of the source files of a deployment. */
  sourcesOf(deploymentId: number): string {
    return join(this.folderOf(deploymentId), 'sources');
  }

  /** Folder of the imported files of a deployment. */
  importsOf(deploymentId: number): string {
    return join(this.folderOf(deploymentId), 'imports');
  }

  /** Folder of a deployment, which contains its repository, tables and uploads. */
  folderOf(deploymentId: number): string {
    return join(this.#directory, String(Math.trunc(deploymentId)));
  }

  /** Creates the folder of a new deployment, with its marker file. Replaces a folder that a failed creation left. */
  async create(deploymentId: number, author: string): Promise<void> {
    const folder = this.folderOf(deploymentId);
    const draft = `${folder}.new`;
    for (const path of [draft, folder]) await rm(path, { recursive: true, force: true });
    await mkdir(join(draft, 'sources'), { recursive: true, mode: 0o700 });
    await mkdir(join(draft, 'imports'), { mode: 0o700 });
    await Repository.create(join(draft, repositoryFolder), starter, author);
    await writeFile(join(draft, markFile), '');
    await rename(draft, folder);
  }

  /** Returns the ids of the deployments that have a folder. */
  async ids(): Promise<number[]> {
    // The folder does not exist before the first deployment.
    const names = await readdir(this.#directory).catch(() => []);
    return names.filter(name => /^\d+$/.test(name)).map(Number);
  }

  /**
   * Writes a marker file to the folder of a deployment that a database transaction creates or deletes. A folder that
   * contains the marker file is not served.
   */
  async mark(deploymentId: number): Promise<void> {
    await writeFile(this.#markOf(deploymentId), '').catch(error => {
      // A deployment without a folder needs no marker file.
      if (Object(error).code !== 'ENOENT') throw error;
    });
  }

  /** Deletes the marker file of a folder. Call it after the transaction. */
  async unmark(deploymentId: number): Promise<void> {
    await rm(this.#markOf(deploymentId), { force: true });
  }

  /**
   * Repairs the folders after a crash: deletes folders that contain a marker file but whose deployment does not exist,
   * deletes the marker files of existing deployments, and deletes files that killed processes left behind.
   * @param isStored - returns whether the database has a deployment.
   * @param onFailure - called if a folder cannot be repaired; the other folders are still repaired.
   */
  async repair(
    isStored: (deploymentId: number) => Promise<boolean>,
    onFailure: (error: unknown) => void,
  ): Promise<void> {
    await this.#removeRest().catch(onFailure);
    for (const id of await this.ids()) {
      try {
        await this.#repairFolder(id, isStored);
      } catch (error) {
        onFailure(error);
      }
    }
  }

  async #repairFolder(id: number, isStored: (deploymentId: number) => Promise<boolean>): Promise<void> {
    // `stat` usually fails, because most folders contain no marker file.
    const mark = await stat(this.#markOf(id)).catch(() => null);
    if (mark && !(await isStored(id))) {
      // Another platform may be creating the deployment, and its transaction is not committed yet.
      if (Date.now() - mark.mtimeMs > maxTransactionMs) await this.remove(id);
      return;
    }
    await this.unmark(id);
    await new Repository(this.repositoryOf(id)).removeStaleFiles();
  }

  /**
   * Deletes the folder of a deployment. It is renamed first, because its parts are deleted in any order: after a crash,
   * the rest of the folder must not be served.
   */
  async remove(deploymentId: number): Promise<void> {
    const removed = `${this.folderOf(deploymentId)}-${randomUUID()}${removedSuffix}`;
    try {
      await rename(this.folderOf(deploymentId), removed);
    } catch (error) {
      if (Object(error).code === 'ENOENT') return;
      throw error;
    }
    await rm(removed, { recursive: true, force: true });
  }

  /** Deletes folders whose deletion was interrupted. */
  async #removeRest(): Promise<void> {
    // The folder does not exist before the first deployment.
    const names = await readdir(this.#directory).catch(() => []);
    const rest = names.filter(name => name.endsWith(removedSuffix));
    for (const name of rest) await rm(join(this.#directory, name), { recursive: true, force: true });
  }

  /** Returns the folder of the repository of a deployment. */
  repositoryOf(deploymentId: number): string {
    return join(this.folderOf(deploymentId), repositoryFolder);
  }

  /** Returns the repository of a deployment. @throws PlatformError 404 if it does not exist. */
  async open(deploymentId: number): Promise<Repository> {
    const directory = this.repositoryOf(deploymentId);
    // Ignore errors: a folder that cannot be read has no model, and most folders contain no marker file.
    const [found, mark] = await Promise.all(
      [directory, this.#markOf(deploymentId)].map(path => stat(path).catch(() => null)),
    );
    if (!found?.isDirectory() || mark) throw notFound('Model');
    return new Repository(directory);
  }

  /** Returns the current version of a model. @throws PlatformError 404 if the deployment or branch does not exist. */
  async find({ deploymentId, branchName }: ModelTarget) {
    const repository = await this.open(deploymentId);
    const id = await repository.version(branchName ?? deployBranch);
    return { id, read: () => readModel(repository, id) };
  }

  #markOf(deploymentId: number): string {
    return join(this.folderOf(deploymentId), markFile);
  }
}

/** Reads the model files of a commit, sorted by path. */
export async function readModel(repository: Repository, commit: string): Promise<readonly ModelFileText[]> {
  const files = (await repository.files(commit)).filter(({ path }) => isModelFile(path));
  const texts = await repository.read(files);
  return files.map(({ path }, index) => ({ name: path, text: texts[index] ?? '' }));
}
