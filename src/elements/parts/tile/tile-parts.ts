import type { SkeletonShape } from '../skeleton.js';
import type { PartKind } from './tile-view.js';

/** What stands in the place of each kind of body while it is on its way. */
export const shapes: Readonly<Record<PartKind, SkeletonShape>> = {
  vega: 'bars',
  table: 'rows',
  kpi: 'figure',
  map: 'area',
  sankey: 'area',
  html: 'lines',
  custom: 'bars',
  text: 'lines',
};

/** Parts of a tile that a host may style, for `exportparts` of the elements around it. */
export const tileParts =
  'tile, header, heading, body, mark, notice, wait, button, skeleton, chart, tooltip, active-mark, brush, table, table-filters, cell-link, cell-image, figure, figure-label, figure-change, map, sankey, html, text, custom, menu-button, menu, menu-item, dialog, dialog-title';
