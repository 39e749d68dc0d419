import { createHash } from 'node:crypto';
import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { BoundedCache } from '../../runtime/bounded-cache.js';
import type { BranchState } from './branch-refs.js';
import { type GitResult, noObject, runGit } from './run-git.js';

/** A file of a commit. */
export interface RepositoryFile {
  readonly path: string;
  /** Hash of the content. */
  readonly hash: string;
  readonly bytes: number;
}

/** A change to a file; `null` deletes it. */
export type FileChanges = ReadonlyMap<string, string | null>;

/** Author and message of a commit. */
export interface CommitText {
  readonly author: string;
  readonly message: string;
}

/** A commit of a branch. */
export interface Commit {
  readonly hash: string;
  readonly author: string;
  readonly message: string;
  readonly committedAt: Date;
}

/** A file that differs between two commits. A hash is `null` if the commit does not have the file. */
export interface FileDifference {
  readonly path: string;
  readonly oldHash: string | null;
  readonly newHash: string | null;
}

/** How a branch differs from another branch. */
export interface Comparison {
  /** Latest commit that both branches contain. */
  readonly base: string;
  /** The current files of the branch. */
  readonly version: string;
  readonly hasPendingChanges: boolean;
  /** Whether the other branch has commits that the branch does not contain. */
  readonly isBehind: boolean;
  /** Files that the branch has changed since `base`. */
  readonly files: readonly FileDifference[];
}

/** Latest common ancestor of two commits, and the files that differ from it. */
type CommitComparison = Pick<Comparison, 'base' | 'files'>;

/** Comparisons of all repositories, by folder and commits. They stay valid, because commits never change. */
const comparisons = new BoundedCache<CommitComparison>(8 * 1024 * 1024);
/** Approximate size of a file in a comparison, in bytes, without its path. */
const differenceBytes = 200;

/** Latest time of a `Date`, in seconds. */
const maxSeconds = 8.64e12;
/** Reference that `git fast-import` requires. */
const temporaryRef = 'refs/temporary';
const email = 'user@localhost';
const maxLooseInFolder = 8;
/** Each pull adds a pack. */
const maxPacks = 30;
const maxPackMs = 120_000;
/** Limit the memory, because fetched packs can contain large objects. */
const packOptions = ['pack.windowMemory=100m', 'pack.threads=1', 'core.bigFileThreshold=2m'].flatMap(option => [
  '-c',
  option,
]);

/** Returns the hash that git gives to the content of a file. */
export function blobHash(content: string): string {
  return createHash('sha1')
    .update(`blob ${Buffer.byteLength(content)}\0${content}`)
    .digest('hex');
}

