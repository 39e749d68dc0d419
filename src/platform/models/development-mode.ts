import { createHash } from 'node:crypto';
import type { Principal } from '../auth/principal.js';
import type { Db } from '../db/database.js';
import { PlatformError } from '../errors.js';
import * as store from './environment-store.js';
import { deployBranch } from './git/paths.js';
import type { Repository } from './git/repository.js';

/** Deployment and user of a call. */
interface DevelopmentCall {
  readonly principal: Principal;
  readonly params: { readonly deploymentId: number };
}

const personalBranch = /^dev-\d+-[0-9a-f]{8}$/;

/** True if a name has the form of the personal branch of a user. */
export function isPersonalBranch(name: string): boolean {
  return personalBranch.test(name);
}

/**
 * Development mode: the active branch of each user of a deployment (operations.md, Data Model). It is stored as an
 * environment of the type `development`.
 */
export class DevelopmentMode {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Returns the active branch of the caller; `null` if there is none. */
  async activeBranch(call: DevelopmentCall, repository: Repository): Promise<string | null> {
    // A session acts for a user of a host, who cannot enter development mode.
    if (call.principal.kind === 'embed') return null;
    const branch = await store.findDevelopmentBranch(this.#db, userOf(call));
    if (branch === null) return null;
    // Git and the database have no common transaction: after a crash, the branch may be deleted.
    return (await hasBranch(repository, branch)) ? branch : null;
  }

  /** Returns the active branch of the caller. @throws PlatformError 400 if there is none. */
  async requireActiveBranch(call: DevelopmentCall, repository: Repository): Promise<string> {
    const branch = await this.activeBranch(call, repository);
    if (branch !== null) return branch;
    throw new PlatformError(400, 'You have no active branch. Set branchName, or start development mode.');
  }

  /** Creates the personal branch of the caller from the deploy branch, unless it exists. @returns its name. */
  async openPersonalBranch(call: DevelopmentCall, repository: Repository): Promise<string> {
    const { deploymentId, userId } = userOf(call);
    const hash = createHash('sha256').update(`${deploymentId} ${userId}`).digest('hex').slice(0, 8);
    const name = `dev-${userId}-${hash}`;
    if (await hasBranch(repository, name)) return name;
    try {
      await repository.createBranch(name, deployBranch);
      // An earlier branch of this name may have been deleted without its environments.
      await store.deleteEnvironmentsOfBranch(this.#db, deploymentId, name);
    } catch (error) {
      // Another request of the user may have created the branch.
      if (!(await hasBranch(repository, name))) throw error;
    }
    return name;
  }

  /** Makes a branch the active branch of the caller. */
  async enter(call: DevelopmentCall, branch: string): Promise<void> {
    await this.#db.transaction(tx => store.insertDevelopmentEnvironment(tx, userOf(call), branch));
  }

  /** Ends development mode of the caller. */
  async leave(call: DevelopmentCall): Promise<void> {
    await store.deleteDevelopmentEnvironment(this.#db, userOf(call));
  }

  /** Makes a branch the active branch of the caller, or ends development mode if it is the deploy branch. */
  async switchTo(call: DevelopmentCall, branch: string): Promise<void> {
    if (branch === deployBranch) await this.leave(call);
    else await this.enter(call, branch);
  }
}

function userOf({ params: { deploymentId }, principal: { userId } }: DevelopmentCall): store.DevelopmentUser {
  return { deploymentId, userId };
}

async function hasBranch(repository: Repository, name: string): Promise<boolean> {
  try {
    await repository.version(name);
    return true;
  } catch (error) {
    if (error instanceof PlatformError && error.status === 404) return false;
    throw error;
  }
}
