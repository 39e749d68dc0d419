import {
  type Content,
  type ContentProblem,
  eachFolder,
  type FilePath,
  folderKey,
  type Located,
  type NamedDashboard,
  namedReports,
} from './content.js';
import type { DeploymentState } from './deployment-state.js';
import { dashboardsOf } from './read-content.js';

/** Lists the references to missing, foreign and ambiguous objects. */
export function* nameProblems(content: Content, state: DeploymentState): Generator<ContentProblem> {
  yield* folderProblems(content, state);
  for (const [publicId, { content: report, problem }] of content.reports) {
    const { workbook, source } = report;
    if (workbook !== undefined && !content.workbooks.has(workbook) && !state.workbooks.has(workbook)) {
      yield problem(['workbook'], `workbook: no file or existing workbook has the slug ${workbook}`);
    }
    const tenant = state.tenantReports.get(publicId);
    if (tenant !== undefined) {
      yield problem([], `the embed tenant ${tenant} already uses this publicId: rename the file`);
    }
    const before = state.reports.get(publicId);
    if (before && source != null && before.source !== source) {
      yield problem(
        ['source'],
        `source: cannot be changed from ${before.source ?? 'none'} after the report was created`,
      );
    }
  }
  for (const { content: workbook, problem } of content.workbooks.values()) {
    for (const [path, dashboard] of dashboardsOf(workbook))
      yield* unknownReports(dashboard, path, content, state, problem);
  }
}

function* folderProblems({ folders, reports, workbooks }: Content, state: DeploymentState): Generator<ContentProblem> {
  const listed = eachFolder(folders?.content ?? []);
  for (const [names, , path] of listed) {
    const ids = state.duplicates.get(folderKey(names));
    if (folders && ids) yield folders.problem([...path, 'name'], `name: ${duplicateFoldersMessage(names, ids)}`);
  }
  const known = new Set([...state.folders.keys(), ...listed.map(([names]) => folderKey(names))]);
  for (const { content, problem } of [...reports.values(), ...workbooks.values()]) {
    const { folder = [] } = content;
    const paths = folder.map((_, depth) => folder.slice(0, depth + 1));
    const duplicate = paths.find(path => state.duplicates.has(folderKey(path)));
    const ids = duplicate && state.duplicates.get(folderKey(duplicate));
    if (duplicate && ids) yield problem(['folder'], `folder: ${duplicateFoldersMessage(duplicate, ids)}`);
    else if (folder.length > 0 && !known.has(folderKey(folder))) {
      yield problem(['folder'], 'folder: not found in folders.yml or on the platform');
    }
  }
}

/** Returns the message for folders of a deployment that share a path. */
export function duplicateFoldersMessage(names: readonly string[], ids: readonly number[]): string {
  return `the platform has ${ids.length} folders named ${names.join(' / ')} (ids ${ids.join(', ')}): give each a unique name`;
}

function* unknownReports(
  dashboard: NamedDashboard,
  path: FilePath,
  content: Content,
  state: DeploymentState,
  problem: Located<unknown>['problem'],
): Generator<ContentProblem> {
  for (const { report, widget } of namedReports(dashboard)) {
    if (content.reports.has(report) || state.reports.has(report)) continue;
    const message = `config.report: no file or report has the publicId ${report}`;
    yield problem([...path, 'widgets', widget, 'config', 'report'], message);
  }
}
