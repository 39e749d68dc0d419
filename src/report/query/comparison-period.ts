import type { Cell } from '../../contract/data.js';
import type { Filter, MemberFilter, Query } from '../../contract/query.js';
import { addSpan, hasDay, multiplySpan, type Span, wallText, wallTime } from '../dates/time-buckets.js';
import { allRows, isOfMeasures } from './groups.js';

/** A period earlier than that of a report. */
export interface ComparisonPeriod {
  /** Name of the time dimension: `view.dimension`. */
  readonly dimension: string;
  /** Offset of the period in the report and its totals (negative); whole weeks if the rows are weeks. */
  readonly back: Span;
}

/** Number of weeks by number of months, because reports with weekly rows compare whole weeks. */
const weeks: ReadonlyMap<number, number> = new Map([
  [1, 4],
  [3, 13],
  [12, 52],
]);
const day = 86_400_000;
const week = 7 * day;

/**
 * Returns the query of the earlier period with the same groups and without a row limit; `null` if the period cannot be
 * determined or is empty.
 * @param range Date range of the time dimension as resolved by the service, because the query may contain a phrase.
 */
export function comparisonPeriodQuery(
  query: Query,
  period: ComparisonPeriod,
  range: readonly [string, string] | null,
  isMeasure: (member: string) => boolean,
): Query | null {
  const { dimension, back } = period;
  const filters = (query.filters ?? []).filter(filter => !isOfMeasures(filter, isMeasure));
  const moved = filters.map(filter => movedFilter(filter, dimension, back));
  if (moved.includes(null)) return null;
  const ranges: (readonly [string, string] | null)[] = [];
  const timeDimensions = query.timeDimensions?.map(time => {
    if (time.dimension !== dimension || !time.dateRange) return time;
    const earlier = movedRange(readRange(time.dateRange) ?? range, back);
    ranges.push(earlier);
    return { ...time, ...(earlier && { dateRange: [...earlier] }) };
  });
  if (ranges.includes(null)) return null;
  const { order: _order, limit: _limit, offset: _offset, total: _total, ...rest } = query;
  return {
    ...rest,
    ...(timeDimensions && { timeDimensions }),
    ...(moved.length > 0 ? { filters: moved.filter(filter => filter !== null) } : query.filters && { filters: [] }),
    order: [],
    limit: allRows,
  };
}

/** True if the query contains its period explicitly and not as a phrase that the service resolves. */
export function hasExplicitPeriod({ timeDimensions = [] }: Query, { dimension }: ComparisonPeriod): boolean {
  return timeDimensions.every(time => time.dimension !== dimension || !time.dateRange || readRange(time.dateRange));
}

/** Returns the offset of a period that is earlier by a span, for a report with this query. */
export function comparisonOffset(span: Span, query: Query, dimension: string): Span {
  if (span.months === 0 || !hasWeeklyRows(query, dimension)) return multiplySpan(span, -1);
  const unit = [12, 3, 1].find(months => span.months % months === 0) ?? 1;
  return { months: 0, milliseconds: -(span.months / unit) * (weeks.get(unit) ?? 0) * week };
}

function hasWeeklyRows({ dimensions = [], timeDimensions = [] }: Query, dimension: string): boolean {
  return (
    dimensions.includes(`${dimension}.week`) ||
    timeDimensions.some(time => time.dimension === dimension && time.granularity === 'week')
  );
}

/** Returns the earlier bucket; `null` if there is none or the target month does not have the day. */
export function comparisonPeriodBucket(value: Cell, span: Span | null, back: Span): string | null {
  const time = wallTime(value);
  if (time === null || !span || !hasDay(time, back)) return null;
  return wallText(addSpan(time, back));
}

/**
 * Returns by how much a period is earlier than the date range of a query; `null` if the range is not the period moved
 * by whole months or days.
 */
export function offsetOf(
  query: Query,
  dimension: string,
  earlier: readonly string[],
): { readonly amount: number; readonly unit: 'day' | 'month' } | null {
  const { dateRange } = query.timeDimensions?.find(time => time.dimension === dimension) ?? {};
  const [range, requested] = [dateRange ? readRange(dateRange) : null, readRange(earlier)];
  const [from, before] = [wallTime(range?.[0]), wallTime(requested?.[0])];
  if (range === null || requested === null || from === null || before === null) return null;
  const monthOf = (time: number) => new Date(time).getUTCFullYear() * 12 + new Date(time).getUTCMonth();
  const offsets = [
    { amount: monthOf(from) - monthOf(before), unit: 'month' },
    { amount: (from - before) / day, unit: 'day' },
  ] as const;
  const isMoved = ({ amount, unit }: (typeof offsets)[number]) => {
    const span = { months: unit === 'month' ? amount : 0, milliseconds: unit === 'day' ? amount * day : 0 };
    const moved = movedRange(range, comparisonOffset(span, query, dimension));
    return amount > 0 && Number.isInteger(amount) && moved?.join() === requested.join();
  };
  return offsets.find(isMoved) ?? null;
}

type Range = readonly [string, string];

function movedRange(range: Range | null, back: Span): Range | null {
  const [from, to] = [wallTime(range?.[0]), wallTime(range?.[1])];
  if (from === null || to === null) return null;
  // Move the exclusive end of the range, so that a whole month maps to a whole month.
  const [first, end] = [addSpan(from, back), addSpan(to + 1, back)];
  return first < end ? [wallText(first), wallText(end - 1)] : null;
}

/** Parses a date range to its first and last moment; `null` for a phrase. */
function readRange(dateRange: string | readonly string[]): Range | null {
  const [from, to = from] = typeof dateRange === 'string' ? [dateRange] : dateRange;
  const first = wallTime(from);
  const last = wallTime(to);
  if (first === null || last === null || typeof to !== 'string') return null;
  return [wallText(first), wallText(/^\d{4}-\d\d-\d\d$/.test(to) ? last + day - 1 : last)];
}

const rangeOperators = new Set(['inDateRange', 'notInDateRange']);
const sets = new Set(['set', 'notSet']);

/**
 * Moves the conditions of a filter on the compared time dimension; `null` if it contains a value that cannot be moved.
 */
function movedFilter(filter: Filter, dimension: string, back: Span): Filter | null {
  if ('and' in filter) return movedParts(filter.and, dimension, back, and => ({ and }));
  if ('or' in filter) return movedParts(filter.or, dimension, back, or => ({ or }));
  return filter.member === dimension && !sets.has(filter.operator) ? movedCondition(filter, back) : filter;
}

function movedParts(
  parts: readonly Filter[],
  dimension: string,
  back: Span,
  join: (parts: Filter[]) => Filter,
): Filter | null {
  const moved = parts.map(part => movedFilter(part, dimension, back));
  const found = moved.filter(part => part !== null);
  return found.length === moved.length ? join(found) : null;
}

function movedCondition(filter: MemberFilter, back: Span): MemberFilter | null {
  const { operator, values = [] } = filter;
  const texts = values.filter(value => typeof value === 'string');
  if (texts.length !== values.length) return null;
  if (rangeOperators.has(operator)) {
    const range = movedRange(readRange(texts), back);
    return range && { ...filter, values: [...range] };
  }
  const moved = texts.map(text => {
    const time = wallTime(text);
    // A date without a time remains one, because it represents the whole day.
    return time === null ? null : wallText(addSpan(time, back)).slice(0, text.length === 10 ? 10 : undefined);
  });
  const found = moved.filter(text => text !== null);
  return found.length === moved.length ? { ...filter, values: found } : null;
}
