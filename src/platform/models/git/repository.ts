import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LoggableError, PlatformError } from '../../errors.js';
import { notFound } from '../../http/access.js';
import { deployBranch, isBranchName } from './paths.js';
import { runGit } from './run-git.js';

/** A file of a commit. */
export interface RepositoryFile {
  readonly path: string;
  /** Hash of the content. */
  readonly hash: string;
  readonly bytes: number;
}

/** A change to a file; `null` deletes it. */
export type FileChanges = ReadonlyMap<string, string | null>;

/** A branch and its current state. */
export interface Branch {
  readonly name: string;
  /** The last commit. */
  readonly head: string;
}

/** The state of a branch, including files that are not committed yet. */
interface BranchState {
  readonly head: string;
  /** Commit with the files that are not committed yet; `null` if there are none. */
  readonly pending: string | null;
}

const noObject = '0'.repeat(40);
const hashPattern = /^[0-9a-f]{40}$/;
const limits = { branches: 200, files: 1_000, bytes: 20_000_000 } as const;

/**
 * A bare git repository with the model of one deployment. Files that are not committed yet are in a separate commit
 * (`refs/pending/<branch>`), so that every write is one transaction of git. References are read as files, because
 * nothing packs them and a process would take 5 ms per query.
 */
export class Repository {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Creates the repository with a first commit on the deploy branch. */
  static async create(directory: string, files: ReadonlyMap<string, string>, author: string): Promise<Repository> {
    await runGit(directory, [
      'init',
      '--quiet',
      '--bare',
      `--initial-branch=${deployBranch}`,
      '--template=',
      directory,
    ]);
    const repository = new Repository(directory);
    const tree = await repository.#writeTree(null, files);
    const head = await repository.#commitTree(tree, [], { author, message: 'Create the project' });
    await repository.#updateRefs([{ ref: headOf(deployBranch), to: head, from: noObject }]);
    return repository;
  }

  /** Returns the commit with the current files of a branch. @throws PlatformError 404 */
  async version(branch: string): Promise<string> {
    const { head, pending } = await this.#state(branch);
    return pending ?? head;
  }

  /** Returns all branches, ordered by name. */
  async branches(): Promise<Branch[]> {
    const format = '%(objectname) %(refname:lstrip=2)';
    const { output } = await this.#git(['for-each-ref', `--format=${format}`, 'refs/heads/']);
    return linesOf(output).map(line => ({ head: line.slice(0, 40), name: line.slice(41) }));
  }

  /** Creates a branch. @throws PlatformError 400 for an invalid name, 404 without `from`, 409 if it exists. */
  async createBranch(name: string, from: string): Promise<void> {
    if (!isBranchName(name)) {
      throw new PlatformError(
        400,
        'body.name: must consist of letters, digits and - _ . / and begin with a letter or digit',
      );
    }
    const { head } = await this.#state(from);
    if ((await this.#readRef(headOf(name))) !== null) throw new PlatformError(409, 'The branch exists already.');
    if ((await this.branches()).length >= limits.branches) {
      throw new PlatformError(
        409,
        `A deployment can have ${limits.branches} branches. Delete branches that are merged.`,
      );
    }
    await this.#updateRefs([
      { ref: headOf(name), to: head, from: noObject },
      { ref: pendingOf(name), from: noObject },
    ]);
  }

