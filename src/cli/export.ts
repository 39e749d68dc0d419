import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { WorkbookFile } from '../contract/content-files.js';
import type { CommandContext } from './command-context.js';
import { readDeployment, readFolderAccess, readWorkbook, type Target } from './content/deployment-state.js';
import { describeFolders, describeReport, describeWorkbook } from './content/describe-state.js';
import { openTarget } from './content/open-target.js';
import { printContent } from './content/print-content.js';
import { listFiles } from './content/read-content.js';
import type { ExportOptions } from './content-options.js';
import { ExitCode } from './exit-code.js';

/** Writes the content of a deployment into a folder. */
export async function exportContent(options: ExportOptions, context: CommandContext): Promise<ExitCode> {
  const { directory } = options;
  const { print, note } = context;
  const { files, unnamed } = await readFiles(await openTarget(options.target, context));
  refuseTwins([...files.keys()]);
  for (const [path, text] of files) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
    note(`${path}: written`);
  }
  for (const path of await strangers(directory, files)) note(`${path}: stands for nothing there, and was left`);
  if (unnamed.reports > 0) note(`${unnamed.reports} report(s) were left out: give them a publicId of their own`);
  if (unnamed.workbooks > 0) note(`${unnamed.workbooks} workbook(s) were left out: give them a slug`);
  print(`ok: ${files.size} file(s)`);
  return ExitCode.done;
}

async function readFiles(target: Target) {
  const state = await readDeployment(target);
  const workbooks = new Map<string, WorkbookFile>();
  for (const [slug, id] of [...state.workbooks].sort()) {
    workbooks.set(slug, describeWorkbook(await readWorkbook(target, id), state));
  }
  const reports = new Map(
    [...state.reports].sort().map(([publicId, report]) => [publicId, describeReport(report, state)]),
  );
  const folders = describeFolders(state, await readFolderAccess(target, state, state.folders.keys()));
  const files = printContent({ folders, reports, workbooks });
  return { files, unnamed: state.unnamed };
}

/** Many file systems take no notice of case; ids do. */
function refuseTwins(paths: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const twin = seen.get(path.toLowerCase());
    if (twin !== undefined)
      throw new Error(`${twin} and ${path} differ in case alone, which files can not: give one another id.`);
    seen.set(path.toLowerCase(), path);
  }
}

async function strangers(directory: string, files: ReadonlyMap<string, string>): Promise<string[]> {
  await mkdir(directory, { recursive: true });
  const lists = await Promise.all((['', 'reports', 'workbooks'] as const).map(folder => listFiles(directory, folder)));
  return lists.flat().filter(path => !files.has(path));
}
