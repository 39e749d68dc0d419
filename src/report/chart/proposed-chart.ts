import type { Query } from '../../contract/query.js';
import type { Column, RowSet } from '../../contract/row-set.js';
import type { JsonObject } from '../../contract/wire.js';
import { addSpan, bucketSpan, type Span, wallTime } from '../dates/time-buckets.js';
import { namesOf } from '../format/calendar-names.js';
import { alignedSpecifier, defaultFormats, numberSpecifier } from '../format/format.js';
import { fillMissing } from '../query/fill-missing.js';

/** An automatic chart and the rows it is rendered from. */
export interface ProposedChart {
  readonly spec: JsonObject;
  readonly rowSet: RowSet;
  /** True if the date range of the query covers the first or last period only in part. */
  readonly hasPartialPeriod: boolean;
  /** Number of categories on the y axis; 0 if the chart needs no additional height for them. */
  readonly categoriesDown: number;
}

const day = 86_400_000;
/** Maximum width of a bar, px. */
const maxBarWidth = 72;
/** Maximum number of periods that are drawn as separate bands; more periods use a continuous axis. */
const maxBands = 400;
/** Maximum number of periods for which a line shows points by default. */
const maxPoints = 60;
/** Opacity of the bar of a partial period. */
const partialOpacity = 0.4;

/** A view with one mark. Each rule returns a changed copy. */
type Unit = JsonObject & { readonly mark: JsonObject; readonly encoding: JsonObject };

/** Facts about the rows, which determine the rules that apply to a chart. */
interface Facts {
  /** Rows with localized names, including periods without data. */
  readonly rowSet: RowSet;
  /** Names of weekdays and months in calendar order, by column. */
  readonly order: ReadonlyMap<string, readonly string[]>;
  /** Number of distinct periods. */
  readonly periods: number;
  /** Vega expression that is true for partial periods; `null` if there are none. */
  readonly partialTest: string | null;
}

type Rule = (unit: Unit, facts: Facts) => Unit;

/** The order matters, because rules read what earlier rules have set. */
const rules: readonly Rule[] = [
  drawPeriodsAsBands,
  sortByCalendar,
  spaceBars,
  limitBarWidth,
  alignTexts,
  lightenPartialBars,
];

/**
 * Improves an automatic chart: periods without rows become gaps, bars are at most 72 px wide, weekdays and
 * months have localized names in calendar order, numbers in text marks have the same number of decimals, and first and
 * last periods that the query covers only in part are lighter.
 * @param locale BCP 47 tag of the names.
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
  const facts = {
    rowSet: filled,
    order: named.order,
    periods: time ? new Set(filled.rows.map(row => row[time.member])).size : 0,
    partialTest: time && span ? partialTestOf(filled, time, span, query) : null,
  };
  const units = unitsOf(chart)
    .map(unit => rules.reduce((improved, rule) => rule(improved, facts), unit))
    .map(unit => hollowPartialPoints(unit, facts));
  const { encoding: _, ...frame } = chart;
  const spec = Array.isArray(chart.layer) ? { ...frame, layer: units } : { ...units[0] };
  return {
    spec,
    rowSet: filled,
    hasPartialPeriod: facts.partialTest !== null,
    categoriesDown: Math.max(0, ...units.map(unit => categoriesDown(unit, filled))),
  };
}

/**
 * Spaces and limits the bars of a chart like `proposeChart`, for rows that are not known yet.
 * @param hasFewPeriods - whether the query has so few periods that each is a separate band.
 */
export function proposeLayout(chart: JsonObject, { hasFewPeriods }: { readonly hasFewPeriods: boolean }): JsonObject {
  const facts: Facts = { rowSet: noRows, order: new Map(), periods: 0, partialTest: null };
  const layout = hasFewPeriods ? [drawPeriodsAsBands, spaceBars, limitBarWidth] : [spaceBars, limitBarWidth];
  const units = unitsOf(chart).map(unit => layout.reduce((improved, rule) => rule(improved, facts), unit));
  const { encoding: _, ...frame } = chart;
  return Array.isArray(chart.layer) ? { ...frame, layer: units } : { ...units[0] };
}

const noRows: RowSet = { columns: [], rows: [], truncated: false, lastRefreshTime: null };

function categoriesDown({ encoding }: JsonObject, { rows }: RowSet): number {
  const y = isObject(encoding) && isObject(encoding.y) ? encoding.y : {};
  return isBand(y) ? new Set(rows.map(row => row[memberOf(y)])).size : 0;
}

/** Returns the views of a chart. Each gets a copy of the encoding that layers share. */
function unitsOf(chart: JsonObject): Unit[] {
  const shared = isObject(chart.encoding) ? chart.encoding : {};
  const parts = Array.isArray(chart.layer) ? chart.layer.filter(isObject) : [chart];
  return parts.map(part => {
    const own = isObject(part.encoding) ? part.encoding : {};
    const channels = Object.entries({ ...shared, ...own }).map(([channel, given]) => {
      const inherited = shared[channel];
      return [channel, isObject(inherited) && isObject(given) ? { ...inherited, ...given } : given];
    });
    const mark = isObject(part.mark) ? part.mark : { type: part.mark };
    return { ...part, mark, encoding: Object.fromEntries(channels) };
  });
}

