import type { ReportSnapshot } from '../../../contract/dashboards.js';
import type { Query } from '../../../contract/query.js';
import type { RowSet } from '../../../contract/row-set.js';
import type { JsonObject } from '../../../contract/wire.js';
import { reportMeta } from '../../../controllers/creator/workbook-service.js';
import { queryChart, queryTitle } from '../../../report/chart/query-chart.js';
import type { EarlierPeriod } from '../../../report/explore/chart-options.js';
import type { Comparisons } from '../../../report/explore/compared-period.js';
import {
  readOptions,
  type Visualization,
  type VisualizationOptions,
  visualizations,
} from '../../../report/explore/visualization-options.js';
import { metaOf } from '../../../report/explore/visualizations.js';
import type { TileContent } from '../../parts/tile/tile-view.js';
import type { WrittenChart } from './spec-dialog-element.js';

/** How the chart is shown: a visualization, or `own` for a specification that the form cannot express. */
export type ChosenVisualization = Visualization | 'own';

/** Input from which a preview is created. */
export interface PreviewInput {
  readonly rowSet: RowSet;
  readonly query: Query | null;
  readonly visualization: ChosenVisualization;
  readonly options: VisualizationOptions;
  readonly comparisons: Comparisons;
  readonly earlier: EarlierPeriod | null;
  /** `meta` of the report before it was edited. */
  readonly before: JsonObject;
  /** The chart as the user has written it; `null` if the user has written none. */
  readonly written: WrittenChart | null;
}

/** The tile of a result. */
export interface Preview {
  readonly content: TileContent;
  readonly meta: JsonObject;
  readonly title: string;
  /** Whether the tile needs more rows than those of the query: totals, or an earlier period. */
  readonly needsMore: boolean;
}

/** Creates the preview of a chart, with the `meta` that is stored in its report. */
export function createPreview(input: PreviewInput): Preview {
  const { rowSet, query, comparisons } = input;
  const { periodComparisons: _, ...shown } = shownMeta(input);
  const meta: JsonObject = { ...shown, ...(comparisons.length > 0 && { periodComparisons: comparisons }) };
  const snapshot = { ...meta, id: 0, reportId: 0, versionNumber: 1, meta: { ...(query && { jsonQuery: query }) } };
  return {
    meta,
    title: queryTitle(rowSet, meta.kind === 'vega' ? queryChart(rowSet) : null),
    content: { type: 'report', snapshot },
    needsMore: comparisons.length > 0 || ((meta.kind === 'table' || meta.kind === 'kpi') && meta.spec !== undefined),
  };
}

function shownMeta({ rowSet, visualization, options, earlier, before, written }: PreviewInput): JsonObject {
  const { spec, kind, look: _, ...settings } = before;
  if (visualization === 'own') return written ? { ...settings, ...written } : before;
  const meta = metaOf(visualization, rowSet, { options, earlier });
  const isSameKind = meta.kind === kind && isObject(spec) && kind !== 'vega';
  return {
    ...settings,
    ...(isSameKind ? metaOf(visualization, rowSet, { options, earlier, base: spec }) : meta),
    visualization,
  };
}

/** Returns the text with which the user starts to write a chart in each format. */
export function writtenTexts({ meta }: Preview, rowSet: RowSet): Readonly<Record<'vega' | 'html', string>> {
  const { spec } = meta.kind === 'vega' ? meta : metaOf('auto', rowSet);
  const chart = typeof spec === 'string' || isObject(spec) ? spec : { mark: 'bar', encoding: {} };
  const [first = ''] = rowSet.columns.filter(({ kind }) => kind === 'measure').map(({ member }) => member);
  const given = meta.kind === 'html' && (isObject(meta.spec) ? meta.spec.html : meta.spec);
  return {
    vega: typeof chart === 'string' ? chart : JSON.stringify(chart, null, 2),
    html: typeof given === 'string' ? given : `<p class="large">{{${first}}}</p>`,
  };
}

/**
 * Returns the visualization of a report, which the editor has stored or its kind determines; `null` if there is none.
 */
export function visualizationOf({ look, kind }: ReportSnapshot): Visualization | null {
  const kinds: readonly Visualization[] = ['table', 'kpi', 'map', 'sankey'];
  return visualizations.find(each => each === look) ?? kinds.find(each => each === kind) ?? null;
}

/** Returns the settings of a report for its visualization. */
export function optionsOf(report: ReportSnapshot): VisualizationOptions {
  const { kind, spec } = beforeOf(report);
  const look = visualizationOf(report);
  const shown = look === 'auto' ? (visualizations.find(each => each === kind) ?? 'line') : look;
  return shown && isObject(spec) ? readOptions(shown, spec) : {};
}

/** Returns the `meta` of a report. The layout of a pivot table becomes a part of `spec`. */
export function beforeOf(report: ReportSnapshot): JsonObject {
  const meta = reportMeta(report);
  const { spec } = meta;
  const items = report.meta?.pivotItems;
  if (!items || meta.kind !== 'table') return meta;
  return { ...meta, spec: { pivotItems: items, ...(isObject(spec) && spec) } };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
