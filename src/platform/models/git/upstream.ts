import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PlatformError } from '../../errors.js';
import { notFound } from '../../http/access.js';
import { isBranchName } from './paths.js';
import { runGit } from './run-git.js';
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
  /** Moves all objects to the target repository. */
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
  const incoming = join(dirname(directory), `${incomingPrefix}${randomUUID()}`);
  try {
    await inDeployment(async () => {
      await createEmptyRepository(incoming, directory);
      await removeStaleFolders(dirname(directory));
    });
    const options = [
      '--quiet',
      '--no-tags',
      '--no-write-fetch-head',
      '--no-recurse-submodules',
      '--no-auto-maintenance',
    ];
    const args = ['fetch', ...options, '--', remote.url, `+${headPrefix}${branch}:${fetchedRef}`];
    const { code, errors } = await runRemoteGit(incoming, args, remote, { isReceiving: true });
    if (code !== 0) throw remoteProblem(errors);
    const { output } = await runGit(incoming, ['rev-parse', '--verify', `${fetchedRef}^{commit}`]);
    return await work({
      directory: incoming,
      commit: output.toString().trim(),
      adopt: () => inDeployment(() => moveObjects(incoming, directory)),
    });
  } finally {
    await rm(incoming, { recursive: true, force: true });
  }
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

/**
 * Deletes a branch of a git host if its last commit is the expected one, or if it does not exist.
 * @returns false if the branch has another commit, or is protected.
 * @throws PlatformError 502, 503
 */
export async function deleteRemoteBranch(
  directory: string,
  { remote, branch, expected }: { readonly remote: Remote; readonly branch: string; readonly expected: string },
): Promise<boolean> {
  const ref = `${headPrefix}${branch}`;
  const lease = `--force-with-lease=${ref}:${expected}`;
  const args = ['push', '--porcelain', '--no-verify', lease, '--', remote.url, `:${ref}`];
  const { code, output, errors } = await runRemoteGit(directory, args, remote);
  if (code === 0) return true;
  const isRejected = /^!\t/m.test(output.toString());
  if (!isRejected && !errors.includes('remote ref does not exist')) throw remoteProblem(errors);
  const { names } = await listRemoteBranches(remote);
  return !names.includes(branch);
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
    await makeFolder(dirname(target));
    await rename(join(root, name), target);
  }
}

/**
 * Creates a repository without commits that can also read the objects of another one. Does not use `git init`, which
 * would create the folder of a deleted deployment again.
 */
async function createEmptyRepository(folder: string, other: string): Promise<void> {
  for (const path of ['', 'refs', 'objects', 'objects/info', 'objects/pack']) await makeFolder(join(folder, path));
  await writeFile(join(folder, 'HEAD'), `ref: ${headPrefix}main\n`);
  await writeFile(join(folder, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n');
  await writeFile(join(folder, 'objects', 'info', 'alternates'), `${join(other, 'objects')}\n`);
}

/** Creates a folder unless it exists. Does not create its parents, which would create a deleted repository again. */
async function makeFolder(path: string): Promise<void> {
  await mkdir(path).catch(error => {
    if (Object(error).code !== 'EEXIST') throw error;
  });
}

/** Changes files of a deployment. @throws PlatformError 404 if the deployment was deleted meanwhile. */
async function inDeployment(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw Object(error).code === 'ENOENT' ? notFound('Model') : error;
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
