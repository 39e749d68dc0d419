import type {
  FolderFile,
  GroupFile,
  NotificationFile,
  ReportFile,
  RoleFile,
  WorkbookFile,
} from '../contract/content-files.js';
import type { DashboardConfigInput } from '../contract/dashboard-input.js';
import type { JsonObject } from '../contract/wire.js';

/** Keys and indices from the root of a file. */
export type FilePath = readonly PropertyKey[];

/** Problem in a file. */
export interface ContentProblem {
  /** Path inside the folder. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
}

/** Content of a file, with a function that creates problems with line numbers. */
export interface Located<T> {
  readonly file: string;
  readonly content: T;
  problem(path: FilePath, message: string): ContentProblem;
}

/** Content of a folder of files: content as code. Refers to objects by portable names instead of ids. */
export interface Content {
  /** Name of the folder, which owns the objects that it creates. */
  readonly owner: string;
  readonly folders: Located<readonly FolderFile[]> | null;
  /** Reports by `publicId`. */
  readonly reports: ReadonlyMap<string, Located<ReportFile>>;
  /** Workbooks by slug. */
  readonly workbooks: ReadonlyMap<string, Located<WorkbookFile>>;
  /** Notifications by name. */
  readonly notifications: ReadonlyMap<string, Located<NotificationFile>>;
  /** Custom roles by name. */
  readonly roles: ReadonlyMap<string, Located<RoleFile>>;
  /** Groups of the account by name. */
  readonly groups: ReadonlyMap<string, Located<GroupFile>>;
  /** Names of environment variables. */
  readonly variables: ReadonlyMap<string, Located<string>>;
}

/** Invalid files. Contains all problems; the message lists them as `file:line: what to do`. */
export class ContentError extends Error {
  readonly problems: readonly ContentProblem[];

  constructor(problems: readonly ContentProblem[]) {
    const lines = problems.map(({ file, line, message }) => `${file}:${line}: ${message}`);
    super(`The content is invalid:\n${lines.join('\n')}`);
    this.name = 'ContentError';
    this.problems = problems;
  }
}

/** Returns the unique key of a folder path. */
export function folderKey(names: readonly string[]): string {
  return JSON.stringify(names);
}

/**
 * Returns all folders of a file, parents first: names of the folder and its ancestors, the folder, and its position in
 * the file.
 */
export function eachFolder(
  folders: readonly FolderFile[],
  parents: readonly string[] = [],
  path: FilePath = [],
): [string[], FolderFile, FilePath][] {
  return folders.flatMap((folder, index) => {
    const names = [...parents, folder.name];
    const place = [...path, index];
    const inner = eachFolder(folder.folders ?? [], names, [...place, 'folders']);
    return [[names, folder, place] satisfies [string[], FolderFile, FilePath], ...inner];
  });
}

/**
 * Dashboard of a file: a CHART widget refers to its report by `config.report`, instead of by the id `reportId` of the
 * platform.
 */
export type NamedDashboard = DashboardConfigInput;

type Widget = NonNullable<DashboardConfigInput['widgets']>[number];

/** Replaces names of reports with ids. */
export function numberReports(dashboard: NamedDashboard, idOf: (publicId: string) => number): DashboardConfigInput {
  return withCharts(dashboard, ({ report, ...config }) =>
    typeof report === 'string'
      ? { reportId: idOf(report), ...config }
      : { ...config, ...(report !== undefined && { report }) },
  );
}

/** Replaces ids of reports with names. Reports without a name keep their id. */
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

/** Returns the reports that the charts of a dashboard refer to, each with the index of its widget. */
export function namedReports(dashboard: NamedDashboard): { readonly report: string; readonly widget: number }[] {
  return (dashboard.widgets ?? []).flatMap(({ type, config }, widget) =>
    type === 'CHART' && typeof config?.report === 'string' ? [{ report: config.report, widget }] : [],
  );
}

/** Removes the threads that the platform attached to AI widgets, because they are not content. */
export function withoutThreads(dashboard: DashboardConfigInput): DashboardConfigInput {
  const keep = ({ threadId: _thread, checksum: _checksum, previous: _previous, ...config }: JsonObject) => config;
  return withConfigs(dashboard, 'AI', keep);
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
