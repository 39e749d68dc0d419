import type { VegaLocale } from 'vega-format';
import { addSpan, type Span } from '../report/dates/time-buckets.js';
import { abbreviator, missing } from '../report/format/format.js';
import { dayPattern, formattingLocale, numberLocale, timeLocale } from '../report/format/locale.js';
import { moneySpecifier, periodSpecifier } from './spec/column-formats.js';

const day = 86_400_000;

/** Prints whole periods by their starts: `Apr 16 – 22, 2001` of a week, `Jan – Mar 2001` of a quarter, `Mon, Apr 16, 2001` of a day. */
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

const usual = ',.2~f';

/**
 * How a view prints in one locale: as Vega does, but axes without a format of their own are short (`12k`, `Mar`, `Mar 5`),
 * figures without one are grouped, and local time is UTC (see `chart-rows.ts`).
 */
export function chartLocale(
  makeLocale: typeof import('vega-format')['locale'],
  locale: string,
  currency = 'USD',
): VegaLocale {
  const key = `${locale} ${currency}`;
  const made = known.get(key) ?? makeChartLocale(makeLocale, locale, currency);
  if (known.size < maxCachedLocales) known.set(key, made);
  return made;
}

/** Locales that were made: each asks `Intl` a hundred times, and all charts of a page share one. */
const known = new Map<string, VegaLocale>();
const maxCachedLocales = 20;

function makeChartLocale(
  makeLocale: typeof import('vega-format')['locale'],
  locale: string,
  currency: string,
): VegaLocale {
  const made = makeLocale(numberLocale(locale, currency), {
    ...timeLocale(locale),
    date: dayPattern(locale, 'yearMonthDay'),
  });
  const short = abbreviator(locale);
  const money = made.format('$.3~s');
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
    const print = periodPrinterOf(locale, specifier) ?? made.utcFormat(specifier ?? times);
    // A row without a time is not one of 1970.
    return date => (isMissing(date) ? missing : print(date));
  };
  return {
    ...made,
    format: specifier => made.format(specifier || usual),
    formatSpan: (start, stop, count, specifier) => {
      const large = Math.max(Math.abs(start), Math.abs(stop)) >= 10_000;
      if (specifier === moneySpecifier) return large ? shortMoney : made.formatSpan(start, stop, count, '$,f');
      return specifier == null && large ? short : made.formatSpan(start, stop, count, specifier);
    },
    utcFormat,
    timeFormat: utcFormat,
    timeParse: made.utcParse,
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
