import { html, type TemplateResult } from 'lit';
import type { Dashboard, DashboardWidget } from '../../../contract/dashboards.js';
import type { SessionSource } from '../../../controllers/session/session-context.js';
import type { Choice } from '../../../report/controls/controls.js';
import { snapshotRequest } from '../../../report/query/report-request.js';
import { loadApp } from '../../parts/lazy-parts.js';
import type { TileHost } from '../../parts/tile/tile-host.js';
import type { AppRequests } from './app-element.js';

interface AppOptions {
  readonly source: SessionSource | null;
  readonly host: TileHost;
  readonly choicesFor: (widget: DashboardWidget) => readonly Choice[];
  readonly title: string;
}

/** Renders the app of a dashboard of kind APP; `undefined` for other dashboards. */
export function renderApp(dashboard: Dashboard, options: AppOptions): TemplateResult | undefined {
  const { config, reportSnapshots } = dashboard;
  if (config.kind !== 'APP') return undefined;
  // If the element cannot be loaded, the area of the app stays empty.
  loadApp().catch(() => {});
  const request = options.host.requests() ?? snapshotRequest;
  const entries = reportSnapshots.map(snapshot => {
    const widget = config.widgets?.find(each => each.type === 'CHART' && each.config?.reportId === snapshot.reportId);
    return [snapshot.reportId, request(snapshot, widget ? options.choicesFor(widget) : [])] as const;
  });
  const requests: AppRequests = new Map(entries);
  return html`<pa-app
    exportparts="app, notice, button"
    .dashboard=${dashboard}
    .source=${options.source}
    .requests=${requests}
    .label=${options.title}
  ></pa-app>`;
}
