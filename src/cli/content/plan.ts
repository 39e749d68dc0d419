import { isDeepStrictEqual } from 'node:util';
import type { EmbedAccessFile, FolderFile, ReportFile, WorkbookFile } from '../../contract/content-files.js';
import type { Report } from '../../contract/reports.js';
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
import { type Difference, differencesOf } from './differences.js';
import { nameProblems } from './name-problems.js';

/** What becomes of an object. */
export const Action = { create: 'create', change: 'change', keep: 'keep' } as const;
/** What becomes of an object. */
export type Action = (typeof Action)[keyof typeof Action];

/** One object of the files, and what becomes of it. */
export interface Step<K extends string, F> {
  readonly kind: K;
  readonly name: string;
  readonly action: Action;
  readonly differences: readonly Difference[];
  /** What is to be sent: the fields that differ. */
  readonly change: F;
}

/** A folder: `position` where it must be set for the order of the file to hold. */
export interface FolderChange {
  readonly names: readonly string[];
  readonly position?: number;
}
/** A dashboard about to be published. */
export interface Publishing {
  readonly dashboard: NamedDashboard;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}

/** A report: `cleared` is the query that it has there and by its file has no more, in the name that it is sent by. */
export interface ReportStep extends Step<'report', ReportFile> {
  readonly source: Located<ReportFile>;
  readonly cleared: 'jsonQuery' | 'sqlQuery' | null;
}

/** Who may see a dashboard, or what is published in a folder, from now on, and who might before. */
export interface AccessStep extends Step<'access', EmbedAccessFile> {
  readonly source: Located<unknown>;
  /** The slug of a workbook, or the way to a folder. */
  readonly place: { readonly slug: string } | { readonly folder: string };
  readonly before: { readonly tenants: readonly string[] };
}

/** Steps in the order in which they are taken. */
export interface Plan {
  readonly folders: readonly Step<'folder', FolderChange>[];
  readonly reports: readonly ReportStep[];
  readonly workbooks: readonly (Step<'workbook', WorkbookFile> & { readonly source: Located<WorkbookFile> })[];
  readonly dashboards: readonly (Step<'dashboard', Publishing> & { readonly source: Located<WorkbookFile> })[];
  readonly access: readonly AccessStep[];
}

/**
 * Finds out what has to change for a deployment to hold what the files say.
 * @param found - of the workbooks and folders of the files, those that are there already.
 * @throws ContentError where the files name what neither they nor the deployment have.
 */
