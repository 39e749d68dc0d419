import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { LoggableError, PlatformError } from '../../errors.js';
import { notFound } from '../../http/access.js';
import { pause } from '../../runtime/retry.js';
import { deployBranch, isBranchName } from './paths.js';
import { noObject, runGit } from './run-git.js';

/** The state of a branch, including files that are not committed yet. */
export interface BranchState {
  readonly head: string;
  /** Commit with the files that are not committed yet; `null` if there are none. */
  readonly pending: string | null;
}

/** A ref update. Without `to`, the update only verifies that the ref has the value `from`. */
export interface RefUpdate {
  readonly ref: string;
  readonly to?: string;
  /** `noObject` if the ref must not exist. */
  readonly from: string;
}

/** Age in milliseconds after which the lock file of a process that was killed is deleted. Git holds locks for less. */
const staleLockMs = 5_000;
/** Prefix of the names of files that `git fast-import` writes if it fails. */
const crashReport = 'fast_import_crash_';
const lockPollMs = 100;
const hashPattern = /^[0-9a-f]{40}$/;

/** Ref of the last commit of a branch. */
export const headOf = (branch: string) => `refs/heads/${branch}`;
/** Ref of a blob with the name of the parent branch. */
export const parentOf = (branch: string) => `refs/parents/${branch}`;
/** Ref of the uncommitted changes of a branch. */
export const pendingOf = (branch: string) => `refs/pending/${branch}`;
/** Ref of the last commit of the connected repository that a branch contains, or that was pushed. */
export const upstreamOf = (branch: string) => `refs/upstream/${branch}`;

/**
 * The refs of a repository. They are read as files, because they are never packed, and a git process would take 5 ms
 * per read.
 */
export class BranchRefs {
  readonly #directory: string;
  #marker: string | null;

  /** @param marker - ref that the first update also creates. */
  constructor(directory: string, marker: string | null = null) {
    this.#directory = directory;
    this.#marker = marker;
  }

  /** Returns the value of a ref; `null` if it does not exist. */
  async read(ref: string): Promise<string | null> {
    // A ref that cannot be read does not exist: its file is missing, or is a folder of other refs.
    const text = (await readFile(join(this.#directory, ref), 'utf8').catch(() => '')).trim();
    return hashPattern.test(text) ? text : null;
  }

  /** Returns the names of all branches, in order. */
  names(): Promise<string[]> {
    return this.#branchesIn(headOf(''));
  }

  /** Returns the updates that delete the stored refs of a connected repository, except for one branch. */
  async upstreamDeletions(except?: string): Promise<RefUpdate[]> {
    const root = upstreamOf('');
    // The folder does not exist before the first pull.
    const names = await this.#branchesIn(root).catch(() => []);
    const refs = names.filter(name => name !== except).map(upstreamOf);
    const values = await Promise.all(refs.map(ref => this.read(ref)));
    return refs.flatMap((ref, index) => {
      const from = values[index];
      return from == null ? [] : [{ ref, to: noObject, from }];
    });
  }

  /** Returns the names of the branches that have a ref in a folder of refs, in order. */
  async #branchesIn(folder: string): Promise<string[]> {
    const root = join(this.#directory, folder);
    const list = () => readdir(root, { recursive: true, withFileTypes: true });
    // A folder that git deletes while it is being read is not there the second time.
    const entries = await list().catch(list);
    return entries
      .filter(entry => entry.isFile())
      .map(entry => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .filter(isBranchName)
      .toSorted();
  }

  /** Returns the state of a branch. @throws PlatformError 404 */
  async state(branch: string): Promise<BranchState> {
    const head = isBranchName(branch) ? await this.read(headOf(branch)) : null;
    if (head === null) throw notFound('Branch');
    return { head, pending: await this.read(pendingOf(branch)) };
  }

  /**
   * Updates refs in one transaction, and verifies those without `to`.
   * @throws PlatformError 409 if one has changed since it was read.
   */
  async update(updates: readonly RefUpdate[]): Promise<void> {
    const marks = this.#marksOf(updates);
    const lines = [...marks, ...updates].map(({ ref, to, from }) =>
      to === undefined ? `verify ${ref} ${from}\n` : `update ${ref} ${to} ${from}\n`,
    );
    const input = `start\n${lines.join('')}prepare\ncommit\n`;
    const isDone = async () =>
      (await runGit(this.#directory, ['update-ref', '--stdin'], { input, codes: [1, 128] })).code === 0;
    this.#marker = null;
    if (await isDone()) return;
    const isUnchanged = await this.#hasValues(updates.map(({ ref, from }) => ({ ref, value: from })));
    if (isUnchanged && (await this.#waitForLocks()) && (await isDone())) return;
    // A branch whose name is the folder of another branch conflicts with it although nothing has changed.
    const isNew = updates.some(({ from }) => from === noObject);
    if (isUnchanged && !isNew) throw new LoggableError('git update-ref failed although no ref has changed.');
    throw new PlatformError(409, 'Another request changed the branch, or its name conflicts with another branch.');
  }

  /** Creates the marker ref without changing a branch, unless it exists. */
  async createMarker(marker: string): Promise<void> {
    if ((await this.read(marker)) !== null) return;
    const { head } = await this.state(deployBranch);
    await this.update([{ ref: marker, to: head, from: noObject }]);
  }

  /** Returns the update that creates the marker ref. The ref may refer to any object. */
  #marksOf(updates: readonly RefUpdate[]): readonly RefUpdate[] {
    const objects = updates.flatMap(({ to, from }) => [to ?? noObject, from]);
    const object = objects.find(hash => hash !== noObject);
    if (this.#marker === null || object === undefined) return [];
    return [{ ref: this.#marker, to: object, from: noObject }];
  }

  /** True if all refs have these values; `noObject` if a ref must not exist. */
  async #hasValues(requested: readonly { readonly ref: string; readonly value: string }[]): Promise<boolean> {
    const current = await Promise.all(requested.map(({ ref }) => this.read(ref)));
    return requested.every(({ value }, index) => value === (current[index] ?? noObject));
  }

  async #removeStaleLocks(): Promise<void> {
    for (const path of await this.#locks()) await removeOlder(path, staleLockMs);
  }

  /** Deletes the lock files and temporary files of processes that were killed. */
  async removeStaleFiles(): Promise<void> {
    await this.#removeStaleLocks();
    const names = (await readdir(this.#directory)).filter(name => name.startsWith(crashReport));
    for (const name of names) await rm(join(this.#directory, name), { force: true });
  }

  /** Waits until no lock remains, and deletes stale ones. @returns false if there was no lock. */
  async #waitForLocks(): Promise<boolean> {
    if ((await this.#locks()).length === 0) return false;
    for (let waited = 0; waited <= staleLockMs + lockPollMs; waited += lockPollMs) {
      await this.#removeStaleLocks();
      if ((await this.#locks()).length === 0) break;
      await pause(lockPollMs);
    }
    return true;
  }

  async #locks(): Promise<string[]> {
    const root = await readdir(this.#directory);
    // Another process may delete a folder while it is being read.
    const refs = await readdir(join(this.#directory, 'refs'), { recursive: true }).catch(() => []);
    const paths = [...root, ...refs.map(path => join('refs', path))];
    return paths.filter(path => path.endsWith('.lock')).map(path => join(this.#directory, path));
  }
}

async function removeOlder(path: string, ageMs: number): Promise<void> {
  // Another process may have deleted the file.
  const found = await stat(path).catch(() => null);
  if (found && Date.now() - found.mtimeMs >= ageMs) await rm(path, { force: true });
}
