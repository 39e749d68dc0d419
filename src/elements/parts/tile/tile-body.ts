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

/** What a tile gives to the element that draws its body. Each takes of it what it needs. */
export interface PartInput {
  readonly content: TileContent;
  /** Null while its rows are on their way, and of a text. */
  readonly data: ReportData | null;
  /** Name of the tile. */
  readonly label: string;
  /** Level of the tile's heading. */
  readonly level: number;
  /** Marks that filter the other tiles; none when nothing is chosen. */
  readonly selected: readonly Mark[];
  /** No row may leave the page by a download or a copy. */
  readonly restricted: boolean;
  /** Origins whose images are shown. */
  readonly imageOrigins: readonly string[];
  /** Called after the body was drawn. */
  readonly onDrawn: () => void;
  /** Called when the body can't be drawn. */
  readonly onFailed: (problem: Problem) => void;
  /** Called when not all marks are drawn, with how many are; with null when all are. */
  readonly onThinned: (thinned: MarkSample | null) => void;
  /** Called when somebody points at a mark. */
  readonly onPick: (pick: Pick) => void;
  /** Called when several marks are chosen at once by a frame; null where they can't be. */
  readonly onBrush: ((marks: readonly Mark[], how: 'add' | 'replace') => void) | null;
  /** Called before cells of this many rows are copied; false keeps them from it. */
  readonly onCopy: (rows: number) => boolean;
}

const loaders: Readonly<Record<PartKind, () => Promise<unknown>>> = {
  vega: () => {
    preloadCharts();
    return import('../chart/pa-tile-chart.js');
  },
  table: () => import('../table/pa-tile-table.js'),
  kpi: () => import('../kpi/pa-tile-kpi.js'),
  map: () => import('../map/pa-tile-map.js'),
  sankey: () => import('../sankey/pa-tile-sankey.js'),
  html: () => import('../html/pa-tile-html.js'),
  custom: () => import('../custom/pa-tile-custom.js'),
  text: () => import('../text/pa-tile-text.js'),
};

/** Loads the element that draws one kind of body: each is a chunk of its own, which pages without that kind never load. */
export async function loadPart(kind: PartKind): Promise<void> {
  await retryLoad(loaders[kind]);
}

/** What the bodies of tiles are drawn from: `snapshot` and `rowSet` as the tile holds them now. */
interface Body extends PartInput {
  readonly snapshot: ReportSnapshot | null;
  readonly rowSet: RowSet | null;
}

const bodies: Readonly<Record<PartKind, (body: Body) => TemplateResult>> = {
  vega: ({ label, onBrush, onDrawn, onFailed, onPick, onThinned, rowSet, selected, snapshot }) =>
    html`<pa-tile-chart
        exportparts="chart, tooltip, active-mark, brush"
        .snapshot=${snapshot}
        .rowSet=${rowSet}
        .label=${label}
        .selected=${selected}
        pickable
        .onDrawn=${onDrawn}
        .onFailed=${onFailed}
        .onThinned=${onThinned}
        .onPick=${onPick}
        .onBrush=${onBrush}
      ></pa-tile-chart>`,
  table: ({ data, imageOrigins, label, onCopy, onDrawn, onPick, restricted, selected, snapshot }) =>
    html`<pa-tile-table
        exportparts="table, table-filters, cell-link, cell-image"
        .snapshot=${snapshot}
        .data=${data}
        .label=${label}
        .selected=${selected}
        .copyable=${!restricted}
        .onCopy=${onCopy}
        .imageOrigins=${imageOrigins}
        .onDrawn=${onDrawn}
        .onPick=${onPick}
      ></pa-tile-table>`,
  kpi: ({ data, label, onDrawn, onFailed, onPick, rowSet, snapshot }) =>
    html`<pa-tile-kpi
        exportparts="figure, figure-label, figure-change"
        .snapshot=${snapshot}
        .rowSet=${rowSet}
        .totals=${data?.totals ?? null}
        .label=${label}
        .onDrawn=${onDrawn}
        .onFailed=${onFailed}
        .onPick=${onPick}
      ></pa-tile-kpi>`,
  map: ({ label, onDrawn, onFailed, onPick, rowSet, selected, snapshot }) =>
    html`<pa-tile-map
        exportparts="map, tooltip, mark"
        .snapshot=${snapshot}
        .rowSet=${rowSet}
        .label=${label}
        .selected=${selected}
        .onDrawn=${onDrawn}
        .onFailed=${onFailed}
        .onPick=${onPick}
      ></pa-tile-map>`,
  sankey: ({ label, onDrawn, onFailed, onPick, rowSet, selected, snapshot }) =>
    html`<pa-tile-sankey
        exportparts="sankey, tooltip, mark"
        .snapshot=${snapshot}
        .rowSet=${rowSet}
        .label=${label}
        .selected=${selected}
        .onDrawn=${onDrawn}
        .onFailed=${onFailed}
        .onPick=${onPick}
      ></pa-tile-sankey>`,
  html: ({ label, level, onDrawn, onFailed, rowSet, snapshot }) =>
    html`<pa-tile-html
        exportparts="html, mark"
        .snapshot=${snapshot}
        .rowSet=${rowSet}
        .label=${label}
        .level=${level}
        .onDrawn=${onDrawn}
        .onFailed=${onFailed}
      ></pa-tile-html>`,
  custom: ({ label, onDrawn, onFailed, onPick, rowSet, snapshot }) =>
    html`<pa-tile-custom
        exportparts="custom"
        .snapshot=${snapshot}
        .rowSet=${rowSet}
        .label=${label}
        .onDrawn=${onDrawn}
        .onFailed=${onFailed}
        .onPick=${onPick}
      ></pa-tile-custom>`,
  text: ({ content, level, onDrawn }) =>
    html`<pa-tile-text
        exportparts="text"
        .markdown=${content.type === 'text' ? content.markdown : ''}
        .level=${level}
        .onDrawn=${onDrawn}
      ></pa-tile-text>`,
};

/** The element that draws one kind of body. It stands there before its rows do, so that what it needs is loaded meanwhile. */
export function renderPart(kind: PartKind, input: PartInput): TemplateResult {
  const { content, data } = input;
  const snapshot = content.type === 'report' ? content.snapshot : null;
  return bodies[kind]({ ...input, snapshot, rowSet: data?.rowSet ?? null });
}
