import type { Dashboard, DashboardWidget, ReportSnapshot } from '../../contract/dashboards.js';
import type { Control } from '../../report/controls.js';
import { controlOf } from '../../report/read-control.js';
import type { TileContent } from '../parts/tile/tile-view.js';

/** A widget as the dashboard draws it. */
export type DrawnWidget =
  | {
      readonly type: 'tile';
      readonly widget: DashboardWidget;
      readonly content: TileContent;
      readonly title: string;
      /** The heading is for assistive technology alone. */
      readonly bare: boolean;
    }
  | { readonly type: 'divider' | 'spacer'; readonly widget: DashboardWidget };

/** The widgets of a dashboard that can be drawn, and how many can't. */
export interface WidgetList {
  readonly drawn: readonly DrawnWidget[];
  /** In reading order: they stand in a bar above the grid. */
  readonly controls: readonly Control[];
  readonly hidden: number;
}

const longestName = 80;

/** Sorts out what a published dashboard shows. `unnamed` stands for a report or text that has no title. */
export function widgetsOf(
  { config, reportSnapshots }: Dashboard,
  unnamed: { report: string; text: string },
): WidgetList {
  const widgets = config.widgets ?? [];
  const drawn = widgets.flatMap(widget => drawnWidget(widget, reportSnapshots, unnamed) ?? []);
  const inOrder = [...widgets].sort((a, b) => a.position.y - b.position.y || a.position.x - b.position.x);
  const controls = inOrder.flatMap(widget => controlOf(widget) ?? []);
  return { drawn, controls, hidden: widgets.length - drawn.length - controls.length };
}

/** Name of a report as its tile shows it. */
export function snapshotTitle(snapshot: ReportSnapshot | null): string {
  return snapshot?.title || snapshot?.name || '';
}

/** The snapshot of a dashboard that a report's number or public id means. */
export function findSnapshot({ reportSnapshots }: Dashboard, report: string): ReportSnapshot | null {
  return reportSnapshots.find(({ reportId, meta }) => String(reportId) === report || meta?.publicId === report) ?? null;
}

function drawnWidget(
  widget: DashboardWidget,
  snapshots: readonly ReportSnapshot[],
  unnamed: { report: string; text: string },
): DrawnWidget | null {
  const { config } = widget;
  switch (widget.type) {
    case 'CHART': {
      const snapshot = snapshots.find(({ reportId }) => reportId === config?.reportId) ?? null;
      const title = text(config?.title) || snapshotTitle(snapshot) || unnamed.report;
      return { type: 'tile', widget, content: { type: 'report', snapshot }, title, bare: config?.hideTitle === true };
    }
    case 'TEXT': {
      const markdown = text(config?.markdown);
      const title = firstWords(markdown) || unnamed.text;
      return { type: 'tile', widget, content: { type: 'text', markdown }, title, bare: true };
    }
    case 'DIVIDER':
      return { type: 'divider', widget };
    case 'SPACER':
      return { type: 'spacer', widget };
    default:
      return null;
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The first line of a text, without its marks. */
function firstWords(markdown: string): string {
  const line = markdown.split('\n').find(candidate => /[\p{L}\p{N}]/u.test(candidate)) ?? '';
  return line
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[\s#>*+-]+|[*_`~]+/g, '')
    .trim()
    .slice(0, longestName);
}
