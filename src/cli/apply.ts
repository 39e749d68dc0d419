import { join } from 'node:path';
import { applyContent } from '../content/apply-content.js';
import type { PublishedDashboards } from '../content/apply-plan.js';
import { ContentError } from '../content/content.js';
import { Action, type Plan } from '../content/plan.js';
import { readContent } from '../content/read-content.js';
import { type CommandContext, ExitCode } from './command.js';
import type { ApplyOptions } from './content-options.js';
import { withTarget } from './target.js';

/** Creates and updates the objects of a deployment from the files of a folder. */
export async function apply(options: ApplyOptions, context: CommandContext): Promise<ExitCode> {
  const { directory, dryRun, json } = options;
  const { print, note } = context;
  try {
    const content = await readContent(directory);
    const { plan, published } = await withTarget(options.target, context, target =>
      applyContent(content, target, { dryRun, onDone: name => note(`${name}: written`) }),
    );
    const steps = stepsOf(plan);
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

type AnyStep = Plan[keyof Plan][number];

function stepsOf({ folders, reports, workbooks, dashboards, access }: Plan): AnyStep[] {
  return [...folders, ...reports, ...workbooks, ...dashboards, ...access];
}

function summaryOf(steps: readonly AnyStep[], published: PublishedDashboards): object {
  const objects = steps.map(({ kind, name, action, differences }) => ({ kind, name, action, differences }));
  return { objects, dashboards: Object.fromEntries(published) };
}

const marks = { [Action.create]: '+', [Action.change]: '~', [Action.keep]: '=' } as const;

function describe({ kind, name, action, differences }: AnyStep): string[] {
  return [`${marks[action]} ${kind} ${name}`, ...differences.map(difference => `    ${difference}`)];
}

/** Returns the lines with the public ids of the published dashboards, which pages use to embed them. */
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
