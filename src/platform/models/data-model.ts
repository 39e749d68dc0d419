import { createHash } from 'node:crypto';
import type { Hono } from 'hono';
import * as contract from '../../contract/data-model.js';
import type { Principal } from '../auth/principal.js';
import type { Db } from '../db/database.js';
import { PlatformError } from '../errors.js';
import { notFound } from '../http/access.js';
import { pageOfList } from '../http/paging.js';
import type { ModelProblemText, RouteDeps } from '../http/route-deps.js';
import { serve } from '../http/serve.js';
import { requestContentRun } from './content-runs/content-run-store.js';
import { DevelopmentMode, isPersonalBranch } from './development-mode.js';
import {
  deleteEnvironmentsOfBranch,
  deleteStagingEnvironment,
  insertStagingEnvironment,
  listStagedBranches,
} from './environment-store.js';
import type { ExpectedFiles } from './git/file-conflicts.js';
import { checkPath, deployBranch } from './git/paths.js';
import type { Branch, FileChanges, Merge, Repository } from './git/repository.js';
import { ModelChecks } from './model-checks.js';
import { RepositoryLinks } from './repohost/repository-links.js';
import { branchAction, type ModelCall, RepositoryAccess } from './repository-access.js';
import { requireDeploymentAction } from './require-deployment.js';
import { showDifference } from './show-difference.js';

/** A report of a published dashboard whose query names members that a model does not have. */
export interface BrokenReport {
  readonly dashboardPublicId: string;
  readonly reportId: number;
  readonly members: readonly string[];
}

/** Published reports that a model breaks. */
export interface BrokenReports {
  readonly reports: readonly BrokenReport[];
  /** Whether there can be more. */
  readonly isTruncated: boolean;
}

/** Returns the published reports which a caller may read and a model with these public members breaks. */
export type FindBrokenReports = (
  db: Db,
  principal: Principal,
  deploymentId: number,
  members: ReadonlySet<string>,
) => Promise<BrokenReports>;

/** Mounts the routes for the model files of deployments with a repository (operations.md, Data Model). */
export function mountDataModel(app: Hono, deps: RouteDeps, findBrokenReports: FindBrokenReports): void {
  const access = new RepositoryAccess(deps);
  const development = new DevelopmentMode(deps.db);
  mountBranches(app, deps, access, development);
  mountDevelopmentMode(app, deps, access, development);
  mountFiles(app, deps, access);
  mountChecks(app, deps, access, development, findBrokenReports);
}

/** Maximum number of changed files of a branch in a list of branches. */
const maxListedFiles = 100;

