import { maxModelBytes } from '../../contract/data-model.js';
import { PlatformError } from '../errors.js';
import type { ModelCheck, RouteDeps } from '../http/route-deps.js';
import { TaskQueue } from '../runtime/task-queue.js';
import { isModelFile } from './git/paths.js';
import { readModel } from './git/repositories.js';
import type { FileChanges, Repository } from './git/repository.js';

/** Two checks run at a time, and one per deployment, because a check blocks the event loop while it parses. */
const queueLimits = { concurrency: 2, queueLimit: 40 } as const;

/** Checks models of deployments with limits. Concurrent checks of the same commit of a deployment share one check. */
export class ModelChecks {
  readonly #checkModel: RouteDeps['checkModel'];
  readonly #queue = new TaskQueue({ ...queueLimits, rejection: tooManyChecks });
  readonly #running = new Map<string, Promise<ModelCheck>>();

  constructor(checkModel: RouteDeps['checkModel']) {
    this.#checkModel = checkModel;
  }

  /** Checks the model of a commit. @throws PlatformError 503 if too many checks wait. */
  check(deploymentId: number, repository: Repository, commit: string): Promise<ModelCheck> {
    const key = `${deploymentId} ${commit}`;
    const running = this.#running.get(key);
    if (running) return running;
    const task = async () => this.#checkModel(deploymentId, await readModel(repository, commit));
    // A disconnected client does not cancel the check, because other requests may share it.
    const { signal } = new AbortController();
    const check = this.#queue.run(String(deploymentId), task, signal).finally(() => this.#running.delete(key));
    this.#running.set(key, check);
    return check;
  }
}

/**
 * Checks the size of the model files of a branch after a change.
 * @throws PlatformError 400 if they are too large, 404 for an unknown branch.
 */
export async function checkModelSize(repository: Repository, branchName: string, changes: FileChanges): Promise<void> {
  const files = await repository.files(await repository.version(branchName));
  const sizes = new Map(files.map(({ path, bytes }) => [path, bytes]));
  for (const [path, content] of changes) sizes.set(path, Buffer.byteLength(content ?? ''));
  const total = [...sizes].reduce((sum, [path, bytes]) => sum + (isModelFile(path) ? bytes : 0), 0);
  if (total <= maxModelBytes) return;
  throw new PlatformError(400, `The model files of a branch can have ${maxModelBytes / 1e6} MB in total.`);
}

function tooManyChecks(): PlatformError {
  return new PlatformError(503, 'Too many models are being checked. Try again in a moment.');
}
