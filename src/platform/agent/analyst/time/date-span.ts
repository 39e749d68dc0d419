import { addWallMonths } from '../../../../report/dates/calendar-days.js';
import { isoTime, type TimeZone } from '../../../data/time/time-zone.js';

/**
 * An inclusive period, open-ended if a bound is `null`. Bounds are days, or timestamps if a question mentions hours.
 */
export interface DateSpan {
  readonly from: string | null;
  readonly to: string | null;
}

/** The time of a question, and the latest day for resolving dates without a year. */
export interface DateContext {
  readonly now: Date;
  readonly timezone: TimeZone;
  /** The last day with data, or today (`YYYY-MM-DD`). */
  readonly lastDay: string;
  /** First and last day with data until today. `null` if there are none, `undefined` until they are requested. */
  readonly covered?: CoveredDays | null | undefined;
}

/** First and last day with data (`YYYY-MM-DD`). */
export interface CoveredDays {
  readonly first: string;
  readonly last: string;
  /** Interval of the data: `year`, `quarter` or `month` if each value is the start of such an interval, else `day`. */
  readonly step: Step;
}

/** Intervals of data, in descending order. */
const steps = ['year', 'quarter', 'month', 'day'] as const;
type Step = (typeof steps)[number];

/** Granularities in ascending order. */
const grains: readonly string[] = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'];

/** Returns the interval between the values of a date column: `year` if all `days` are the first day of a year. */
export function stepOf(days: readonly string[]): Step {
  const starts = { year: /-01-01$/, quarter: /-(?:01|04|07|10)-01$/, month: /-01$/, day: /$/ };
  return (new Set(days).size > 1 && steps.find(step => days.every(day => starts[step].test(day)))) || 'day';
}

/** Whether a granularity is finer than the interval of the data: `month` for yearly data. */
export function isFiner(grain: string, step: string): boolean {
  return step !== 'day' && grains.includes(grain) && grains.indexOf(grain) < grains.indexOf(step);
}

/** Returns the last month, or longer interval of the data, that the data covers completely; `null` if there is none. */
export function lastCompletePeriod({ first, last, step }: CoveredDays, today: string): DateSpan | null {
  const bucket = step === 'day' ? null : bucketAt(last, step);
  if (bucket) {
    const [from, to] = bucket;
    const span = to < today ? { from, to } : adjacentSpan({ from, to }, -1);
    return (span?.from ?? '') >= first ? span : null;
  }
  const next = dayAfter(last);
  const end = next.endsWith('-01') ? last : dayAfter(`${last.slice(0, 8)}01`, -1);
  const from = `${end.slice(0, 8)}01`;
  return from >= first ? { from, to: end } : null;
}

const dayMs = 86_400_000;

/** Returns the current day in the caller's time zone. */
export function todayOf({ now, timezone }: Pick<DateContext, 'now' | 'timezone'>): string {
  return isoTime(now.getTime() + timezone.offsetAt(now.getTime())).slice(0, 10);
}

/** Returns `count` months, starting with the given month (1 is January). */
export function monthsFrom(year: number, month: number, count: number): DateSpan {
  return { from: dayOf(Date.UTC(year, month - 1, 1)), to: dayOf(Date.UTC(year, month - 1 + count, 0)) };
}

/** Returns the UTC day of a timestamp. */
export function dayOf(time: number): string {
  return isoTime(time).slice(0, 10);
}

/** Returns the day `count` days later. */
export function dayAfter(day: string, count = 1): string {
  return dayOf(Date.parse(`${day.slice(0, 10)}T00:00:00Z`) + count * dayMs);
}

/** Returns the number of days in a span; `Infinity` if it is open-ended. */
function daysOf({ from, to }: DateSpan): number {
  if (from === null || to === null) return Number.POSITIVE_INFINITY;
  return Math.round((Date.parse(`${to.slice(0, 10)}Z`) - Date.parse(`${from.slice(0, 10)}Z`)) / dayMs) + 1;
}

/** Side of the adjacent period: -1 for the preceding period, 1 for the following period. */
export type Side = -1 | 1;

/**
 * Shifts a span by one `unit`. Without a unit, returns the adjacent span of the same length, such as the previous
 * month for a month. Returns `null` if the span is open-ended.
 */
export function adjacentSpan(span: DateSpan, side: Side, unit: string | null = null): DateSpan | null {
  const { from, to } = span;
  if (from === null || to === null) return null;
  const months = wholeMonths(span);
  const steps: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };
  const step = unit === null ? months : steps[unit];
  if (step !== undefined && step !== null) {
    const [start, end] = [from, to].map(day => addWallMonths(Date.parse(`${day.slice(0, 10)}T00:00:00Z`), side * step));
    if (start === undefined || end === undefined) return null;
    const date = new Date(start);
    return months === null
      ? { from: dayOf(start), to: dayOf(end) }
      : monthsFrom(date.getUTCFullYear(), date.getUTCMonth() + 1, months);
  }
  const daysOfUnit = unit === 'day' ? 1 : daysOf(span);
  const days = side * (unit === 'week' ? 7 : daysOfUnit);
  return { from: dayAfter(from, days), to: dayAfter(to, days) };
}

/** Returns the number of whole months in a span, or `null` if it does not consist of whole months. */
export function wholeMonths({ from, to }: DateSpan): number | null {
  if (from === null || to === null || !from.endsWith('-01') || !dayAfter(to).endsWith('-01')) return null;
  const [start, end] = [from, dayAfter(to)].map(day => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)));
  return start === undefined || end === undefined ? null : end - start;
}

/**
 * Returns the first and last day of the interval of a granularity that starts at a given time. `null` for intervals
 * shorter than a day.
 */
export function bucketAt(start: string, grain: string): [from: string, to: string] | null {
  const from = start.slice(0, 10);
  const days = { day: 1, week: 7 }[grain];
  if (days !== undefined) return [from, dayAfter(from, days - 1)];
  const months = { month: 1, quarter: 3, year: 12 }[grain];
  const next = months === undefined ? undefined : addWallMonths(Date.parse(`${from}T00:00:00Z`), months);
  return next === undefined ? null : [from, dayAfter(dayOf(next), -1)];
}

/** Returns the granularity that shows a span with a readable number of points. */
export function grainFor(span: DateSpan | null): string {
  const days = span === null ? Number.POSITIVE_INFINITY : daysOf(span);
  if (days <= 2) return 'hour';
  if (days <= 62) return 'day';
  return days <= 184 ? 'week' : 'month';
}
