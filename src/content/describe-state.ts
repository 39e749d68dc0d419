import { isDeepStrictEqual } from 'node:util';
import type { EmbedAccessFile, FolderFile, ReportFile, WorkbookFile } from '../contract/content-files.js';
import { DashboardConfigInput } from '../contract/dashboard-input.js';
import type { DashboardConfig } from '../contract/dashboards.js';
import type { Audiences } from '../contract/embed-access.js';
import { type Report, reportSources } from '../contract/reports.js';
import type { JsonObject } from '../contract/wire.js';
import type { Workbook } from '../contract/workbooks.js';
import { folderKey, type NamedDashboard, nameReports, withoutThreads } from './content.js';
import type { DeploymentState, FolderAccess, WorkbookState } from './deployment-state.js';

type Names = Pick<DeploymentState, 'folderNames' | 'reportIds' | 'slugs'>;

/** Returns the folder tree in the format of a file. */
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

/** Returns a report in the format of a file. */
export function describeReport(report: Report, { folderNames, slugs }: Names): ReportFile {
  const { name, title, folderId, workbookId, source, jsonQuery, sqlQuery, pivotItems, meta } = report;
  const workbook = workbookId == null ? undefined : slugs.get(workbookId);
  return withoutGaps({
    name,
    title,
    folder: folderPath(folderId, folderNames),
    workbook,
    source: reportSources.find(known => known === source),
    query: jsonQuery ? readQuery(jsonQuery) : undefined,
    sqlQuery: sqlQuery || undefined,
    pivotItems: pivotItems == null ? undefined : Object(pivotItems),
    meta: meta == null ? undefined : Object(meta),
  });
}

/** Returns a workbook in the format of a file. */
export function describeWorkbook({ workbook, access }: WorkbookState, names: Names): WorkbookFile {
  const { name, folderId, meta } = workbook;
  const { dashboardDraft: _draft, ...rest } = meta;
  const dashboard = describeDraft(workbook, names);
  return withoutGaps({
    name,
    folder: folderPath(folderId, names.folderNames),
    meta: Object.keys(rest).length > 0 ? rest : undefined,
    dashboard,
    publish: describePublication(workbook, dashboard, names),
    embedAccess: describeAccess(access),
  });
}

/** Returns the draft of a workbook's dashboard; `undefined` if there is none. */
export function describeDraft({ name, dashboardDraft }: Workbook, names: Names): NamedDashboard | undefined {
  return dashboardDraft == null ? undefined : describeDashboard(dashboardDraft, name, names);
}

/** Returns the published dashboard without the threads of its AI widgets; `undefined` if not published. */
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
  const fields = withoutGaps({ title, description, dashboard: isDraft ? undefined : dashboard });
  return Object.keys(fields).length > 0 ? fields : true;
}

/** Returns the access to a dashboard or to the published content of a folder; `undefined` if there is none. */
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

/** @throws Error if a newer platform returns content that this version cannot write. */
function describeDashboard(config: DashboardConfig, workbook: string, { reportIds }: Names): NamedDashboard {
  const read = DashboardConfigInput.safeParse(config);
  if (!read.success) {
    const place = read.error.issues[0]?.path.map(String).join('.');
    throw new Error(
      `The dashboard of ${workbook} contains content at ${place} that this version of pa-platform does not support. Update pa-embed.`,
    );
  }
  return nameReports(read.data, id => reportIds.get(id));
}

/**
 * Returns the names of a folder and its ancestors, outermost first; `undefined` at the root, and in a folder that no
 * file can name.
 */
function folderPath(folderId: number | null | undefined, names: Names['folderNames']): string[] | undefined {
  const path = folderId == null ? undefined : names.get(folderId);
  return path && [...path];
}

function readQuery(text: string): JsonObject | undefined {
  const query: unknown = JSON.parse(text);
  return typeof query === 'object' && query !== null && !Array.isArray(query) ? Object(query) : undefined;
}

/** Removes keys with a value of `null` or `undefined`. */
export function withoutGaps<T extends object>(record: T): { [K in keyof T]?: Exclude<T[K], null | undefined> } {
  const entries = Object.entries(record).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], null | undefined> };
}
