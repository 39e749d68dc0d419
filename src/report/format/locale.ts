type Seven = [string, string, string, string, string, string, string];
type Twelve = [string, string, string, string, string, string, string, string, string, string, string, string];

// Own types for the locale definitions of d3, because this package does not install d3's types.

/** A locale definition of d3-format. */
export interface NumberLocale {
  decimal: string;
  thousands: string;
  grouping: number[];
  currency: [string, string];
  percent: string;
}

/** A locale definition of d3-time-format. */
export interface TimeLocale {
  dateTime: string;
  date: string;
  time: string;
  periods: [string, string];
  days: Seven;
  shortDays: Seven;
  months: Twelve;
  shortMonths: Twelve;
}

/** January 1, 2001 was a Monday, so every weekday and month has a fixed offset from it. */
const monday = Date.UTC(2001, 0, 1);
const day = 86_400_000;

/**
 * Maximum number of cached results per function. Language tags come from pages and settings, so their number has no
 * limit.
 */
const maxCached = 100;

/** Memoizes `make`, because all tiles need the same few slow `Intl` results. Callers must not mutate the results. */
function memoize<A extends string[], T>(make: (...args: A) => T): (...args: A) => T {
  const known = new Map<string, { readonly value: T }>();
  return (...args) => {
    // Properties of a page can have any value, which `make` rejects.
    if (args.some(arg => typeof arg !== 'string')) return make(...args);
    const key = args.join('\n');
    const cached = known.get(key);
    if (cached) return cached.value;
    const value = make(...args);
    if (known.size < maxCached) known.set(key, { value });
    return value;
  };
}

/**
 * Tags whose definitions are constants: the first use of `Intl` in a process takes 20 to 30 ms of CPU time, which pages
 * in English save.
 */
const english: ReadonlySet<string> = new Set(['en', 'en-US']);

const englishNumbers: NumberLocale = {
  decimal: '.',
  thousands: ',',
  grouping: [3, 3, 3, 3],
  currency: ['$', ''],
  percent: '%',
};

const englishTimes: TimeLocale = {
  dateTime: '%x, %X',
  date: '%-m/%-d/%Y',
  time: '%H:%M:%S',
  periods: ['AM', 'PM'],
  days: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  shortDays: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
  months: [
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
  ],
  shortMonths: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
};

/**
 * Returns the d3-format definition of a BCP 47 locale from `Intl`, without bundled locale data except for English.
 * Falls back to English for an unknown locale.
 */
export function numberLocale(locale: string, currency = 'USD'): NumberLocale {
  if (english.has(locale) && currency === 'USD') return englishNumbers;
  return cachedNumberLocale(locale, currency);
}

const cachedNumberLocale = memoize(makeNumberLocale);

function makeNumberLocale(locale: string, currency: string): NumberLocale {
  const known = formattingLocale(locale);
  const parts = new Intl.NumberFormat(known, { useGrouping: true }).formatToParts(-1_234_567_890_123.5);
  const part = (type: string) => parts.find(candidate => candidate.type === type)?.value;
  const groups = parts.filter(({ type }) => type === 'integer').map(({ value }) => value.length);
  return {
    decimal: part('decimal') ?? '.',
    thousands: part('group') ?? ',',
    grouping: groups.length > 1 ? groups.slice(1).reverse() : [3],
    currency: currencyAffixes(known, currency),
    percent: new Intl.NumberFormat(known, { style: 'percent' })
      .formatToParts(0)
      .filter(({ type }) => type === 'percentSign' || type === 'literal')
      .map(({ value }) => value)
      .join(''),
  };
}

/** Returns the d3-time-format definition of a BCP 47 locale from `Intl`. */
export const timeLocale = memoize((locale: string) => (english.has(locale) ? englishTimes : makeTimeLocale(locale)));

function makeTimeLocale(locale: string): TimeLocale {
  const known = formattingLocale(locale);
  const names = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(known, { ...options, timeZone: 'UTC' });
    return (at: number) => format.format(at);
  };
  const weekday = (style: 'long' | 'short') => days(names({ weekday: style }));
  const month = (style: 'long' | 'short') => months(names({ month: style }));
  return {
    dateTime: '%x, %X',
    date: datePattern(known),
    time: '%H:%M:%S',
    periods: ['AM', 'PM'],
    days: weekday('long'),
    shortDays: weekday('short'),
    months: month('long'),
    shortMonths: month('short'),
  };
}

/** Parts of a date in a pattern. */
export type DayParts = 'monthDay' | 'yearMonthDay';

/**
 * Returns the pattern of a day in the order of the locale: `%b %-d` in English, `%-d. %b` in German; with year `%b %-d,
 * %Y`.
 */
export function dayPattern(locale: string, show: DayParts = 'monthDay'): string {
  if (english.has(locale)) return show === 'yearMonthDay' ? '%b %-d, %Y' : '%b %-d';
  const parts = new Intl.DateTimeFormat(formattingLocale(locale), {
    ...(show === 'yearMonthDay' ? { year: 'numeric' } : {}),
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  }).formatToParts(monday);
  const directive = ({ type, value }: Intl.DateTimeFormatPart) => {
    if (type === 'day') return '%-d';
    if (type === 'year') return '%Y';
    // In locales such as Japanese, the month is a number, and the word for month is a separate literal.
    if (type === 'month') return /^\d+$/.test(value) ? '%-m' : '%b';
    return literal(value);
  };
  return parts.map(directive).join('');
}

