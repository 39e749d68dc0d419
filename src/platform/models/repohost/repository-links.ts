import type { Principal } from '../../auth/principal.js';
import { allowedDeployments, allResources } from '../../auth/rights.js';
import type { SealedSecrets } from '../../auth/sealed-secrets.js';
import type { Db } from '../../db/database.js';
import { PlatformError } from '../../errors.js';
import { notFound } from '../../http/access.js';
import type { RouteDeps } from '../../http/route-deps.js';
import { missingPolicy } from '../agent-rights.js';
import { requestContentRun } from '../content-runs/content-run-store.js';
import { deployBranch } from '../git/paths.js';
import {
  forgetUpstream,
  type LinkedBranch,
  type Pull,
  pullBranch,
  pushBranch,
  removeUpstream,
} from '../git/pull-branch.js';
import type { Repositories } from '../git/repositories.js';
import type { Repository } from '../git/repository.js';
import type { Remote } from '../git/run-remote-git.js';
import { listRemoteBranches, type RemoteBranches } from '../git/upstream.js';
import { ModelChecks } from '../model-checks.js';
import { findConnection, type StoredConnection } from './connection-store.js';
import { type GitHostOptions, withRemote } from './git-host.js';
import { findInstallation, hostOf, type StoredInstallation } from './installation-store.js';

/** Dependencies of pulls and pushes. */
export interface LinkDeps extends Pick<RouteDeps, 'checkModel'> {
  readonly db: Db;
  readonly sealedSecrets: SealedSecrets;
  readonly gitHosts: GitHostOptions;
  readonly repositories: Repositories | null;
}

/** A repository to connect. */
export interface RepositoryToConnect {
  readonly installationId: number;
  readonly name: string;
  /** Branch of the repository; its default branch if `null`. */
  readonly branch: string | null;
  /** Whether the repository must be empty. The model of the deployment is then pushed to it. */
  readonly isNew: boolean;
}

/**
 * Checks that a caller may use the repositories of installations. The installations are shared by all deployments, so
 * a caller with rights on one deployment could otherwise read and change the model of another.
 * @throws PlatformError 403
 */
export function requireHostedRepositories({ rights }: Principal): void {
  if (allowedDeployments(rights, 'SchemaUpdate') !== allResources)
    throw missingPolicy('SchemaUpdate on all deployments');
}

/** Exchanges commits between deployments and the repositories that they are connected to. */
export class RepositoryLinks {
  readonly #deps: LinkDeps;
  readonly #checks: ModelChecks;

  constructor(deps: LinkDeps) {
    this.#deps = deps;
    this.#checks = new ModelChecks(deps.checkModel);
  }

  /** Lists the branches of a repository of an installation. @throws PlatformError 404, 409, 502, 503 */
  async branches(installationId: number, name: string): Promise<RemoteBranches> {
    return this.#withRepository(await this.#requireInstallation(installationId, name), name, listRemoteBranches);
  }