/** Files, commits and merges of a bare repository. None of the methods changes a branch. */
export class GitObjects {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Runs git on the repository; see `runGit`. */
  run(args: readonly string[], input = '', codes: readonly number[] = []): Promise<GitResult> {
    return runGit(this.#directory, args, { input, codes });
  }

  /** Lists the files of a commit, ordered by path. Omits symbolic links and submodules. */
  async files(commit: string): Promise<RepositoryFile[]> {
    const { output } = await this.run(['ls-tree', '-r', '-z', '-l', '--full-tree', commit]);
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
  async read(files: readonly Pick<RepositoryFile, 'hash' | 'bytes'>[]): Promise<string[]> {
    if (files.length === 0) return [];
    const { output } = await this.run(['cat-file', '--batch'], files.map(({ hash }) => `${hash}\n`).join(''));
    let offset = 0;
    return files.map(({ bytes }) => {
      const start = output.indexOf('\n', offset) + 1;
      offset = start + bytes + 1;
      return output.toString('utf8', start, start + bytes);
    });
  }

  /** Reads the content of a file by its hash; `null` if the repository has no such file. */
  async readBlob(hash: string): Promise<string | null> {
    const { code, output } = await this.run(['cat-file', 'blob', hash], '', [128]);
    return code === 0 ? output.toString() : null;
  }

  /** Stores the content of a file. @returns its hash. */
  async writeBlob(content: string): Promise<string> {
    const hash = blobHash(content);
    // For an existing object, only the time is updated, so that it is not pruned before a ref points to it.
    const path = join(this.#directory, 'objects', hash.slice(0, 2), hash.slice(2));
    const isStored = await utimes(path, new Date(), new Date()).then(
      () => true,
      () => false,
    );
    return isStored ? hash : (await this.run(['hash-object', '-w', '--stdin'], content)).output.toString().trim();
  }

  /**
   * Creates a commit with the files of another commit or tree, and changes. Uses one process for all files, because
   * starting one takes 10 ms or more.
   * @param base - `null` for no files.
   * @returns its hash.
   */
  async commitFiles(
    base: string | null,
    changes: FileChanges,
    parents: readonly string[],
    { author, message }: CommitText,
  ): Promise<string> {
    const [first, ...others] = parents;
    const tree = base === null || base === first ? null : await this.#treeOf(base);
    const deletions = [...changes].filter(([, content]) => content === null);
    const writes = [...changes].flatMap(([path, content]) => (content === null ? [] : [{ path, content }]));
    const input = [
      `commit ${temporaryRef}\nmark :1\ncommitter ${nameOf(author)} <${email}> now\n${dataOf(`${message}\n`)}`,
      first === undefined ? '' : `from ${first}\n`,
      ...others.map(parent => `merge ${parent}\n`),
      tree === null ? '' : `M 040000 ${tree} ""\n`,
      ...deletions.map(([path]) => `D ${quote(path)}\n`),
      ...writes.map(({ path, content }) => `M 100644 inline ${quote(path)}\n${dataOf(content)}`),
      // Deleted in the same stream, so that it never exists: the caller decides what contains the commit.
      `\nget-mark :1\nreset ${temporaryRef}\nfrom ${noObject}\n\ndone\n`,
    ];
    await this.#markPacks();
    const { output } = await this.run(['fast-import', '--quiet', '--done', '--date-format=now'], input.join(''));
    return output.toString().trim();
  }

  /** Creates a commit of a tree. @returns its hash. */
  async commitTree(tree: string, parents: readonly string[], { author, message }: CommitText): Promise<string> {
    const name = nameOf(author);
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

  /** Marks packs as new, so that objects that a new commit uses again are not pruned before a ref contains it. */
  async #markPacks(): Promise<void> {
    const folder = join(this.#directory, 'objects', 'pack');
    const packs = (await readdir(folder)).filter(name => name.endsWith('.pack'));
    const now = new Date();
    // Another process may have replaced a pack.
    await Promise.all(packs.map(name => utimes(join(folder, name), now, now).catch(() => undefined)));
  }

  async #treeOf(commit: string): Promise<string> {
    return (await this.run(['rev-parse', '--verify', `${commit}^{tree}`])).output.toString().trim();
  }

  /** True if a commit is an ancestor of another one, or the same. */
  async isAncestor(ancestor: string, commit: string): Promise<boolean> {
    return (await this.run(['merge-base', '--is-ancestor', ancestor, commit], '', [1])).code === 0;
  }

  /** Returns the latest common ancestor of two commits; `null` if they have none. */
  async mergeBase(one: string, other: string): Promise<string | null> {
    const { code, output } = await this.run(['merge-base', one, other], '', [1]);
    return code === 0 ? output.toString().trim() : null;
  }

  /**
   * Compares branches with the commit `other`. The base is the latest common ancestor, and `other` if there is none.
   * Uses few processes for all branches, because starting one blocks for 10 ms or more.
   */
  async compare(branches: readonly BranchState[], other: string): Promise<Comparison[]> {
    const keyOf = ({ head, pending }: BranchState) => [this.#directory, head, pending ?? head, other].join(' ');
    const found = new Map<string, CommitComparison>();
    const missing = new Map<string, BranchState>();
    for (const branch of branches) {
      const known = comparisons.find(keyOf(branch))?.value;
      if (known) found.set(keyOf(branch), known);
      else missing.set(keyOf(branch), branch);
    }
    const states = [...missing.values()];
    const bases = await this.#mergeBases(states, other);
    const pairs = states.map(({ head, pending }) => [bases.get(head) ?? other, pending ?? head] as const);
    const lists = await this.#differences(pairs);
    for (const [index, key] of [...missing.keys()].entries()) {
      const files = lists[index] ?? [];
      const bytes = files.reduce((sum, { path }) => sum + differenceBytes + 2 * path.length, differenceBytes);
      const comparison = { base: pairs[index]?.[0] ?? other, files };
      comparisons.set(key, comparison, bytes);
      found.set(key, comparison);
    }
    return branches.map(branch => {
      const { base, files } = found.get(keyOf(branch)) ?? { base: other, files: [] };
      const { head, pending } = branch;
      const state = { version: pending ?? head, hasPendingChanges: pending !== null, isBehind: base !== other };
      return { base, ...state, files };
    });
  }

  /** Returns the latest common ancestor of `other` and each last commit of a branch, if there is one. */
  async #mergeBases(branches: readonly BranchState[], other: string): Promise<ReadonlyMap<string, string>> {
    const heads = [...new Set(branches.map(({ head }) => head))];
    if (heads.every(head => head === other)) return new Map(heads.map(head => [head, other]));
    const input = `${heads.map(head => `${head}\n`).join('')}^${other}\n`;
    const { output } = await this.run(['rev-list', '--parents', '--stdin'], input);
    // The commits that `other` does not contain, with their parents.
    const own = new Map(
      output
        .toString()
        .split('\n')
        .map(line => line.split(' '))
        .map(([commit = '', ...parents]) => [commit, parents] as const),
    );
    const bases = new Map<string, string>();
    for (const head of heads) {
      const common = firstCommon(head, own);
      // If there are several, git chooses the best one.
      const base = common.length > 1 ? await this.mergeBase(head, other) : common[0];
      if (base != null) bases.set(head, base);
    }
    return bases;
  }

  /** Lists the files that differ between two commits each, ordered by path. */
  async #differences(pairs: readonly (readonly [from: string, to: string])[]): Promise<FileDifference[][]> {
    if (pairs.every(([from, to]) => from === to)) return pairs.map(() => []);
    // Git compares the first commit of a line with the second one, as if it were its parent.
    const input = pairs.map(([from, to]) => `${to} ${from}\n`).join('');
    const options = ['-r', '-z', '--no-renames', '--raw', '--always', '--stdin'];
    const { output } = await this.run(['diff-tree', ...options], input);
    const parts = output.toString().split('\0');
    const lists: FileDifference[][] = [];
    for (let at = 0; at + 1 < parts.length; at += 1) {
      const [match, oldMode = '', newMode = '', oldHash = '', newHash = ''] =
        /^:(\d+) (\d+) ([0-9a-f]{40}) ([0-9a-f]{40}) \w/.exec(parts[at] ?? '') ?? [];
      if (match === undefined) {
        lists.push([]);
        continue;
      }
      at += 1;
      const shown = (mode: string, hash: string) => (mode.startsWith('100') ? hash : null);
      const file = { path: parts[at] ?? '', oldHash: shown(oldMode, oldHash), newHash: shown(newMode, newHash) };
      if (file.oldHash !== null || file.newHash !== null) lists.at(-1)?.push(file);
    }
    return lists;
  }

  /** Merges two commits. @returns the tree, and the paths of files that conflict in it. */
  async mergeTrees(
    ours: string,
    theirs: string,
  ): Promise<{ readonly tree: string; readonly conflicts: readonly string[] }> {
    const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs];
    const merged = await this.run(args, '', [1]);
    const [tree = '', ...names] = merged.output.toString().split('\0');
    return { tree, conflicts: merged.code === 1 ? names.filter(name => name !== '') : [] };
  }

  /** Returns the differences between two commits as a unified diff. */
  async patch(from: string, to: string): Promise<string> {
    const options = ['-p', '--no-renames', '--no-ext-diff', '--no-textconv', '--no-color', '--full-index'];
    return (await this.run(['diff-tree', '-r', ...options, from, to])).output.toString();
  }

  /**
   * True if the repository has many packs, or about 2,000 or more objects that are not packed. Counts the objects of
   * one of 256 folders.
   */
  async needsPacking(): Promise<boolean> {
    // The folders exist only while they have objects.
    const namesIn = (folder: string) => readdir(join(this.#directory, 'objects', folder)).catch(() => []);
    const packs = (await namesIn('pack')).filter(name => name.endsWith('.pack'));
    return packs.length >= maxPacks || (await namesIn('17')).length >= maxLooseInFolder;
  }

  /** Packs all objects, and deletes those that no ref contains after an hour. */
  async pack(): Promise<void> {
    for (const args of [
      [...packOptions, 'repack', '-A', '-d', '-l', '-q', '--unpack-unreachable=1.hour.ago'],
      ['prune', '--expire=1.hour.ago'],
    ]) {
      await runGit(this.#directory, args, { timeoutMs: maxPackMs });
    }
  }

  /** Lists the latest commits that a commit contains, newest first. */
  async commits(from: string, maxCount: number): Promise<Commit[]> {
    const format = '--format=%H%x00%an%x00%ct%x00%B%x00';
    const { output } = await this.run(['log', '-z', `--max-count=${maxCount}`, format, from, '--']);
    // Each commit has four fields, followed by an empty one, because the format ends with a null character.
    const fields = output.toString().split('\0');
    return Array.from({ length: Math.floor(fields.length / 5) }, (_, index) => {
      const [hash = '', author = '', time = '', message = ''] = fields.slice(index * 5);
      // Fetched commits can have times that no Date represents.
      const committedAt = new Date(Math.min(Number(time), maxSeconds) * 1000);
      return { hash, author, message: message.trim(), committedAt };
    });
  }

  /** Returns the parents of a commit; `null` if the repository has no such commit. */
  async parents(commit: string): Promise<readonly string[] | null> {
    const { code, output } = await this.run(['rev-list', '--parents', '--max-count=1', commit, '--'], '', [128]);
    return code === 0 ? output.toString().trim().split(' ').slice(1) : null;
  }
}

/**
 * Returns the first commits that are contained in another commit, on all paths from a commit.
 * @param own - parents of the commits that the other commit does not contain.
 */
function firstCommon(head: string, own: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const seen = new Set([head]);
  for (const commit of seen) for (const parent of own.get(commit) ?? []) seen.add(parent);
  return [...seen].filter(commit => !own.has(commit));
}

function nameOf(author: string): string {
  return author.replace(/[<>\n\0]/g, ' ').trim() || 'user';
}

/** Returns a `data` command for `git fast-import`. */
function dataOf(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

/** Returns a path of a stream for `git fast-import`. */
function quote(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}
