import type { Query } from '../contract/query.js';
import type { Column, RowSet } from '../contract/row-set.js';
import type { JsonObject } from '../contract/wire.js';
import { bucketSpan, later, type Span, wallTime } from './buckets.js';
import { namesOf } from './calendar-names.js';
import { fillMissing } from './fill.js';

/** A chart that the product proposes, and the rows it is drawn from. */
export interface ProposedChart {
  readonly spec: JsonObject;
  readonly rowSet: RowSet;
  /** True if the first or the last period is not covered whole by the query's date range. */
  readonly hasPartialPeriod: boolean;
}

const day = 86_400_000;
/** Signal of charts that holds the color of a single series. */
const accentSignal = 'paAccent';
/** Widest bar, px. */
const maxBarWidth = 72;
/** Most periods that are drawn as bars side by side; more stay on a continuous axis. */
const maxBands = 400;
/** Opacity of a bar of a partial period. */
const partialOpacity = 0.4;

/**
 * Improves a chart that no author wrote: periods without rows are gaps, bars are at most 72 px wide, weekdays and months have names in
 * calendar order, and first and last periods that the query covers in part are lighter.
 * @param locale - BCP 47 tag of the names.
 */
export function proposeChart(
  chart: JsonObject,
  { rowSet, query, locale }: { readonly rowSet: RowSet; readonly query: Query | null; readonly locale: string },
): ProposedChart {
  const named = namesOf(rowSet, locale);
  const time = rowSet.columns.find(({ annotation }) => annotation.type === 'time');
  const span = time ? bucketSpan(time) : null;
  const filling =
    time && span ? { column: time, span, range: null, excluded: new Set<string>(), nothing: () => null } : null;
  const filled = filling ? fillMissing(named.rowSet, filling) : named.rowSet;
  const test = time && span ? partialTest(filled, time, span, query) : null;
  const draw = (unit: JsonObject) => improveUnit(unit, { order: named.order, count: filled.rows.length, test });
  const spec = Array.isArray(chart.layer)
    ? { ...chart, layer: chart.layer.map(layer => (isObject(layer) ? draw(layer) : layer)) }
    : draw(chart);
  return { spec, rowSet: filled, hasPartialPeriod: test !== null };
}

interface Improvement {
  readonly order: ReadonlyMap<string, readonly string[]>;
  readonly count: number;
  readonly test: string | null;
}

function improveUnit(unit: JsonObject, { order, count, test }: Improvement): JsonObject {
  const mark: JsonObject = isObject(unit.mark) ? { ...unit.mark } : { type: unit.mark };
  const encoding = isObject(unit.encoding) ? { ...unit.encoding } : {};
  const isBar = mark.type === 'bar';
  for (const channel of ['x', 'y']) {
    const given = encoding[channel];
    if (!isObject(given)) continue;
    const names = order.get(String(given.field).replaceAll('\\', ''));
    const isPeriod = isBar && given.type === 'temporal' && given.timeUnit === undefined && count <= maxBands;
    const scale = isObject(given.scale) ? given.scale : {};
    const isBand = isBar && (isPeriod || given.type === 'nominal' || given.type === 'ordinal');
    encoding[channel] = {
      ...given,
      ...(isPeriod && { type: 'ordinal' }),
      ...(names && (given.sort === undefined || given.sort === null) && { sort: names }),
      ...(isBand && given.scale !== null && { scale: { paddingInner: 0.3, ...scale } }),
    };
    // A filter would take the periods without rows off the axis again.
    if (isPeriod) mark.invalid = 'show';
    const isOffset = `${channel}Offset` in encoding;
    if (isBand && !isOffset)
      mark[channel === 'x' ? 'width' : 'height'] ??= { expr: `min(${maxBarWidth}, bandwidth('${channel}'))` };
  }
  const improved = { ...unit, mark, encoding };
  if (test === null) return improved;
  const lighter = (value: number) => ({ fillOpacity: { condition: { test, value }, value: 1 } });
  if (isBar) return { ...improved, encoding: { ...encoding, ...lighter(partialOpacity) } };
  if (mark.type !== 'line' || 'color' in encoding) return improved;
  // The point of a partial period is hollow.
  const { mark: _, ...rest } = improved;
  const { point: __, ...line } = mark;
  const points = { type: 'point', fill: { expr: accentSignal } };
  return { ...rest, layer: [{ mark: line }, { mark: points, encoding: lighter(0) }] };
}

/** A test of Vega for the first and last period if the date range of the query covers them in part; null if it covers them whole. */
function partialTest({ rows }: RowSet, { member }: Column, span: Span, query: Query | null): string | null {
  const dimension = query?.timeDimensions?.find(time => `${time.dimension}.${time.granularity}` === member);
  const [from, to = from] = Array.isArray(dimension?.dateRange) ? dimension.dateRange : [];
  const starts = rows.flatMap(row => wallTime(row[member]) ?? []);
  const [first, last] = [Math.min(...starts), Math.max(...starts)];
  const [begin, end] = [wallTime(from), endOf(to)];
  if (begin === null || end === null || starts.length === 0) return null;
  const partial = [begin > first ? first : null, end < later(last, span) - 1 ? last : null].filter(
    start => start !== null,
  );
  if (partial.length === 0) return null;
  return partial.map(start => `time(datum[${JSON.stringify(member)}]) === ${start}`).join(' || ');
}

/** Last millisecond of a date range: a date without a time means the whole day. */
function endOf(to: string | undefined): number | null {
  const time = wallTime(to);
  return time !== null && to?.length === 10 ? time + day - 1 : time;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
