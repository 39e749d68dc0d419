import { type AccountState, readAccount, readAccountFor } from './account-state.js';
import { type Adoption, applyPlan, type Plan, type PublishedDashboards } from './apply-plan.js';
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
import { planContent } from './plan.js';
import { type Environment, planAccount } from './plan-account.js';
import { planRemovals, type Removals } from './plan-removals.js';

/** A plan, and the dashboards that it published: none after a dry run. */
export interface AppliedContent {
  readonly plan: Plan;
  readonly published: PublishedDashboards;
  /** Whether the plan was executed. */
  readonly isDone: boolean;
}

/** Options of `applyContent`. */
export interface ApplyContentOptions {
  /** Whether to only plan. */
  readonly dryRun?: boolean;
  /** Whether to remove the objects that the owner of the files created, and that the files do not contain. */
  readonly prune?: boolean;
  /** Whether the owner of the files adopts the existing objects that the files contain. */
  readonly adopt?: boolean;
  /** Environment with the values of variables (`PA_VAR_*`); empty by default. */
  readonly environment?: Environment;
  /** Called with the plan before it is executed. Returns whether to execute it. */
  readonly confirm?: (plan: Plan) => Promise<boolean>;
  /** Called with every object that was written or removed. */
  readonly onDone?: (name: string) => void;
}

/**
 * Creates, updates and removes the objects of a deployment to match the files of a folder (`readContent`), in one
 * transaction.
 * @throws ContentError if a file does not suit the deployment or the platform rejects it; PaError if a request fails.
 */
export async function applyContent(
  content: Content,
  target: Target,
  options: ApplyContentOptions,
): Promise<AppliedContent> {
  const { dryRun = false, prune = false, adopt = false, environment = {}, confirm, onDone = () => undefined } = options;
  await checkTarget(content, target);
  const state = await readDeployment(target);
  const account = prune ? await readAccount(target) : await readAccountFor(content, target);
  const workbooks = await readWorkbooks(content, state, target);
  const plan = await planFor(content, { state, account, workbooks, environment, prune }, target);
  if (dryRun || !((await confirm?.(plan)) ?? true)) return { plan, published: new Map(), isDone: false };
  const adoptions = adopt ? adoptedObjects(content, state, account) : [];
  const context = { owner: content.owner, state, account, adoptions, onDone, dashboardIds: dashboardIdsOf(workbooks) };
  return { plan, published: await applyPlan(plan, context, target), isDone: true };
}

interface PlanInput {
  readonly state: DeploymentState;
  readonly account: AccountState;
  readonly workbooks: ReadonlyMap<string, WorkbookState>;
  readonly environment: Environment;
  readonly prune: boolean;
}

async function planFor(content: Content, input: PlanInput, target: Target): Promise<Plan> {
  const { state, account, workbooks, environment, prune } = input;
  const shared = eachFolder(content.folders?.content ?? []).filter(([, { embedAccess }]) => embedAccess);
  const keys = shared.map(([names]) => folderKey(names));
  const folderAccess = await readFolderAccess(target, state, keys);
  const dashboards = new Map([...dashboardIdsOf(workbooks)].map(([slug, id]) => [id, slug]));
  const names = { ...state, dashboards, deploymentId: target.deploymentId };
  const nothing: Removals = { removals: [], retained: [] };
  return {
    ...planContent(content, state, { workbooks, folderAccess }),
    ...planAccount(content, { state, account, names, environment }),
    ...(prune ? await planRemovals(content, { state, account, workbooks }, target) : nothing),
  };
}

/** Returns the ids of published dashboards by the slugs of their workbooks. */
function dashboardIdsOf(workbooks: ReadonlyMap<string, WorkbookState>): ReadonlyMap<string, number> {
  return new Map(
    [...workbooks].flatMap(([slug, { workbook }]) =>
      workbook.publishedDashboard == null ? [] : [[slug, workbook.publishedDashboard.id] as const],
    ),
  );
}

/** Reads the workbooks that the files contain, and those to whose dashboards they refer. */
async function readWorkbooks(
  content: Content,
  { workbooks }: DeploymentState,
  target: Target,
): Promise<ReadonlyMap<string, WorkbookState>> {
  const policies = [...content.roles.values()].flatMap(({ content: role }) => role.policies ?? []);
  const named = policies.flatMap(({ resourceType, resources }) => (resourceType === 'Dashboard' ? resources : []));
  const slugs = new Set([
    ...content.workbooks.keys(),
    ...[...content.notifications.values()].map(({ content: { dashboard } }) => dashboard),
    ...named.map(String),
  ]);
  const found = new Map<string, WorkbookState>();
  for (const slug of slugs) {
    const id = workbooks.get(slug);
    if (id !== undefined) found.set(slug, await readWorkbook(target, id));
  }
  return found;
}

/** Returns the existing objects that the files contain. */
function adoptedObjects(content: Content, state: DeploymentState, account: AccountState): Adoption[] {
  const named = (kind: Adoption['kind'], names: Iterable<string>, idOf: (name: string) => number | undefined) =>
    [...names].flatMap(name => {
      const id = idOf(name);
      return id === undefined ? [] : [{ kind, id }];
    });
  const folders = eachFolder(content.folders?.content ?? []).map(([names]) => folderKey(names));
  return [
    ...named('folder', folders, key => state.folders.get(key)?.id),
    ...named('report', content.reports.keys(), publicId => state.reports.get(publicId)?.id),
    ...named('workbook', content.workbooks.keys(), slug => state.workbooks.get(slug)),
    ...named('notification', content.notifications.keys(), name => account.notifications.get(name)?.notification.id),
    ...named('role', content.roles.keys(), name => account.roles.get(name)?.id),
    ...named('group', content.groups.keys(), name => account.groups.get(name)?.id),
    ...[...content.variables.keys()]
      .filter(name => account.variables.has(name))
      .map(name => ({ kind: 'variable', name }) as const),
  ];
}
