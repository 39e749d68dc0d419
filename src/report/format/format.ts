import { formatLocale, formatSpecifier } from 'd3-format';
import { timeFormatLocale } from 'd3-time-format';
import type { ColumnFormat } from '../../contract/dashboards.js';
import type { Cell } from '../../contract/data.js';
import type { Column } from '../../contract/row-set.js';
import { wallClockDate } from '../dates/wall-clock.js';
import { calendarNamer, isCalendar } from './calendar-names.js';
import { formattingLocale, numberLocale, timeLocale } from './locale.js';
import { toNumber } from './numeric-value.js';

/** Text for a missing value. */
export const missing = '∅';

/** Formats cells in one locale. */
export interface Formatter {
  /** The locale; optional because custom formatters may not have one. */
  readonly locale?: string;
  /** Formats one cell. Never throws: with an invalid format, the value is shown unformatted. */
  cell(value: Cell, column: Column, override?: ColumnFormat | null): string;
  /**
   * Returns a formatter for the cells of a column.
   * @param aligned Values that are displayed in one column. Formats that trim zeros then use the same number of
   * decimals for all of them, unless the author of the model wrote the format specifier.
   */
  column(column: Column, override?: ColumnFormat | null, aligned?: Iterable<Cell>): (value: Cell) => string;
}

type Print = (value: Cell) => string;

/** Default specifiers (d3-format) of numbers. */
export const defaultFormats = { number: ',.2~f', currency: '$,.2~f', percent: '.2~%', id: '.0f', decimal: ',.2~f' };
/** Years have no thousands separator: 1989. */
const yearFormat = '.2~f';
const timePatterns: Readonly<Record<string, string>> = {
  day: '%Y-%m-%d',
  week: '%Y-%m-%d W%V',
  month: '%Y %b',
  quarter: '%Y-Q%q',
  year: '%Y',
};
const finestTimePattern = '%Y-%m-%d %H:%M:%S';

/** Returns the pattern (d3-time-format) of a time column for its granularity. */
export function timePattern({ annotation }: Column): string {
  return timePatterns[annotation.granularity?.name ?? ''] ?? finestTimePattern;
}

/** Whether the name of a numeric dimension indicates that it contains years: `year`, `release_year`. */
function isYear({ kind, member }: Column): boolean {
  return kind === 'dimension' && /(?:^|[._])year$/.test(member);
}

const maxSpecifierLength = 64;
const maxPatternLength = 128;
const maxWidth = 64;

/**
 * Creates a formatter with the defaults of the Data API's client (`spec/domain.md` 3, Formatting): number `,.2~f`,
 * currency `$,.2~f`, percent `.2~%` of a fraction, times by granularity, names for numbers of weekdays and months if
 * the model states which is which, and `∅` for null. A format of the report
 * (`columnFormats`) overrides the model's format, which overrides the default of the type.
 */
export function createFormatter(locale: string): Formatter {
  const times = timeFormatLocale(timeLocale(locale));
  const number = numberPrinter(locale);

  const timePrinter = (pattern: string): Print => {
    if (pattern.length > maxPatternLength) return plain;
    const print = times.utcFormat(pattern);
    return value => {
      const date = typeof value === 'string' ? wallClockDate(value) : null;
      return date ? print(date) : plain(value);
    };
  };

  const printer = (column: Column, override: ColumnFormat | null | undefined, aligned?: Iterable<Cell>): Print => {
    const { annotation } = column;
    const currency = currencyOf(column);
    const proposed = (specifier: string): Print =>
      number(aligned ? alignedSpecifier(specifier, aligned) : specifier, currency);
    const overriding = override ? overrideSpecifier(override) : null;
    if (overriding) return proposed(overriding);
    const name = isCalendar(column) ? calendarNamer(column, locale) : null;
    if (name) return value => name(value) ?? plain(value);
    const { format } = annotation;
    if (typeof format === 'object' && format?.value) {
      if (format.type === 'custom-numeric')
        return typeof format.alias === 'string' ? proposed(format.value) : number(format.value, currency);
      if (format.type === 'custom-time') return timePrinter(format.value);
    }
    if (annotation.type === 'time') {
      return timePrinter(timePattern(column));
    }
    if (format === 'id')
      return value => (isInteger(value) ? String(value) : number(defaultFormats.id, currency)(value));
    const described = describedSpecifier(column);
    if (described) return isWrittenOut(column) ? number(described, currency) : proposed(described);
    const specifier = namedSpecifier(format);
    if (specifier) return proposed(specifier);
    return annotation.type === 'number' ? proposed(isYear(column) ? yearFormat : defaultFormats.number) : plain;
  };

  const column = (of: Column, override?: ColumnFormat | null, aligned?: Iterable<Cell>): Print => {
    const print = printer(of, override, aligned);
    return value => (value === null || value === undefined ? missing : print(value));
  };
  return { locale: formattingLocale(locale), column, cell: (value, of, override) => column(of, override)(value) };
}

/**
 * Returns the specifier (d3-format) of a numeric column: the override of the report, otherwise the format of the model.
 * `null` if neither exists or is valid.
 */
export function numberSpecifier(column: Column, override?: ColumnFormat | null): string | null {
  const { format, type } = column.annotation;
  if (type !== 'number') return null;
  const custom = typeof format === 'object' && format?.type === 'custom-numeric' ? format.value : null;
  const specifier =
    (override && overrideSpecifier(override)) ?? custom ?? describedSpecifier(column) ?? namedSpecifier(format);
  return specifier ? attempt(() => formatSpecifier(safeSpecifier(specifier)).toString() && specifier) : null;
}

