import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PlatformError } from '../../errors.js';
import { GitObjects } from './objects.js';
import { isBranchName, isSafePath } from './paths.js';
import { checkSizes } from './repository.js';
import { OutputLimitError, runGit } from './run-git.js';
import { type Remote, remoteProblem, runRemoteGit } from './run-remote-git.js';

/** The branches of a repository of a git host. */
export interface RemoteBranches {
  readonly names: readonly string[];
  /** The branch that the host calls the default; `null` if it names none. */
  readonly defaultBranch: string | null;
}

const headPrefix = 'refs/heads/';
const fetchedRef = 'refs/heads/fetched';
const incomingPrefix = 'incoming-';
/** Age in milliseconds after which the folder of an interrupted fetch is deleted. */
const staleMs = 10 * 60_000;
const maxListedBranches = 2_000;
const maxNamedFiles = 5;
/** Maximum size of the list of files of a fetched commit, in bytes. A branch can have 1,000 files. */
const maxTreeBytes = 1_000_000;

/** Lists the branches of a repository of a git host. @throws PlatformError 409, 502, 503 */
export async function listRemoteBranches(remote: Remote): Promise<RemoteBranches> {
  const args = ['ls-remote', '--symref', '--', remote.url, 'HEAD', `${headPrefix}*`];
  const { code, output, errors } = await runRemoteGit('/dev/null', args, remote);
  if (code !== 0) throw remoteProblem(errors);
  const lines = output.toString().split('\n');
  const names = lines.flatMap(line => branchIn(line.split('\t')[1]));
  const [, target] = /^ref: (\S+)\tHEAD$/m.exec(output.toString()) ?? [];
  return { names: names.toSorted().slice(0, maxListedBranches), defaultBranch: branchIn(target)[0] ?? null };
}

function branchIn(ref = ''): string[] {
  const name = ref.startsWith(headPrefix) ? ref.slice(headPrefix.length) : '';
  return isBranchName(name) ? [name] : [];
}

/** A fetched branch. Its objects are in a separate repository, which can also read those of the target. */
export interface Incoming {
  /** Folder of the separate repository. */
  readonly directory: string;
  /** The last commit of the branch. */
  readonly commit: string;
  /** Moves all objects to the target. */
  adopt(): Promise<void>;
}

/**
 * Fetches a branch of a git host to a separate repository, which is deleted after `work`, so that nothing of a rejected
 * branch is stored.
 * @param directory - the repository that receives the objects if `work` adopts them.
 * @throws PlatformError 409, 502, 503
 */
export async function withFetchedBranch<T>(
  directory: string,
  { remote, branch }: { readonly remote: Remote; readonly branch: string },
  work: (incoming: Incoming) => Promise<T>,
): Promise<T> {
  if (!isBranchName(branch)) throw new PlatformError(400, 'The name of the branch of the repository is not valid.');
  await removeStaleFolders(dirname(directory));
  const incoming = join(dirname(directory), `${incomingPrefix}${randomUUID()}`);
  try {
    await runGit(incoming, ['init', '--quiet', '--bare', '--template=', incoming]);
    await mkdir(join(incoming, 'objects', 'info'), { recursive: true });
    await writeFile(join(incoming, 'objects', 'info', 'alternates'), `${join(directory, 'objects')}\n`);
    const options = [
      '--quiet',
      '--no-tags',
      '--no-write-fetch-head',
      '--no-recurse-submodules',
      '--no-auto-maintenance',
    ];
    const args = ['fetch', ...options, '--', remote.url, `+${headPrefix}${branch}:${fetchedRef}`];
    const { code, errors } = await runRemoteGit(incoming, args, remote);
    if (code !== 0) throw remoteProblem(errors);
    const { output } = await runGit(incoming, ['rev-parse', '--verify', `${fetchedRef}^{commit}`]);
    return await work({
      directory: incoming,
      commit: output.toString().trim(),
      adopt: () => moveObjects(incoming, directory),
    });
  } finally {
    await rm(incoming, { recursive: true, force: true });
  }
}

