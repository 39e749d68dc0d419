import type { Column } from '../../contract/row-set.js';
import { wallClockDate } from './wall-clock.js';

// Times are wall-clock milliseconds: the wall-clock time interpreted as UTC. Each day has 24 hours, and results do not
// depend on the viewer's time zone.

/** A span of time. Months have no fixed length, so they are separate. */
export interface Span {
  readonly months: number;
  readonly milliseconds: number;
}

const day = 86_400_000;
const spans: ReadonlyMap<string, Span> = new Map([
  ['second', { months: 0, milliseconds: 1000 }],
  ['minute', { months: 0, milliseconds: 60_000 }],
  ['hour', { months: 0, milliseconds: 3_600_000 }],
  ['day', { months: 0, milliseconds: day }],
  ['week', { months: 0, milliseconds: 7 * day }],
  ['month', { months: 1, milliseconds: 0 }],
  ['quarter', { months: 3, milliseconds: 0 }],
  ['year', { months: 12, milliseconds: 0 }],
]);
const maxIntervalLength = 100;
const maxUnits = 100_000;

/** Returns the span of a time unit such as `month` or `days`; `null` for an unknown unit. */
export function unitSpan(unit: string): Span | null {
  return spans.get(unit.replace(/s$/, '')) ?? null;
}

/** Multiplies a span. */
export function multiplySpan(span: Span, amount: number): Span {
  return { months: span.months * amount, milliseconds: span.milliseconds * amount };
}

/**
 * Returns the bucket length of a time column: its granularity, or the interval of a custom granularity of the model.
 */
export function bucketSpan({ member, annotation: { granularity } }: Column): Span | null {
  const name = granularity?.name ?? member.split('.')[2] ?? '';
  return spans.get(name) ?? intervalSpan(granularity?.interval ?? '');
}

/** Parses a time of the Data API to wall-clock milliseconds; `null` if it is not a time. */
export function wallTime(text: unknown): number | null {
  return typeof text === 'string' ? (wallClockDate(text)?.getTime() ?? null) : null;
}

/** Formats a time as the Data API does: `2001-01-31T00:00:00.000`. */
export function wallText(time: number): string {
  return new Date(time).toISOString().slice(0, -1);
}

/** Adds a span to a time. A day that the target month does not have becomes the first day of the next month. */
export function addSpan(time: number, { months, milliseconds }: Span): number {
  return (months === 0 ? time : addMonths(time, months)) + milliseconds;
}

/** True if the day of the month exists in the target month. */
export function hasDay(time: number, { months }: Span): boolean {
  return months === 0 || new Date(addMonths(time, months)).getUTCDate() === new Date(time).getUTCDate();
}

/** Returns the first and last millisecond of the bucket that starts at a time. */
export function bucketRange(start: string, span: Span): readonly [string, string] | null {
  const time = wallTime(start);
  return time === null ? null : [wallText(time), wallText(addSpan(time, span) - 1)];
}

function addMonths(time: number, months: number): number {
  const date = new Date(time);
  const requested = date.getUTCMonth() + months;
  const moved = new Date(time);
  moved.setUTCMonth(requested);
  const overflown = moved.getUTCMonth() !== ((requested % 12) + 12) % 12;
  // The result is midnight after the missing day.
  if (overflown) moved.setUTCDate(1);
  return overflown ? Math.floor(moved.getTime() / day) * day : moved.getTime();
}

/** Parses an interval such as `15 minutes` or `1 year 6 months`. */
function intervalSpan(interval: string): Span | null {
  if (interval.length > maxIntervalLength) return null;
  const parts = interval.trim().split(/\s+/);
  let [months, milliseconds] = [0, 0];
  for (let index = 0; index < parts.length; index += 2) {
    const amount = Number(parts[index]);
    const span = unitSpan(parts[index + 1] ?? '');
    if (!Number.isInteger(amount) || amount < 0 || amount > maxUnits || !span) return null;
    months += span.months * amount;
    milliseconds += span.milliseconds * amount;
  }
  return months + milliseconds > 0 ? { months, milliseconds } : null;
}
