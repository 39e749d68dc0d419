import type { DashboardWidget, ReportSnapshot } from '../../contract/dashboards.js';

const maxTitleLength = 80;

/** Returns the title of a report as its tile shows it. */
export function snapshotTitle(snapshot: ReportSnapshot | null): string {
  return snapshot?.title || snapshot?.name || '';
}

/** Returns the title of a widget; empty if it has none. A text widget has its first line as title. */
export function widgetTitle({ type, config }: DashboardWidget, snapshot: ReportSnapshot | null = null): string {
  if (type === 'TEXT') return firstLine(widgetMarkdown(config));
  const title = config?.title;
  return (typeof title === 'string' ? title : '') || snapshotTitle(snapshot);
}

/** Returns the Markdown of a text widget. */
export function widgetMarkdown(config: DashboardWidget['config']): string {
  return typeof config?.markdown === 'string' ? config.markdown : '';
}

/** Returns the first line of Markdown text, without its syntax. */
function firstLine(markdown: string): string {
  const line = markdown.split('\n').find(candidate => /[\p{L}\p{N}]/u.test(candidate)) ?? '';
  return line
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[\s#>*+-]+|[*_`~]+/g, '')
    .trim()
    .slice(0, maxTitleLength);
}
