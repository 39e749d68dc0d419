import { getWorkbook } from '../client/operations/workbooks.js';
import type { ContentKind } from '../contract/content-batches.js';
import type { DashboardConfig } from '../contract/dashboards.js';
import type { AccountState } from './account-state.js';
import { type Content, eachFolder, folderKey, namedReports } from './content.js';
import type { DeploymentState, PlacedItem, Target, WorkbookState } from './deployment-state.js';
import { dashboardsOf } from './read-content.js';

/** An object that the owner of the files created, and that the files do not contain. */
export interface Removal {
  readonly kind: ContentKind;
  /** Name in the files. */
  readonly name: string;
  /** `null` for a variable. */
  readonly id: number | null;
}

/** An object that cannot be removed without an effect on other content. */
export interface RetainedObject extends Removal {
  readonly reason: string;
}

/** Objects to remove, in the order of their removal, and objects to keep. */
export interface Removals {
  readonly removals: readonly Removal[];
  readonly retained: readonly RetainedObject[];
}

/**
 * The state that the removals are compared with. `workbooks` contains the existing workbooks that have a file, by slug.
 */
interface RemovalContext {
  readonly state: DeploymentState;
  readonly account: AccountState;
  readonly workbooks: ReadonlyMap<string, WorkbookState>;
}

/** Order of removal: objects before the objects that they refer to. */
const order: readonly ContentKind[] = ['notification', 'group', 'role', 'report', 'workbook', 'folder', 'variable'];

/**
 * Plans the removal of the objects that the owner of the files created, and that the files do not contain. Keeps a
 * report that a dashboard uses, and a folder or workbook that contains something that is not removed.
 */
export async function planRemovals(content: Content, context: RemovalContext, target: Target): Promise<Removals> {
  const candidates = order.flatMap(kind => missingObjects(kind, content, context));
  const { state } = context;
  const usedBy = candidates.some(({ kind }) => kind === 'report')
    ? await findUses(content, context, target)
    : new Map<number, Use[]>();
  const retained: RetainedObject[] = [];
  let removals = candidates;
  // Keeping an object can require to keep the folder or workbook that contains it.
  for (;;) {
    const blocked = removals.flatMap(object => {
      const reason = blockerOf(object, removals, content, state, usedBy);
      return reason === null ? [] : [{ ...object, reason }];
    });
    if (blocked.length === 0) return { removals, retained };
    retained.push(...blocked);
    removals = removals.filter(({ kind, id, name }) =>
      blocked.every(other => other.kind !== kind || other.id !== id || other.name !== name),
    );
  }
}

/** Workbook whose dashboard uses a report. */
interface Use {
  /** `null` for a workbook of the files, which is not removed. */
  readonly workbookId: number | null;
  readonly name: string;
}

function missingObjects(kind: ContentKind, content: Content, { state, account }: RemovalContext): Removal[] {
  const owned = account.managed.filter(object => object.kind === kind && object.owner === content.owner);
  const ids = new Set(owned.flatMap(({ id }) => id ?? []));
  const missing = (
    known: Iterable<readonly [string, number]>,
    listed: ReadonlySet<string> | ReadonlyMap<string, unknown>,
  ) => [...known].filter(([name, id]) => ids.has(id) && !listed.has(name)).map(([name, id]) => ({ kind, name, id }));
  switch (kind) {
    case 'folder': {
      const listed = new Set(eachFolder(content.folders?.content ?? []).map(([names]) => folderKey(names)));
      const found = missing(
        [...state.folders].map(([key, { id }]) => [key, id] as const),
        listed,
      );
      // Subfolders first.
      return found
        .map(({ name: key, ...rest }) => ({ ...rest, names: JSON.parse(key) as string[] }))
        .sort((a, b) => b.names.length - a.names.length)
        .map(({ names, ...rest }) => ({ ...rest, name: names.join(' / ') }));
    }
    case 'report':
      return missing(
        [...state.reports].map(([name, { id }]) => [name, id] as const),
        content.reports,
      );
    case 'workbook':
      return missing(state.workbooks, content.workbooks);
    case 'notification': {
      const known = [...account.notifications].map(([name, { notification }]) => [name, notification.id] as const);
      return missing(known, content.notifications);
    }
    case 'role':
      return missing(
        [...account.roles].map(([name, { id }]) => [name, id] as const),
        content.roles,
      );
    case 'group':
      return missing(
        [...account.groups].map(([name, { id }]) => [name, id] as const),
        content.groups,
      );
    case 'variable':
      return owned.flatMap(({ name }) =>
        name == null || content.variables.has(name) ? [] : [{ kind, name, id: null }],
      );
  }
}

