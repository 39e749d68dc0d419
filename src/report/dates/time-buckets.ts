import type { Column } from '../../contract/row-set.js';
import { wallClockDate } from './wall-clock.js';

// Times are wall-clock milliseconds: what the clock on the wall shows, as if it showed UTC. So a day has 24 hours and nothing depends on
// the viewer's own zone.

/** A span of time: months have no fixed length, everything shorter has. */
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

/** The span of a unit of time such as `month` or `days`; null for no unit. */
export function unitSpan(unit: string): Span | null {
  return spans.get(unit.replace(/s$/, '')) ?? null;
}

/** So many times a span. */
export function multiplySpan(span: Span, amount: number): Span {
  return { months: span.months * amount, milliseconds: span.milliseconds * amount };
}

/** The span of the buckets that a column of times holds: its granularity, or the interval of one of the model's own. */
export function bucketSpan({ member, annotation: { granularity } }: Column): Span | null {
  const name = granularity?.name ?? member.split('.')[2] ?? '';
  return spans.get(name) ?? intervalSpan(granularity?.interval ?? '');
}

/** A time of the Data API as wall-clock milliseconds; null for what is none. */
export function wallTime(text: unknown): number | null {
  return typeof text === 'string' ? (wallClockDate(text)?.getTime() ?? null) : null;
}

/** The form that the Data API gives times: `2001-01-31T00:00:00.000`. */
export function wallText(time: number): string {
  return new Date(time).toISOString().slice(0, -1);
}

/** A time and a span later. A day that its month doesn't have becomes the first of the next one. */
export function addSpan(time: number, { months, milliseconds }: Span): number {
  return (months === 0 ? time : addMonths(time, months)) + milliseconds;
}

/** Whether the day of the month is the same a number of months later: it isn't where that month is too short. */
export function hasDay(time: number, { months }: Span): boolean {
  return months === 0 || new Date(addMonths(time, months)).getUTCDate() === new Date(time).getUTCDate();
}

/** First and last millisecond of the bucket that begins at a time. */
export function bucketRange(start: string, span: Span): readonly [string, string] | null {
  const time = wallTime(start);
  return time === null ? null : [wallText(time), wallText(addSpan(time, span) - 1)];
}

function addMonths(time: number, months: number): number {
  const date = new Date(time);
  const wanted = date.getUTCMonth() + months;
  const moved = new Date(time);
  moved.setUTCMonth(wanted);
  const overflown = moved.getUTCMonth() !== ((wanted % 12) + 12) % 12;
  // Its own time of day: the first moment after the day that is missing.
  if (overflown) moved.setUTCDate(1);
  return overflown ? Math.floor(moved.getTime() / day) * day : moved.getTime();
}

/** `15 minutes`, `1 year 6 months`. */
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
