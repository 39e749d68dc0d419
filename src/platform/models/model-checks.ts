import { PlatformError } from '../errors.js';
import type { ModelCheck, RouteDeps } from '../http/route-deps.js';
import { TaskQueue } from '../runtime/task-queue.js';
import { readModel } from './git/repositories.js';
import type { Repository } from './git/repository.js';

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

function tooManyChecks(): PlatformError {
  return new PlatformError(503, 'Too many models are being checked. Try again in a moment.');
}