/** Returns the reason to keep an object; `null` if there is none. */
function blockerOf(
  { kind, id }: Removal,
  removals: readonly Removal[],
  content: Content,
  state: DeploymentState,
  usedBy: ReadonlyMap<number, readonly Use[]>,
): string | null {
  if (id === null) return null;
  if (kind === 'report') {
    const isGone = ({ workbookId }: Use) => removals.some(each => each.kind === 'workbook' && each.id === workbookId);
    const use = usedBy.get(id)?.find(each => !isGone(each));
    return use === undefined ? null : `the dashboard of ${use.name} uses it`;
  }
  if (kind !== 'folder' && kind !== 'workbook') return null;
  const isGone = (item: PlacedItem) => removals.some(removal => removal.kind === item.kind && removal.id === item.id);
  const item = state.items.find(each => !isGone(each) && placeOf(each, kind, content, state) === id);
  return item ? `it contains the ${item.kind} ${item.name}` : null;
}

/** Returns the folder or workbook that contains an item after the files are applied; `null` if there is none. */
function placeOf(
  item: PlacedItem,
  kind: 'folder' | 'workbook',
  content: Content,
  state: DeploymentState,
): number | null {
  const file = fileOf(item, content, state);
  if (kind === 'workbook') {
    const workbook = file && 'workbook' in file ? file.workbook : undefined;
    return workbook === undefined ? item.workbookId : (state.workbooks.get(workbook) ?? null);
  }
  return file?.folder === undefined ? item.folderId : (state.folders.get(folderKey(file.folder))?.id ?? null);
}

function fileOf({ kind, id }: PlacedItem, content: Content, state: DeploymentState) {
  if (kind === 'report') return content.reports.get(state.reportIds.get(id) ?? '')?.content;
  return kind === 'workbook' ? content.workbooks.get(state.slugs.get(id) ?? '')?.content : undefined;
}

/** Returns the workbooks that use reports after the files are applied, by the ids of the reports. */
async function findUses(
  content: Content,
  { state, workbooks }: RemovalContext,
  { connection, deploymentId, signal }: Target,
): Promise<ReadonlyMap<number, Use[]>> {
  const uses = new Map<number, Use[]>();
  const add = (reportId: number, use: Use) => uses.set(reportId, [...(uses.get(reportId) ?? []), use]);
  for (const [slug, { content: file }] of content.workbooks) {
    for (const { report } of dashboardsOf(file).flatMap(([, dashboard]) => namedReports(dashboard))) {
      const used = state.reports.get(report);
      if (used) add(used.id, { workbookId: null, name: slug });
    }
  }
  for (const { kind, id, name } of state.items) {
    if (kind !== 'workbook') continue;
    const slug = state.slugs.get(id) ?? '';
    const file = content.workbooks.get(slug)?.content;
    const workbook =
      workbooks.get(slug)?.workbook ?? (await getWorkbook(connection, { deploymentId, workbookId: id }, { signal }));
    const drafts = file?.dashboard ? [] : [workbook.dashboardDraft];
    const published = file?.publish === undefined ? [workbook.publishedDashboard?.config] : [];
    for (const config of [...drafts, ...published])
      for (const used of reportsIn(config)) add(used, { workbookId: id, name });
  }
  return uses;
}

function reportsIn(config: DashboardConfig | null | undefined): number[] {
  return (config?.widgets ?? []).flatMap(({ config }) =>
    typeof config?.reportId === 'number' ? [config.reportId] : [],
  );
}