/**
 * Returns a formatter for short numbers on axes and labels (`12k`, `3.4M`): three significant digits and k, M, B or T.
 * Numbers below one thousand have no suffix.
 */
export function abbreviator(locale: string): (value: number) => string {
  const d3 = formatLocale(numberLocale(locale));
  const [small, large] = [d3.format(',.3~r'), d3.format('.3~s')];
  return value => {
    if (!Number.isFinite(value)) return String(value);
    const size = Math.abs(value);
    if (size >= 1e15) return d3.format('.2~e')(value);
    if (size >= 1000) return large(value).replace('G', 'B');
    return size === 0 ? '0' : small(value);
  };
}

/** Creates a function that formats with d3 specifiers. d3 locales are created on demand, one per currency. */
function numberPrinter(locale: string): (specifier: string, currency: string) => Print {
  const locales = new Map<string, ReturnType<typeof formatLocale>>();
  let grouped: Intl.NumberFormat | undefined;
  const localeOf = (currency: string) => {
    const made = locales.get(currency) ?? formatLocale(numberLocale(locale, currency));
    locales.set(currency, made);
    return made;
  };
  return (specifier, currency) => {
    const print = attempt(() => localeOf(currency).format(safeSpecifier(specifier)));
    if (!print) return plain;
    return value => {
      const number = toNumber(value);
      if (number === null) return plain(value);
      // Converting an integer beyond the safe range to a double would change its digits.
      if (isInteger(value) && !Number.isSafeInteger(number)) {
        grouped ??= new Intl.NumberFormat(formattingLocale(locale));
        return grouped.format(BigInt(value ?? 0));
      }
      return print(number);
    };
  };
}

function safeSpecifier(specifier: string): string {
  if (specifier.length > maxSpecifierLength) throw new RangeError('The format specifier is too long.');
  if ((formatSpecifier(specifier).width ?? 0) > maxWidth)
    throw new RangeError('The width of the format specifier is too large.');
  return specifier;
}

/** Fixes the decimals of a specifier that trims zeros to the number that these values need. */
export function alignedSpecifier(specifier: string, values: Iterable<Cell>): string {
  const parsed = attempt(() => formatSpecifier(safeSpecifier(specifier)));
  if (!parsed?.trim || (parsed.type !== 'f' && parsed.type !== '%')) return specifier;
  parsed.trim = false;
  parsed.precision = neededDecimals(values, parsed.precision ?? 6, parsed.type === '%' ? 100 : 1);
  return String(parsed);
}

/** Returns the number of decimals, at most `max`, that represents all values (times `factor`) without losing digits. */
function neededDecimals(values: Iterable<Cell>, max: number, factor: number): number {
  let needed = 0;
  for (const value of values) {
    if (needed >= max) break;
    if (factor === 1 && (typeof value === 'string' ? !/[.e]/i.test(value) : Number.isInteger(value))) continue;
    const digits = Math.round(Math.abs(toNumber(value) ?? 0) * factor * 10 ** max);
    if (!Number.isSafeInteger(digits)) continue;
    let decimals = max;
    while (decimals > needed && digits % 10 ** (max - decimals + 1) === 0) decimals -= 1;
    needed = decimals;
  }
  return needed;
}

function overrideSpecifier({ type, decimalPlaces }: ColumnFormat): string | null {
  const fixed = decimalPlaces ?? null;
  if (type === 'number') return fixed === null ? defaultFormats.number : `,.${fixed}f`;
  if (type === 'currency') return fixed === null ? defaultFormats.currency : `$,.${fixed}f`;
  if (type === 'percent') return fixed === null ? defaultFormats.percent : `.${fixed}%`;
  return null;
}

/** Returns the specifier of a named format: `currency`, `percent_1`, `abbr`, `accounting_2`, … */
function namedSpecifier(format: unknown): string | null {
  const match = typeof format === 'string' ? /^([a-z]+)(?:_(\d{1,2}))?$/.exec(format) : null;
  const places = match?.[2] ?? '2';
  const trim = places === '0' ? '' : '~';
  switch (match?.[1]) {
    case 'number':
    case 'decimal':
      return `,.${places}${trim}f`;
    case 'currency':
      return `$,.${places}${trim}f`;
    case 'percent':
      return `.${places}${trim}%`;
    case 'abbr':
      return `.${places}~s`;
    case 'accounting':
      return `(,.${places}${trim}f`;
    default:
      return null;
  }
}

/** Returns the specifier in the format description of the Data API; `null` if there is none. */
function describedSpecifier({ annotation }: Column): string | null {
  const description = annotation.formatDescription;
  if (typeof description !== 'object' || description === null || !('specifier' in description)) return null;
  return typeof description.specifier === 'string' && description.specifier !== '' ? description.specifier : null;
}

/** True if the author of the model wrote a specifier instead of naming a format. */
function isWrittenOut({ annotation: { formatDescription } }: Column): boolean {
  return formatDescription?.name === 'custom';
}

/** Returns the currency code of a column (ISO 4217). */
export function currencyOf({ annotation }: Column): string {
  return annotation.currency?.toUpperCase() ?? 'USD';
}

function isInteger(value: Cell): boolean {
  return (typeof value === 'string' && /^-?\d{1,400}$/.test(value)) || Number.isInteger(value);
}

function plain(value: Cell): string {
  return String(value);
}

function attempt<T>(make: () => T): T | null {
  try {
    return make();
  } catch {
    return null;
  }
}
