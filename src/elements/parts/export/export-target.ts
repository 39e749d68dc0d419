import type { PageExport } from '../../../contract/dashboard-exports.js';
import type { Filters } from '../../../report/controls/control-state.js';
import type { DashboardState } from '../../../report/controls/dashboard-state.js';

/** What the public element exports, and with which control values. Read when an export starts. */
export interface ExportTarget {
  /** URL of the host's export handler. */
  readonly url: string;
  readonly publicId: string;
  /** Number or public id of the report; `null` for the dashboard. */
  readonly reportId: string | null;
  readonly title: string;
  readonly locale: string | null;
  readonly timezone: string | null;
  readonly filters: Filters | null;
  readonly lockedFilters: Filters | null;
  readonly state: () => DashboardState;
  /** Dispatches an event of the public element; returns `false` if the page cancels it. */
  readonly fire: (event: Event) => boolean;
}

/** An export that a menu starts. */
export interface ExportRequest {
  readonly format: PageExport['format'];
  /** `copy` copies a picture to the clipboard. */
  readonly use: 'download' | 'copy';
  /** The tile; `null` for the whole element. */
  readonly widgetId: string | null;
  /** Public id of the report of the tile, for the event. */
  readonly report: string | null;
  /** Name of the file. */
  readonly title: string;
  /** Number of rows that the page shows; 0 if it does not know. */
  readonly rows: number;
}

const maxControls = 100;

/** Returns the body of an export with the control values of the viewer. */
export function exportBody(target: ExportTarget, { format, widgetId }: ExportRequest): PageExport {
  const { publicId, reportId, locale, timezone, lockedFilters } = target;
  const { filters, timeGrains, members } = target.state();
  const conditions = Object.entries({ ...target.filters, ...filters, ...lockedFilters });
  const chosen = <T>(values: Readonly<Record<string, string | null>>, toItem: (member: string, value: string) => T) =>
    Object.entries(values)
      .flatMap(([member, value]) => (value === null ? [] : [toItem(member, value)]))
      .slice(0, maxControls);
  const scope = reportId === null ? widgetId !== null && { widgetId } : { reportId };
  return {
    dashboardPublicId: publicId,
    format,
    ...scope,
    // Without operator and value, a filter has no condition, instead of its published default.
    filters: conditions.map(([member, condition]) => ({ ...condition, member })).slice(0, maxControls),
    timeGrains: chosen(timeGrains, (member, grain) => ({ member, grain })),
    memberSwitchers: chosen(members, (member, selected) => ({ member, selected })),
    ...(locale !== null && { locale }),
    ...(timezone !== null && { timezone }),
  } as PageExport;
}
