import type { DashboardConfigInput } from '../../contract/dashboard-input.js';
import type { JsonObject } from '../../contract/wire.js';

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
