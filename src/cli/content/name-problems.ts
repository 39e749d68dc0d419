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

/** What the files name that neither they nor the deployment have, that is not theirs, or that could be either of two. */
export function* nameProblems(content: Content, state: DeploymentState): Generator<ContentProblem> {
  yield* folderProblems(content, state);
  for (const [publicId, { content: report, problem }] of content.reports) {
    const { workbook, source } = report;
    if (workbook !== undefined && !content.workbooks.has(workbook) && !state.workbooks.has(workbook)) {
      yield problem(['workbook'], `workbook: there is no file and no workbook of the slug ${workbook}`);
    }
    const tenant = state.tenantReports.get(publicId);
    if (tenant !== undefined) {
      yield problem([], `a report of the embed tenant ${tenant} has this publicId: give the file another name`);
    }
    const before = state.reports.get(publicId);
    if (before && source != null && before.source !== source) {
      yield problem(
        ['source'],
        `source: is ${before.source ?? 'none'} since the report was created, and can't be changed`,
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
    const ids = state.twins.get(folderKey(names));
    if (folders && ids) yield folders.problem([...path, 'name'], `name: ${duplicateFoldersMessage(names, ids)}`);
  }
  const known = new Set([...state.folders.keys(), ...listed.map(([names]) => folderKey(names))]);
  for (const { content, problem } of [...reports.values(), ...workbooks.values()]) {
    const { folder = [] } = content;
    const ways = folder.map((_, depth) => folder.slice(0, depth + 1));
    const twin = ways.find(way => state.twins.has(folderKey(way)));
    const ids = twin && state.twins.get(folderKey(twin));
    if (twin && ids) yield problem(['folder'], `folder: ${duplicateFoldersMessage(twin, ids)}`);
    else if (folder.length > 0 && !known.has(folderKey(folder))) {
      yield problem(['folder'], 'folder: neither folders.yml nor the platform has it');
    }
  }
}

/** Says that folders of a deployment can't be told apart by the way to them. */
export function duplicateFoldersMessage(names: readonly string[], ids: readonly number[]): string {
  return `the platform has ${ids.length} folders called ${names.join(' / ')} (ids ${ids.join(', ')}): give them names of their own`;
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
    const message = `config.report: there is no file and no report of the publicId ${report}`;
    yield problem([...path, 'widgets', widget, 'config', 'report'], message);
  }
}
