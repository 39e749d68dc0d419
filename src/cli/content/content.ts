import type { FolderFile, ReportFile, WorkbookFile } from '../../contract/content-files.js';
import type { DashboardConfigInput } from '../../contract/dashboard-input.js';
import type { JsonObject } from '../../contract/wire.js';

/** Keys and indices from the top of a file to a place in it. */
export type FilePath = readonly PropertyKey[];

/** One thing that is wrong with a file. */
export interface ContentProblem {
  /** Path inside the folder. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
}

/** What a file says, and a way to say what is wrong with it. */
export interface Located<T> {
  readonly file: string;
  readonly content: T;
  problem(path: FilePath, message: string): ContentProblem;
}

/** Dashboards as code: what the files of a folder say, by the names that their objects have everywhere. */
export interface Content {
  readonly folders: Located<readonly FolderFile[]> | null;
  /** By `publicId`. */
  readonly reports: ReadonlyMap<string, Located<ReportFile>>;
  /** By slug. */
  readonly workbooks: ReadonlyMap<string, Located<WorkbookFile>>;
}

/** Files that can't be applied; nothing was sent. */
export class ContentError extends Error {
  readonly problems: readonly ContentProblem[];

  constructor(problems: readonly ContentProblem[]) {
    super(`The content has ${problems.length} problem(s).`);
    this.name = 'ContentError';
    this.problems = problems;
  }
}

/** A text that stands for the way to a folder, and for no other. */
export function folderKey(names: readonly string[]): string {
  return JSON.stringify(names);
}

/** The folders of a file by the way to them, each with its own, and with its place in the list. */
export function eachFolder(
  folders: readonly FolderFile[],
  way: readonly string[] = [],
  path: FilePath = [],
): [string[], FolderFile, FilePath][] {
  return folders.flatMap((folder, index) => {
    const names = [...way, folder.name];
    const place = [...path, index];
    const inner = eachFolder(folder.folders ?? [], names, [...place, 'folders']);
    return [[names, folder, place] satisfies [string[], FolderFile, FilePath], ...inner];
  });
}

/** A dashboard of a file: a CHART widget names its report by `config.report`, where the platform has the number `reportId`. */
export type NamedDashboard = DashboardConfigInput;

type Widget = NonNullable<DashboardConfigInput['widgets']>[number];

/** Puts numbers in the place of the names of reports. */
export function numberReports(dashboard: NamedDashboard, idOf: (publicId: string) => number): DashboardConfigInput {
  return withCharts(dashboard, ({ report, ...config }) =>
    typeof report === 'string'
      ? { reportId: idOf(report), ...config }
      : { ...config, ...(report !== undefined && { report }) },
  );
}

/** Puts names in the place of the numbers of reports; one without a name of its own stays a number. */
export function nameReports(
  dashboard: DashboardConfigInput,
  nameOf: (id: number) => string | undefined,
): NamedDashboard {
  return withCharts(dashboard, config => {
    const { reportId, ...rest } = config;
    const report = typeof reportId === 'number' ? nameOf(reportId) : undefined;
    return report === undefined ? config : { report, ...rest };
  });
}

/** The reports that the charts of a dashboard name, each with the place of its widget. */
export function namedReports(dashboard: NamedDashboard): { readonly report: string; readonly widget: number }[] {
  return (dashboard.widgets ?? []).flatMap(({ type, config }, widget) =>
    type === 'CHART' && typeof config?.report === 'string' ? [{ report: config.report, widget }] : [],
  );
}

/** A dashboard without the threads that the platform attached to its AI widgets: they are no content. */
export function withoutThreads(dashboard: DashboardConfigInput): DashboardConfigInput {
  return withConfigs(dashboard, 'AI', ({ threadId: _thread, checksum: _checksum, ...config }) => config);
}

function withCharts(dashboard: DashboardConfigInput, change: (config: JsonObject) => JsonObject): DashboardConfigInput {
  return withConfigs(dashboard, 'CHART', change);
}

function withConfigs(
  dashboard: DashboardConfigInput,
  type: Widget['type'],
  change: (config: JsonObject) => JsonObject,
): DashboardConfigInput {
  if (dashboard.widgets == null) return dashboard;
  const widgets = dashboard.widgets.map(widget =>
    widget.type === type && widget.config != null ? { ...widget, config: change(widget.config) } : widget,
  );
  return { ...dashboard, widgets };
}
