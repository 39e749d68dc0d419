import { parse } from 'chrono-node/en';
import { addWallMonths } from '../../../report/dates/calendar-days.js';
import { DayEdge, isoTime, localTime, type TimeZone } from './time-zone.js';

/** The reference time of relative dates, and the time zone in which they are interpreted. */
export interface Clock {
  readonly now: Date;
  readonly timezone: TimeZone;
}

/** Context in which dates are read. Without `now`, relative dates are not supported. */
export interface DateScope {
  readonly now?: Date | undefined;
  readonly timezone: TimeZone;
}

/** First and last millisecond of a range, as local times (`2001-01-31T23:59:59.999`). */
export type LocalRange = readonly [from: string, to: string];

/** Maximum length of a relative date in characters. */
const maxPhrase = 100;

const units = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
type Unit = (typeof units)[number];

type DateParts = ReturnType<typeof parse>[number]['start'];

/** Local times in milliseconds since the epoch, as if the local time were UTC. */
type Span = readonly [from: number, to: number];

const milliseconds: Partial<Record<Unit, number>> = { second: 1000, minute: 60_000, hour: 3_600_000 };
const unit = `(${units.join('|')})`;
const unitNames: ReadonlySet<string> = new Set(units);
const period = new RegExp(`^(this|last|past|previous|next) ${unit}$`);
const run = new RegExp(`^(last|past|previous|next) (\\d{1,6}) ${unit}s?$`);
const ago = new RegExp(`^(\\d{1,6}) ${unit}s? (ago|from now)$`);
const ahead = new RegExp(`^in (\\d{1,6}) ${unit}s?$`);
const days: Readonly<Record<string, number>> = { yesterday: -1, today: 0, now: 0, tomorrow: 1 };

/** Reads one absolute or relative date, or a pair of them. Returns `undefined` if it cannot be read. */
export function localRange(dates: readonly string[], scope: DateScope): LocalRange | undefined {
  const [first, second, ...others] = dates;
  if (first === undefined || others.length > 0) return undefined;
  const from = readDate(first, scope);
  const to = second === undefined ? from : readDate(second, scope);
  return from && to && [from[0], to[1]];
}

function readDate(text: string, { now, timezone }: DateScope): LocalRange | undefined {
  const from = localTime(text, DayEdge.start, timezone);
  const to = localTime(text, DayEdge.end, timezone);
  if (from !== undefined && to !== undefined) return [from, to];
  return now && relativeRange(text, { now, timezone });
}

/**
 * Reads a relative date such as `last 7 days` (excluding today), `this quarter` or `from 7 days ago to now`. Weeks
 * begin on Monday. The result covers whole days unless the phrase contains hours, minutes or seconds. Returns
 * `undefined` if the text cannot be read.
 */
export function relativeRange(text: string, clock: Clock): LocalRange | undefined {
  if (text.length > maxPhrase) return undefined;
  const phrase = text.trim().toLowerCase().replace(/\s+/g, ' ');
  const span = readPeriod(phrase, clock) ?? readFromTo(phrase, clock) ?? readMoment(phrase, phrase, clock);
  if (span === undefined || !span.every(isDate)) return undefined;
  return [isoTime(span[0]), isoTime(span[1])];
}

function stepTo(which: string): number {
  if (which === 'this') return 0;
  return which === 'next' ? 1 : -1;
}

/**
 * Reads ranges of whole calendar units, such as `this month` and `last 7 days`. A range with a count excludes the
 * current unit.
 */
function readPeriod(phrase: string, clock: Clock): Span | undefined {
  const [, which = '', unitOfOne] = period.exec(phrase) ?? [];
  if (isUnit(unitOfOne)) {
    const step = stepTo(which);
    return wholeUnits(clock, step, step, unitOfOne);
  }
  const [, direction, count, unitOfMany] = run.exec(phrase) ?? [];
  if (!isUnit(unitOfMany)) return undefined;
  return direction === 'next'
    ? wholeUnits(clock, 1, Number(count), unitOfMany)
    : wholeUnits(clock, -Number(count), -1, unitOfMany);
}

function wholeUnits(clock: Clock, first: number, last: number, unit: Unit): Span {
  return [startOf(addUnits(clock, first, unit), unit), endOf(addUnits(clock, last, unit), unit)];
}

/** Reads `from <date> to <date>`. */
function readFromTo(phrase: string, clock: Clock): Span | undefined {
  const [, from, to] = /^from (.+) to (.+)$/.exec(phrase) ?? [];
  if (from === undefined || to === undefined) return undefined;
  const [start, end] = [readMoment(from, phrase, clock), readMoment(to, phrase, clock)];
  return start && end && [start[0], end[1]];
}