/**
 * Checks the files of a fetched commit: only regular files, with safe paths, within the limits of a branch.
 * @throws PlatformError 409
 */
export async function checkFetchedFiles(directory: string, commit: string): Promise<void> {
  const output = await listTree(directory, commit);
  const entries = output
    .toString()
    .split('\0')
    .filter(entry => entry !== '');
  const rejected = entries.flatMap(entry => {
    const [, mode = '', path = ''] = /^(\d+) [^\t]*\t(.*)$/s.exec(entry) ?? [];
    if (!mode.startsWith('100')) return [`${printable(path)} (${mode === '120000' ? 'symbolic link' : 'submodule'})`];
    return isSafePath(path) ? [] : [`${printable(path)} (path)`];
  });
  if (rejected.length > 0) {
    const names = rejected.slice(0, maxNamedFiles).join(', ');
    throw new PlatformError(
      409,
      `The repository contains files that are not supported: ${names}. Nothing was changed.`,
    );
  }
  try {
    checkSizes(await new GitObjects(directory).files(commit));
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    throw new PlatformError(409, `The branch of the repository is too large. ${error.message}`, { cause: error });
  }
}

/** Lists the files of a commit. Limits the output before it is read, because a small pack can contain many paths. */
async function listTree(directory: string, commit: string): Promise<Buffer> {
  try {
    const args = ['ls-tree', '-r', '-z', '--full-tree', commit];
    return (await runGit(directory, args, { maxOutputBytes: maxTreeBytes })).output;
  } catch (error) {
    if (!(error instanceof OutputLimitError)) throw error;
    throw new PlatformError(409, 'The branch of the repository is too large. It has too many files.', { cause: error });
  }
}

/** Returns a path for a message. */
function printable(path: string): string {
  return path.replace(/[\p{C}\uFFFD]/gu, '?').slice(0, 100);
}

/** The outcome of a push. */
export type PushOutcome = 'pushed' | 'unchanged' | 'rejected';

/** Pushes a commit to a branch of a git host. Never overwrites commits of the host. @throws PlatformError 502, 503 */
export async function pushCommit(
  directory: string,
  { remote, branch, commit }: { readonly remote: Remote; readonly branch: string; readonly commit: string },
): Promise<PushOutcome> {
  const args = ['push', '--porcelain', '--no-verify', '--', remote.url, `${commit}:${headPrefix}${branch}`];
  const { code, output, errors } = await runRemoteGit(directory, args, remote);
  const [, flag] = /^([ =*!+-])\t/m.exec(output.toString()) ?? [];
  if (code === 0) return flag === '=' ? 'unchanged' : 'pushed';
  if (flag === '!') return 'rejected';
  throw remoteProblem(errors);
}

/** Moves the objects of a repository to another one. Moves indexes last, so that no pack is read before it exists. */
async function moveObjects(from: string, to: string): Promise<void> {
  const root = join(from, 'objects');
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const names = entries
    .filter(entry => entry.isFile() && /\/(?:[0-9a-f]{2}|pack)$/.test(entry.parentPath))
    .map(entry => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter(name => !name.endsWith('.keep'));
  const ordered = [...names.filter(name => !name.endsWith('.idx')), ...names.filter(name => name.endsWith('.idx'))];
  for (const name of ordered) {
    const target = join(to, 'objects', name);
    await mkdir(dirname(target), { recursive: true });
    await rename(join(root, name), target);
  }
}

/** Deletes the folders of fetches that were interrupted. */
async function removeStaleFolders(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter(each => each.startsWith(incomingPrefix))) {
    const path = join(folder, name);
    // Another process may have deleted the folder.
    const found = await stat(path).catch(() => null);
    if (found && Date.now() - found.mtimeMs >= staleMs) await rm(path, { recursive: true, force: true });
  }
}
