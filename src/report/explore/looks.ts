import type { RowSet } from '../../contract/row-set.js';
import type { JsonObject } from '../../contract/wire.js';
import { proposeLayout } from '../chart/proposed-chart.js';
import { queryChart } from '../chart/query-chart.js';

/** How a result is shown. `auto` depends on the result. */
export const looks = ['auto', 'table', 'kpi', 'line', 'area', 'column', 'bar', 'donut'] as const;
/** How a result is shown. */
export type Look = (typeof looks)[number];

/** The part of a report's `meta` that determines how it is shown. */
export interface LookMeta {
  readonly kind: 'vega' | 'table' | 'kpi';
  readonly spec?: JsonObject;
}

/** Maximum number of periods of a bar chart that are drawn as separate bands. */
const maxBands = 60;
const maxSlices = 7;

/** Returns the looks that can show a result, which always include `auto` and `table`. */
export function possibleLooks(rowSet: RowSet): readonly Look[] {
  const { columns, rows } = rowSet;
  const measures = columns.filter(({ kind }) => kind === 'measure');
  const groups = columns.filter(({ kind }) => kind !== 'measure');
  const isTime = groups.some(({ kind }) => kind === 'timeDimension');
  const chart = queryChart(rowSet);
  const isFigure = measures.length > 0 && (groups.length === 0 || (groups.length === 1 && isTime));
  const isShare = chart !== null && !isTime && groups.length === 1 && rows.length <= maxSlices;
  const charts: readonly Look[] = isTime ? ['line', 'area', 'column'] : ['bar', 'column'];
  return [
    'auto',
    'table',
    ...(isFigure ? (['kpi'] as const) : []),
    ...(chart ? charts : []),
    ...(isShare ? (['donut'] as const) : []),
  ];
}

/**
 * Returns the looks that a page offers for a result: at least one. `auto` is offered if the look that it selects is
 * offered.
 * @param offered - looks that the page offers; all by default.
 */
export function offeredLooks(rowSet: RowSet, offered?: readonly Look[]): readonly Look[] {
  const possible = possibleLooks(rowSet);
  if (!offered) return possible;
  const found = possible.filter(look => look !== 'auto' && offered.includes(look));
  const shown: readonly Look[] = found.length > 0 ? found : ['table'];
  return shown.includes(proposedLook(rowSet)) ? ['auto', ...shown] : shown;
}

/** Returns the `meta` that shows a result. A look that cannot show it is replaced by the proposed one. */
export function metaOf(look: Look, rowSet: RowSet): LookMeta {
  const shown = look === 'auto' || !possibleLooks(rowSet).includes(look) ? proposedLook(rowSet) : look;
  const isTime = rowSet.columns.some(({ kind }) => kind === 'timeDimension');
  if (shown === 'kpi') return isTime ? { kind: 'kpi', spec: { display: 'sparkline' } } : { kind: 'kpi' };
  const chart = shown === 'table' ? null : queryChart(rowSet);
  if (!chart) return { kind: 'table' };
  const spec = withMark(chart, shown);
  return { kind: 'vega', spec: proposeLayout(spec, { hasFewPeriods: isTime && rowSet.rows.length <= maxBands }) };
}

/** Returns the look that `auto` selects for a result. */
export function proposedLook(rowSet: RowSet): Look {
  const { columns, rows } = rowSet;
  if (columns.length > 0 && columns.every(({ kind }) => kind === 'measure')) return 'kpi';
  const chart = queryChart(rowSet);
  if (!chart) return 'table';
  const isTime = columns.some(({ kind }) => kind === 'timeDimension');
  if (!isTime) return 'bar';
  return rows.length > 1 ? 'line' : 'column';
}

/** Changes the mark of a chart of `queryChart`. */
function withMark(chart: JsonObject, look: Look): JsonObject {
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
