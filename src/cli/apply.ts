import { join } from 'node:path';
import { type CommandContext, ExitCode } from './command.js';
import { applyPlan, type PublishedDashboards } from './content/apply-plan.js';
import { type Content, ContentError, eachFolder, folderKey } from './content/content.js';
import {
  type DeploymentState,
  readDeployment,
  readFolderAccess,
  readWorkbook,
  type Target,
  type WorkbookState,
} from './content/deployment-state.js';
import { Action, type Plan, planContent } from './content/plan.js';
import { readContent } from './content/read-content.js';
import { checkTarget, withTarget } from './content/target.js';
import type { ApplyOptions } from './content-options.js';

/** Creates and updates the objects of a deployment from the files of a folder. */
export async function apply(options: ApplyOptions, context: CommandContext): Promise<ExitCode> {
  const { directory, dryRun, json } = options;
  const { print, note } = context;
  try {
    const content = await readContent(directory);
    const { steps, published } = await withTarget(options.target, context, async target => {
      await checkTarget(content, target);
      const state = await readDeployment(target);
      const plan = await planFor(content, state, target);
      const written = dryRun ? new Map() : await applyPlan(plan, state, target, name => note(`${name}: written`));
      return { steps: stepsOf(plan), published: written };
    });
    if (json) print(JSON.stringify(summaryOf(steps, published)));
    else for (const line of dryRun ? outlook(steps) : [...totals(steps), ...addresses(published)]) print(line);
    return ExitCode.done;
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    if (json) print(JSON.stringify({ problems: error.problems }));
    else for (const { file, line, message } of error.problems) note(`${join(directory, file)}:${line}: ${message}`);
    return ExitCode.failed;
  }
}

async function planFor(content: Content, state: DeploymentState, target: Target): Promise<Plan> {
  const shared = eachFolder(content.folders?.content ?? []).filter(([, { embedAccess }]) => embedAccess);
  return planContent(content, state, {
    workbooks: await readWorkbooks(content, state.workbooks, target),
    folderAccess: await readFolderAccess(
      target,
      state,
      shared.map(([names]) => folderKey(names)),
    ),
  });
}

type AnyStep = Plan[keyof Plan][number];

function stepsOf({ folders, reports, workbooks, dashboards, access }: Plan): AnyStep[] {
  return [...folders, ...reports, ...workbooks, ...dashboards, ...access];
}

async function readWorkbooks(
  content: Content,
  ids: ReadonlyMap<string, number>,
  target: Target,
): Promise<ReadonlyMap<string, WorkbookState>> {
  const found = new Map<string, WorkbookState>();
  for (const slug of content.workbooks.keys()) {
    const id = ids.get(slug);
    if (id !== undefined) found.set(slug, await readWorkbook(target, id));
  }
  return found;
}

function summaryOf(steps: readonly AnyStep[], published: PublishedDashboards): object {
  const objects = steps.map(({ kind, name, action, differences }) => ({ kind, name, action, differences }));
  return { objects, dashboards: Object.fromEntries(published) };
}

const marks = { [Action.create]: '+', [Action.change]: '~', [Action.keep]: '=' } as const;

function describe({ kind, name, action, differences }: AnyStep): string[] {
  return [`${marks[action]} ${kind} ${name}`, ...differences.map(difference => `    ${difference}`)];
}

/** Lines with the public ids of the published dashboards, which pages use to embed them. */
function addresses(published: PublishedDashboards): string[] {
  return [...published].map(([slug, publicId]) => `dashboard ${slug}: ${publicId}`);
}

function totals(steps: readonly AnyStep[]): string[] {
  const { create, change, keep } = countActions(steps);
  return [`ok: ${create} created, ${change} changed, ${keep} unchanged`];
}

function outlook(steps: readonly AnyStep[]): string[] {
  const { create, change, keep } = countActions(steps);
  return [...steps.flatMap(describe), `ok: ${create} to create, ${change} to change, ${keep} unchanged`];
}

function countActions(steps: readonly AnyStep[]): Record<Action, number> {
  const count = (wanted: Action): number => steps.filter(({ action }) => action === wanted).length;
  return { create: count(Action.create), change: count(Action.change), keep: count(Action.keep) };
}
