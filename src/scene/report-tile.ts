import type { ReportSnapshot } from '../contract/dashboards.js';
import type { ReportData } from '../report/query/report-data.js';
import { reportKind } from '../report/query/report-kind.js';
import { drawFigure } from './draw-figure.js';
import { drawFlows } from './draw-flows.js';
import { drawMap } from './draw-map.js';
import type { SceneContext } from './scene-context.js';
import { tableBody } from './table/table-body.js';
import type { TileBody } from './tile-body.js';

/** A report with its rows. */
export interface ReportInput {
  readonly snapshot: ReportSnapshot;
  readonly data: ReportData;
  readonly title: string;
}

/** Creates the body of a table, figure, map or Sankey diagram; `null` for reports of other kinds. */
export function sceneBody(context: SceneContext, { snapshot, data, title }: ReportInput): TileBody | null {
  const { rowSet } = data;
  switch (reportKind(snapshot)) {
    case 'table':
      return tableBody(context, snapshot, data);
    case 'kpi':
      return { type: 'drawing', draw: async size => drawFigure(context, { snapshot, data, title }, size) };
    case 'map':
      return { type: 'drawing', draw: size => drawMap(context, snapshot, rowSet, size) };
    case 'sankey':
      return { type: 'drawing', draw: async size => drawFlows(context, snapshot, rowSet, size) };
    default:
      return null;
  }
}

/** Returns the notes about rows that are missing, and about choices that do not apply. */
export function dataNotes({ messages, locale }: SceneContext, { rowSet, request }: ReportData): string[] {
  const { page } = messages;
  const count = new Intl.NumberFormat(locale).format(rowSet.rows.length);
  const names = [...new Set(request?.ignored.map(({ title }) => title) ?? [])];
  const reason = request?.kind === 'sql' ? request.reason : null;
  return [
    ...(rowSet.truncated ? [page.firstRowsHint(count)] : []),
    ...(names.length > 0 ? [page.ignoresControlsHint(new Intl.ListFormat(locale).format(names), reason)] : []),
  ];
}
