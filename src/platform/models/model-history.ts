import type { Hono } from 'hono';
import * as contract from '../../contract/model-history.js';
import { PlatformError } from '../errors.js';
import { pageOfList } from '../http/paging.js';
import type { RouteDeps } from '../http/route-deps.js';
import { serve } from '../http/serve.js';
import { checkPath, deployBranch } from './git/paths.js';
import { branchAction, RepositoryAccess } from './repository-access.js';
import { showDifference } from './show-difference.js';

/** Maximum number of commits that a list contains. */
const maxCommits = 1_000;
/** Maximum length of a unified diff in characters. */
const maxPatch = 2_000_000;

/** Mounts the routes for the history of models, which is an extension: differences, commits and reverts. */
export function mountModelHistory(app: Hono, deps: RouteDeps): void {
  const access = new RepositoryAccess(deps);

  serve(app, contract.diffModel, deps, async call => {
    const repository = await access.open(call, 'SchemaRead');
    const { branchName, withPatch } = call.query;
    const { base, version, files, ...state } = await repository.compare(branchName, deployBranch);
    const patch = withPatch === true ? await repository.patch(base, version) : null;
    if (patch !== null && patch.length > maxPatch) {
      throw new PlatformError(400, 'query.withPatch: the differences are too large; omit it, and read single files');
    }
    return { branchName, ...state, files: files.map(showDifference), ...(patch !== null && { patch }) };
  });

  serve(app, contract.listModelCommits, deps, async call => {
    const repository = await access.open(call, 'SchemaRead');
    const { branchName, ...page } = call.query;
    const { items, pageInfo } = pageOfList(await repository.commits(branchName ?? deployBranch, maxCommits), page);
    return { items: items.map(item => ({ ...item, committedAt: item.committedAt.toISOString() })), pageInfo };
  });

  serve(app, contract.revertModel, deps, call =>
    access.changeBranch(contract.revertModel, call, branchAction, async (repository, author) => {
      const { branchName, commit, paths, fromDeployBranch } = call.body;
      if ((commit == null) === (paths == null)) throw new PlatformError(400, 'body: must have either commit or paths');
      for (const [index, path] of (paths ?? []).entries()) checkPath(path, `body.paths.${index}`);
      if (commit != null) await repository.revertCommit(branchName, commit, author);
      else await repository.restoreFiles(branchName, paths ?? [], fromDeployBranch ? deployBranch : branchName, author);
      return { success: true };
    }),
  );
}