export function planContent(
  content: Content,
  state: DeploymentState,
  {
    workbooks,
    folderAccess,
  }: { readonly workbooks: ReadonlyMap<string, WorkbookState>; readonly folderAccess: FolderAccess },
): Plan {
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

/** Parents before what is in them. Places are set only where siblings would not stand in the order of the file by themselves. */
function planFolders(
  siblings: readonly FolderFile[],
  way: readonly string[],
  state: DeploymentState,
): Step<'folder', FolderChange>[] {
  const found = siblings.map(({ name }) => state.folders.get(folderKey([...way, name])));
  const order = [...state.folders.values()];
  const places = found.map(folder => (folder ? order.indexOf(folder) : Number.POSITIVE_INFINITY));
  const isOrdered = places.every((place, index) => index === 0 || (places[index - 1] ?? 0) <= place);
  return siblings.flatMap(({ name, folders = [] }, index) => {
    const names = [...way, name];
    const before = found[index];
    const moves = !isOrdered && before?.position !== index;
    const step: Step<'folder', FolderChange> = {
      kind: 'folder',
      name: names.join(' / '),
      action: before ? (moves ? Action.change : Action.keep) : Action.create,
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
  const differences = [...compared.differences, `${cleared === 'jsonQuery' ? 'query' : cleared} goes`];
  return { ...step, ...compared, action: Action.change, differences, cleared };
}

/** A file that has a query in one form alone means that: one in the other form would come before it, or stand beside it. */
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
): Plan['workbooks'][number] {
  const { publish: _publish, embedAccess: _access, ...wanted } = source.content;
  const found = before && describeWorkbook(before, state);
  // Keys of `meta` are merged: those that a file leaves out stay.
  const meta = wanted.meta && { meta: { ...found?.meta, ...wanted.meta } };
  const compared = compare(found, withFolder({ ...wanted, ...meta }, before?.workbook.folderId));
  const change = compared.change.meta && wanted.meta ? { ...compared.change, meta: wanted.meta } : compared.change;
  return { kind: 'workbook', name: slug, source, ...compared, change };
}

/** What is at the root says nothing of a folder: a file that wants it there is content with that. */
function withFolder<T extends { readonly folder?: string[] | undefined }>(
  wanted: T,
  folderId: number | null | undefined,
): T {
  if (wanted.folder?.length !== 0 || folderId != null) return wanted;
  const { folder: _root, ...rest } = wanted;
  return rest as T;
}

function compare<T extends object>(
  found: T | undefined,
  wanted: T,
): { readonly action: Action; readonly differences: Difference[]; readonly change: T } {
  const fields = Object.entries(wanted).filter(([, value]) => value !== null && value !== undefined);
  const differing = fields.filter(([field, value]) => !isDeepStrictEqual(Object(found)[field], value));
  const action = !found ? Action.create : differing.length > 0 ? Action.change : Action.keep;
  const differences = found
    ? differing.flatMap(([field, value]) => differencesOf(field, Object(found)[field], value))
    : [];
  return { action, differences, change: Object.fromEntries(differing) as T };
}

function planDashboard(
  slug: string,
  source: Located<WorkbookFile>,
  before: WorkbookState | undefined,
  state: DeploymentState,
  changed: ReadonlySet<string>,
): Plan['dashboards'] {
  const { publish, dashboard: ownDraft } = source.content;
  if (publish === undefined) return [];
  const said = publish === true ? {} : publish;
  const dashboard = said.dashboard ?? ownDraft ?? (before && describeDraft(before.workbook, state));
  if (!dashboard) {
    throw new ContentError([
      source.problem(['publish'], 'publish: there is no dashboard to publish: write it as dashboard'),
    ]);
  }
  const { title, description } = said;
  const step = { kind: 'dashboard', name: slug, source, change: { dashboard, title, description } } as const;
  const found = before && describePublished(before.workbook, state);
  if (!found) return [{ ...step, action: Action.create, differences: [] }];
  const differences = [
    ...differencesOf('dashboard', found.dashboard, withoutThreads(dashboard)),
    ...(title === undefined || title === before.workbook.publishedDashboard?.title
      ? []
      : differencesOf('title', before.workbook.publishedDashboard?.title, title)),
    ...(description === undefined || description === before.workbook.publishedDashboard?.description
      ? []
      : differencesOf('description', before.workbook.publishedDashboard?.description, description)),
    ...staleReports(before, state, dashboard, changed).map(report => `report ${report}`),
  ];
  return [{ ...step, action: differences.length > 0 ? Action.change : Action.keep, differences }];
}

/** Reports that changed, or are about to, since the dashboard was published: it shows them as they were. */
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

function planAccess(slug: string, source: Located<WorkbookFile>, before: WorkbookState | undefined): Plan['access'] {
  const { embedAccess } = source.content;
  if (!embedAccess) return [];
  const isPublished = source.content.publish !== undefined || before?.workbook.publishedDashboard != null;
  if (embedAccess.allowEmbed !== undefined && !isPublished) {
    const message = 'embedAccess.allowEmbed: needs a published dashboard: write publish: true';
    throw new ContentError([source.problem(['embedAccess', 'allowEmbed'], message)]);
  }
  const nothing = { allowEmbed: false, allEmbedUsers: false, tenants: [] };
  const found = before ? { ...nothing, ...describeAccess(before.access) } : nothing;
  const wanted = { ...embedAccess, ...(embedAccess.tenants && { tenants: [...embedAccess.tenants].sort() }) };
  const place = { slug };
  return [
    { kind: 'access', name: slug, source, place, before: { tenants: found.tenants ?? [] }, ...compare(found, wanted) },
  ];
}

function planFolderAccess(source: Content['folders'], access: FolderAccess): AccessStep[] {
  if (!source) return [];
  return eachFolder(source.content).flatMap(([names, { embedAccess }]) => {
    if (!embedAccess) return [];
    const before = access.get(folderKey(names));
    const found = { allEmbedUsers: false, tenants: [], ...(before && describeAccess(before)) };
    const wanted = { ...embedAccess, ...(embedAccess.tenants && { tenants: [...embedAccess.tenants].sort() }) };
    const step = { kind: 'access', name: names.join(' / '), source, place: { folder: folderKey(names) } } as const;
    return [{ ...step, before: { tenants: found.tenants ?? [] }, ...compare<EmbedAccessFile>(found, wanted) }];
  });
}
