import type { PageExport } from '../../../contract/dashboard-exports.js';
import type { Filters } from '../../../report/controls/control-state.js';
import type { DashboardState } from '../../../report/controls/dashboard-state.js';
import type { PageDashboard } from '../image/page-dashboard.js';

/** Content of the public element and its control values. Read when an export or a subscription starts. */
export interface ShownDashboard {
  readonly publicId: string;
  readonly title: string;
  readonly locale: string | null;
  readonly timezone: string | null;
  readonly filters: Filters | null;
  readonly lockedFilters: Filters | null;
  readonly state: () => DashboardState;
}

/** Content that the public element exports. */
export interface ExportTarget extends ShownDashboard {
  /** URL of the host's export handler; `null` if the page creates the files. */
  readonly url: string | null;
  /** The content that the page can write to a file; `null` if it cannot. */
  readonly page: () => PageDashboard | null;
  /** Number or public id of the report; `null` for the dashboard. */
  readonly reportId: string | null;
  /** Dispatches an event of the public element; returns `false` if the page cancels it. */
  readonly fire: (event: Event) => boolean;
}

/** An export that a menu starts. */
export interface ExportRequest {
  readonly format: PageExport['format'];
  /** `copy` copies an image to the clipboard. */
  readonly use: 'download' | 'copy';
  /** The tile; `null` for the whole element. */
  readonly widgetId: string | null;
  /** Public id of the report of the tile, for the event. */
  readonly report: string | null;
  /** Name of the file. */
  readonly title: string;
  /** Number of rows that the page shows; 0 if unknown. */
  readonly rows: number;
}

const maxControls = 100;

/** Returns the control values of the viewer in the format of export and subscription requests. */
export function controlValuesOf(shown: ShownDashboard): Pick<PageExport, 'filters' | 'timeGrains' | 'memberSwitchers'> {
  const { filters, timeGrains, members } = shown.state();
  const conditions = Object.entries({ ...shown.filters, ...filters, ...shown.lockedFilters });
  const chosen = <T>(values: Readonly<Record<string, string | null>>, toItem: (member: string, value: string) => T) =>
    Object.entries(values)
      .flatMap(([member, value]) => (value === null ? [] : [toItem(member, value)]))
      .slice(0, maxControls);
  return {
    // A filter without operator and value has no condition. If the filter were omitted, its published default would
    // apply.
    filters: conditions.map(([member, condition]) => ({ ...condition, member })).slice(0, maxControls),
    timeGrains: chosen(timeGrains, (member, grain) => ({ member, grain })),
    memberSwitchers: chosen(members, (member, selected) => ({ member, selected })),
  } as Pick<PageExport, 'filters' | 'timeGrains' | 'memberSwitchers'>;
}

/** Returns the body of an export with the control values of the viewer. */
export function exportBody(target: ExportTarget, { format, widgetId }: ExportRequest): PageExport {
  const { publicId, reportId, locale, timezone } = target;
  const scope = reportId === null ? widgetId !== null && { widgetId } : { reportId };
  return {
    dashboardPublicId: publicId,
    format,
    ...scope,
    ...controlValuesOf(target),
    ...(locale !== null && { locale }),
    ...(timezone !== null && { timezone }),
  };
}