function mountBranches(app: Hono, deps: RouteDeps, access: RepositoryAccess, development: DevelopmentMode): void {
  const links = new RepositoryLinks({ ...deps, repositories: access.repositories });

  serve(app, contract.listBranches, deps, async call => {
    const repository = await access.open(call, 'SchemaRead');
    const staged = await listStagedBranches(deps.db, call.params.deploymentId);
    const active = await development.activeBranch(call, repository);
    const { withDiff, ...page } = call.query;
    const { items, pageInfo } = pageOfList(await repository.branches(), page);
    const differences = withDiff === true ? await differencesOf(items, repository) : null;
    const shown = items.map(branch => {
      const diff = differences?.get(branch.name);
      return { ...showBranch(branch, staged), isActive: branch.name === active, ...(diff && { diff }) };
    });
    return { items: [...shown], data: [...shown], pageInfo };
  });

  serve(app, contract.createBranch, deps, call =>
    access.changeBranch(contract.createBranch, call, branchAction, async repository => {
      const { name, from, activate } = call.body;
      if (isPersonalBranch(name)) {
        throw new PlatformError(400, 'body.name: is reserved for personal branches; start development mode instead');
      }
      await repository.createBranch(name, from ?? deployBranch);
      // A deletion that a crash interrupted can have left environments of an earlier branch with this name.
      await deleteEnvironmentsOfBranch(deps.db, call.params.deploymentId, name);
      if (activate === true) await development.enter(call, name);
      return { active: activate === true, branchName: name, parentBranch: from ?? deployBranch };
    }),
  );

  serve(app, contract.removeBranch, deps, call =>
    access.changeBranch(contract.removeBranch, call, branchAction, async repository => {
      const { branchName, removeOnUpstream } = call.query;
      if (removeOnUpstream === true) {
        await requireDeploymentAction(deps.db, call.principal, call.params.deploymentId, 'SchemaUpdate');
        if (branchName === deployBranch) throw new PlatformError(400, 'The deploy branch cannot be deleted.');
        await links.removeUpstream(call.params.deploymentId, branchName);
      }
      await repository.removeBranch(branchName);
      await deleteEnvironmentsOfBranch(deps.db, call.params.deploymentId, branchName);
      return { success: true };
    }),
  );

  serve(app, contract.setBranchStagingEnvironment, deps, call =>
    access.write(contract.setBranchStagingEnvironment, call, 'SchemaUpdate', async repository => {
      const { deploymentId } = call.params;
      const { branchName, enabled } = call.body;
      if (branchName === deployBranch) {
        throw new PlatformError(400, 'body.branchName: the deploy branch is production and has no staging environment');
      }
      if (isPersonalBranch(branchName)) {
        throw new PlatformError(400, 'body.branchName: personal branches have no staging environment');
      }
      const branch = (await repository.branches()).find(({ name }) => name === branchName);
      if (!branch) throw notFound('Branch');
      if (enabled) await deps.db.transaction(tx => insertStagingEnvironment(tx, deploymentId, branchName));
      else await deleteStagingEnvironment(deps.db, deploymentId, branchName);
      return { data: showBranch(branch, new Set(enabled ? [branchName] : [])) };
    }),
  );
}

function mountDevelopmentMode(
  app: Hono,
  deps: RouteDeps,
  access: RepositoryAccess,
  development: DevelopmentMode,
): void {
  serve(app, contract.startDevMode, deps, call =>
    access.write(contract.startDevMode, call, branchAction, async repository => {
      const branchName = call.body.branchName ?? (await development.openPersonalBranch(call, repository));
      const parentBranch = await repository.parent(branchName);
      await development.enter(call, branchName);
      return { active: true, branchName, parentBranch };
    }),
  );

  serve(app, contract.stopDevMode, deps, call =>
    access.write(contract.stopDevMode, call, branchAction, async () => {
      await development.leave(call);
      return { success: true };
    }),
  );
}

function mountFiles(app: Hono, deps: RouteDeps, access: RepositoryAccess): void {
  serve(app, contract.listModelFiles, deps, async call => {
    const repository = await access.open(call, 'SchemaRead');
    const { branchName, withContent, ...page } = call.query;
    const files = await repository.files(await repository.version(branchName ?? deployBranch));
    const { items, pageInfo } = pageOfList(files, page);
    const contents = withContent ? await repository.read(items) : null;
    const shown = items.map(({ path, hash }, index) => ({
      name: path.slice(path.lastIndexOf('/') + 1),
      path,
      type: 'file',
      hash,
      ...(contents && { content: contents[index] ?? '' }),
    }));
    return { items: shown, data: shown, pageInfo };
  });

  serve(app, contract.updateModelFiles, deps, call =>
    access.changeBranch(contract.updateModelFiles, call, branchAction, async (repository, author) => {
      const { branchName, files, removed } = call.body;
      const all = [...files, ...(removed ?? []).map(file => ({ ...file, content: null }))];
      if (all.length === 0) throw new PlatformError(400, 'body.files: must contain a file, unless body.removed does');
      const changes = changesOf(all);
      await repository.write(branchName, changes, author, expectedFilesOf(all));
      return { success: true };
    }),
  );

  serve(app, contract.renameModelFiles, deps, call =>
    access.changeBranch(contract.renameModelFiles, call, branchAction, async (repository, author) => {
      const { branchName, files } = call.body;
      const { changes, expected } = await renamesOf(repository, branchName, files);
      await repository.write(branchName, changes, author, expected);
      return { success: true };
    }),
  );

  serve(app, contract.removeModelFiles, deps, call =>
    access.changeBranch(contract.removeModelFiles, call, branchAction, async (repository, author) => {
      const { branchName, files } = call.body;
      const changes = changesOf(files.map(({ path }) => ({ path, content: null })));
      await repository.write(branchName, changes, author, expectedFilesOf(files));
      return { success: true };
    }),
  );
}

