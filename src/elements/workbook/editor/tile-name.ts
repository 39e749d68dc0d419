import type { DashboardWidget, ReportSnapshot } from '../../../contract/dashboards.js';
import type { BoardVersion } from '../../../report/layout/board-differences.js';
import { isContainer } from '../../../report/layout/edit-containers.js';
import { widgetTitle } from '../../../report/layout/tile-title.js';
import type { WorkbookMessages } from '../workbook-messages.js';
import { controlTitle } from './editor-controls.js';

/** Returns the name of a tile in the editor: its title, or what it is. */
export function tileName(
  widget: DashboardWidget,
  reports: ReadonlyMap<number, ReportSnapshot>,
  { text, container }: WorkbookMessages,
): string {
  const title = widgetTitle(widget, reports.get(Number(widget.config?.reportId)) ?? null);
  if (title) return title;
  if (isContainer(widget)) return container;
  return widget.type === 'TEXT' ? text : widget.id;
}

/** Returns the name of a tile or control of a version of the dashboard. */
export function widgetName({ config, reports }: BoardVersion, id: string, messages: WorkbookMessages): string {
  const widget = config.widgets?.find(each => each.id === id);
  if (!widget) return id;
  const name = tileName(widget, reports, messages);
  return name === id ? controlTitle(widget) : name;
}
