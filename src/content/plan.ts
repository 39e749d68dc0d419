import type { EmbedAccessFile, FolderFile, ReportFile, WorkbookFile } from '../contract/content-files.js';
import type { Report } from '../contract/reports.js';
import {
  type Content,
  ContentError,
  eachFolder,
  folderKey,
  type Located,
  type NamedDashboard,
  namedReports,
  withoutThreads,
} from './content.js';
import type { DeploymentState, FolderAccess, WorkbookState } from './deployment-state.js';
import {
  describeAccess,
  describeDraft,
  describePublished,
  describeReport,
  describeWorkbook,
} from './describe-state.js';
import { differencesOf } from './differences.js';
import { nameProblems } from './name-problems.js';
import { Action, actionFor, compare, type Step } from './plan-step.js';

/** `position` is set if the order of the file requires it. */
export interface FolderChange {
  readonly names: readonly string[];
  readonly position?: number;
}
/** Dashboard to publish. */
export interface Publishing {
  readonly dashboard: NamedDashboard;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}

/** `cleared` is the query field to clear, which is set in the stored report, but not in the file. */
export interface ReportStep extends Step<'report', ReportFile> {
  readonly source: Located<ReportFile>;
  readonly cleared: 'jsonQuery' | 'sqlQuery' | null;
}

/** New access to a dashboard or to the published content of a folder, with the tenants that have access now. */
export interface AccessStep extends Step<'access', EmbedAccessFile> {
  readonly source: Located<unknown>;
  /** Slug of a workbook or `folderKey` of a folder. */
  readonly place: { readonly slug: string } | { readonly folder: string };
  readonly before: { readonly tenants: readonly string[] };
}

/** Steps for folders, reports and workbooks, in the order of their execution. */
export interface ContentPlan {
  readonly folders: readonly Step<'folder', FolderChange>[];
  readonly reports: readonly ReportStep[];
  readonly workbooks: readonly (Step<'workbook', WorkbookFile> & { readonly source: Located<WorkbookFile> })[];
  readonly dashboards: readonly (Step<'dashboard', Publishing> & {
    readonly source: Located<WorkbookFile>;
    /** `null` if the dashboard is not published yet. */
    readonly publicId: string | null;
  })[];
  readonly access: readonly AccessStep[];
}

/**
 * Plans the changes that make a deployment match the files.
 * @param found - existing workbooks and folder access, for the names in the files.
 * @throws ContentError if the files refer to objects that neither they nor the deployment contain.
 */
export function planContent(
  content: Content,
  state: DeploymentState,
  {
    workbooks,
    folderAccess,
  }: { readonly workbooks: ReadonlyMap<string, WorkbookState>; readonly folderAccess: FolderAccess },
): ContentPlan {
  const problems = [...nameProblems(content, state)];
  if (problems.length > 0) throw new ContentError(problems);
  const reports = [...content.reports].map(([publicId, source]) => planReport(publicId, source, state));
  const changed = new Set(reports.filter(({ action }) => action !== Action.keep).map(({ name }) => name));
  const planned = [...content.workbooks].map(([slug, source]) => ({ slug, source, found: workbooks.get(slug) }));
  return {
    folders: planFolders(content.folders?.content ?? [], [], state),
    reports,
    workbooks: planned.map(({ slug, source, found }) => planWorkbook(slug, source, found, state)),
    dashboards: planned.flatMap(({ slug, source, found }) => planDashboard(slug, source, found, state, changed)),
    access: [
      ...planFolderAccess(content.folders, folderAccess),
      ...planned.flatMap(({ slug, source, found }) => planAccess(slug, source, found)),
    ],
  };
}

/**
 * Plans the folders, parents before their children. Sets positions only if the platform would order siblings
 * differently.
 */
function planFolders(
  siblings: readonly FolderFile[],
  parents: readonly string[],
  state: DeploymentState,
): Step<'folder', FolderChange>[] {
  const found = siblings.map(({ name }) => state.folders.get(folderKey([...parents, name])));
  const order = [...state.folders.values()];
  const places = found.map(folder => (folder ? order.indexOf(folder) : Number.POSITIVE_INFINITY));
  const isOrdered = places.every((place, index) => index === 0 || (places[index - 1] ?? 0) <= place);
  return siblings.flatMap(({ name, folders = [] }, index) => {
    const names = [...parents, name];
    const before = found[index];
    const moves = !isOrdered && before?.position !== index;
    const step: Step<'folder', FolderChange> = {
      kind: 'folder',
      name: names.join(' / '),
      action: actionFor(before, { differs: moves }),
      differences: before && moves ? differencesOf('position', before.position, index) : [],
      change: { names, ...(moves && { position: index }) },
    };
    return [step, ...planFolders(folders, names, state)];
  });
}

function planReport(publicId: string, source: Located<ReportFile>, state: DeploymentState): ReportStep {
  const before = state.reports.get(publicId);
  const found = before && describeReport(before, state);
  const { sqlQuery, ...others } = source.content;
  const compared = compare<ReportFile>(
    found,
    withFolder({ ...others, ...(sqlQuery && { sqlQuery }) }, before?.folderId),
  );
  const step = { kind: 'report', name: publicId, source } as const;
  const cleared = before ? clearedBy(source.content, before) : null;
  if (cleared === null) return { ...step, ...compared, cleared };
  const differences = [...compared.differences, `${cleared === 'jsonQuery' ? 'query' : cleared}: removed`];
  return { ...step, ...compared, action: Action.change, differences, cleared };
}

/**
 * Returns the query field to clear when a file changes the form of the query. If both forms were set, the previous one
 * could take precedence.
 */