/** Mounts the routes for validation, commits and merges. */
function mountChecks(
  app: Hono,
  deps: RouteDeps,
  access: RepositoryAccess,
  development: DevelopmentMode,
  findBrokenReports: FindBrokenReports,
): void {
  const checks = new ModelChecks(deps.checkModel);

  serve(app, contract.validateModel, deps, async call => {
    const repository = await access.open(call, 'SchemaRead');
    const { deploymentId } = call.params;
    const { branchName: given, devMode } = call.query;
    if (given != null && devMode === true)
      throw new PlatformError(400, 'query.devMode: send either devMode or branchName, not both');
    const branchName =
      devMode === true ? await development.requireActiveBranch(call, repository) : (given ?? deployBranch);
    const found = await checks.check(deploymentId, repository, await repository.version(branchName));
    const valid = found.problems.length === 0;
    const broken = valid ? await findBrokenReports(deps.db, call.principal, deploymentId, found.members) : null;
    return {
      deploymentId,
      branchName,
      mode: branchName === deployBranch ? ('production' as const) : ('dev_mode' as const),
      valid,
      errors: found.problems.map(showProblem),
      warnings: found.warnings.map(showProblem),
      ...(broken && { brokenReports: broken.reports.map(report => ({ ...report, members: [...report.members] })) }),
      ...(broken?.isTruncated && { hasMoreBrokenReports: true }),
      modelsCount: found.entities,
    };
  });

  serve(app, contract.commitModel, deps, call =>
    access.changeBranch(contract.commitModel, call, branchAction, async (repository, author) => {
      const { message, resolveMergeConflict, exitDevMode } = call.body;
      const branchName = call.body.branchName ?? (await development.requireActiveBranch(call, repository));
      const text = { author, message: message || 'Change the model' };
      await repository.commit(branchName, text, resolveMergeConflict ? deployBranch : undefined);
      if (exitDevMode === true) await development.leave(call);
      return { success: true };
    }),
  );

  mountMerges(app, deps, access, { checks, development });
}

function mountMerges(
  app: Hono,
  deps: RouteDeps,
  access: RepositoryAccess,
  { checks, development }: { readonly checks: ModelChecks; readonly development: DevelopmentMode },
): void {
  const { db } = deps;

  serve(app, contract.mergeToDefault, deps, call =>
    access.changeBranch(contract.mergeToDefault, call, 'SchemaUpdate', async (repository, author) => {
      const { branchName, message, removeBranchAfterMerge } = call.body;
      const isBranchDeleted = removeBranchAfterMerge === true;
      return merge(call, repository, branchName, { into: deployBranch, text: { author, message }, isBranchDeleted });
    }),
  );

  serve(app, contract.mergeToParent, deps, call =>
    access.changeBranch(contract.mergeToParent, call, 'SchemaUpdate', async (repository, author) => {
      const { branchName, message, deleteBranch, squashCommits, switchToParentBranch } = call.body;
      const into = await repository.parent(branchName);
      const text = { author, message: message || `Merge ${branchName}` };
      const flags = { isBranchDeleted: deleteBranch === true, isSquashed: squashCommits === true };
      const active = switchToParentBranch === true ? await development.activeBranch(call, repository) : null;
      const merged = await merge(call, repository, branchName, { into, text, ...flags });
      if (active === branchName) await development.switchTo(call, into);
      return merged;
    }),
  );

  async function merge(call: ModelCall, repository: Repository, branchName: string, input: Omit<Merge, 'check'>) {
    const { deploymentId } = call.params;
    const isDeployBranch = input.into === deployBranch;
    const { settings } = await requireDeploymentAction(db, call.principal, deploymentId, 'SchemaUpdate');
    if (isDeployBranch && (settings.deployBranchMergeAllowed === false || settings.deployBranchReadOnly === true)) {
      throw new PlatformError(409, 'The settings of this deployment do not allow merges to the deploy branch.');
    }
    const check = async (commit: string) => {
      const { problems } = isDeployBranch ? await checks.check(deploymentId, repository, commit) : { problems: [] };
      if (problems.length === 0) return;
      throw new PlatformError(409, 'The merged model does not compile. Validate the branch, and fix the errors.');
    };
    const { isMerged } = await repository.merge(branchName, { ...input, check });
    if (input.isBranchDeleted) await deleteEnvironmentsOfBranch(db, deploymentId, branchName);
    // A failure must not fail the merge. In this case, the recurring check requests the run.
    if (isMerged && isDeployBranch) await requestContentRun(db, deploymentId).catch(() => undefined);
    return { merged: isMerged, branchDeleted: input.isBranchDeleted === true };
  }
}

