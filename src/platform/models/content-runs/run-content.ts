import type { ContentRunLogLine } from '../../../contract/content-runs.js';
import type { Db } from '../../db/database.js';
import type { JobHandler } from '../../jobs/job-queue.js';
import { deployBranch } from '../git/paths.js';
import type { Repositories } from '../git/repositories.js';
import type { DeploymentLog } from '../status/deployment-log.js';
import {
  endContentRun,
  isActiveAdmin,
  listAppliedDeployments,
  requestContentRun,
  type StartedContentRun,
  setRunCommit,
  startContentRun,
} from './content-run-store.js';

/** Folder of a repository with content as code. */
export const contentFolder = 'content/';

/** Files that are content as code: those that `pa-platform apply` reads. */
const contentPattern = /^content\/(?:[^/]+\/)?[^/]+\.(?:ya?ml|json)$/;
const maxLines = 200;
const maxLineLength = 500;
const checkEveryMs = 60_000;
/** Kind of the recurring job that requests runs for commits whose run was not requested. */
export const contentCheckKind = 'content-check';

/** Content to apply to a deployment. */
export interface RepositoryContent {
  readonly deploymentId: number;
  /** Administrator as whom the content is written. */
  readonly userId: number;
  /** Id of the requests, for the audit log. */
  readonly requestId: string;
  readonly prune: boolean;
  /** Files by path inside the folder of the content. */
  readonly files: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
}

/** The result of applied content. */
export interface AppliedRepositoryContent {
  readonly isApplied: boolean;
  /** Written objects; the problems if `isApplied` is false. */
  readonly lines: readonly string[];
}

/**
 * Applies content to a deployment, in one transaction.
 * @throws for failures that a retry can help against.
 */
export type ApplyRepositoryContent = (content: RepositoryContent) => Promise<AppliedRepositoryContent>;

interface ContentRunDeps {
  readonly db: Db;
  readonly repositories: Repositories | null;
  readonly apply: ApplyRepositoryContent;
  readonly log: Pick<DeploymentLog, 'add'>;
}

/** Creates the handler of the jobs that execute content runs. Idempotent, because equal content changes nothing. */
export function contentRunHandler({ db, repositories, apply, log }: ContentRunDeps): JobHandler {
  return {
    async run({ contentRunId }, signal) {
      const run = await startContentRun(db, String(contentRunId));
      if (!run) return;
      const { isApplied, lines } = await execute(run, signal);
      if (signal.aborted) return;
      const level = isApplied ? 'info' : 'error';
      const message = `Content run ${run.id} ${isApplied ? 'completed' : 'failed'}. ${lines.at(-1) ?? ''}`;
      log.add({ deploymentId: run.deploymentId, branchName: null, level, message });
      if (isApplied) await endContentRun(db, run.id, 'COMPLETED', logOf(lines, 'info'));
      else await endContentRun(db, run.id, 'FAILED', logOf(lines, 'error'));
    },
    async failPermanently({ contentRunId }) {
      const lines = ['The run failed repeatedly. Nothing was changed. See the log of the platform.'];
      await endContentRun(db, String(contentRunId), 'FAILED', logOf(lines, 'error'));
    },
  };

  async function execute(run: StartedContentRun, signal: AbortSignal): Promise<AppliedRepositoryContent> {
    const { id, deploymentId, userId, isPruned } = run;
    if (!run.isApplied) return failure('The setting applyContent is off.');
    if (userId === null || !(await isActiveAdmin(db, userId))) {
      return failure(
        'The user who turned on applyContent is not an administrator. An administrator must set it again.',
      );
    }
    if (!repositories) return failure('The platform has no data folder.');
    const repository = await repositories.open(deploymentId);
    const commit = await repository.version(deployBranch);
    await setRunCommit(db, id, commit);
    const found = (await repository.files(commit)).filter(({ path }) => contentPattern.test(path));
    if (found.length === 0) return { isApplied: true, lines: [`The branch has no files in ${contentFolder}.`] };
    const texts = await repository.read(found);
    const files = new Map(found.map(({ path }, index) => [path.slice(contentFolder.length), texts[index] ?? '']));
    return apply({ deploymentId, userId, requestId: `content-run-${id}`, prune: isPruned, files, signal });
  }
}

/**
 * Creates the handler of the recurring job that requests a run if the deploy branch has another commit than the last
 * run: a crash between a merge and its request would otherwise leave the merged content unapplied.
 */
export function contentCheckHandler({ db, repositories }: Pick<ContentRunDeps, 'db' | 'repositories'>): JobHandler {
  return {
    everyMs: checkEveryMs,
    async run() {
      if (!repositories) return;
      for (const { deploymentId, status, commit } of await listAppliedDeployments(db)) {
        if (status === 'QUEUED' || status === 'RUNNING') continue;
        // A deployment that is being deleted has no repository.
        const head = await repositories.find({ deploymentId, branchName: null }).catch(() => null);
        if (head && head.id !== commit) await requestContentRun(db, deploymentId);
      }
    },
    failPermanently: async () => undefined,
  };
}

function failure(line: string): AppliedRepositoryContent {
  return { isApplied: false, lines: [line] };
}

function logOf(lines: readonly string[], level: 'info' | 'error'): ContentRunLogLine[] {
  const timestamp = new Date().toISOString();
  const shown = lines.slice(0, maxLines).map(line => line.slice(0, maxLineLength));
  const rest = lines.length - shown.length;
  if (rest > 0) shown[maxLines - 1] = `… and ${rest + 1} more lines`;
  return shown.map(message => ({ timestamp, level, message }));
}
