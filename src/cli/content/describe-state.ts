import { isDeepStrictEqual } from 'node:util';
import type { EmbedAccessFile, FolderFile, ReportFile, WorkbookFile } from '../../contract/content-files.js';
import { DashboardConfigInput } from '../../contract/dashboard-input.js';
import type { DashboardConfig } from '../../contract/dashboards.js';
import type { Audiences } from '../../contract/embed-access.js';
import { type Report, reportSources } from '../../contract/reports.js';
import type { JsonObject } from '../../contract/wire.js';
import type { Workbook } from '../../contract/workbooks.js';
import { folderKey, type NamedDashboard, nameReports, withoutThreads } from './content.js';
import type { DeploymentState, FolderAccess, WorkbookState } from './deployment-state.js';

type Names = Pick<DeploymentState, 'folderNames' | 'reportIds' | 'slugs'>;

/** The tree of folders as a file has it. */
export function describeFolders({ folders, folderNames }: DeploymentState, access: FolderAccess): FolderFile[] {
  const inside = (parentId: number | null): FolderFile[] =>
    [...folders.values()]
      .filter(folder => (folder.parentId ?? null) === parentId)
      .map(({ id, name }) => {
        const within = inside(id);
        const audiences = access.get(folderKey(folderNames.get(id) ?? []));
        const embedAccess = audiences && describeAccess(audiences);
        return { name, ...(embedAccess && { embedAccess }), ...(within.length > 0 && { folders: within }) };
      });
  return folderNames.size === 0 ? [] : inside(null);
}

/** A report as a file has it. */
export function describeReport(report: Report, { folderNames, slugs }: Names): ReportFile {
  const { name, title, folderId, workbookId, source, jsonQuery, sqlQuery, pivotItems, meta } = report;
  const workbook = workbookId == null ? undefined : slugs.get(workbookId);
  return withoutGaps({
    name,
    title,
    folder: wayTo(folderId, folderNames),
    workbook,
    source: reportSources.find(known => known === source),
    query: jsonQuery ? readQuery(jsonQuery) : undefined,
    sqlQuery: sqlQuery || undefined,
    pivotItems: pivotItems == null ? undefined : Object(pivotItems),
    meta: meta == null ? undefined : Object(meta),
  });
}

/** A workbook as a file has it. */
export function describeWorkbook({ workbook, access }: WorkbookState, names: Names): WorkbookFile {
  const { name, folderId, meta } = workbook;
  const { dashboardDraft: _draft, ...rest } = meta;
  const dashboard = describeDraft(workbook, names);
  return withoutGaps({
    name,
    folder: wayTo(folderId, names.folderNames),
    meta: Object.keys(rest).length > 0 ? rest : undefined,
    dashboard,
    publish: describePublication(workbook, dashboard, names),
    embedAccess: describeAccess(access),
  });
}

/** The draft of a workbook's dashboard; undefined where it has none. */
export function describeDraft({ name, dashboardDraft }: Workbook, names: Names): NamedDashboard | undefined {
  return dashboardDraft == null ? undefined : describeDashboard(dashboardDraft, name, names);
}

/** What is published of a workbook, without the threads of its AI widgets; undefined where nothing is. */
export function describePublished(
  { name, publishedDashboard }: Workbook,
  names: Names,
):
  | { readonly title: string | undefined; readonly description: string | undefined; readonly dashboard: NamedDashboard }
  | undefined {
  if (publishedDashboard == null) return undefined;
  const { config, title, description } = publishedDashboard;
  return {
    title: title === (config.title ?? name) ? undefined : (title ?? undefined),
    description: description === config.description ? undefined : (description ?? undefined),
    dashboard: withoutThreads(describeDashboard(config, name, names)),
  };
}

function describePublication(
  workbook: Workbook,
  draft: NamedDashboard | undefined,
  names: Names,
): WorkbookFile['publish'] {
  const published = describePublished(workbook, names);
  if (!published) return undefined;
  const isDraft = draft !== undefined && isDeepStrictEqual(withoutThreads(draft), published.dashboard);
  const { title, description, dashboard } = published;
  const said = withoutGaps({ title, description, dashboard: isDraft ? undefined : dashboard });
  return Object.keys(said).length > 0 ? said : true;
}

/** Who may see a dashboard, or what is published in a folder; undefined where nobody may. */
export function describeAccess({
  allowEmbed,
  allEmbedUsers,
  tenants,
}: Audiences & { readonly allowEmbed?: boolean }): EmbedAccessFile | undefined {
  const names = tenants.filter(({ action }) => action === 'read').map(({ embedTenantName }) => embedTenantName);
  if (!allowEmbed && !allEmbedUsers.enabled && names.length === 0) return undefined;
  return {
    ...(allowEmbed !== undefined && { allowEmbed }),
    allEmbedUsers: allEmbedUsers.enabled,
    tenants: names.sort(),
  };
}

/** @throws Error where a newer platform has what this version can't write. */
function describeDashboard(config: DashboardConfig, workbook: string, { reportIds }: Names): NamedDashboard {
  const read = DashboardConfigInput.safeParse(config);
  if (!read.success) {
    const place = read.error.issues[0]?.path.map(String).join('.');
    throw new Error(
      `The dashboard of ${workbook} holds what this version of pa-platform does not know: look at ${place}.`,
    );
  }
  return nameReports(read.data, id => reportIds.get(id));
}

/** Undefined at the root, and in a folder that no file can name. */
function wayTo(folderId: number | null | undefined, names: Names['folderNames']): string[] | undefined {
  const way = folderId == null ? undefined : names.get(folderId);
  return way && [...way];
}

function readQuery(text: string): JsonObject | undefined {
  const query: unknown = JSON.parse(text);
  return typeof query === 'object' && query !== null && !Array.isArray(query) ? Object(query) : undefined;
}

/** A record without the keys that hold nothing. */
function withoutGaps<T extends object>(record: T): { [K in keyof T]?: Exclude<T[K], null | undefined> } {
  const kept = Object.entries(record).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(kept) as { [K in keyof T]?: Exclude<T[K], null | undefined> };
}
