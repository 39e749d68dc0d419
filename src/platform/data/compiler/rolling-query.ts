import { type BaseMeasure, BaseTimeDimension } from '@cubejs-backend/schema-compiler';
import { PlatformError } from '../../errors.js';
import { ExpressionQuery } from './computed-members.js';
import { type Dialect, intervalSql } from './dialects.js';
import { MemberFilter } from './sql-filter.js';

/** The rolling window of a measure, as the library read it from the model. */
type RollingWindow =
  | { readonly type: 'to_date'; readonly granularity: string }
  | {
      readonly type?: 'fixed';
      /** Length before the end of the span, or before its start if `offset` is `start`. */
      readonly trailing?: string;
      readonly leading?: string;
      readonly offset?: 'start' | 'end';
    };

/** SQL of a half-open interval in local time. */
interface Span {
  readonly start: string;
  readonly end: string;
}

/** Units from fine to coarse. Weeks and months both start at day boundaries, but not at each other's boundaries. */
const units = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'];

/**
 * Returns the SQL condition that a local time is in the window around a half-open span.
 * @param last - the last of several consecutive spans. The condition then covers the windows of all these spans,
 * including gaps between them.
 */
function inWindow(time: string, window: RollingWindow, first: Span, last = first): string {
  if (window.type === 'to_date')
    return `${time} >= date_trunc('${window.granularity}', ${first.start}) AND ${time} < ${last.end}`;
  const { trailing, leading, offset = 'end' } = window;
  const conditions = [
    ...(trailing === 'unbounded' ? [] : [`${time} >= ${shiftTime(first[offset], '-', trailing)}`]),
    ...(leading === 'unbounded' ? [] : [`${time} < ${shiftTime(last[offset], '+', leading)}`]),
  ];
  return conditions.length === 0 ? 'TRUE' : conditions.join(' AND ');
}

function shiftTime(time: string, sign: '-' | '+', interval: string | undefined): string {
  return interval === undefined ? time : `(${time} ${sign} ${intervalSql(interval)})`;
}

/**
 * Returns the coarsest granularity at which rows can be pre-aggregated, so that each bucket is completely inside or
 * outside any window.
 * @param intervals - lengths of the spans: intervals, or names of granularities.
 */
function resolutionOf(window: RollingWindow, intervals: readonly string[]): string {
  const edges = window.type === 'to_date' ? [window.granularity] : [window.trailing ?? '', window.leading ?? ''];
  const named = [...intervals, ...edges].flatMap(text => units.filter(unit => text.includes(unit)));
  const finest = units.find(unit => named.includes(unit)) ?? 'day';
  const isMixed = finest === 'week' && named.some(unit => units.indexOf(unit) > units.indexOf('week'));
  return isMixed ? 'day' : finest;
}

/** The method of a filter that the library calls. */
type Where = { filterToWhere(): string };
/** Returns the library's SQL for measures grouped by the dimensions of the query. */
type BaseRows = (measures: readonly BaseMeasure[], filters: readonly Where[]) => string;
/** First and last millisecond of a `dateRange`, in UTC. */
type Range = readonly [from: string, to: string];

const additive = new Set(['sum', 'count', 'min', 'max']);
const counting = new Set(['count', 'countDistinct', 'countDistinctApprox']);
const spanLimit = 50_000;
const milliseconds: Readonly<Record<string, number>> = {
  second: 1e3,
  minute: 6e4,
  hour: 36e5,
  day: 864e5,
  week: 6048e5,
  month: 24192e5,
  quarter: 72576e5,
  year: 31536e6,
};

/** A time dimension that uses the granularity of the rolling windows while the query reads their rows. */
class TimeDimension extends BaseTimeDimension {
  override dimensionSql(): string {
    const { axis, resolution } = this.query.safeEvaluateSymbolContext();
    if (axis === undefined) return super.dimensionSql();
    // Apply the granularity only to the axis. The library would apply it to every time dimension, including those
    // inside other dimensions.
    if (axis !== this) return this.query.evaluateSymbolSqlWithContext(() => super.dimensionSql(), { ungrouped: false });
    return resolution === undefined
      ? this.convertedToTz()
      : this.query.timeGroupedColumn(resolution, this.convertedToTz());
  }
}

