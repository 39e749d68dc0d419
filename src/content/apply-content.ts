import { applyPlan, type PublishedDashboards } from './apply-plan.js';
import { checkTarget } from './check-target.js';
import { type Content, eachFolder, folderKey } from './content.js';
import {
  type DeploymentState,
  readDeployment,
  readFolderAccess,
  readWorkbook,
  type Target,
  type WorkbookState,
} from './deployment-state.js';
import { type Plan, planContent } from './plan.js';

/** A plan, and the dashboards that it published: none after a dry run. */
export interface AppliedContent {
  readonly plan: Plan;
  readonly published: PublishedDashboards;
}

/**
 * Creates and updates the objects of a deployment from the files of a folder (`readContent`).
 * @param options - `dryRun` only plans. `onDone` is called with every object that was written.
 * @throws ContentError if a file does not suit the deployment or the platform rejects it; PaError if a request fails.
 */
export async function applyContent(
  content: Content,
  target: Target,
  { dryRun, onDone }: { readonly dryRun: boolean; readonly onDone: (name: string) => void },
): Promise<AppliedContent> {
  await checkTarget(content, target);
  const state = await readDeployment(target);
  const plan = await planFor(content, state, target);
  return { plan, published: dryRun ? new Map() : await applyPlan(plan, state, target, onDone) };
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
