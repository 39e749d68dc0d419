import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readDeployment, readFolderAccess, readWorkbook, type Target } from '../content/deployment-state.js';
import { describeFolders, describeReport, describeWorkbook } from '../content/describe-state.js';
import { duplicateFoldersMessage } from '../content/name-problems.js';
import { printContent, reportPath, workbookPath } from '../content/print-content.js';
import { listFiles } from '../content/read-content.js';
import type { ReportFile, WorkbookFile } from '../contract/content-files.js';
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
  for (const path of unplaced) note(`${path}: skipped, because the name of its folder is not unique`);
  for (const path of await findUnmatchedFiles(directory, new Set([...files.keys(), ...unplaced])))
    note(`${path}: unchanged, because nothing in the deployment matches it`);
  if (unnamed.reports > 0)
    note(`Skipped ${plural(unnamed.reports, 'report')} without a publicId. To export a report, set its publicId.`);
  if (unnamed.workbooks > 0)
    note(`Skipped ${plural(unnamed.workbooks, 'workbook')} without a slug. To export a workbook, set its slug.`);
  print(`ok: ${plural(files.size, 'file')}`);
  return ExitCode.done;
}

async function readFiles(target: Target) {
  const state = await readDeployment(target);
  const unplaced: string[] = [];
  const hasPlace = ({ folderId }: Pick<Workbook, 'folderId'>) => folderId == null || state.folderNames.has(folderId);
  const reports = new Map<string, ReportFile>();
  for (const [publicId, report] of [...state.reports].sort()) {
    if (hasPlace(report)) reports.set(publicId, describeReport(report, state));
    else unplaced.push(reportPath(publicId));
  }
  const workbooks = new Map<string, WorkbookFile>();
  for (const [slug, id] of [...state.workbooks].sort()) {
    const found = await readWorkbook(target, id);
    if (hasPlace(found.workbook)) workbooks.set(slug, describeWorkbook(found, state));
    else unplaced.push(workbookPath(slug));
  }
  const folders = describeFolders(state, await readFolderAccess(target, state, state.folders.keys()));
  const files = printContent({ folders, reports, workbooks });
  return { files, unnamed: state.unnamed, duplicates: state.duplicates, unplaced };
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
  const lists = await Promise.all((['', 'reports', 'workbooks'] as const).map(folder => listFiles(directory, folder)));
  return lists.flat().filter(path => !files.has(path));
}