/**
 * Generates rolling windows. A `dateRange` selects the spans for which values are returned. The window around a span
 * extends beyond the range, so the range is not applied as a filter.
 */
export class RollingQuery extends ExpressionQuery {
  declare readonly compilers: { readonly dialect: Dialect };

  override newTimeDimension(timeDimension: unknown): BaseTimeDimension {
    return new TimeDimension(this, timeDimension);
  }

  /** Replaces the library's sub-query for a measure with a window. */
  override overTimeSeriesQuery(baseRows: BaseRows, measure: BaseMeasure): string {
    const [axis, ...others] = this.timeDimensions;
    if (others.length > 0)
      throw new PlatformError(400, 'A rolling window requires exactly one time dimension with one granularity');
    return axis === undefined ? this.#once(baseRows, measure) : this.#perSpan(baseRows, measure, axis);
  }

  /** Combines the parts by a full join, because parts with and without a window can have different keys. */
  override joinFullKeyQueryAggregate(
    multiplied: BaseMeasure[],
    regular: BaseMeasure[],
    cumulative: [boolean, BaseMeasure][],
    parts: string[],
  ): string {
    const rolling = cumulative.map(([, measure]) => measure);
    if (rolling.length === 0 || parts.length < 2)
      return super.joinFullKeyQueryAggregate(multiplied, regular, cumulative, parts);
    const inner = [...multiplied, ...regular, ...rolling];
    return this.outerMeasuresJoinFullKeyQueryAggregate(inner, this.measures, [this.#fullJoin(inner, parts)]);
  }

  /** Aggregates a column. Counts without rows are 0. */
  override aggregateOnGroupedColumn(symbol: { type: string }, column: string, merge: boolean, path: string) {
    if (symbol.type === 'count') return `CAST(coalesce(sum(${column}), 0) AS BIGINT)`;
    if (symbol.type === 'countDistinctApprox') return this.countDistinctApprox(column);
    return super.aggregateOnGroupedColumn(symbol, column, merge, path);
  }

  /** Returns a single value for the window around the whole range, or over all rows if there is no range. */
  #once(baseRows: BaseRows, measure: BaseMeasure): string {
    const [dimension, ...others] = new Set(this.#dateRanges().map(filter => filter.dimension));
    if (others.length > 0)
      throw new PlatformError(400, 'A rolling window requires exactly one time dimension with a dateRange');
    const range = this.#rangeOf(dimension);
    if (range === undefined) return baseRows([measure], this.#filters(dimension));
    const time = () => this.newTimeDimension({ dimension }).convertedToTz();
    const around = () => inWindow(time(), windowOf(measure), this.#local(range));
    return baseRows([measure], this.#filters(dimension, around));
  }

  /** Returns a value for each span of the granularity that overlaps the range. */
  #perSpan(baseRows: BaseRows, measure: BaseMeasure, axis: BaseTimeDimension): string {
    const { granularityObj } = axis;
    const range = this.#rangeOf(axis.dimension);
    if (range === undefined || granularityObj === undefined)
      throw new PlatformError(400, `A rolling window requires a dateRange of ${axis.dimension}`);
    const step = granularityObj.granularityInterval;
    rejectTooMany(range, step);
    const { start: from, end: to } = this.#local(range);
    const spanAt = (time: string): Span => {
      const start = this.dimensionTimeGroupedColumn(time, granularityObj);
      return { start, end: `(${start} + ${intervalSql(step)})` };
    };
    const first = spanAt(from);
    const last = spanAt(`(${to} - INTERVAL '1 millisecond')`);
    const window = windowOf(measure);
    const filters = this.#filters(axis.dimension, () => inWindow(axis.convertedToTz(), window, first, last));
    const isAdditive = additive.has(measure.measureDefinition().type);
    const isMidnight = granularityObj.originLocalFormatted().endsWith('T00:00:00.000');
    const begin = [isMidnight ? 'day' : 'second', granularityObj.granularityOffset ?? ''];
    const own = granularityObj.isPredefined() ? [] : begin;
    const resolution = isAdditive ? resolutionOf(window, [step, ...own]) : undefined;
    const rows = this.evaluateSymbolSqlWithContext(() => baseRows([measure], filters), {
      axis,
      resolution,
      ungrouped: !isAdditive,
      overTimeSeriesAggregate: true,
    });
    const series = axis.dateSeriesAliasName();
    const base = this.cubeAlias('base');
    const span = { start: `${series}."date_from"`, end: `${series}."date_end"` };
    // With dimensions, a span without rows is omitted, because it has no dimension values.
    const join = this.dimensions.length > 0 ? 'JOIN' : 'LEFT JOIN';
    return (
      `SELECT ${this.overTimeSeriesForSelect([measure], axis.granularity)} FROM (${this.#seriesSql(first, last, step)}) AS ${series}` +
      ` ${join} (${rows}) AS ${base} ON ${inWindow(`${base}.${axis.aliasName()}`, window, span)}${this.groupByClause()}`
    );
  }

  #seriesSql(first: Span, last: Span, step: string): string {
    const starts = `SELECT ${this.compilers.dialect.series(first.start, last.start, step)} AS "date_from"`;
    return `SELECT "date_from", "date_from" + ${intervalSql(step)} AS "date_end" FROM (${starts}) AS starts`;
  }

  #dateRanges(): MemberFilter[] {
    return this.filters.filter(filter => filter instanceof MemberFilter).filter(filter => filter.isDateRange);
  }

  /** Returns the intersection of all date ranges of a time dimension. */
  #rangeOf(dimension: string | undefined): Range | undefined {
    const ranges = this.#dateRanges().filter(filter => filter.dimension === dimension);
    const from = ranges
      .map(({ values }) => values[0])
      .sort()
      .at(-1);
    const to = ranges.map(({ values }) => values[1]).sort()[0];
    return from === undefined || to === undefined ? undefined : [from, to];
  }

  /** Returns a date range as a half-open span in local time. */
  #local([from, to]: Range): Span {
    const local = (time: string) => this.convertTz(`CAST(${this.paramAllocator.allocateParam(time)} AS TIMESTAMP)`);
    return { start: local(from), end: `(${local(to)} + INTERVAL '1 millisecond')` };
  }

