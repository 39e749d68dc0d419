import type { DashboardConfig, DashboardWidget, ReportSnapshot } from '../../../contract/dashboards.js';
import type { JsonObject } from '../../../contract/wire.js';
import { addTile, changeTile } from '../../../report/layout/edit-board.js';

const chartSize = { w: 6, h: 8 } as const;
const figureSize = { w: 3, h: 4 } as const;
const textSize = { w: 12, h: 3 } as const;

/** A chart that was stored as a report. */
export interface StoredChart {
  readonly reportId: number;
  readonly title: string;
  readonly meta: JsonObject;
}

/** Shows a chart in a tile, or in a new one if `id` is `null`. Returns the dashboard and the id of the tile. */
export function putChart(config: DashboardConfig, id: string | null, { reportId, title, meta }: StoredChart) {
  if (id !== null) return { id, config: changeTile(config, id, { reportId, title }) };
  return addTile(config, { type: 'CHART', config: { reportId }, ...(meta.kind === 'kpi' ? figureSize : chartSize) });
}

/** Shows text in a tile, or in a new one if `id` is `null`. */
export function putText(config: DashboardConfig, id: string | null, markdown: string): DashboardConfig {
  if (id !== null) return changeTile(config, id, { markdown });
  return addTile(config, { type: 'TEXT', config: { markdown }, ...textSize }).config;
}

/** Returns the report with the title of its tile. */
export function titled(report: ReportSnapshot, config: DashboardWidget['config']): ReportSnapshot {
  return typeof config?.title === 'string' && config.title ? { ...report, title: config.title } : report;
}
