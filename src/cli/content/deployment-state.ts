import type { PlatformConnection } from '../../client/http/connection.js';
import { getEmbedAccess, getFolderEmbedAccess } from '../../client/operations/embed-tenants.js';
import { eachItem } from '../../client/operations/pagination.js';
import { listReports } from '../../client/operations/reports.js';
import { getWorkbook, getWorkbooks } from '../../client/operations/workbooks.js';
import { listFolders } from '../../client/operations/workspace.js';
import type { Audiences, EmbedAccess } from '../../contract/embed-access.js';
import type { Folder } from '../../contract/folders.js';
import type { Report } from '../../contract/reports.js';
import type { Workbook } from '../../contract/workbooks.js';
import { folderKey } from './content.js';

/** Which deployment of which platform, and how long its caller wants to wait. */
export interface Target {
  readonly connection: PlatformConnection;
  readonly deploymentId: number;
  readonly signal: AbortSignal;
}

/** What a deployment holds, as far as files can name it; what users of embed tenants made for themselves is left out. */
export interface DeploymentState {
  /** By the way to them, see `folderKey`; siblings in their order. */
  readonly folders: ReadonlyMap<string, Folder>;
  readonly folderNames: ReadonlyMap<number, readonly string[]>;
  /** Ways that lead to more than one folder, with the ids of these: no file can name them, nor what is in them. */
  readonly twins: ReadonlyMap<string, readonly number[]>;
  /** By the `publicId` that was chosen for them. */
  readonly reports: ReadonlyMap<string, Report>;
  readonly reportIds: ReadonlyMap<number, string>;
  /** Names of embed tenants by the `publicId` of reports that their users made: ids are one space, the content is not. */
  readonly tenantReports: ReadonlyMap<string, string>;
  /** Ids of workbooks by slug. */
  readonly workbooks: ReadonlyMap<string, number>;
  readonly slugs: ReadonlyMap<number, string>;
  /** Reports and workbooks that no file can name: they have neither `publicId` nor slug of their own. */
  readonly unnamed: { readonly reports: number; readonly workbooks: number };
}

/** A workbook with what stands apart from it. */
export interface WorkbookState {
  readonly workbook: Workbook;
  readonly access: EmbedAccess;
}

/** A report that nobody chose an id for shows one of this shape. */
const placeholder = /^0000[0-9a-z]{8}$/;

/** Reads what a deployment holds: its folders, reports and the slugs of its workbooks. */
export async function readDeployment(target: Target): Promise<DeploymentState> {
  const folders = new Map<string, Folder>();
  const twins = new Map<string, number[]>();
  await readFolders(target, undefined, [], { folders, twins });
  const reports = new Map<string, Report>();
  const tenantReports = new Map<string, string>();
  const workbooks = new Map<string, number>();
  const unnamed = { reports: 0, workbooks: 0 };
  const { connection, deploymentId, signal } = target;
  for await (const report of eachItem(page => listReports(connection, deploymentId, page, { signal }), { signal })) {
    if (report.embedTenantName != null) tenantReports.set(report.publicId, report.embedTenantName);
    else if (placeholder.test(report.publicId)) unnamed.reports += 1;
    else reports.set(report.publicId, report);
  }
  const listed = eachItem(page => getWorkbooks(connection, { deploymentId }, page, { signal }), { signal });
  for await (const { id, slug, embedTenantName } of listed) {
    if (embedTenantName != null) continue;
    if (slug == null) unnamed.workbooks += 1;
    else workbooks.set(slug, id);
  }
  return {
    folders,
    folderNames: new Map([...folders].map(([key, { id }]) => [id, JSON.parse(key)])),
    twins,
    reports,
    tenantReports,
    reportIds: new Map([...reports].map(([publicId, { id }]) => [id, publicId])),
    workbooks,
    slugs: new Map([...workbooks].map(([slug, id]) => [id, slug])),
    unnamed,
  };
}

/** Reads one workbook, and who may see its dashboard. */
export async function readWorkbook(target: Target, workbookId: number): Promise<WorkbookState> {
  const { connection, deploymentId, signal } = target;
  const place = { deploymentId, workbookId };
  const workbook = await getWorkbook(connection, place, { signal });
  return { workbook, access: await getEmbedAccess(connection, place, { signal }) };
}

/** Who may see what is published in folders, by the way to them. */
export type FolderAccess = ReadonlyMap<string, Audiences>;

/** Reads who may see what is published in those of these folders that are there. */
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
  way: readonly string[],
  found: { readonly folders: Map<string, Folder>; readonly twins: Map<string, number[]> },
): Promise<void> {
  const { connection, deploymentId, signal } = target;
  const within = parentId === undefined ? {} : { parentId };
  const level = new Map<string, Folder[]>();
  const listed = eachItem(page => listFolders(connection, deploymentId, { ...page, ...within }, { signal }), {
    signal,
  });
  for await (const folder of listed) {
    if (folder.embedTenantName == null) level.set(folder.name, [...(level.get(folder.name) ?? []), folder]);
  }
  for (const [name, [folder, ...others]] of level) {
    const names = [...way, name];
    if (!folder) continue;
    if (others.length > 0) {
      const ids = [folder, ...others].map(({ id }) => id);
      found.twins.set(folderKey(names), ids);
      continue;
    }
    found.folders.set(folderKey(names), folder);
    await readFolders(target, folder.id, names, found);
  }
}