  /** Returns all filters except the range of the windows' time dimension, which the window replaces. */
  #filters(dimension: string | undefined, window?: () => string): Where[] {
    const others = this.filters.filter(
      filter => !(filter instanceof MemberFilter && filter.isDateRange && filter.dimension === dimension),
    );
    return [...this.segments, ...others, ...(window ? [{ filterToWhere: window }] : [])];
  }

  #fullJoin(measures: readonly BaseMeasure[], parts: readonly string[]): string {
    const keys = this.dimensionAliasNames();
    const keyOf = (key: string, count: number) =>
      `coalesce(${parts.slice(0, count).map((_, index) => `q_${index}.${key}`)}, NULL)`;
    const joined = parts.slice(1).map((part, index) => {
      const same = keys.map(key => this.compilers.dialect.same(keyOf(key, index + 1), `q_${index + 1}.${key}`));
      return same.length === 0
        ? `CROSS JOIN (${part}) AS q_${index + 1}`
        : `FULL JOIN (${part}) AS q_${index + 1} ON ${same.join(' AND ')}`;
    });
    const place = (measure: BaseMeasure) => this.measures.findIndex(own => own.measure === measure.measure);
    const columns = [
      ...keys.map(key => `${keyOf(key, parts.length)} AS ${key}`),
      ...[...measures].sort((a, b) => place(a) - place(b)).map(selectMeasure),
    ];
    return `SELECT ${columns.join(', ')} FROM (${parts[0]}) AS q_0 ${joined.join(' ')}`;
  }
}

function windowOf(measure: BaseMeasure): RollingWindow {
  return measure.measureDefinition().rollingWindow;
}

function selectMeasure(measure: BaseMeasure): string {
  const alias = measure.aliasName();
  return counting.has(measure.measureDefinition().type) ? `coalesce(${alias}, 0) AS ${alias}` : alias;
}

function rejectTooMany([from, to]: Range, step: string): void {
  const lengths = [...step.matchAll(/(\d+) ([a-z]+?)s?(?= |$)/g)];
  const length = lengths.reduce((sum, [, count, unit = '']) => sum + Number(count) * (milliseconds[unit] ?? 0), 0);
  if (Date.parse(`${to}Z`) - Date.parse(`${from}Z`) > spanLimit * length)
    throw new PlatformError(
      400,
      `A rolling window supports at most ${spanLimit} spans: use a shorter dateRange or a coarser granularity`,
    );
}
