import { formattingLocale } from '../format/locale.js';
import { dayTime } from './calendar-days.js';

/** Code points of the zero digit in scripts that are used to type dates. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0x1040, 0xff10];
/** Minimum number of letters that identify a month. */
const minMonthLetters = 3;
/** Two-digit years are at most this many years in the future. */
const maxYearsAhead = 20;

type Field = 'year' | 'month' | 'day';

/** Formats a day in the numeric format of a locale, such as `1/31/2001`, always in the Gregorian calendar. */
export function dayText(day: string, locale: string): string {
  return dayFormat(locale, { year: 'numeric', month: 'numeric', day: 'numeric' }).format(dayTime(day));
}

/** Returns a date format in the Gregorian calendar, which the data uses, for any locale. */
export function dayFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(formattingLocale(locale), { ...options, calendar: 'gregory', timeZone: 'UTC' });
}

/**
 * Parses a day in the format of a locale, with the month as a number or name, or as `2001-01-31`. Returns `null` if the
 * text is not a valid day.
 * @param today Provides the year if the text has none.
 */
export function readDay(text: string, locale: string, today: string): string | null {
  const tokens =
    latinDigits(text)
      .toLowerCase()
      .match(/\d+|[\p{L}\p{M}]+(?:\.[\p{L}\p{M}]+)*/gu) ?? [];
  const figures = tokens.filter(token => /^\d/.test(token));
  const [month] = tokens.flatMap(token => monthNamed(token, locale) ?? []);
  const order = fieldOrder(locale).filter(field => month === undefined || field !== 'month');
  const fields = fieldsOf(figures, order, month === undefined ? 3 : 2);
  if (!fields) return null;
  const year = fullYear(fields.get('year'), today);
  const day = [year, fields.get('month') ?? month, fields.get('day')].map(field =>
    String(field ?? '').padStart(2, '0'),
  );
  const read = day.join('-');
  return /^[1-9]\d{3}-\d\d-\d\d$/.test(read) && !Number.isNaN(dayTime(read)) ? read : null;
}

/** Assigns numbers to fields. The year is optional. */
function fieldsOf(figures: readonly string[], order: readonly Field[], count: number): Map<Field, string> | null {
  const [first = '', second = ''] = figures;
  if (count === 3 && figures.length === 1 && first.length === 8) {
    return fieldsOf([first.slice(0, 4), first.slice(4, 6), first.slice(6)], order, count);
  }
  const name = (fields: readonly Field[]) => new Map(fields.map((field, index) => [field, figures[index] ?? '']));
  if (figures.length === count - 1) return name(order.filter(field => field !== 'year'));
  if (figures.length !== count) return null;
  const others = order.filter(field => field !== 'year');
  // A leading number of four digits is a year in every locale.
  if (first.length === 4) return name(['year', ...(count === 3 ? (['month', 'day'] as const) : others)]);
  return count === 2 && second.length === 4 ? name([...others, 'year']) : name(order);
}

function fullYear(year: string | undefined, today: string): string {
  const current = Number(today.slice(0, 4));
  if (year === undefined) return String(current);
  if (year.length > 2) return year;
  const inCentury = current - (current % 100) + Number(year);
  return String(inCentury > current + maxYearsAhead ? inCentury - 100 : inCentury);
}

function fieldOrder(locale: string): readonly Field[] {
  const parts = dayFormat(locale, { year: 'numeric', month: 'numeric', day: 'numeric' }).formatToParts(0);
  const isField = (type: string): type is Field => type === 'year' || type === 'month' || type === 'day';
  return parts.flatMap(({ type }) => (isField(type) ? [type] : []));
}

/** Returns the number of the month with this name in a locale or in English. */
function monthNamed(word: string, locale: string): string | undefined {
  if (/^\d/.test(word)) return undefined;
  const requested = plainLetters(word);
  for (const each of new Set([locale, 'en'])) {
    const [long = [], ...others] = monthNames(each);
    const exact = [long, ...others].map(names => names.indexOf(requested)).find(index => index >= 0);
    if (exact !== undefined) return String(exact + 1);
    const begun = long.flatMap((name, index) => (name.startsWith(requested) ? [index + 1] : []));
    if (requested.length >= minMonthLetters && begun.length === 1) return String(begun[0]);
  }
  return undefined;
}

/** Returns the names of the months, both as used within dates and as standalone names. Longer names come first. */
function monthNames(locale: string): readonly (readonly string[])[] {
  return (['long', 'short'] as const).flatMap(month =>
    [{ month, day: 'numeric' } as const, { month }].map(options => {
      const format = dayFormat(locale, options);
      return Array.from({ length: 12 }, (_, index) => {
        const parts = format.formatToParts(Date.UTC(2001, index, 1));
        return plainLetters(parts.find(({ type }) => type === 'month')?.value ?? '');
      });
    }),
  );
}

/**
 * Removes case, accents and periods. Keeps vowel signs, because the Thai names of March and January differ only in
 * these.
 */
function plainLetters(word: string): string {
  return word
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\p{Script=Inherited}.]/gu, '');
}

function latinDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, digit => {
    const code = digit.codePointAt(0) ?? 0;
    const zero = zeros.find(start => code >= start && code < start + 10);
    return zero === undefined ? digit : String(code - zero);
  });
}
