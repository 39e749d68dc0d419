import { ErrorCode } from '../../../contract/error.js';
import { PlatformError } from '../../errors.js';
import { notFound } from '../../http/access.js';
import {
  BranchRefs,
  type BranchState,
  headOf,
  parentOf,
  pendingOf,
  type RefUpdate,
  upstreamOf,
} from './branch-refs.js';
import { checkFileTypes, checkSizes } from './check-files.js';
import { checkExpectedFiles, type ExpectedFiles } from './file-conflicts.js';
import {
  blobHash,
  type Commit,
  type CommitText,
  type Comparison,
  type FileChanges,
  GitObjects,
  type RepositoryFile,
} from './objects.js';
import { deployBranch, isBranchName } from './paths.js';
import { requireSpaceFor } from './repository-size.js';
import { noObject, runGit } from './run-git.js';

export type { CommitText, FileChanges, RepositoryFile } from './objects.js';

/** A branch and its current state. */
export interface Branch {
  readonly name: string;
  /** The last commit. */
  readonly head: string;
  /** Commit with the files that are not committed yet; `null` if there are none. */
  readonly pending: string | null;
  /** Branch from which the branch was created; `null` for the deploy branch. */
  readonly parent: string | null;
}

/** A commit that changes files of a branch. */
export interface FilesCommit {
  readonly branch: string;
  /** The last commit of the branch. */
  readonly head: string;
  readonly changes: FileChanges;
  readonly text: CommitText;
}

/** A merge of a branch. */
export interface Merge {
  readonly into: string;
  readonly text: CommitText;
  /** Whether the target gets one commit without the history of the branch. */
  readonly isSquashed?: boolean;
  /** Whether the branch is deleted in the same transaction. */
  readonly isBranchDeleted?: boolean;
  /** Called with the merge commit before the target branch is updated. Throws to reject the merge. */
  readonly check: (commit: string) => Promise<void>;
}

const maxBranches = 200;

/**
 * A bare git repository with the model of one deployment. Files that are not committed yet are in a separate commit
 * (`refs/pending/<branch>`), so that every write is one git transaction.
 */
export class Repository {
  readonly #directory: string;
  readonly #objects: GitObjects;
  readonly #refs: BranchRefs;

  /** @param marker - ref that the first update of branches also creates. */
  constructor(directory: string, marker: string | null = null) {
    this.#directory = directory;
    this.#objects = new GitObjects(directory);
    this.#refs = new BranchRefs(directory, marker);
  }

