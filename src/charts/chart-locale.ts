import type { VegaLocale } from 'vega-format';
import { addSpan, type Span } from '../report/dates/time-buckets.js';
import { abbreviator, createFormatter, type Formatter, missing } from '../report/format/format.js';
import { dayPattern, formattingLocale, numberLocale, timeLocale } from '../report/format/locale.js';
import { moneySpecifier, periodSpecifier } from './spec/column-formats.js';

const day = 86_400_000;

/**
 * Formats whole periods by their start: `Apr 16 – 22, 2001` for a week, `Jan – Mar 2001` for a quarter, `Mon, Apr 16,
 * 2001` for a day.
 */
function periodPrinter(locale: string, span: Span): (start: Date) => string {
  const format = new Intl.DateTimeFormat(formattingLocale(locale), { ...partsOf(span), timeZone: 'UTC' });
  return start => format.formatRange(start, new Date(addSpan(start.getTime(), span) - 1));
}

function partsOf({ months, milliseconds }: Span): Intl.DateTimeFormatOptions {
  if (months > 0 && months % 12 === 0 && milliseconds === 0) return { year: 'numeric' };
  if (months > 0 && milliseconds === 0) return { year: 'numeric', month: 'short' };
  const date = { year: 'numeric', month: 'short', day: 'numeric' } as const;
  if (milliseconds === day) return { ...date, weekday: 'short' };
  return milliseconds % day === 0 ? date : { ...date, hour: 'numeric', minute: 'numeric' };
}

const defaultNumberFormat = ',.2~f';

/**
 * Returns the locale of a view. It differs from Vega's locale in three ways: axes without a format use short labels
 * (`12k`, `Mar`, `Mar 5`), numbers without a format have digit grouping, and local time is UTC (see `chart-rows.ts`).
 */
export function chartLocale(
  makeLocale: typeof import('vega-format')['locale'],
  locale: string,
  currency = 'USD',
): VegaLocale {
  const key = `${locale} ${currency}`;
  const result = localeCache.get(key) ?? makeChartLocale(makeLocale, locale, currency);
  if (localeCache.size < maxCachedLocales) localeCache.set(key, result);
  return result;
}

/**
 * Caches locales and formatters, because creating one calls `Intl` about a hundred times. All charts of a page share
 * the caches.
 */
const localeCache = new Map<string, VegaLocale>();
const formatterCache = new Map<string, Formatter>();
const maxCachedLocales = 20;

/** Returns the formatter of a locale, for descriptions of charts. */
export function chartFormatter(locale: string): Formatter {
  const formatter = formatterCache.get(locale) ?? createFormatter(locale);
  if (formatterCache.size < maxCachedLocales) formatterCache.set(locale, formatter);
  return formatter;
}

function makeChartLocale(
  makeLocale: typeof import('vega-format')['locale'],
  locale: string,
  currency: string,
): VegaLocale {
  const result = makeLocale(numberLocale(locale, currency), {
    ...timeLocale(locale),
    date: dayPattern(locale, 'yearMonthDay'),
  });
  const short = abbreviator(locale);
  const money = result.format('$.3~s');
  const shortMoney = (value: number) => money(value).replace('G', 'B');
  const times = {
    year: '%Y',
    quarter: '%b',
    month: '%b',
    week: dayPattern(locale),
    date: dayPattern(locale),
    hours: '%H:%M',
    minutes: '%H:%M',
    seconds: '%H:%M:%S',
    milliseconds: '.%L',
  };
  const utcFormat: VegaLocale['utcFormat'] = specifier => {
    const print = periodPrinterOf(locale, specifier) ?? result.utcFormat(specifier ?? times);
    // Without this check, a missing time would be formatted as 1970.
    return date => (isMissing(date) ? missing : print(date));
  };
  return {
    ...result,
    format: specifier => result.format(specifier || defaultNumberFormat),
    formatSpan: (start, stop, count, specifier) => {
      const large = Math.max(Math.abs(start), Math.abs(stop)) >= 10_000;
      if (specifier === moneySpecifier) return large ? shortMoney : result.formatSpan(start, stop, count, '$,f');
      return specifier == null && large ? short : result.formatSpan(start, stop, count, specifier);
    },
    utcFormat,
    timeFormat: utcFormat,
    timeParse: result.utcParse,
  };
}

function periodPrinterOf(locale: string, specifier: unknown): ((date: Date | number) => string) | null {
  if (typeof specifier !== 'string' || !specifier.startsWith(periodSpecifier)) return null;
  const [months = 0, milliseconds = 0] = specifier.slice(periodSpecifier.length).split(':').map(Number);
  const print = periodPrinter(locale, { months, milliseconds });
  return date => print(new Date(date));
}

function isMissing(date: unknown): boolean {
  return date === null || date === undefined;
}
