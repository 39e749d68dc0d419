import { html, type TemplateResult } from 'lit';
import type { ReportSnapshot } from '../../../contract/dashboards.js';
import type { RowSet } from '../../../contract/row-set.js';
import type { Problem } from '../../../controllers/problem.js';
import { preloadCharts } from '../../../controllers/report/preload-charts.js';
import type { Mark, Pick } from '../../../report/marks/mark.js';
import type { ReportData } from '../../../report/query/report-data.js';
import { retryLoad } from '../retry-load.js';
import type { MarkSample } from './tile-header.js';
import type { PartKind, TileContent } from './tile-view.js';

/** Input of the element that renders the body of a tile. Each element uses a subset. */
export interface PartInput {
  readonly content: TileContent;
  /** `null` while rows load, and for a text widget. */
  readonly data: ReportData | null;
  /** Name of the tile. */
  readonly label: string;
  /** Level of the tile's heading. */
  readonly level: number;
  /** Marks that filter other tiles; empty if none are selected. */
  readonly selected: readonly Mark[];
  /** Whether viewers may not download or copy rows. */
  readonly restricted: boolean;
  /** Origins whose images are shown. */
  readonly imageOrigins: readonly string[];
  /** Called after each render. */
  readonly onRendered: () => void;
  /** Called if rendering fails. */
  readonly onFailed: (problem: Problem) => void;
  /** Called with the number of rendered marks if a chart renders only a sample, with `null` if it renders all. */
  readonly onDownsampled: (thinned: MarkSample | null) => void;
  /** Called when the viewer selects a mark or requests its menu. */
  readonly onPick: (pick: Pick) => void;
  /** Called when several marks are selected with a brush; `null` if brushing is not possible. */
  readonly onBrush: ((marks: readonly Mark[], how: 'add' | 'replace') => void) | null;
  /** Called with the number of rows before cells are copied; returns `false` to cancel. */
  readonly onCopy: (rows: number) => boolean;
}

const loaders: Readonly<Record<PartKind, () => Promise<unknown>>> = {
  vega: () => {
    preloadCharts();
    return import('../chart/chart-element.js');
  },
  table: () => import('../table/table-element.js'),
  kpi: () => import('../kpi/kpi-element.js'),
  map: () => import('../map/map-element.js'),
  sankey: () => import('../sankey/sankey-element.js'),
  html: () => import('../html/html-element.js'),
  custom: () => import('../custom/custom-element.js'),
  text: () => import('../text/text-element.js'),
};

/**
 * Loads the element that renders one kind of body. Each is a separate chunk that pages without that kind never load.
 */
export async function loadPart(kind: PartKind): Promise<void> {
  await retryLoad(loaders[kind]);
}

/** Input of a body with the current `snapshot` and `rowSet` of the tile. */
interface Body extends PartInput {
  readonly snapshot: ReportSnapshot | null;
  readonly rowSet: RowSet | null;
}

const bodies: Readonly<Record<PartKind, (body: Body) => TemplateResult>> = {
  vega: ({ label, onBrush, onRendered, onFailed, onPick, onDownsampled, rowSet, selected, snapshot }) =>
    html`<pa-tile-chart
        exportparts="chart, tooltip, active-mark, brush"
        .snapshot=${snapshot}
        .rowSet=${rowSet}
        .label=${label}
        .selected=${selected}
        pickable
        .onRendered=${onRendered}
        .onFailed=${onFailed}
        .onDownsampled=${onDownsampled}
        .onPick=${onPick}
        .onBrush=${onBrush}
      ></pa-tile-chart>`,
  table: ({ data, imageOrigins, label, onCopy, onRendered, onPick, restricted, selected, snapshot }) =>
    html`<pa-tile-table
        exportparts="table, table-filters, cell-link, cell-image"
        .snapshot=${snapshot}
        .data=${data}
        .label=${label}
        .selected=${selected}
        .copyable=${!restricted}
        .onCopy=${onCopy}
        .imageOrigins=${imageOrigins}
        .onRendered=${onRendered}
        .onPick=${onPick}
      ></pa-tile-table>`,
  kpi: ({ data, label, onRendered, onFailed, onPick, rowSet, snapshot }) =>
    html`<pa-tile-kpi
        exportparts="figure, figure-label, figure-change"
        .snapshot=${snapshot}
        .rowSet=${rowSet}
        .totals=${data?.totals ?? null}
        .label=${label}
        .onRendered=${onRendered}
        .onFailed=${onFailed}
        .onPick=${onPick}
      ></pa-tile-kpi>`,
  map: ({ label, onRendered, onFailed, onPick, rowSet, selected, snapshot }) =>
    html`<pa-tile-map
        exportparts="map, tooltip, mark"
        .snapshot=${snapshot}
        .rowSet=${rowSet}
        .label=${label}
        .selected=${selected}
        .onRendered=${onRendered}
        .onFailed=${onFailed}
        .onPick=${onPick}
      ></pa-tile-map>`,
  sankey: ({ label, onRendered, onFailed, onPick, rowSet, selected, snapshot }) =>
    html`<pa-tile-sankey
        exportparts="sankey, tooltip, mark"
        .snapshot=${snapshot}
        .rowSet=${rowSet}
        .label=${label}
        .selected=${selected}
        .onRendered=${onRendered}
        .onFailed=${onFailed}
        .onPick=${onPick}
      ></pa-tile-sankey>`,
  html: ({ label, level, onRendered, onFailed, rowSet, snapshot }) =>
    html`<pa-tile-html
        exportparts="html, mark"
        .snapshot=${snapshot}
        .rowSet=${rowSet}
        .label=${label}
        .level=${level}
        .onRendered=${onRendered}
        .onFailed=${onFailed}
      ></pa-tile-html>`,
  custom: ({ label, onRendered, onFailed, onPick, rowSet, snapshot }) =>
    html`<pa-tile-custom
        exportparts="custom"
        .snapshot=${snapshot}
        .rowSet=${rowSet}
        .label=${label}
        .onRendered=${onRendered}
        .onFailed=${onFailed}
        .onPick=${onPick}
      ></pa-tile-custom>`,
  text: ({ content, level, onRendered }) =>
    html`<pa-tile-text
        exportparts="text"
        .markdown=${content.type === 'text' ? content.markdown : ''}
        .level=${level}
        .onRendered=${onRendered}
      ></pa-tile-text>`,
};

/** Renders the element for one kind of body. It renders before its rows arrive, so that its code loads in parallel. */
export function renderPart(kind: PartKind, input: PartInput): TemplateResult {
  const { content, data } = input;
  const snapshot = content.type === 'report' ? content.snapshot : null;
  return bodies[kind]({ ...input, snapshot, rowSet: data?.rowSet ?? null });
}
