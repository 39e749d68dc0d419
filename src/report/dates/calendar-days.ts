import { formattingLocale } from '../format/locale.js';

/** Days are strings of the form `2001-01-31`. Date arithmetic is calendar-based and independent of time zones. */

const dayMs = 86_400_000;
const [firstDay, lastDay] = ['1000-01-01', '9999-12-31'];
const monthsOf: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };
const unit = '(day|week|month|quarter|year)';
const ofOne = new RegExp(`^(this|last) ${unit}$`);
const ofMany = new RegExp(`^last (\\d{1,4}) ${unit}s?$`);
const toDate = new RegExp(`^from this ${unit} to (?:today|now)$`);

/** Returns the day of a moment (ms since 1970) in a time zone. */
export function dayIn(timezone: string, moment: number): string {
  const options = { timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const parts = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', options).formatToParts(moment);
  const part = (type: string): string => parts.find(candidate => candidate.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}

/** Returns midnight of a day in ms since 1970, as if wall-clock time were UTC. NaN for a day that does not exist. */
export function dayTime(day: string): number {
  const time = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day ? Number.NaN : time;
}

/** Adds days. Limits the result to the range 1000-01-01 to 9999-12-31. */
export function addDays(day: string, days: number): string {
  return dayAt(dayTime(day) + days * dayMs);
}

/** Adds months: the same day of the target month, or its last day if that month is shorter. */
export function addMonths(day: string, months: number): string {
  return dayAt(addWallMonths(dayTime(day), months));
}

/** Returns the first day of the month of a day. */
export function monthStart(day: string): string {
  return `${day.slice(0, 7)}-01`;
}

/** Returns the number of days from the start of the week to a day; `firstWeekday` is 0 for Sunday. */
export function weekOffset(day: string, firstWeekday: number): number {
  return (new Date(dayTime(day)).getUTCDay() - firstWeekday + 7) % 7;
}

/** Returns a grid of six weeks, which fits every month; `null` for days of other months. */
export function weeksOf(month: string, firstWeekday: number): readonly (readonly (string | null)[])[] {
  const start = monthStart(month);
  const offset = weekOffset(start, firstWeekday);
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_day, index) => {
      const day = addDays(start, week * 7 + index - offset);
      return monthStart(day) === start ? day : null;
    }),
  );
}

/**
 * Returns the first and last day of a relative date such as `last 7 days`, as in the Data API; `null` for phrases that
 * are not supported here.
 */
export function phraseDays(phrase: string, today: string): readonly [string, string] | null {
  if (phrase === 'today') return [today, today];
  if (phrase === 'yesterday') return phraseDays('last 1 day', today);
  const [, which, one] = ofOne.exec(phrase) ?? [];
  if (one) return which === 'this' ? wholeUnits(today, 0, 0, one) : wholeUnits(today, -1, -1, one);
  const [, count, many] = ofMany.exec(phrase) ?? [];
  if (many) return wholeUnits(today, -Number(count), -1, many);
  const [, begun] = toDate.exec(phrase) ?? [];
  return begun ? [wholeUnits(today, 0, 0, begun)[0], today] : null;
}

/** Returns the first day of the week in a locale; Sunday is 0. */
export function firstWeekday(locale: string): number {
  const known: WeekLocale = new Intl.Locale(formattingLocale(locale));
  const info = known.getWeekInfo?.() ?? known.weekInfo;
  return info ? info.firstDay % 7 : firstWeekdayOfRegion(known.maximize().region ?? '');
}

/** Adds months to a wall-clock time: the same day of the target month, or its last day if that month is shorter. */
export function addWallMonths(wall: number, count: number): number {
  const date = new Date(wall);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count);
  const last = new Date(date);
  last.setUTCMonth(date.getUTCMonth() + 1, 0);
  return date.setUTCDate(Math.min(day, last.getUTCDate()));
}

/** Firefox does not support `weekInfo`; older versions of other browsers have it as a getter. */
interface WeekLocale extends Intl.Locale {
  getWeekInfo?(): { readonly firstDay: number };
  readonly weekInfo?: { readonly firstDay: number };
}

const sundays = 'BR CA CN CO HK ID IL IN JP KR MX MY PE PH PK SA SG TH TW US VE YE ZA';
const saturdays = 'AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY';

function firstWeekdayOfRegion(region: string): number {
  if (region === 'MV') return 5;
  if (sundays.split(' ').includes(region)) return 0;
  return saturdays.split(' ').includes(region) ? 6 : 1;
}

function wholeUnits(today: string, first: number, last: number, name: string): readonly [string, string] {
  return [unitStart(moveDay(today, first, name), name), addDays(unitStart(moveDay(today, last + 1, name), name), -1)];
}

function moveDay(day: string, count: number, name: string): string {
  const months = monthsOf[name];
  if (months !== undefined) return addMonths(monthStart(day), count * months);
  return addDays(day, count * (name === 'week' ? 7 : 1));
}

function unitStart(day: string, name: string): string {
  if (name === 'day') return day;
  // The Data API's weeks start on Monday in every locale.
  if (name === 'week') return addDays(day, -weekOffset(day, 1));
  const month = Number(day.slice(5, 7)) - 1;
  return addMonths(monthStart(day), -(month % (monthsOf[name] ?? 1)));
}

function dayAt(time: number): string {
  const [from, to] = [dayTime(firstDay), dayTime(lastDay)];
  return new Date(Math.max(from, Math.min(time, to))).toISOString().slice(0, 10);
}