function clearedBy({ query, sqlQuery }: ReportFile, before: Report): ReportStep['cleared'] {
  if (before.jsonQuery && query == null && sqlQuery) return 'jsonQuery';
  if (before.sqlQuery && (sqlQuery === '' || (query != null && sqlQuery == null))) return 'sqlQuery';
  return null;
}

function planWorkbook(
  slug: string,
  source: Located<WorkbookFile>,
  before: WorkbookState | undefined,
  state: DeploymentState,
): ContentPlan['workbooks'][number] {
  const { publish: _publish, embedAccess: _access, ...desired } = source.content;
  const found = before && describeWorkbook(before, state);
  // Merge the keys of `meta`, because keys that a file omits stay unchanged.
  const meta = desired.meta && { meta: { ...found?.meta, ...desired.meta } };
  const compared = compare(found, withFolder({ ...desired, ...meta }, before?.workbook.folderId));
  const change = compared.change.meta && desired.meta ? { ...compared.change, meta: desired.meta } : compared.change;
  return { kind: 'workbook', name: slug, source, ...compared, change };
}

/** Omits an empty folder path if the object is already at the root. */
function withFolder<T extends { readonly folder?: string[] | undefined }>(
  desired: T,
  folderId: number | null | undefined,
): T {
  if (desired.folder?.length !== 0 || folderId != null) return desired;
  const { folder: _root, ...rest } = desired;
  return rest as T;
}

function planDashboard(
  slug: string,
  source: Located<WorkbookFile>,
  before: WorkbookState | undefined,
  state: DeploymentState,
  changed: ReadonlySet<string>,
): ContentPlan['dashboards'] {
  const { publish, dashboard: ownDraft } = source.content;
  if (publish === undefined) return [];
  const options = publish === true ? {} : publish;
  const dashboard = options.dashboard ?? ownDraft ?? (before && describeDraft(before.workbook, state));
  if (!dashboard) {
    throw new ContentError([
      source.problem(['publish'], 'publish: there is no dashboard to publish; add the key dashboard'),
    ]);
  }
  const { title, description } = options;
  const publicId = before?.workbook.publishedDashboard?.publicId ?? null;
  const change = { dashboard, title, description };
  const step = { kind: 'dashboard', name: slug, source, publicId, change } as const;
  const found = before && describePublished(before.workbook, state);
  if (!found) return [{ ...step, action: Action.create, differences: [] }];
  const differences = [
    ...differencesOf('dashboard', found.dashboard, withoutThreads(dashboard)),
    ...changesOf('title', before.workbook, title),
    ...changesOf('description', before.workbook, description),
    ...staleReports(before, state, dashboard, changed).map(report => `report ${report}`),
  ];
  return [{ ...step, action: differences.length > 0 ? Action.change : Action.keep, differences }];
}

/** Returns the differences of a text of the published dashboard; none if the file does not set it. */
function changesOf(
  key: 'title' | 'description',
  { publishedDashboard }: WorkbookState['workbook'],
  desired: string | null | undefined,
): readonly string[] {
  const current = publishedDashboard?.[key];
  return desired === undefined || desired === current ? [] : differencesOf(key, current, desired);
}

/**
 * Returns the reports that changed since the dashboard was published, or that this plan changes: published dashboards
 * contain snapshots.
 */
function staleReports(
  { workbook }: WorkbookState,
  state: DeploymentState,
  dashboard: NamedDashboard,
  changed: ReadonlySet<string>,
): string[] {
  const frozen = new Map(
    workbook.publishedDashboard?.reportSnapshots.map(({ reportId, versionNumber }) => [reportId, versionNumber]),
  );
  const names = new Set(namedReports(dashboard).map(({ report }) => report));
  return [...names].filter(name => {
    const report = state.reports.get(name);
    return changed.has(name) || (report !== undefined && frozen.get(report.id) !== report.version);
  });
}

function planAccess(
  slug: string,
  source: Located<WorkbookFile>,
  before: WorkbookState | undefined,
): ContentPlan['access'] {
  const { embedAccess } = source.content;
  if (!embedAccess) return [];
  const isPublished = source.content.publish !== undefined || before?.workbook.publishedDashboard != null;
  if (embedAccess.allowEmbed !== undefined && !isPublished) {
    const message = 'embedAccess.allowEmbed: requires a published dashboard; add publish: true';
    throw new ContentError([source.problem(['embedAccess', 'allowEmbed'], message)]);
  }
  const nothing = { allowEmbed: false, allEmbedUsers: false, tenants: [] };
  const found = before ? { ...nothing, ...describeAccess(before.access) } : nothing;
  const desired = { ...embedAccess, ...(embedAccess.tenants && { tenants: [...embedAccess.tenants].sort() }) };
  const place = { slug };
  return [
    { kind: 'access', name: slug, source, place, before: { tenants: found.tenants ?? [] }, ...compare(found, desired) },
  ];
}

function planFolderAccess(source: Content['folders'], access: FolderAccess): AccessStep[] {
  if (!source) return [];
  return eachFolder(source.content).flatMap(([names, { embedAccess }]) => {
    if (!embedAccess) return [];
    const before = access.get(folderKey(names));
    const found = { allEmbedUsers: false, tenants: [], ...(before && describeAccess(before)) };
    const desired = { ...embedAccess, ...(embedAccess.tenants && { tenants: [...embedAccess.tenants].sort() }) };
    const step = { kind: 'access', name: names.join(' / '), source, place: { folder: folderKey(names) } } as const;
    return [{ ...step, before: { tenants: found.tenants ?? [] }, ...compare<EmbedAccessFile>(found, desired) }];
  });
}