/** @throws PlatformError 400 for an invalid or repeated path. */
function changesOf(
  files: readonly { readonly path: string; readonly content: string | null }[],
  name = 'path',
): FileChanges {
  const changes = new Map<string, string | null>();
  for (const [index, { path, content }] of files.entries()) {
    const field = `body.files.${index}.${name}`;
    checkPath(path, field);
    if (changes.has(path)) throw new PlatformError(400, `${field}: is listed twice`);
    changes.set(path, content);
  }
  return changes;
}

/** Returns the base hashes that the caller has sent. */
function expectedFilesOf(
  files: readonly { readonly path: string; readonly baseHash?: string | null | undefined }[],
): ExpectedFiles {
  return new Map(files.flatMap(({ path, baseHash }) => (baseHash == null ? [] : [[path, baseHash] as const])));
}

/** @throws PlatformError 400 for an invalid or repeated path, 404 for an unknown file. */
async function renamesOf(
  repository: Repository,
  branchName: string,
  files: readonly { readonly path: string; readonly newPath: string }[],
): Promise<{ readonly changes: FileChanges; readonly expected: ExpectedFiles }> {
  const known = await repository.files(await repository.version(branchName));
  const sources = files.map(({ path }) => {
    const found = known.find(file => file.path === path);
    if (!found) throw new PlatformError(404, `The file ${path} does not exist.`);
    return found;
  });
  const contents = await repository.read(sources);
  const added = files.map(({ newPath }, index) => ({ path: newPath, content: contents[index] ?? '' }));
  const changes = new Map(changesOf(added, 'newPath'));
  for (const { path } of sources) if (!changes.has(path)) changes.set(path, null);
  const isReplaced = (path: string) => sources.some(file => file.path === path);
  const created = added
    .filter(({ path }) => !isReplaced(path))
    .map(({ path }) => [path, contract.newModelFile] as const);
  return { changes, expected: new Map([...created, ...sources.map(({ path, hash }) => [path, hash] as const)]) };
}

function showBranch({ name, head, pending, parent }: Branch, staged: ReadonlySet<string>): contract.ModelBranch {
  const id = createHash('sha256').update(name).digest().readUInt32BE() % 2 ** 31;
  return {
    id,
    name,
    lastHash: head,
    ...(parent !== null && { parentBranch: parent }),
    isStagingEnvironmentEnabled: staged.has(name),
    hasPendingChanges: pending !== null,
  };
}

/** Returns the differences of branches to the deploy branch, by name of the branch. */
async function differencesOf(
  branches: readonly Branch[],
  repository: Repository,
): Promise<ReadonlyMap<string, contract.ModelBranch['diff']>> {
  const others = branches.filter(({ name }) => name !== deployBranch);
  const compared = await repository.compareAll(others, deployBranch);
  return new Map(
    compared.map(({ isBehind, files }, index) => {
      const shown = files.slice(0, maxListedFiles).map(showDifference);
      return [others[index]?.name ?? '', { isBehind, fileCount: files.length, files: shown }];
    }),
  );
}

function showProblem({ file, line, column, message }: ModelProblemText): contract.ModelFileProblem {
  return { fileName: file, line, ...(column !== undefined && { column }), message };
}
