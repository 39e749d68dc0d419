import type { PlatformConnection } from '../../client/connection.js';
import { getEmbedAccess, getFolderEmbedAccess } from '../../client/embed-access.js';
import { listFolders } from '../../client/folders.js';
import { eachItem } from '../../client/pages.js';
import { listReports } from '../../client/reports.js';
import { getWorkbook, getWorkbooks } from '../../client/workbooks.js';
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

/** What a deployment holds, as far as files can name it. */
export interface DeploymentState {
  /** By the way to them, see `folderKey`; siblings in their order. */
  readonly folders: ReadonlyMap<string, Folder>;
  readonly folderNames: ReadonlyMap<number, readonly string[]>;
  /** By the `publicId` that was chosen for them. */
  readonly reports: ReadonlyMap<string, Report>;
  readonly reportIds: ReadonlyMap<number, string>;
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

/**
 * Reads what a deployment holds: its folders, reports and the slugs of its workbooks.
 * @throws Error where two folders can't be told apart.
 */
export async function readDeployment(target: Target): Promise<DeploymentState> {
  const folders = new Map<string, Folder>();
  await readFolders(target, undefined, [], folders);
  const reports = new Map<string, Report>();
  const workbooks = new Map<string, number>();
  const unnamed = { reports: 0, workbooks: 0 };
  const { connection, deploymentId, signal } = target;
  for await (const report of eachItem(page => listReports(connection, deploymentId, page, { signal }), { signal })) {
    if (placeholder.test(report.publicId)) unnamed.reports += 1;
    else reports.set(report.publicId, report);
  }
  for await (const { id, slug } of eachItem(page => getWorkbooks(connection, { deploymentId }, page, { signal }), {
    signal,
  })) {
    if (slug == null) unnamed.workbooks += 1;
    else workbooks.set(slug, id);
  }
  return {
    folders,
    folderNames: new Map([...folders].map(([key, { id }]) => [id, JSON.parse(key)])),
    reports,
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
  found: Map<string, Folder>,
): Promise<void> {
  const { connection, deploymentId, signal } = target;
  const within = parentId === undefined ? {} : { parentId };
  const level: Folder[] = [];
  const listed = eachItem(page => listFolders(connection, deploymentId, { ...page, ...within }, { signal }), {
    signal,
  });
  for await (const folder of listed) level.push(folder);
  for (const folder of level) {
    const names = [...way, folder.name];
    if (found.has(folderKey(names))) {
      throw new Error(`Two folders of the platform are called ${names.join(' / ')}: give one of them another name.`);
    }
    found.set(folderKey(names), folder);
    await readFolders(target, folder.id, names, found);
  }
}
