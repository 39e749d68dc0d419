import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readAccount } from '../content/account-state.js';
import { readDeployment, readFolderAccess, readWorkbook, type Target } from '../content/deployment-state.js';
import { describeGroup, describeNotification, describeRole } from '../content/describe-account.js';
import { describeFolders, describeReport, describeWorkbook } from '../content/describe-state.js';
import { duplicateFoldersMessage } from '../content/name-problems.js';
import { notificationPath, printContent, reportPath, workbookPath } from '../content/print-content.js';
import { listFiles, subfolders } from '../content/read-content.js';
import type { NotificationFile, ReportFile, WorkbookFile } from '../contract/content-files.js';
import type { Workbook } from '../contract/workbooks.js';
import { type CommandContext, ExitCode, plural } from './command.js';
import type { ExportOptions } from './content-options.js';
import { withTarget } from './target.js';

/** Writes the content of a deployment to a folder. */
export async function exportContent(options: ExportOptions, context: CommandContext): Promise<ExitCode> {
  const { directory } = options;
  const { print, note } = context;
  const { files, unnamed, duplicates, unplaced } = await withTarget(options.target, context, readFiles);
  requireDistinctPaths([...files.keys()]);
  for (const [path, text] of files) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
    note(`${path}: written`);
  }
  for (const [key, ids] of duplicates) note(`skipped folders: ${duplicateFoldersMessage(JSON.parse(key), ids)}`);
  for (const [path, reason] of unplaced) note(`${path}: skipped, because ${reason}`);
  for (const path of await findUnmatchedFiles(directory, new Set([...files.keys(), ...unplaced.keys()])))
    note(`${path}: unchanged, because nothing in the deployment matches it`);
  if (unnamed.reports > 0)
    note(`Skipped ${plural(unnamed.reports, 'report')} without a publicId. To export a report, set its publicId.`);
  if (unnamed.workbooks > 0)
    note(`Skipped ${plural(unnamed.workbooks, 'workbook')} without a slug. To export a workbook, set its slug.`);
  if (unnamed.notifications > 0)
    note(
      `Skipped ${plural(unnamed.notifications, 'notification')} without a name. To export a notification, set its name.`,
    );
  print(`ok: ${plural(files.size, 'file')}`);
  return ExitCode.done;
}

const duplicateName = 'the name of its folder is not unique';

async function readFiles(target: Target) {
  const state = await readDeployment(target);
  /** Reasons why objects have no file, by the paths of the files. */
  const unplaced = new Map<string, string>();
  const hasPlace = ({ folderId }: Pick<Workbook, 'folderId'>) => folderId == null || state.folderNames.has(folderId);
  const reports = new Map<string, ReportFile>();
  for (const [publicId, report] of [...state.reports].sort()) {
    if (hasPlace(report)) reports.set(publicId, describeReport(report, state));
    else unplaced.set(reportPath(publicId), duplicateName);
  }
  const workbooks = new Map<string, WorkbookFile>();
  /** Slugs by the ids of published dashboards. */
  const dashboards = new Map<number, string>();
  for (const [slug, id] of [...state.workbooks].sort()) {
    const found = await readWorkbook(target, id);
    const dashboardId = found.workbook.publishedDashboard?.id;
    if (dashboardId !== undefined && hasPlace(found.workbook)) dashboards.set(dashboardId, slug);
    if (hasPlace(found.workbook)) workbooks.set(slug, describeWorkbook(found, state));
    else unplaced.set(workbookPath(slug), duplicateName);
  }
  const folders = describeFolders(state, await readFolderAccess(target, state, state.folders.keys()));
  const account = await readAccount(target);
  const names = { ...state, dashboards, deploymentId: target.deploymentId };
  const notifications = new Map<string, NotificationFile>();
  for (const [name, notification] of sorted(account.notifications)) {
    const described = describeNotification(notification, names);
    if (described.dashboard === '') unplaced.set(notificationPath(name), 'the workbook of its dashboard has no file');
    else notifications.set(name, described);
  }
  const files = printContent({
    folders,
    reports,
    workbooks,
    notifications,
    roles: sorted(account.roles).map(([, role]) => describeRole(role, names)),
    groups: sorted(account.groups).map(([, group]) => describeGroup(group)),
    variables: sorted(account.variables).map(([name]) => name),
  });
  const unnamed = { ...state.unnamed, notifications: account.unnamedNotifications };
  return { files, unnamed, duplicates: state.duplicates, unplaced };
}

function sorted<T>(objects: ReadonlyMap<string, T>): [string, T][] {
  return [...objects].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Rejects paths that differ only in case, because ids are case-sensitive and many file systems are not. */
function requireDistinctPaths(paths: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const other = seen.get(path.toLowerCase());
    if (other !== undefined)
      throw new Error(
        `${other} and ${path} differ only in case, which many file systems do not support. Change one of the ids.`,
      );
    seen.set(path.toLowerCase(), path);
  }
}

async function findUnmatchedFiles(directory: string, files: ReadonlySet<string>): Promise<string[]> {
  await mkdir(directory, { recursive: true });
  const lists = await Promise.all((['', ...subfolders] as const).map(folder => listFiles(directory, folder)));
  return lists.flat().filter(path => !files.has(path) && !/^content\.\w+$/.test(path));
}