/** @param whole - the phrase that contains the date. The smallest unit in the phrase determines the precision. */
function readMoment(date: string, whole: string, clock: Clock): Span | undefined {
  const absolute = [DayEdge.start, DayEdge.end].map(edge => localTime(date.toUpperCase(), edge, clock.timezone));
  const [from, to] = absolute.map(time => Date.parse(`${time}Z`));
  if (from !== undefined && to !== undefined && isDate(from)) return [from, to];
  const [, unitOfThis] = /^this (\w+)$/.exec(date) ?? [];
  if (isUnit(unitOfThis)) return wholeUnits(clock, 0, 0, unitOfThis);
  const exact = (['second', 'minute', 'hour'] as const).find(name => whole.includes(name)) ?? 'day';
  const span = readCounted(date, clock) ?? readFreely(date, clock);
  return span && [startOf(span[0], exact), endOf(span[1], exact)];
}

/** Reads `now`, `yesterday`, `7 days ago`, `in 2 weeks` and `last month` (a month ago). */
function readCounted(date: string, clock: Clock): Span | undefined {
  const step = Object.hasOwn(days, date) ? days[date] : undefined;
  if (step !== undefined) return at(addUnits(clock, step, 'day'));
  const [, count, unitOfAgo, direction] = ago.exec(date) ?? [];
  if (isUnit(unitOfAgo)) return at(addUnits(clock, direction === 'ago' ? -Number(count) : Number(count), unitOfAgo));
  const [, countAhead, unitAhead] = ahead.exec(date) ?? [];
  if (isUnit(unitAhead)) return at(addUnits(clock, Number(countAhead), unitAhead));
  const [, which, unitOfOne] = period.exec(date) ?? [];
  return isUnit(unitOfOne) ? at(addUnits(clock, which === 'next' ? 1 : -1, unitOfOne)) : undefined;
}

/** Reads other phrases, such as `last monday`, `3rd of may` and `two weeks ago`. The whole text must be a date. */
function readFreely(date: string, clock: Clock): Span | undefined {
  // Reject numeric dates. Valid dates were already read, so this date does not exist.
  if (/^\d{4}-/.test(date)) return undefined;
  const [result, ...others] = parse(date, { instant: new Date(wallOf(clock)), timezone: 0 });
  if (result === undefined || others.length > 0 || result.text.length < date.length) return undefined;
  const [from, to] = [result.start, result.end ?? result.start];
  if ([from, to].some(part => (part.get('timezoneOffset') ?? 0) !== 0) || /\b(utc|gmt)\b/.test(date)) return undefined;
  return [wallTime(from), wallTime(to)];
}

function wallTime(part: DateParts): number {
  const read = (name: Parameters<DateParts['get']>[0]) => part.get(name) ?? 0;
  const date = Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'), read('second'));
  return read('year') < 1000 ? Number.NaN : date;
}

function at(time: number): Span {
  return [time, time];
}

function wallOf({ now, timezone }: Clock): number {
  return now.getTime() + timezone.offsetAt(now.getTime());
}

/**
 * Adds units to the current local time: elapsed time for hours and shorter units, calendar time for days and longer
 * units.
 */
function addUnits(clock: Clock, count: number, unit: Unit): number {
  const length = milliseconds[unit];
  if (length !== undefined) return wallOf({ ...clock, now: new Date(clock.now.getTime() + count * length) });
  const wall = wallOf(clock);
  if (unit === 'day' || unit === 'week') return wall + count * (unit === 'week' ? 7 : 1) * 86_400_000;
  return addWallMonths(wall, count * monthsOf(unit));
}

function startOf(wall: number, unit: Unit): number {
  if (!isDate(wall)) return Number.NaN;
  const length = milliseconds[unit];
  if (length !== undefined) return Math.floor(wall / length) * length;
  const date = new Date(wall);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  switch (unit) {
    case 'year':
      return Date.UTC(year, 0);
    case 'quarter':
      return Date.UTC(year, month - (month % 3));
    case 'month':
      return Date.UTC(year, month);
    case 'week':
      return Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7));
    default:
      return Date.UTC(year, month, day);
  }
}

function endOf(wall: number, unit: Unit): number {
  const start = startOf(wall, unit);
  const length = milliseconds[unit];
  if (length !== undefined) return start + length - 1;
  if (unit === 'day' || unit === 'week') return start + (unit === 'week' ? 7 : 1) * 86_400_000 - 1;
  return addWallMonths(start, monthsOf(unit)) - 1;
}

function monthsOf(unit: Unit): number {
  if (unit === 'year') return 12;
  return unit === 'quarter' ? 3 : 1;
}

/** Whether the year has four digits. */
function isDate(time: number): boolean {
  return time >= Date.UTC(1000, 0) && time < Date.UTC(10_000, 0);
}

function isUnit(text: string | undefined): text is Unit {
  return text !== undefined && unitNames.has(text);
}
