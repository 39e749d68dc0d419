import { PlatformError } from '../../errors.js';
import { BranchRefs, headOf, pendingOf, type RefUpdate, upstreamOf } from './branch-refs.js';
import { checkFileTypes, checkSizes } from './check-files.js';
import { GitObjects } from './objects.js';
import { mergeConflict, Repository } from './repository.js';
import { maxRepositoryBytes, requireSpace } from './repository-size.js';
import { noObject } from './run-git.js';
import { type Remote, sizeOfObjects } from './run-remote-git.js';
import { deleteRemoteBranch, type Incoming, pushCommit, withFetchedBranch } from './upstream.js';

/** A branch of a repository, and the branch of a git host that it exchanges commits with. */
export interface LinkedBranch {
  /** Folder of the repository. */
  readonly directory: string;
  readonly branch: string;
  readonly remote: Remote;
  /** Name of the branch at the git host. */
  readonly remoteBranch: string;
  /** Whether the repository is being connected. Forgets the commits of an earlier connection. */
  readonly isFirst?: boolean;
}

/** A pull of a branch. */
export interface Pull extends LinkedBranch {
  /** Author of a merge commit. */
  readonly author: string;
  /** Called with the result before the branch is updated. Throws to reject it. */
  readonly check: (repository: Repository, commit: string) => Promise<void>;
  /** Called before anything is stored. Throws to stop the pull. */
  readonly confirm?: () => Promise<void>;
  /** Ref that the update of the branch also creates. */
  readonly marker?: string | null;
  /** Maximum size of all objects of the repository in bytes (default: 500 MB). */
  readonly maxBytes?: number;
}

/**
 * Fetches a branch, and updates the branch of the repository: by fast-forward, or by a merge. If `isFirst` is set, the
 * branch may have been rewritten at the git host, and replaces a branch that has only the first commit of a project.
 * @returns whether the branch has changed.
 * @throws PlatformError 404, 409 if the branch has changes that are not committed, for conflicts, if the fetched
 * commits cannot be used, and if the repository would be too large; 502. Nothing is changed then.
 */
export async function pullBranch(pull: Pull): Promise<boolean> {
  const { directory, branch, remote, remoteBranch } = pull;
  // Checked before the fetch, which takes longer.
  await new Repository(directory).committedHead(branch);
  return withFetchedBranch(directory, { remote, branch: remoteBranch }, incoming => integrate(pull, incoming));
}

async function integrate(
  { directory, branch, author, isFirst = false, check, confirm, marker = null, maxBytes = maxRepositoryBytes }: Pull,
  incoming: Incoming,
): Promise<boolean> {
  const refs = new BranchRefs(directory, marker);
  const objects = new GitObjects(incoming.directory);
  const head = await new Repository(directory).committedHead(branch);
  const known = await refs.read(upstreamOf(branch));
  const { commit } = incoming;
  if (known !== null && !isFirst && !(await objects.isAncestor(known, commit))) {
    throw new PlatformError(
      409,
      'The branch of the repository was rewritten since the last pull. Nothing was changed. To accept the new commits, connect the repository again.',
    );
  }
  await checkFetchedFiles(incoming.directory, commit);
  await requireSpace(directory, await sizeOfObjects(incoming.directory), maxBytes);
  const next = await resultOf(
    { objects, head, commit, isReplaced: isFirst && (await isNewProject(refs, objects, head)) },
    branch,
    author,
  );
  const updates: RefUpdate[] = [
    { ref: headOf(branch), to: next, from: head },
    { ref: pendingOf(branch), from: noObject },
    { ref: upstreamOf(branch), to: commit, from: known ?? noObject },
    ...(isFirst ? await refs.upstreamDeletions(branch) : []),
  ];
  if (next !== head) {
    checkSizes(await objects.files(next));
    await check(new Repository(incoming.directory), next);
  }
  await confirm?.();
  await incoming.adopt();
  await refs.update(updates);
  return next !== head;
}

/**
 * Checks the files of a fetched commit: only regular files, with safe paths, within the limits of a branch.
 * @throws PlatformError 409
 */
async function checkFetchedFiles(directory: string, commit: string): Promise<void> {
  await checkFileTypes(directory, commit, 'The branch of the repository');
  try {
    checkSizes(await new GitObjects(directory).files(commit));
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    throw new PlatformError(409, `The branch of the repository is too large. ${error.message}`, { cause: error });
  }
}

interface Heads {
  readonly objects: GitObjects;
  readonly head: string;
  readonly commit: string;
  readonly isReplaced: boolean;
}

/** Returns the commit that the branch gets. @throws PlatformError 409 */
async function resultOf({ objects, head, commit, isReplaced }: Heads, branch: string, author: string): Promise<string> {
  const base = await objects.mergeBase(head, commit);
  if (base === commit) return head;
  if (base === head || (base === null && isReplaced)) return commit;
  if (base === null) {
    throw new PlatformError(
      409,
      'The branch and the branch of the repository have no common commit. Nothing was changed.',
    );
  }
  const { tree, conflicts } = await objects.mergeTrees(head, commit);
  if (conflicts.length > 0) throw mergeConflict(branch, conflicts);
  return objects.commitTree(tree, [head, commit], { author, message: `Merge the repository into ${branch}` });
}

/** True if the only branch has a single commit. */
async function isNewProject(refs: BranchRefs, objects: GitObjects, head: string): Promise<boolean> {
  const [names, parents] = [await refs.names(), await objects.parents(head)];
  return names.length === 1 && parents?.length === 0;
}

/**
 * Pushes the commits of a branch.
 * @returns whether the branch of the git host has changed.
 * @throws PlatformError 404, 409 if the git host has other commits, 502.
 */
export async function pushBranch({
  directory,
  branch,
  remote,
  remoteBranch,
  isFirst = false,
}: LinkedBranch): Promise<boolean> {
  const refs = new BranchRefs(directory);
  const { head } = await refs.state(branch);
  const outcome = await pushCommit(directory, { remote, branch: remoteBranch, commit: head });
  if (outcome === 'rejected') {
    throw new PlatformError(
      409,
      'The git host rejected the push: the branch has commits that are not pulled yet, or it is protected. Nothing was changed.',
    );
  }
  const known = await refs.read(upstreamOf(branch));
  const updates: RefUpdate[] = known === head ? [] : [{ ref: upstreamOf(branch), to: head, from: known ?? noObject }];
  if (isFirst) updates.push(...(await refs.upstreamDeletions(branch)));
  if (updates.length > 0) await refs.update(updates);
  return outcome === 'pushed';
}

/**
 * Deletes a branch of the git host, if it has been pulled or pushed.
 * @throws PlatformError 404, 409 if the git host has other commits, 502.
 */
export async function removeUpstream({ directory, branch, remote, remoteBranch }: LinkedBranch): Promise<void> {
  const refs = new BranchRefs(directory);
  await refs.state(branch);
  const expected = await refs.read(upstreamOf(branch));
  if (expected === null || (await deleteRemoteBranch(directory, { remote, branch: remoteBranch, expected }))) return;
  throw new PlatformError(
    409,
    'The git host did not delete the branch: it has commits that are not pulled, or it is protected. Nothing was changed.',
  );
}

/** Deletes the stored refs of the commits of a repository that is no longer connected. */
export async function forgetUpstream(directory: string): Promise<void> {
  const refs = new BranchRefs(directory);
  const deletions = await refs.upstreamDeletions();
  if (deletions.length > 0) await refs.update(deletions);
}