/** Separates the bars of adjacent periods with gaps. */
function drawPeriodsAsBands(unit: Unit, { rowSet }: Facts): Unit {
  if (unit.mark.type !== 'bar' || rowSet.rows.length > maxBands) return unit;
  const isPeriod = ({ type, timeUnit }: JsonObject) => type === 'temporal' && timeUnit === undefined;
  const changed = changePositions(unit, given => (isPeriod(given) ? { ...given, type: 'ordinal' } : given));
  if (changed === unit) return unit;
  // The default filter would remove the periods without rows from the axis.
  return { ...changed, mark: { ...unit.mark, invalid: 'show' } };
}

/** Sorts weekdays and months in calendar order unless the chart sorts them. */
function sortByCalendar(unit: Unit, { order }: Facts): Unit {
  return changePositions(unit, given => {
    const names = order.get(memberOf(given));
    return names && (given.sort === undefined || given.sort === null) ? { ...given, sort: names } : given;
  });
}

/** Makes each bar fill 70% of its band. */
function spaceBars(unit: Unit): Unit {
  if (unit.mark.type !== 'bar') return unit;
  return changePositions(unit, given => {
    if (!isBand(given) || given.scale === null) return given;
    return { ...given, scale: { paddingInner: 0.3, ...(isObject(given.scale) && given.scale) } };
  });
}

function limitBarWidth(unit: Unit): Unit {
  if (unit.mark.type !== 'bar') return unit;
  const mark = { ...unit.mark };
  for (const channel of ['x', 'y']) {
    const given = unit.encoding[channel];
    if (!isObject(given) || !isBand(given) || `${channel}Offset` in unit.encoding) continue;
    mark[channel === 'x' ? 'width' : 'height'] ??= { expr: `min(${maxBarWidth}, bandwidth('${channel}'))` };
  }
  return { ...unit, mark };
}

/** Gives numbers in text marks the same number of decimals: 6.2 and 7.0. */
function alignTexts(unit: Unit, { rowSet }: Facts): Unit {
  const { text } = unit.encoding;
  if (unit.mark.type !== 'text' || !isObject(text) || text.type !== 'quantitative') return unit;
  const column = rowSet.columns.find(({ member }) => member === memberOf(text));
  if (!column || text.format !== undefined || text.aggregate !== undefined) return unit;
  const values = rowSet.rows.map(row => row[column.member] ?? null);
  const format = alignedSpecifier(numberSpecifier(column) ?? defaultFormats.number, values);
  return { ...unit, encoding: { ...unit.encoding, text: { ...text, format } } };
}

function lightenPartialBars(unit: Unit, { partialTest: test }: Facts): Unit {
  if (unit.mark.type !== 'bar' || test === null) return unit;
  const fillOpacity = { condition: { test, value: partialOpacity }, value: 1 };
  return { ...unit, encoding: { ...unit.encoding, fillOpacity } };
}

/** Draws the point of a partial period hollow, in the color of its line. */
function hollowPartialPoints(unit: Unit, { partialTest: test, periods }: Facts): JsonObject {
  if (unit.mark.type !== 'line' || test === null) return unit;
  const { mark, encoding, ...rest } = unit;
  const { point = periods <= maxPoints, ...line } = mark;
  const points = ({ filled }: { readonly filled: boolean }, opacity: JsonObject) => ({
    mark: { type: 'point', filled, ...(mark.color !== undefined && { color: mark.color }) },
    encoding: { opacity },
  });
  const whole = points({ filled: true }, { condition: { test, value: 0 }, value: point ? 1 : 0 });
  const partial = points({ filled: false }, { condition: { test, value: 1 }, value: 0 });
  return { ...rest, encoding, layer: [{ mark: line }, whole, partial] };
}

/** Changes the encodings of x and y. Returns the same unit if nothing changed. */
function changePositions(unit: Unit, change: (given: JsonObject) => JsonObject): Unit {
  const changed = Object.entries(unit.encoding).flatMap(([channel, given]) => {
    if (!isObject(given) || (channel !== 'x' && channel !== 'y')) return [];
    const other = change(given);
    return other === given ? [] : [[channel, other]];
  });
  return changed.length === 0 ? unit : { ...unit, encoding: { ...unit.encoding, ...Object.fromEntries(changed) } };
}

function isBand({ type }: JsonObject): boolean {
  return type === 'nominal' || type === 'ordinal';
}

/** Returns the column that a channel reads. */
function memberOf({ field }: JsonObject): string {
  return String(field).replaceAll('\\', '');
}

/**
 * Returns a Vega expression for the first and last period if the date range of the query covers them only in part;
 * `null` if it covers all periods completely.
 */
function partialTestOf({ rows }: RowSet, { member }: Column, span: Span, query: Query | null): string | null {
  const dimension = query?.timeDimensions?.find(time => `${time.dimension}.${time.granularity}` === member);
  const [from, to = from] = Array.isArray(dimension?.dateRange) ? dimension.dateRange : [];
  const starts = rows.flatMap(row => wallTime(row[member]) ?? []);
  const [first, last] = [Math.min(...starts), Math.max(...starts)];
  const [begin, end] = [wallTime(from), endOf(to)];
  if (begin === null || end === null || starts.length === 0) return null;
  const partial = [begin > first ? first : null, end < addSpan(last, span) - 1 ? last : null].filter(
    start => start !== null,
  );
  if (partial.length === 0) return null;
  return partial.map(start => `time(datum[${JSON.stringify(member)}]) === ${start}`).join(' || ');
}

/** Returns the last millisecond of a date range. A date without a time includes the whole day. */
function endOf(to: string | undefined): number | null {
  const time = wallTime(to);
  return time !== null && to?.length === 10 ? time + day - 1 : time;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
