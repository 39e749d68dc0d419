import type { PlatformConnection } from '../client/http/connection.js';
import { getEmbedAccess, getFolderEmbedAccess } from '../client/operations/embed-tenants.js';
import { eachItem } from '../client/operations/pagination.js';
import { listReports } from '../client/operations/reports.js';
import { getWorkbook, getWorkbooks } from '../client/operations/workbooks.js';
import { listFolders } from '../client/operations/workspace.js';
import type { Audiences, EmbedAccess } from '../contract/embed-access.js';
import type { Folder } from '../contract/folders.js';
import type { Report } from '../contract/reports.js';
import type { Workbook } from '../contract/workbooks.js';
import { folderKey } from './content.js';

/** Platform and deployment of a command, with the signal that cancels it. */
export interface Target {
  readonly connection: PlatformConnection;
  readonly deploymentId: number;
  readonly signal: AbortSignal;
}

/** Content of a deployment that files can name. Excludes the content that users of embed tenants created. */
export interface DeploymentState {
  /** Folders by `folderKey`, with siblings in their order. */
  readonly folders: ReadonlyMap<string, Folder>;
  readonly folderNames: ReadonlyMap<number, readonly string[]>;
  /** Folder paths that are not unique, with the ids of the folders: no file can name these folders or their content. */
  readonly duplicates: ReadonlyMap<string, readonly number[]>;
  /** Reports by custom `publicId`. */
  readonly reports: ReadonlyMap<string, Report>;
  readonly reportIds: ReadonlyMap<number, string>;
  /**
   * Tenant names by the `publicId` of reports that users of embed tenants created: tenants share the id space with the
   * account.
   */
  readonly tenantReports: ReadonlyMap<string, string>;
  /** Ids of workbooks by slug. */
  readonly workbooks: ReadonlyMap<string, number>;
  readonly slugs: ReadonlyMap<number, string>;
  /** Reports without a custom `publicId` and workbooks without a slug, which no file can name. */
  readonly unnamed: { readonly reports: number; readonly workbooks: number };
  /** All folders, reports and workbooks, including those that no file can name. */
  readonly items: readonly PlacedItem[];
}

/** Object with the folder or workbook that contains it. */
export interface PlacedItem {
  readonly kind: 'folder' | 'report' | 'workbook';
  readonly id: number;
  readonly name: string;
  readonly folderId: number | null;
  /** Workbook of a report. */
  readonly workbookId: number | null;
}

/** Workbook with its embed access. */
export interface WorkbookState {
  readonly workbook: Workbook;
  readonly access: EmbedAccess;
}

/** Form of the generated `publicId` of a report. */
const placeholder = /^0000[0-9a-z]{8}$/;

/** Reads folders, reports and the slugs of workbooks of a deployment. */
export async function readDeployment(target: Target): Promise<DeploymentState> {
  const folders = new Map<string, Folder>();
  const duplicates = new Map<string, number[]>();
  const items: PlacedItem[] = [];
  await readFolders(target, undefined, [], { folders, duplicates, items });
  const reports = new Map<string, Report>();
  const tenantReports = new Map<string, string>();
  const workbooks = new Map<string, number>();
  const unnamed = { reports: 0, workbooks: 0 };
  const { connection, deploymentId, signal } = target;
  for await (const report of eachItem(page => listReports(connection, deploymentId, page, { signal }), { signal })) {
    const { id, name, folderId = null, workbookId = null } = report;
    items.push({ kind: 'report', id, name, folderId, workbookId });
    if (report.embedTenantName != null) tenantReports.set(report.publicId, report.embedTenantName);
    else if (placeholder.test(report.publicId)) unnamed.reports += 1;
    else reports.set(report.publicId, report);
  }
  const listed = eachItem(page => getWorkbooks(connection, { deploymentId }, page, { signal }), { signal });
  for await (const { id, slug, name, folderId = null, embedTenantName } of listed) {
    items.push({ kind: 'workbook', id, name, folderId, workbookId: null });
    if (embedTenantName != null) continue;
    if (slug == null) unnamed.workbooks += 1;
    else workbooks.set(slug, id);
  }
  return {
    folders,
    folderNames: new Map([...folders].map(([key, { id }]) => [id, JSON.parse(key)])),
    duplicates,
    reports,
    tenantReports,
    reportIds: new Map([...reports].map(([publicId, { id }]) => [id, publicId])),
    workbooks,
    slugs: new Map([...workbooks].map(([slug, id]) => [id, slug])),
    unnamed,
    items,
  };
}

/** Reads a workbook and its embed access. */
export async function readWorkbook(target: Target, workbookId: number): Promise<WorkbookState> {
  const { connection, deploymentId, signal } = target;
  const place = { deploymentId, workbookId };
  const workbook = await getWorkbook(connection, place, { signal });
  return { workbook, access: await getEmbedAccess(connection, place, { signal }) };
}

/** Embed access of folders, by `folderKey`. */
export type FolderAccess = ReadonlyMap<string, Audiences>;

/** Reads the embed access of those folders that exist. */
export async function readFolderAccess(
  { connection, deploymentId, signal }: Target,
  { folders }: DeploymentState,
  keys: Iterable<string>,
): Promise<FolderAccess> {
  const found = new Map<string, Audiences>();
  for (const key of keys) {
    const folderId = folders.get(key)?.id;
    if (folderId === undefined) continue;
    found.set(key, await getFolderEmbedAccess(connection, { deploymentId, folderId }, { signal }));
  }
  return found;
}

async function readFolders(
  target: Target,
  parentId: number | undefined,
  parents: readonly string[],
  found: {
    readonly folders: Map<string, Folder>;
    readonly duplicates: Map<string, number[]>;
    readonly items: PlacedItem[];
  },
): Promise<void> {
  const { connection, deploymentId, signal } = target;
  const within = parentId === undefined ? {} : { parentId };
  const level = new Map<string, Folder[]>();
  const listed = eachItem(page => listFolders(connection, deploymentId, { ...page, ...within }, { signal }), {
    signal,
  });
  for await (const folder of listed) {
    const { id, name } = folder;
    found.items.push({ kind: 'folder', id, name, folderId: parentId ?? null, workbookId: null });
    if (folder.embedTenantName == null) level.set(folder.name, [...(level.get(folder.name) ?? []), folder]);
  }
  for (const [name, [folder, ...others]] of level) {
    const names = [...parents, name];
    if (!folder) continue;
    if (others.length > 0) {
      const ids = [folder, ...others].map(({ id }) => id);
      found.duplicates.set(folderKey(names), ids);
      continue;
    }
    found.folders.set(folderKey(names), folder);
    await readFolders(target, folder.id, names, found);
  }
}
