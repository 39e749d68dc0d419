import type { ReportSnapshot } from '../../../contract/dashboards.js';
import type { SkeletonShape } from '../skeleton.js';
import type { PartKind, TileContent } from './tile-view.js';

const shapes: Readonly<Record<PartKind, SkeletonShape>> = {
  vega: 'bars',
  table: 'rows',
  kpi: 'figure',
  map: 'map',
  sankey: 'flow',
  html: 'lines',
  custom: 'bars',
  text: 'lines',
};

const chartShapes = new WeakMap<ReportSnapshot, SkeletonShape>();

/** Returns the skeleton shape for the content of a tile. Charts with line or area marks have the shape of a line. */
export function skeletonShape(part: PartKind, content: TileContent): SkeletonShape {
  const snapshot = content.type === 'report' ? content.snapshot : null;
  if (part !== 'vega' || !snapshot) return shapes[part];
  const shape = chartShapes.get(snapshot) ?? (hasLines(snapshot.spec) ? 'line' : shapes.vega);
  chartShapes.set(snapshot, shape);
  return shape;
}

/** Whether a Vega or Vega-Lite specification draws lines or areas. */
function hasLines(spec: unknown): boolean {
  const text = typeof spec === 'string' ? spec : (JSON.stringify(spec ?? null) ?? '');
  return /"(?:type|mark)"\s*:\s*"(?:line|area|trail)"/.test(text);
}

/** CSS parts of a tile, for `exportparts` of the enclosing elements. */
export const tileParts =
  'tile, header, heading, body, mark, notice, wait, button, skeleton, chart, tooltip, active-mark, brush, table, table-filters, cell-link, cell-image, figure, figure-label, figure-change, map, sankey, html, text, custom, menu-button, menu, menu-item, dialog, dialog-title';