  /**
   * Deletes a branch with its files that are not committed.
   * @param expected - the last commit and no other changes, if set.
   * @throws PlatformError 400, 404, 409 if the branch has changed.
   */
  async removeBranch(name: string, expected?: string): Promise<void> {
    const { head, pending } = expected === undefined ? await this.#state(name) : { head: expected, pending: null };
    if (name === deployBranch) throw new PlatformError(400, 'The deploy branch cannot be deleted.');
    await this.#updateRefs([
      { ref: headOf(name), to: noObject, from: head },
      pending === null
        ? { ref: pendingOf(name), from: noObject }
        : { ref: pendingOf(name), to: noObject, from: pending },
    ]);
  }

  /** Lists the files of a commit, ordered by path. Symbolic links and submodules are left out. */
  async files(commit: string): Promise<RepositoryFile[]> {
    const { output } = await this.#git(['ls-tree', '-r', '-z', '-l', '--full-tree', commit]);
    return output
      .toString()
      .split('\0')
      .flatMap(entry => {
        const [, mode = '', hash = '', bytes = '', path = ''] =
          /^(\d+) \w+ ([0-9a-f]+) +(\S+)\t(.*)$/s.exec(entry) ?? [];
        return mode.startsWith('100') ? [{ path, hash, bytes: Number(bytes) }] : [];
      });
  }

  /** Reads the content of files. */
  async read(files: readonly RepositoryFile[]): Promise<string[]> {
    if (files.length === 0) return [];
    const { output } = await this.#git(['cat-file', '--batch'], files.map(({ hash }) => `${hash}\n`).join(''));
    let offset = 0;
    return files.map(({ bytes }) => {
      const start = output.indexOf('\n', offset) + 1;
      offset = start + bytes + 1;
      return output.toString('utf8', start, start + bytes);
    });
  }

  /**
   * Changes files of a branch without a commit.
   * @throws PlatformError 400 for too many files, 404 for an unknown branch or file, 409 for the deploy branch and if
   * another write was faster.
   */
  async write(branch: string, changes: FileChanges, author: string): Promise<void> {
    const { head, pending } = await this.#state(branch);
    if (branch === deployBranch)
      throw new PlatformError(409, 'The deploy branch cannot be changed. Change a branch, and merge it.');
    const base = pending ?? head;
    await this.#checkChanges(base, changes);
    const tree = await this.#writeTree(base, changes);
    const next = await this.#commitTree(tree, [head], { author, message: 'Pending changes' });
    await this.#updateRefs([
      { ref: headOf(branch), to: head, from: head },
      { ref: pendingOf(branch), to: next, from: pending ?? noObject },
    ]);
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
    await this.#checkChanges(head, changes);
    const commit = await this.#commitTree(await this.#writeTree(head, changes), [head], text);
    await prepare(commit);
    await this.#updateRefs([
      { ref: headOf(branch), to: commit, from: head },
      { ref: pendingOf(branch), from: noObject },
    ]);
    return commit;
  }

  /** True if a branch contains a commit. */
  async contains(commit: string): Promise<boolean> {
    const { code, output } = await this.#git(['for-each-ref', `--contains=${commit}`, 'refs/heads/'], '', [129]);
    return code === 0 && output.length > 0;
  }

  /** Returns the last commit of a branch. @throws PlatformError 404, 409 if it has changes that are not committed. */
  async committedHead(branch: string): Promise<string> {
    const { head, pending } = await this.#state(branch);
    if (pending === null) return head;
    throw new PlatformError(409, 'The branch has changes that are not committed. Commit them first.');
  }

  /** Commits the changes of a branch. Without changes, does nothing, so that the call can be repeated. */
  async commit(branch: string, { author, message }: CommitText): Promise<void> {
    const { head, pending } = await this.#state(branch);
    if (pending === null) return;
    const commit = await this.#commitTree(`${pending}^{tree}`, [head], { author, message });
    await this.#updateRefs([
      { ref: headOf(branch), to: commit, from: head },
      { ref: pendingOf(branch), to: noObject, from: pending },
    ]);
  }

  /**
   * Merges a branch into the deploy branch.
   * @param check - called with the merged commit before it becomes production; may throw.
   * @returns the last commit of the branch, and whether the deploy branch did not contain it before.
   * @throws PlatformError 404, 409 with the list of conflicting files
   */
  async merge(
    branch: string,
    text: CommitText,
    check: (commit: string) => Promise<void>,
  ): Promise<{ readonly head: string; readonly isMerged: boolean }> {
    const [ours, theirs] = [await this.#state(deployBranch), await this.#state(branch)];
    if (theirs.pending !== null) throw new PlatformError(409, 'The branch has changes that are not committed.');
    const contained = await this.#git(['merge-base', '--is-ancestor', theirs.head, ours.head], '', [1]);
    if (contained.code === 0) return { head: theirs.head, isMerged: false };
    const merged = await this.#git(
      ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours.head, theirs.head],
      '',
      [1],
    );
    const [tree = '', ...conflicts] = merged.output.toString().split('\0');
    if (merged.code === 1) {
      const names = conflicts.filter(name => name !== '').join(', ');
      throw new PlatformError(409, `The branch conflicts with the deploy branch in: ${names}. Nothing was changed.`);
    }
    const commit = await this.#commitTree(tree, [ours.head, theirs.head], text);
    await check(commit);
    await this.#updateRefs([
      { ref: headOf(deployBranch), to: commit, from: ours.head },
      { ref: headOf(branch), from: theirs.head },
      { ref: pendingOf(branch), from: noObject },
    ]);
    return { head: theirs.head, isMerged: true };
  }

  /** @throws PlatformError 400 for too many files, 404 for an unknown file. */
  async #checkChanges(base: string, changes: FileChanges): Promise<void> {
    const files = await this.files(base);
    const known = new Map(files.map(({ path, bytes }) => [path, bytes]));
    for (const [path, content] of changes) {
      if (content === null && !known.has(path)) throw new PlatformError(404, `The file ${path} does not exist.`);
      if (content === null) known.delete(path);
      else known.set(path, Buffer.byteLength(content));
    }
    const total = [...known.values()].reduce((sum, bytes) => sum + bytes, 0);
    if (known.size > limits.files || total > limits.bytes) {
      throw new PlatformError(400, `A branch can have ${limits.files} files and ${limits.bytes / 1e6} MB.`);
    }
  }

  async #git(args: readonly string[], input = '', codes: readonly number[] = []) {
    return runGit(this.#directory, args, { input, codes });
  }

  async #state(branch: string): Promise<BranchState> {
    const head = isBranchName(branch) ? await this.#readRef(headOf(branch)) : null;
    if (head === null) throw notFound('Branch');
    return { head, pending: await this.#readRef(pendingOf(branch)) };
  }

  async #readRef(ref: string): Promise<string | null> {
    // A reference that cannot be read does not exist: the file is missing, or a folder of other references.
    const text = (await readFile(join(this.#directory, ref), 'utf8').catch(() => '')).trim();
    return hashPattern.test(text) ? text : null;
  }

  async #writeTree(base: string | null, changes: FileChanges): Promise<string> {
    const index = join(this.#directory, `index-${randomUUID()}`);
    const env = { GIT_INDEX_FILE: index };
    try {
      if (base !== null) await runGit(this.#directory, ['read-tree', base], { env });
      const entries: string[] = [];
      for (const [path, content] of changes) {
        if (content === null) entries.push(`0 ${noObject}\t${path}\0`);
        else {
          const { output } = await this.#git(['hash-object', '-w', '--stdin'], content);
          entries.push(`100644 ${output.toString().trim()}\t${path}\0`);
        }
      }
      await runGit(this.#directory, ['update-index', '-z', '--add', '--index-info'], { env, input: entries.join('') });
      const { output } = await runGit(this.#directory, ['write-tree'], { env });
      return output.toString().trim();
    } finally {
      await rm(index, { force: true });
    }
  }

  async #commitTree(tree: string, parents: readonly string[], { author, message }: CommitText): Promise<string> {
    const [name, email] = [author.replace(/[<>\n\0]/g, ' ').trim() || 'user', 'user@localhost'];
    const env = {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
    };
    const args = ['commit-tree', ...parents.flatMap(parent => ['-p', parent]), '-F', '-', tree];
    const { output } = await runGit(this.#directory, args, { env, input: message });
    return output.toString().trim();
  }

  /**
   * Changes references in one transaction, and verifies those without `to`.
   * @throws PlatformError 409 if one has changed since it was read.
   */
  async #updateRefs(updates: readonly RefUpdate[]) {
    const lines = updates.map(({ ref, to, from }) =>
      to === undefined ? `verify ${ref} ${from}\n` : `update ${ref} ${to} ${from}\n`,
    );
    const { code } = await this.#git(['update-ref', '--stdin'], `start\n${lines.join('')}prepare\ncommit\n`, [1, 128]);
    if (code === 0) return;
    const current = await Promise.all(updates.map(({ ref }) => this.#readRef(ref)));
    const isUnchanged = updates.every(({ from }, index) => from === (current[index] ?? noObject));
    // A branch whose name is the folder of another branch conflicts with it although nothing has changed.
    const isNew = updates.some(({ from }) => from === noObject);
    if (isUnchanged && !isNew) throw new LoggableError('git update-ref failed although no reference has changed.');
    throw new PlatformError(409, 'The branch was changed at the same time, or its name conflicts with another branch.');
  }
}

/** A change of a reference; without `to`, the reference must only have the value `from`. */
interface RefUpdate {
  readonly ref: string;
  readonly to?: string;
  /** `noObject` if the reference must not exist. */
  readonly from: string;
}

/** A commit that changes files of a branch. */
export interface FilesCommit {
  readonly branch: string;
  /** The last commit of the branch. */
  readonly head: string;
  readonly changes: FileChanges;
  readonly text: CommitText;
}

/** Author and message of a commit. */
export interface CommitText {
  readonly author: string;
  readonly message: string;
}

const headOf = (branch: string) => `refs/heads/${branch}`;
const pendingOf = (branch: string) => `refs/pending/${branch}`;

function linesOf(output: Buffer): string[] {
  return output
    .toString()
    .split('\n')
    .filter(line => line !== '');
}
