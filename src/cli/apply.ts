import { join } from 'node:path';
import { applyContent } from '../content/apply-content.js';
import type { Plan, PublishedDashboards } from '../content/apply-plan.js';
import { ContentError } from '../content/content.js';
import { Action } from '../content/plan-step.js';
import { readContent } from '../content/read-content.js';
import { type CommandContext, ExitCode, plural, UsageError } from './command.js';
import type { ApplyOptions } from './content-options.js';
import { withTarget } from './target.js';

/** Context of `apply`. */
export interface ApplyContext extends CommandContext {
  /** Prompts for an answer in the terminal; `null` without a terminal. */
  readonly confirm: ((question: string) => Promise<boolean>) | null;
}

/** Creates, updates and, with `prune`, removes the objects of a deployment to match the files of a folder. */
export async function apply(options: ApplyOptions, context: ApplyContext): Promise<ExitCode> {
  const { directory, dryRun, prune, adopt, json, yes } = options;
  const { print, note, environment, confirm } = context;
  if (prune && !dryRun && !yes && confirm === null) {
    throw new UsageError(
      '--prune needs a confirmation: add --yes, or run the command in a terminal. --dry-run prints the plan.',
    );
  }
  try {
    const content = await readContent(directory);
    const { plan, published, isDone } = await withTarget(options.target, context, target =>
      applyContent(content, target, {
        dryRun,
        prune,
        adopt,
        environment,
        onDone: note,
        async confirm(planned) {
          if (!prune) return true;
          for (const line of outlook(planned, { prune })) (json ? note : print)(line);
          if (yes || planned.removals.length === 0) return true;
          return (
            (await confirm?.(`Remove ${plural(planned.removals.length, 'object')} and write the changes?`)) ?? false
          );
        },
      }),
    );
    const isCanceled = !isDone && !dryRun;
    if (json) print(JSON.stringify(summaryOf(plan, published)));
    else if (dryRun) for (const line of outlook(plan, { prune })) print(line);
    else if (!isCanceled) for (const line of [...totals(plan, { prune }), ...addresses(published)]) print(line);
    if (isCanceled) note('Canceled. Nothing was changed.');
    return isCanceled ? ExitCode.failed : ExitCode.done;
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    if (json) print(JSON.stringify({ problems: error.problems }));
    else for (const { file, line, message } of error.problems) note(`${join(directory, file)}:${line}: ${message}`);
    return ExitCode.failed;
  }
}

interface PlannedObject {
  readonly kind: string;
  readonly name: string;
  readonly action: Action | 'remove';
  readonly differences: readonly string[];
}

function objectsOf(plan: Plan): PlannedObject[] {
  const { variables, folders, reports, workbooks, dashboards, access, roles, groups, notifications, removals } = plan;
  const steps = [variables, folders, reports, workbooks, dashboards, access, roles, groups, notifications].flat();
  const removed = removals.map(({ kind, name }) => ({ kind, name, action: 'remove' as const, differences: [] }));
  return [...steps, ...removed].map(({ kind, name, action, differences }) => ({ kind, name, action, differences }));
}

function summaryOf(plan: Plan, published: PublishedDashboards): object {
  const retained = plan.retained.map(({ kind, name, reason }) => ({ kind, name, reason }));
  return { objects: objectsOf(plan), retained, dashboards: Object.fromEntries(published) };
}

const marks = { [Action.create]: '+', [Action.change]: '~', [Action.keep]: '=', remove: '-' } as const;

function describe({ kind, name, action, differences }: PlannedObject): string[] {
  return [`${marks[action]} ${kind} ${name}`, ...differences.map(difference => `    ${difference}`)];
}

/** Returns the lines with the public ids of the published dashboards, which pages use to embed them. */
function addresses(published: PublishedDashboards): string[] {
  return [...published].map(([slug, publicId]) => `dashboard ${slug}: ${publicId}`);
}

interface OutputOptions {
  /** Whether to report removals. */
  readonly prune: boolean;
}

function totals(plan: Plan, { prune }: OutputOptions): string[] {
  const count = countActions(objectsOf(plan));
  const removed = prune ? `, ${count('remove')} removed` : '';
  return [`ok: ${count('create')} created, ${count('change')} changed${removed}, ${count('keep')} unchanged`];
}

function outlook(plan: Plan, { prune }: OutputOptions): string[] {
  const objects = objectsOf(plan);
  const count = countActions(objects);
  const removed = prune ? `, ${count('remove')} to remove` : '';
  return [
    ...objects.flatMap(describe),
    ...plan.retained.map(({ kind, name, reason }) => `! ${kind} ${name} is not removed: ${reason}`),
    `ok: ${count('create')} to create, ${count('change')} to change${removed}, ${count('keep')} unchanged`,
  ];
}

function countActions(objects: readonly PlannedObject[]): (action: PlannedObject['action']) => number {
  return requested => objects.filter(({ action }) => action === requested).length;
}