function datePattern(locale: string): string {
  const directives: Record<string, string> = { day: '%-d', month: '%-m', year: '%Y' };
  const parts = new Intl.DateTimeFormat(locale, { timeZone: 'UTC' }).formatToParts(monday);
  return parts.map(({ type, value }) => directives[type] ?? literal(value)).join('');
}

function literal(text: string): string {
  return text.replaceAll('%', '%%');
}

function currencyAffixes(locale: string, currency: string): [string, string] {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  const parts = format.formatToParts(1);
  const numeric = (type: string) => type === 'integer' || type === 'decimal' || type === 'fraction';
  const first = parts.findIndex(({ type }) => numeric(type));
  const last = parts.findLastIndex(({ type }) => numeric(type));
  const text = (from: number, to: number) =>
    parts
      .slice(from, to)
      .map(({ value }) => value)
      .join('');
  return [text(0, first), text(last + 1, parts.length)];
}

/**
 * Returns the tag for formatting numbers and dates: the locale with Latin digits and the Gregorian calendar. Browsers
 * differ in the defaults of a tag (`ar` has Arabic-Indic digits in WebKit only). Native digits would be mixed with
 * Latin digits in abbreviations (`20k`), inputs and d3 dates, and other calendars with the Gregorian months of the
 * data. Falls back to English for an unknown locale.
 */
export const formattingLocale = memoize(findFormattingLocale);

function findFormattingLocale(locale: string): string {
  if (english.has(locale)) return locale;
  const known = supportedLocale(locale) ?? 'en';
  const { numberingSystem, calendar } = new Intl.DateTimeFormat(known).resolvedOptions();
  if (numberingSystem === 'latn' && calendar === 'gregory') return known;
  return new Intl.Locale(known, { numberingSystem: 'latn', calendar: 'gregory' }).toString();
}

/** Returns the canonical form of a tag; `null` if `Intl` does not support it. */
export const supportedLocale = memoize(findLocale);

function findLocale(tag: string): string | null {
  if (english.has(tag)) return tag;
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag)[0] ?? null;
  } catch {
    // The text is not a valid language tag.
    return null;
  }
}

/** Returns the language of a valid tag. */
export function languageOf(tag: string): string {
  return english.has(tag) ? 'en' : new Intl.Locale(tag).language;
}

/** Returns values as one list: `a, b, and c` in English, `a, b, c` for the short style. */
export function formatList(locale: string, values: readonly string[], style: 'short' | 'long' = 'short'): string {
  const [only] = values;
  if (values.length === 1 && only !== undefined) return only;
  if (style === 'long') return new Intl.ListFormat(locale).format(values);
  return english.has(locale)
    ? values.join(', ')
    : new Intl.ListFormat(locale, { type: 'unit', style: 'short' }).format(values);
}

/** Returns the format of counts: with digit grouping. It is created on first use. */
export function countFormat(locale: string): (count: number) => string {
  let format: Intl.NumberFormat | undefined;
  return count => {
    if (english.has(locale) && Number.isSafeInteger(count)) return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
    format ??= new Intl.NumberFormat(formattingLocale(locale));
    return format.format(count);
  };
}

/** Returns the function that selects the plural form of a count. The rules are created on first use. */
export function pluralRule(locale: string): (count: number) => Intl.LDMLPluralRule {
  let rules: Intl.PluralRules | undefined;
  return count => {
    if (english.has(locale)) return Math.abs(count) === 1 ? 'one' : 'other';
    rules ??= new Intl.PluralRules(locale);
    return rules.select(count);
  };
}

/** Direction of text or an axis. */
export type Direction = 'ltr' | 'rtl';

// cspell:ignore Adlm Hebr Mand Nkoo Rohg Samr Syrc Thaa
/** Right-to-left scripts. */
const rightToLeftScripts = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa']);

/**
 * Languages whose charts show time from right to left. Empty by default, because software in Arabic, Hebrew and Persian
 * usually shows time from left to right. To change this for a language, add its subtag, such as `ar`.
 */
const rightToLeftTime: ReadonlySet<string> = new Set();

/** Returns the directions of text and of time axes in a BCP 47 locale. Left to right for an unknown locale. */
export function localeDirections(locale: string): { readonly text: Direction; readonly time: Direction } {
  if (english.has(locale)) return { text: 'ltr', time: 'ltr' };
  const known = new Intl.Locale(supportedLocale(locale) ?? 'en');
  return {
    text: rightToLeftScripts.has(known.maximize().script ?? '') ? 'rtl' : 'ltr',
    time: rightToLeftTime.has(known.language) ? 'rtl' : 'ltr',
  };
}

/** Returns the names of the weekdays, Sunday first, as in d3. */
function days(name: (at: number) => string): Seven {
  const at = (offset: number) => name(monday + offset * day);
  return [at(-1), at(0), at(1), at(2), at(3), at(4), at(5)];
}

function months(name: (at: number) => string): Twelve {
  const at = (month: number) => name(Date.UTC(2001, month, 1));
  return [at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8), at(9), at(10), at(11)];
}
