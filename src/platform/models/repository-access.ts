import type { OperationShape, ResponseOf } from '../../contract/operation.js';
import { defaultDeploymentId } from '../auth/model-target.js';
import type { Principal } from '../auth/principal.js';
import { type ActionName, isAllowedOnDeployment, isDeniedOnDeployment, type Rights } from '../auth/rights.js';
import type { Db } from '../db/database.js';
import { PlatformError } from '../errors.js';
import { type AttemptJournal, recordAttempt } from '../http/audit.js';
import type { Call } from '../http/mount.js';
import { requestIdOf } from '../http/request-id.js';
import type { RouteDeps } from '../http/route-deps.js';
import { Repositories } from './git/repositories.js';
import type { Repository } from './git/repository.js';
import { WriteJournal } from './git/write-journal.js';
import { requireDeploymentAction } from './require-deployment.js';

/** Deployment, caller and HTTP request of a call. */
export type ModelCall = Pick<Call<OperationShape>, 'principal' | 'request'> & {
  readonly params: { readonly deploymentId: number };
};

/** Action that allows changes of branches, but not of the deploy branch. `SchemaUpdate` includes it. */
export const branchAction = 'SchemaUpdateDevBranches';

/** Opens the repositories of deployments for callers who may read or change the model. */
export class RepositoryAccess {
  readonly #db: Db;
  readonly #repositories: Repositories | null;

  constructor({ db, deploymentsDirectory }: Pick<RouteDeps, 'db' | 'deploymentsDirectory'>) {
    this.#db = db;
    this.#repositories = deploymentsDirectory === null ? null : new Repositories(deploymentsDirectory);
  }

  /** The folders of the deployments; `null` without a data folder. */
  get repositories(): Repositories | null {
    return this.#repositories;
  }

  /** @throws PlatformError 403, 404, and 409 for a deployment without a repository. */
  async open({ params, principal }: Omit<ModelCall, 'request'>, action: ActionName): Promise<Repository> {
    const { deploymentId } = params;
    const required = action === branchAction ? branchActionOf(principal.rights, deploymentId) : action;
    const { id } = await requireDeploymentAction(this.#db, principal, deploymentId, required);
    if (id === defaultDeploymentId) {
      throw new PlatformError(409, 'This deployment serves the folder of --model. Change its files in the folder.');
    }
    if (!this.#repositories)
      throw new PlatformError(409, 'The platform has no data folder, so it has no model files. Start it with --data.');
    return this.#repositories.open(id);
  }

  /**
   * Runs a write that the audit log contains. The entry is stored first, because files and git hosts have no common
   * transaction with the database: after a crash, it can name a write that did not happen.
   * @throws PlatformError as `open` does.
   */
  async write<O extends OperationShape>(
    operation: O,
    call: ModelCall,
    action: ActionName,
    work: (repository: Repository, author: string) => Promise<ResponseOf<O>>,
  ): Promise<ResponseOf<O>> {
    const repository = await this.#openForWrite(call, action);
    return this.#record(operation, call, repository, () => work(repository, authorOf(call.principal)));
  }

  /**
   * Runs a write that changes branches in one transaction of git. The transaction also creates a marker ref for the
   * audit log entry. After a crash, the repair at the next start deletes entries whose transaction was not executed.
   * @param work - receives the marker ref, for updates that do not use `repository`.
   * @throws PlatformError as `open` does.
   */
  async changeBranch<O extends OperationShape>(
    operation: O,
    call: ModelCall,
    action: ActionName,
    work: (repository: Repository, author: string, marker: string | null) => Promise<ResponseOf<O>>,
  ): Promise<ResponseOf<O>> {
    const repository = await this.#openForWrite(call, action);
    const { deploymentId } = call.params;
    const journal = this.#repositories && new WriteJournal(this.#repositories, deploymentId, operation.id);
    const run = (entryId: number | null) => {
      const marker = entryId === null || !journal ? null : journal.markerOf(entryId);
      return work(marker === null ? repository : repository.withMarker(marker), authorOf(call.principal), marker);
    };
    return this.#record(operation, call, repository, run, journal);
  }

  async #openForWrite(call: ModelCall, action: ActionName): Promise<Repository> {
    const repository = await this.open(call, action);
    // Scripts on a host's page can read the tokens of its sessions, including those of administrators.
    if (call.principal.kind === 'embed') throw new PlatformError(403, 'Embed sessions cannot change models.');
    return repository;
  }

  async #record<T>(
    { id }: OperationShape,
    { params, principal, request }: ModelCall,
    repository: Repository,
    work: (entryId: number | null) => Promise<T>,
    journal: AttemptJournal | null = null,
  ): Promise<T> {
    const target = { deploymentId: params.deploymentId };
    const entry = { operation: id, principal, target, requestId: requestIdOf(request) };
    const done = await recordAttempt(this.#db, entry, work, journal);
    // A failed cleanup must not fail the write. The next write retries it.
    void repository.collectGarbage().catch(() => undefined);
    return done;
  }
}

/**
 * Returns the action that a change to a branch requires. Either of two actions is sufficient, but a denial of one
 * rejects the change.
 */
function branchActionOf(rights: Rights, deploymentId: number): ActionName {
  const denied = (['SchemaUpdate', branchAction] as const).find(each =>
    isDeniedOnDeployment(rights, each, deploymentId),
  );
  if (denied !== undefined) return denied;
  return isAllowedOnDeployment(rights, 'SchemaUpdate', deploymentId) ? 'SchemaUpdate' : branchAction;
}

/** Commits name the id of the user, because names and addresses can change and are personal data. */
function authorOf({ userId }: Principal): string {
  return `user ${userId}`;
}
