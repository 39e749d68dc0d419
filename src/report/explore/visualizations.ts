import type { RowSet } from '../../contract/row-set.js';
import type { JsonObject } from '../../contract/wire.js';
import { proposeLayout } from '../chart/proposed-chart.js';
import { queryChart } from '../chart/query-chart.js';
import { type EarlierPeriod, withEarlier, withOptions } from './chart-options.js';
import {
  degreesOf,
  type OptionField,
  rolesOf,
  type Visualization,
  type VisualizationOptions,
  visualizationFields,
  visualizationSpec,
} from './visualization-options.js';

/** The part of a report's `meta` that determines how it is shown. */
export interface VisualizationMeta {
  readonly kind: 'vega' | 'table' | 'kpi' | 'map' | 'sankey';
  readonly spec?: JsonObject;
}

/** Settings of a visualization. */
export interface VisualizationSettings {
  readonly options?: VisualizationOptions;
  /** Previous `spec` of the same kind, whose keys that the form cannot express are preserved. */
  readonly base?: JsonObject;
  /** The earlier period that the first measure is compared with; `null` if there is none. */
  readonly earlier?: EarlierPeriod | null;
}

/** Maximum number of periods of a bar chart that are drawn as separate bands. */
const maxBands = 60;
const maxSlices = 7;

/** Returns the visualizations that can show a result, which always include `auto` and `table`. */
export function possibleVisualizations(rowSet: RowSet): readonly Visualization[] {
  const { rows } = rowSet;
  const { measures, groups, isTime } = rolesOf(rowSet);
  const chart = queryChart(rowSet);
  const isFigure = measures.length > 0 && (groups.length === 0 || (groups.length === 1 && isTime));
  const isShare = chart !== null && !isTime && groups.length === 1 && rows.length <= maxSlices;
  const charts: readonly Visualization[] = isTime ? ['line', 'area', 'column'] : ['bar', 'column'];
  return [
    'auto',
    'table',
    ...(isFigure ? (['kpi'] as const) : []),
    ...(chart ? charts : []),
    ...(isShare ? (['donut'] as const) : []),
    ...(measures.length > 0 && isGeographic(groups) ? (['map'] as const) : []),
    ...(measures.length > 0 && groups.length > 1 && !isTime ? (['sankey'] as const) : []),
  ];
}

/**
 * Returns the visualizations that a page offers for a result: at least one. `auto` is offered if the visualization that
 * it selects is offered.
 * @param offered - visualizations that the page offers; all by default.
 */
export function allowedVisualizations(rowSet: RowSet, offered?: readonly Visualization[]): readonly Visualization[] {
  const possible = possibleVisualizations(rowSet);
  if (!offered) return possible;
  const found = possible.filter(look => look !== 'auto' && offered.includes(look));
  const shown: readonly Visualization[] = found.length > 0 ? found : ['table'];
  return shown.includes(proposedVisualization(rowSet)) ? ['auto', ...shown] : shown;
}

/** Whether a result has coordinates, or a column that is probably a region. */
function isGeographic(groups: RowSet['columns']): boolean {
  const isRegion = ({ member, annotation }: RowSet['columns'][number]): boolean =>
    annotation.type === 'string' && /state|country|nation|region/i.test(member.split('.').at(-1) ?? '');
  return degreesOf(groups) !== null || groups.some(isRegion);
}

/**
 * Returns the visualization that shows a result: `auto`, and a visualization that cannot show it, are replaced by the
 * proposed one.
 */
function effectiveVisualization(look: Visualization, rowSet: RowSet): Visualization {
  return look === 'auto' || !possibleVisualizations(rowSet).includes(look) ? proposedVisualization(rowSet) : look;
}

/** Returns the settings of a visualization with their current values. */
export function fieldsOf(look: Visualization, rowSet: RowSet, { options = {}, earlier = null }: VisualizationSettings) {
  return visualizationFields(effectiveVisualization(look, rowSet), rowSet, options, {
    hasComparison: earlier !== null,
  });
}

/** Returns the `meta` that shows a result. A visualization that cannot show it is replaced by the proposed one. */
export function metaOf(look: Visualization, rowSet: RowSet, settings: VisualizationSettings = {}): VisualizationMeta {
  const shown = effectiveVisualization(look, rowSet);
  const fields = fieldsOf(look, rowSet, settings);
  const { base = {}, earlier = null } = settings;
  const roles = rolesOf(rowSet);
  if (shown === 'table' || shown === 'kpi' || shown === 'map' || shown === 'sankey') {
    const spec = visualizationSpec(shown, fields, roles, base);
    return Object.keys(spec).length > 0 && !isPlain(shown, spec) ? { kind: shown, spec } : { kind: shown };
  }
  const chart = queryChart(withMeasureFirst(rowSet, fields));
  if (!chart) return { kind: 'table' };
  const chartSpec = withOptions(withMark(chart, shown), fields, roles);
  const spec = earlier && roles.groups.length === 1 ? withEarlier(chartSpec, earlier) : chartSpec;
  return { kind: 'vega', spec: proposeLayout(spec, { hasFewPeriods: roles.isTime && rowSet.rows.length <= maxBands }) };
}

/** Whether a specification has only defaults. */
function isPlain(look: Visualization, spec: JsonObject): boolean {
  return look === 'kpi' && Object.keys(spec).length === 1 && spec.display === 'number';
}

/** Moves the chosen measure to the front, because charts show the first measure. */
function withMeasureFirst(rowSet: RowSet, fields: readonly OptionField[]): RowSet {
  const chosen = fields.find(({ name }) => name === 'measure')?.value;
  const columns = rowSet.columns.filter(({ comparison }) => !comparison);
  const first = columns.filter(({ member }) => member === chosen);
  return { ...rowSet, columns: [...first, ...columns.filter(({ member }) => member !== chosen)] };
}

/** Returns the visualization that `auto` selects for a result. */
export function proposedVisualization(rowSet: RowSet): Visualization {
  const { columns, rows } = rowSet;
  if (columns.length > 0 && columns.every(({ kind }) => kind === 'measure')) return 'kpi';
  const chart = queryChart(rowSet);
  if (!chart) return 'table';
  const isTime = columns.some(({ kind }) => kind === 'timeDimension');
  if (!isTime) return 'bar';
  return rows.length > 1 ? 'line' : 'column';
}

/** Changes the mark of a chart of `queryChart`. */
function withMark(chart: JsonObject, look: Visualization): JsonObject {
  const { mark, encoding: given, ...rest } = chart;
  const encoding = isObject(given) ? given : {};
  const { x, y, color } = encoding;
  const series = color === undefined ? {} : { color };
  const isFlat = isObject(x) && x.type === 'quantitative';
  const [category, value] = isFlat ? [y, x] : [x, y];
  switch (look) {
    case 'area':
      return { ...rest, mark: { type: 'area', line: true, opacity: 0.5 }, encoding };
    case 'column':
      return { ...rest, mark: 'bar', encoding: { x: category, y: value, ...series } };
    case 'bar':
      return { ...rest, mark: 'bar', encoding: { y: category, x: value, ...series } };
    case 'donut':
      return {
        ...rest,
        mark: { type: 'arc', innerRadius: 60 },
        encoding: { theta: value, color: isObject(category) ? { ...category, type: 'nominal' } : category },
      };
    default:
      return { ...rest, mark, encoding };
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