  /** Returns the same repository, whose next update of branches also creates a ref. */
  withMarker(marker: string): Repository {
    return new Repository(this.#directory, marker);
  }

  /** Creates the repository with a first commit on the deploy branch. */
  static async create(directory: string, files: ReadonlyMap<string, string>, author: string): Promise<Repository> {
    const options = ['--quiet', '--bare', `--initial-branch=${deployBranch}`, '--template='];
    await runGit(directory, ['init', ...options, directory]);
    const repository = new Repository(directory);
    const text = { author, message: 'Create the project' };
    const head = await repository.#objects.commitFiles(null, files, [], text);
    await repository.#refs.update([{ ref: headOf(deployBranch), to: head, from: noObject }]);
    return repository;
  }

  /** Returns the commit with the current files of a branch. @throws PlatformError 404 */
  async version(branch: string): Promise<string> {
    const { head, pending } = await this.#refs.state(branch);
    return pending ?? head;
  }

  /** Returns all branches, ordered by name. */
  async branches(): Promise<Branch[]> {
    const names = await this.#refs.names();
    const parents = new Map(names.map(name => [blobHash(name), name]));
    const found = names.map(async name => {
      const refs = [headOf(name), pendingOf(name), parentOf(name)] as const;
      const [head, pending, parent] = await Promise.all(refs.map(ref => this.#refs.read(ref)));
      // Another request may delete the branch in the meantime.
      if (!head) return [];
      const parentName = parents.get(parent ?? '') ?? deployBranch;
      return [{ name, head, pending: pending ?? null, parent: name === deployBranch ? null : parentName }];
    });
    return (await Promise.all(found)).flat();
  }

  /** Returns the branch from which a branch was created. @throws PlatformError 400 for the deploy branch, 404 */
  async parent(branch: string): Promise<string> {
    const found = (await this.branches()).find(({ name }) => name === branch);
    if (!found) throw notFound('Branch');
    if (found.parent !== null) return found.parent;
    throw new PlatformError(400, 'body.branchName: the deploy branch has no parent');
  }

  /** Creates a branch. @throws PlatformError 400 for an invalid name, 404 without `from`, 409 if it exists. */
  async createBranch(name: string, from: string): Promise<void> {
    if (!isBranchName(name)) {
      throw new PlatformError(
        400,
        'body.name: must consist of letters, digits and - _ . / and begin with a letter or digit',
      );
    }
    const { head } = await this.#refs.state(from);
    if ((await this.#refs.read(headOf(name))) !== null) throw new PlatformError(409, 'The branch already exists.');
    if ((await this.#refs.names()).length >= maxBranches) {
      throw new PlatformError(409, `A deployment can have at most ${maxBranches} branches. Delete merged branches.`);
    }
    await this.#refs.update([
      { ref: headOf(name), to: head, from: noObject },
      { ref: pendingOf(name), from: noObject },
      { ref: parentOf(name), to: await this.#objects.writeBlob(from), from: noObject },
    ]);
  }

  /**
   * Deletes a branch with its files that are not committed.
   * @param expected - the last commit and no other changes, if set.
   * @throws PlatformError 400, 404, 409 if the branch has changed.
   */
  async removeBranch(name: string, expected?: string): Promise<void> {
    const state = expected === undefined ? await this.#refs.state(name) : { head: expected, pending: null };
    if (name === deployBranch) throw new PlatformError(400, 'The deploy branch cannot be deleted.');
    await this.#refs.update(await this.#deletionOf(name, state));
  }

  /** Lists the files of a commit, ordered by path. Omits symbolic links and submodules. */
  files(commit: string): Promise<RepositoryFile[]> {
    return this.#objects.files(commit);
  }

  /** Reads the content of files. */
  read(files: readonly RepositoryFile[]): Promise<string[]> {
    return this.#objects.read(files);
  }

  /** Lists the latest commits of a branch, newest first. @throws PlatformError 404 */
  async commits(branch: string, maxCount: number): Promise<Commit[]> {
    return this.#objects.commits((await this.#refs.state(branch)).head, maxCount);
  }

  /** Returns the changes on a branch since its merge base with another branch. @throws PlatformError 404 */
  async compare(branch: string, other: string): Promise<Comparison> {
    const [comparison] = await this.compareAll([await this.#refs.state(branch)], other);
    if (!comparison) throw notFound('Branch');
    return comparison;
  }

  /** Returns the changes on branches as `compare`, in the same order. @throws PlatformError 404 without `other` */
  async compareAll(branches: readonly BranchState[], other: string): Promise<Comparison[]> {
    return this.#objects.compare(branches, (await this.#refs.state(other)).head);
  }

  /** Returns the differences between two commits as a unified diff. */
  patch(from: string, to: string): Promise<string> {
    return this.#objects.patch(from, to);
  }

  /**
   * Changes files of a branch without a commit.
   * @param expected - content that files must have before the change.
   * @throws PlatformError 400 for too many files, 404 for an unknown branch or file, 409 for the deploy branch, if
   * another request wrote first, and if files do not have the expected content.
   */
  async write(
    branch: string,
    changes: FileChanges,
    author: string,
    expected: ExpectedFiles = new Map(),
  ): Promise<void> {
    const { head, pending } = await this.#refs.state(branch);
    rejectDeployBranch(branch);
    const base = pending ?? head;
    await checkExpectedFiles(this.#objects, base, expected);
    await this.checkChanges(base, changes);
    await requireSpaceFor(this.#directory, changes);
    const next = await this.#objects.commitFiles(base, changes, [head], pendingText(author));
    await this.#setPending(branch, { head, pending }, next);
  }

  /**
   * Changes files of a branch with one commit.
   * @param head - the last commit of the branch, on which the changes are based.
   * @param prepare - called with the new commit before the branch contains it; may throw.
   * @throws PlatformError 409 if the branch has changed.
   */
  async commitFiles(
    { branch, head, changes, text }: FilesCommit,
    prepare: (commit: string) => Promise<void>,
  ): Promise<string> {
    await this.checkChanges(head, changes);
    await requireSpaceFor(this.#directory, changes);
    const commit = await this.#objects.commitFiles(head, changes, [head], text);
    await prepare(commit);
    await this.#refs.update([
      { ref: headOf(branch), to: commit, from: head },
      { ref: pendingOf(branch), from: noObject },
    ]);
    return commit;
  }

  /** Creates the marker ref without changing a branch, unless it exists. */
  createMarker(marker: string): Promise<void> {
    return this.#refs.createMarker(marker);
  }

  /** True if a branch contains a commit. */
  async contains(commit: string): Promise<boolean> {
    const { code, output } = await this.#objects.run(
      ['for-each-ref', `--contains=${commit}`, 'refs/heads/'],
      '',
      [129],
    );
    return code === 0 && output.length > 0;
  }

  /**
   * Checks whether changes can be applied to a commit.
   * @throws PlatformError 400 for too many or too large files or a path inside a file, 404 for an unknown file.
   */
  async checkChanges(base: string, changes: FileChanges): Promise<void> {
    const files = new Map((await this.files(base)).map(({ path, bytes }) => [path, bytes]));
    for (const [path, content] of changes) {
      if (content === null && !files.has(path)) throw new PlatformError(404, `The file ${path} does not exist.`);
      if (content === null) files.delete(path);
      else files.set(path, Buffer.byteLength(content));
    }
    for (const path of changes.keys()) {
      const folders = path.split('/').map((_, index, names) => names.slice(0, index).join('/'));
      const taken = files.has(path) ? folders.find(folder => files.has(folder)) : undefined;
      if (taken !== undefined) throw new PlatformError(400, `${path}: ${taken} is a file, not a folder`);
      const isFolder = files.has(path) && [...files.keys()].some(other => other.startsWith(`${path}/`));
      if (isFolder) throw new PlatformError(400, `${path} is a folder, not a file`);
    }
    checkSizes([...files].map(([path, bytes]) => ({ path, bytes })));
  }

  /** Returns the last commit of a branch. @throws PlatformError 404, 409 if it has changes that are not committed. */
  async committedHead(branch: string): Promise<string> {
    const { head, pending } = await this.#refs.state(branch);
    if (pending === null) return head;
    throw new PlatformError(409, 'The branch has changes that are not committed. Commit them first.');
  }

  /**
   * Commits the changes of a branch. Without changes, does nothing, so that the call can be repeated.
   * @param resolveWith - branch whose commits the commit also contains; files that conflict keep their content of
   * `branch`.
   */
  async commit(branch: string, text: CommitText, resolveWith?: string): Promise<void> {
    const { head, pending } = await this.#refs.state(branch);
    rejectDeployBranch(branch);
    const other = resolveWith === undefined ? null : (await this.#refs.state(resolveWith)).head;
    const version = pending ?? head;
    const isMerge = other !== null && !(await this.#objects.isAncestor(other, head));
    if (pending === null && !isMerge) return;
    const commit = isMerge
      ? await this.#mergeKeepingOurs(version, { other, parents: [head, other], text })
      : await this.#objects.commitTree(`${version}^{tree}`, [head], text);
    if (isMerge) checkSizes(await this.files(commit));
    await this.#refs.update([
      { ref: headOf(branch), to: commit, from: head },
      pending === null
        ? { ref: pendingOf(branch), from: noObject }
        : { ref: pendingOf(branch), to: noObject, from: pending },
    ]);
  }

  /**
   * Merges a branch into another one.
   * @returns the last commit of the branch, and whether the target did not contain it before.
   * @throws PlatformError 404, 409 with the list of conflicting files
   */
  async merge(
    branch: string,
    { into, text, isSquashed = false, isBranchDeleted = false, check }: Merge,
  ): Promise<{ readonly head: string; readonly isMerged: boolean }> {
    const [ours, theirs] = [await this.#refs.state(into), await this.#refs.state(branch)];
    if (branch === into) throw new PlatformError(400, 'body.branchName: a branch cannot be merged into itself');
    if (theirs.pending !== null)
      throw new PlatformError(409, 'The branch has changes that are not committed. Commit them first.');
    if (ours.pending !== null)
      throw new PlatformError(409, `The branch ${into} has changes that are not committed. Commit them first.`);
    const branchUpdates: readonly RefUpdate[] = isBranchDeleted
      ? await this.#deletionOf(branch, theirs)
      : [
          { ref: headOf(branch), from: theirs.head },
          { ref: pendingOf(branch), from: noObject },
        ];
    if (await this.#objects.isAncestor(theirs.head, ours.head)) {
      if (isBranchDeleted) await this.#refs.update(branchUpdates);
      return { head: theirs.head, isMerged: false };
    }
    const { tree, conflicts } = await this.#objects.mergeTrees(ours.head, theirs.head);
    if (conflicts.length > 0) throw mergeConflict(into, conflicts);
    checkSizes(await this.files(tree));
    const parents = isSquashed ? [ours.head] : [ours.head, theirs.head];
    const commit = await this.#objects.commitTree(tree, parents, text);
    await check(commit);
    await this.#refs.update([{ ref: headOf(into), to: commit, from: ours.head }, ...branchUpdates]);
    return { head: theirs.head, isMerged: true };
  }

  /**
   * Reverses the changes of a commit of a branch. The result is not committed.
   * @throws PlatformError 400 for the first commit, 404, 409 with the list of files that conflict or are not supported
   */
  async revertCommit(branch: string, commit: string, author: string): Promise<void> {
    const { head, pending } = await this.#refs.state(branch);
    rejectDeployBranch(branch);
    const parents = await this.#objects.parents(commit);
    if (!parents || !(await this.#objects.isAncestor(commit, head))) {
      throw new PlatformError(404, 'The branch does not contain the commit.');
    }
    const [parent] = parents;
    if (parent === undefined) throw new PlatformError(400, 'body.commit: the first commit cannot be reverted');
    // A child of the commit, with the files that preceded the commit. Merging it reverses only the commit.
    const reverse = await this.#objects.commitTree(`${parent}^{tree}`, [commit], { author, message: 'Revert' });
    const { tree, conflicts } = await this.#objects.mergeTrees(pending ?? head, reverse);
    if (conflicts.length > 0) {
      const message = `Later changes conflict with the revert in: ${conflicts.join(', ')}. Nothing was changed.`;
      throw new PlatformError(409, message, { code: ErrorCode.mergeConflict, details: { conflicts } });
    }
    await checkFileTypes(this.#directory, tree, 'The version before the commit');
    checkSizes(await this.files(tree));
    const next = await this.#objects.commitTree(tree, [head], pendingText(author));
    await this.#setPending(branch, { head, pending }, next);
  }

  /**
   * Restores files of a branch. The result is not committed.
   * @param from - branch whose last commit has the files; a file that it does not have is deleted.
   * @throws PlatformError 404 for an unknown branch, or a file that neither branch has.
   */
  async restoreFiles(branch: string, paths: readonly string[], from: string, author: string): Promise<void> {
    const { head } = await this.#refs.state(from);
    const restored = (await this.files(head)).filter(({ path }) => paths.includes(path));
    const contents = await this.read(restored);
    const changes = new Map<string, string | null>(paths.map(path => [path, null]));
    for (const [index, { path }] of restored.entries()) changes.set(path, contents[index] ?? '');
    await this.write(branch, changes, author);
  }

  /** Deletes files of processes that were killed. */
  removeStaleFiles(): Promise<void> {
    return this.#refs.removeStaleFiles();
  }

  /** If there are many objects or packs, packs them, and deletes objects that no branch contains after an hour. */
  async collectGarbage(): Promise<void> {
    if (await this.#objects.needsPacking()) await this.#objects.pack();
  }

  /** Returns the ref updates that delete a branch. Its child branches become children of its parent. */
  async #deletionOf(
    branch: string,
    { head, pending }: Pick<Branch, 'head' | 'pending'>,
  ): Promise<readonly RefUpdate[]> {
    const own = await this.#refs.read(parentOf(branch));
    const upstream = await this.#refs.read(upstreamOf(branch));
    const children = (await this.branches()).filter(({ parent }) => parent === branch);
    const next = own ?? (await this.#objects.writeBlob(deployBranch));
    const moves = children.map(async ({ name }) => {
      return { ref: parentOf(name), to: next, from: (await this.#refs.read(parentOf(name))) ?? noObject };
    });
    return [
      { ref: headOf(branch), to: noObject, from: head },
      pending === null
        ? { ref: pendingOf(branch), from: noObject }
        : { ref: pendingOf(branch), to: noObject, from: pending },
      ...(own === null ? [] : [{ ref: parentOf(branch), to: noObject, from: own }]),
      ...(upstream === null ? [] : [{ ref: upstreamOf(branch), to: noObject, from: upstream }]),
      ...(await Promise.all(moves)),
    ];
  }

  async #setPending(branch: string, { head, pending }: Pick<Branch, 'head' | 'pending'>, next: string): Promise<void> {
    await this.#refs.update([
      { ref: headOf(branch), to: head, from: head },
      { ref: pendingOf(branch), to: next, from: pending ?? noObject },
    ]);
  }

  /** Commits a merge. Conflicting files keep the content from `ours`. */
  async #mergeKeepingOurs(
    ours: string,
    {
      other,
      parents,
      text,
    }: { readonly other: string; readonly parents: readonly string[]; readonly text: CommitText },
  ): Promise<string> {
    const { tree, conflicts } = await this.#objects.mergeTrees(ours, other);
    if (conflicts.length === 0) return this.#objects.commitTree(tree, parents, text);
    const mine = (await this.files(ours)).filter(({ path }) => conflicts.includes(path));
    const contents = await this.read(mine);
    // Git appends ~ and the commit to a file whose name is a folder of the other commit. No other path has a ~.
    const renamed = (await this.files(tree)).filter(({ path }) => path.includes('~')).map(({ path }) => path);
    const changes = new Map<string, string | null>([...conflicts, ...renamed].map(path => [path, null]));
    for (const [index, { path }] of mine.entries()) changes.set(path, contents[index] ?? '');
    return this.#objects.commitFiles(tree, changes, parents, text);
  }
}

/** Returns the author and message of the commit that stores the uncommitted files. */
function pendingText(author: string): CommitText {
  return { author, message: 'Pending changes' };
}

/** @throws PlatformError 409 */
function rejectDeployBranch(branch: string): void {
  if (branch !== deployBranch) return;
  throw new PlatformError(409, 'The deploy branch cannot be changed. Change a branch, and merge it.');
}

/** Creates the error of a merge whose files conflict. */
export function mergeConflict(into: string, conflicts: readonly string[]): PlatformError {
  const target = into === deployBranch ? 'the deploy branch' : `the branch ${into}`;
  const message = `The branch conflicts with ${target} in: ${conflicts.join(', ')}. Nothing was changed.`;
  return new PlatformError(409, message, { code: ErrorCode.mergeConflict, details: { conflicts } });
}
