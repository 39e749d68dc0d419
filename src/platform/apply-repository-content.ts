import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Hono } from 'hono';
import { PaError } from '../client/errors.js';
import { applyContent } from '../content/apply-content.js';
import type { Plan } from '../content/apply-plan.js';
import { type Content, ContentError, type ContentProblem } from '../content/content.js';
import type { Target } from '../content/deployment-state.js';
import { Action } from '../content/plan-step.js';
import { readContent } from '../content/read-content.js';
import type { Principal } from './auth/principal.js';
import { adminRights } from './auth/rights.js';
import { errorBody, statusOf, toPlatformError } from './http/error-response.js';
import type { RouteDeps } from './http/route-deps.js';
import {
  type AppliedRepositoryContent,
  type ApplyRepositoryContent,
  contentFolder,
  type RepositoryContent,
} from './models/content-runs/run-content.js';
import { platformRoutes } from './platform-routes.js';
import { makeProcessFolder } from './runtime/process-folder.js';

/** Base URL of the requests, which are handled in this process and never sent over the network. */
const origin = 'https://content.invalid';
const maxRunMs = 10 * 60_000;
/** Kinds of objects that belong to the account, or contain secrets. */
const accountKinds: ReadonlySet<string> = new Set(['role', 'group', 'variable']);
const accountFiles = 'roles, groups and variables are not applied from a repository: apply them with pa-platform apply';

/**
 * Creates the function that applies the content of a repository with the code of `pa-platform apply`, over requests to
 * the routes of the platform in this process, as an administrator.
 */
export function createContentApplier(deps: RouteDeps): ApplyRepositoryContent {
  return async content => {
    const directory = await makeProcessFolder('content');
    try {
      await writeFiles(directory, content.files);
      return await apply(directory, content, deps);
    } catch (error) {
      const lines = linesOf(error);
      if (lines === null) throw error;
      return { isApplied: false, lines };
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  };
}

async function writeFiles(directory: string, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, text] of files) {
    const target = join(directory, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
  }
}

async function apply(
  directory: string,
  { deploymentId, prune, signal, ...caller }: RepositoryContent,
  deps: RouteDeps,
): Promise<AppliedRepositoryContent> {
  const content = await readContent(directory, contentFolder);
  rejectAccountFiles(content);
  const target: Target = { connection: connectionOf(caller, deps), deploymentId, signal };
  const lines: string[] = [];
  const kept: string[] = [];
  const { plan, isDone } = await applyContent(content, target, {
    prune,
    onDone: line => lines.push(line),
    confirm: async planned => {
      kept.push(...accountRemovals(planned));
      return kept.length === 0;
    },
  });
  if (!isDone) return { isApplied: false, lines: kept };
  return { isApplied: true, lines: [...lines, totalsOf(plan)] };
}

/**
 * Rejects files with roles, groups and variables. Users who may merge could otherwise grant rights on the account.
 * @throws ContentError
 */
function rejectAccountFiles({ roles, groups, variables }: Content): void {
  const problems: ContentProblem[] = [roles, groups, variables].flatMap(files =>
    [...files.values()].map(({ problem }) => problem([], accountFiles)),
  );
  if (problems.length > 0) throw new ContentError(problems);
}

/** Returns a line per role, group or variable that the plan would remove. */
function accountRemovals({ removals }: Plan): string[] {
  return removals
    .filter(({ kind }) => accountKinds.has(kind))
    .map(({ kind, name }) => {
      const fix = 'Set another owner in content.yml, or turn off pruneContent.';
      return `${kind} ${name} has the same owner and would be removed. Nothing was changed. ${fix}`;
    });
}

function totalsOf(plan: Plan): string {
  const { variables, folders, reports, workbooks, dashboards, access, roles, groups, notifications, removals } = plan;
  const steps = [variables, folders, reports, workbooks, dashboards, access, roles, groups, notifications].flat();
  const count = (requested: Action) => steps.filter(({ action }) => action === requested).length;
  const [created, changed, unchanged] = [Action.create, Action.change, Action.keep].map(count);
  return `${created} created, ${changed} changed, ${removals.length} removed, ${unchanged} unchanged`;
}

/** Returns the reasons why the content was rejected; `null` for failures that a retry can help against. */
function linesOf(error: unknown): string[] | null {
  if (error instanceof ContentError) {
    return error.problems.map(({ file, line, message }) => `${contentFolder}${file}:${line}: ${message}`);
  }
  const isRejected = error instanceof PaError && error.status !== null && error.status < 500 && error.status !== 429;
  return isRejected ? [`${error.message} Nothing was changed.`] : null;
}

/** Returns a connection to the routes of the platform, on which every request has the rights of an administrator. */
function connectionOf(
  { userId, requestId }: Pick<RepositoryContent, 'userId' | 'requestId'>,
  deps: RouteDeps,
): Target['connection'] {
  const principal: Principal = {
    kind: 'person',
    userId,
    method: 'password',
    sessionKey: requestId,
    expiresAt: new Date(Date.now() + maxRunMs),
    rights: adminRights,
  };
  const app = new Hono({ strict: false });
  app.route('/', platformRoutes({ ...deps, authenticate: async () => principal }));
  app.onError((error, context) => {
    const problem = toPlatformError(error);
    if (problem.status >= 500) deps.onFailure(error, requestId);
    return context.json(errorBody(problem), statusOf(problem));
  });
  return {
    baseUrl: origin,
    token: requestId,
    fetch: async (input, init) => app.request(new Request(input, init)),
    newRequestId: () => requestId,
  };
}