  /**
   * Pulls the deploy branch from a repository, or pushes it to a new one.
   * @returns the branch of the repository.
   * @throws PlatformError 404, 409, 502, 503
   */
  async connect(deploymentId: number, { installationId, name, branch, isNew }: RepositoryToConnect, author: string) {
    const installation = await this.#requireInstallation(installationId, name);
    return this.#withRepository(installation, name, async remote => {
      const { names, defaultBranch } = await listRemoteBranches(remote);
      const remoteBranch = branch ?? defaultBranch ?? deployBranch;
      if (isNew !== (names.length === 0)) {
        const problem = isNew ? 'is not empty: connect it without isNewRepo' : 'is empty: connect it with isNewRepo';
        throw new PlatformError(409, `The repository ${problem}.`);
      }
      const link = await this.#linkOf(deploymentId, { branch: deployBranch, remote, remoteBranch, isFirst: true });
      if (isNew) await pushBranch(link);
      else await this.#pull(deploymentId, link, { author });
      return remoteBranch;
    });
  }

  /**
   * Pulls a branch.
   * @param marker - ref that the update of the branch also creates.
   * @returns whether it has changed.
   * @throws PlatformError 404, 409, 502, 503 */
  async pull(deploymentId: number, branch: string, author: string, marker: string | null = null): Promise<boolean> {
    return this.#withBranch(deploymentId, branch, (link, { installation, name, connectedAt }) => {
      const confirm = async () => {
        const now = await findConnection(this.#deps.db, deploymentId);
        const isSame = now?.installation.id === installation.id && now.name === name;
        if (!isSame || now.connectedAt.getTime() !== connectedAt.getTime()) {
          throw new PlatformError(
            409,
            'Another request changed the connection to the repository. Nothing was pulled. Try again.',
          );
        }
      };
      return this.#pull(deploymentId, link, { author, confirm, marker });
    });
  }

  /** Pushes a branch. @returns whether the repository has changed. @throws PlatformError 404, 409, 502, 503 */
  async push(deploymentId: number, branch: string): Promise<boolean> {
    return this.#withBranch(deploymentId, branch, pushBranch);
  }

  /** Deletes a branch of the repository. @throws PlatformError 404, 409, 502, 503 */
  async removeUpstream(deploymentId: number, branch: string): Promise<void> {
    await this.#withBranch(deploymentId, branch, removeUpstream);
  }

  /** Packs the repository of a deployment if it has many objects or packs. Each pull adds a pack. */
  async collectGarbage(deploymentId: number): Promise<void> {
    const repository = await this.#deps.repositories?.open(deploymentId);
    await repository?.collectGarbage();
  }

  /** Deletes the stored refs of the repository of a deployment that was disconnected. */
  async forget(deploymentId: number): Promise<void> {
    const directory = this.#deps.repositories?.repositoryOf(deploymentId);
    if (directory !== undefined) await forgetUpstream(directory);
  }

  async #pull(
    deploymentId: number,
    link: LinkedBranch,
    pull: Pick<Pull, 'author' | 'confirm' | 'marker'>,
  ): Promise<boolean> {
    const check = async (repository: Repository, commit: string) => {
      if (link.branch !== deployBranch) return;
      const { problems } = await this.#checks.check(deploymentId, repository, commit);
      const [first] = problems;
      if (!first) return;
      const place = `${first.file}:${first.line}: ${first.message}`;
      throw new PlatformError(409, `The pulled model does not compile. Nothing was changed. ${place}`);
    };
    const isChanged = await pullBranch({ ...link, ...pull, check });
    if (isChanged && link.branch === deployBranch) {
      // A failure must not fail the pull. The recurring check requests the run then.
      await requestContentRun(this.#deps.db, deploymentId).catch(() => undefined);
    }
    return isChanged;
  }

  async #withBranch<T>(
    deploymentId: number,
    branch: string,
    work: (link: LinkedBranch, connection: StoredConnection) => Promise<T>,
  ): Promise<T> {
    const found = await findConnection(this.#deps.db, deploymentId);
    if (!found) throw new PlatformError(409, 'The deployment is not connected to a repository.');
    const { installation, name, deployBranchName } = found;
    if (branch !== deployBranch && branch === deployBranchName) {
      const message = `The branch ${branch} of the repository is connected to the branch ${deployBranch}.`;
      throw new PlatformError(409, message);
    }
    if (!installation.repositories.includes(name)) {
      throw new PlatformError(409, 'The installation no longer contains the repository of the deployment.');
    }
    const remoteBranch = branch === deployBranch ? deployBranchName : branch;
    return this.#withRepository(installation, name, async remote =>
      work(await this.#linkOf(deploymentId, { branch, remote, remoteBranch }), found),
    );
  }

  async #linkOf(deploymentId: number, link: Omit<LinkedBranch, 'directory'>): Promise<LinkedBranch> {
    const { repositories } = this.#deps;
    if (!repositories)
      throw new PlatformError(409, 'The platform has no data folder, so it has no model files. Start it with --data.');
    await repositories.open(deploymentId);
    return { directory: repositories.repositoryOf(deploymentId), ...link };
  }

  async #requireInstallation(installationId: number, name: string): Promise<StoredInstallation> {
    const installation = await findInstallation(this.#deps.db, installationId);
    if (!installation) throw notFound('Installation');
    if (!installation.repositories.includes(name)) throw notFound('Repository');
    return installation;
  }

  #withRepository<T>(installation: StoredInstallation, name: string, work: (remote: Remote) => Promise<T>): Promise<T> {
    const host = hostOf(this.#deps.sealedSecrets, installation);
    if (!host) throw new PlatformError(409, 'The secret of the installation cannot be decrypted. Set it again.');
    return withRemote(host, name, this.#deps.gitHosts, work);
  }
}
