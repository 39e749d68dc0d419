import { addWallMonths } from '../../../../report/dates/calendar-days.js';
import { isoTime, type TimeZone } from '../../../data/time/time-zone.js';

/** Days from one to another, both included; open where one is null. Times of day stand in it where a question speaks of hours. */
export interface DateSpan {
  readonly from: string | null;
  readonly to: string | null;
}

/** The moment that a question is asked at, and the day that dates without a year are looked for before. */
export interface AskedAt {
  readonly now: Date;
  readonly timezone: TimeZone;
  /** `YYYY-MM-DD`: the last day of the data, or today. */
  readonly lastDay: string;
}

const dayMs = 86_400_000;

/** Today, where the question is asked. */
export function todayOf({ now, timezone }: Pick<AskedAt, 'now' | 'timezone'>): string {
  return isoTime(now.getTime() + timezone.offsetAt(now.getTime())).slice(0, 10);
}

/** Some months from the first of a month (1 is January) on. */
export function monthsFrom(year: number, month: number, count: number): DateSpan {
  return { from: dayOf(Date.UTC(year, month - 1, 1)), to: dayOf(Date.UTC(year, month - 1 + count, 0)) };
}

/** The day that a UTC time falls on. */
export function dayOf(time: number): string {
  return isoTime(time).slice(0, 10);
}

/** The day after a day, or some days after. */
export function dayAfter(day: string, count = 1): string {
  return dayOf(Date.parse(`${day.slice(0, 10)}T00:00:00Z`) + count * dayMs);
}

/** How many days a span has; infinite where it is open. */
function daysOf({ from, to }: DateSpan): number {
  if (from === null || to === null) return Number.POSITIVE_INFINITY;
  return Math.round((Date.parse(`${to.slice(0, 10)}Z`) - Date.parse(`${from.slice(0, 10)}Z`)) / dayMs) + 1;
}

/** Before a period, or behind it. */
export type Side = -1 | 1;

/**
 * The period of the same kind beside a span: the month before a month, a year earlier where `unit` is `year`, else as many days before.
 * Null where the span is open.
 */
export function spanBeside(span: DateSpan, side: Side, unit: string | null = null): DateSpan | null {
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
  const days = side * (unit === 'week' ? 7 : unit === 'day' ? 1 : daysOf(span));
  return { from: dayAfter(from, days), to: dayAfter(to, days) };
}

/** How many whole months a span is, null where it isn't. */
export function wholeMonths({ from, to }: DateSpan): number | null {
  if (from === null || to === null || !from.endsWith('-01') || !dayAfter(to).endsWith('-01')) return null;
  const [start, end] = [from, dayAfter(to)].map(day => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)));
  return start === undefined || end === undefined ? null : end - start;
}

/** The granularity that shows a span in a readable number of points. */
export function grainFor(span: DateSpan | null): string {
  const days = span === null ? Number.POSITIVE_INFINITY : daysOf(span);
  if (days <= 2) return 'hour';
  if (days <= 62) return 'day';
  return days <= 184 ? 'week' : 'month';
}
