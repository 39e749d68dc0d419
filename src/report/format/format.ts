import { formatLocale, formatSpecifier } from 'd3-format';
import { timeFormatLocale } from 'd3-time-format';
import type { ColumnFormat } from '../../contract/dashboards.js';
import type { Cell } from '../../contract/data.js';
import type { Column } from '../../contract/row-set.js';
import { wallClockDate } from '../dates/wall-clock.js';
import { formattingLocale, numberLocale, timeLocale } from './locale.js';
import { toNumber } from './numeric-value.js';

/** What stands for a value that is not there. */
export const missing = '∅';

/** Formats cells in one locale. */
export interface Formatter {
  /** The locale; of one that was made for something else it may be missing. */
  readonly locale?: string;
  /** Text of one cell. Never throws: a format that can't be used leaves the value as it came. */
  cell(value: Cell, column: Column, override?: ColumnFormat | null): string;
  /**
   * The same with the format found once, for a whole column.
   * @param aligned - values that are shown below one another: formats that trim zeros then print all of them with equally many decimals,
   *   unless the model's author wrote the format out.
   */
  column(column: Column, override?: ColumnFormat | null, aligned?: Iterable<Cell>): (value: Cell) => string;
}

type Print = (value: Cell) => string;

/** Specifiers (d3-format) of figures whose model names none. */
export const defaultFormats = { number: ',.2~f', currency: '$,.2~f', percent: '.2~%', id: '.0f', decimal: ',.2~f' };
const timePatterns: Readonly<Record<string, string>> = {
  day: '%Y-%m-%d',
  week: '%Y-%m-%d W%V',
  month: '%Y %b',
  quarter: '%Y-Q%q',
  year: '%Y',
};
const finestTimePattern = '%Y-%m-%d %H:%M:%S';

/** The pattern (d3-time-format) of a column of times, by its granularity. */
export function timePattern({ annotation }: Column): string {
  return timePatterns[annotation.granularity?.name ?? ''] ?? finestTimePattern;
}

const specifierLength = 64;
const patternLength = 128;
const widestPadding = 64;

/**
 * A formatter with the defaults of the Data API's own client (`spec/domain.md` 3, Formatting): number `,.2~f`, currency
 * `$,.2~f`, percent `.2~%` of a fraction, times by granularity, null as `∅`. An override by the report (`columnFormats`) wins
 * over the model's format, and the model's over the default of the type.
 */
export function createFormatter(locale: string): Formatter {
  const times = timeFormatLocale(timeLocale(locale));
  const number = numberPrinter(locale);

  const timePrinter = (pattern: string): Print => {
    if (pattern.length > patternLength) return plain;
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
    return annotation.type === 'number' ? proposed(defaultFormats.number) : plain;
  };

  const column = (of: Column, override?: ColumnFormat | null, aligned?: Iterable<Cell>): Print => {
    const print = printer(of, override, aligned);
    return value => (value === null || value === undefined ? missing : print(value));
  };
  return { locale: formattingLocale(locale), column, cell: (value, of, override) => column(of, override)(value) };
}

/**
 * The specifier (d3-format) of a column of figures by the report's override, else by the model; null if neither has one, or none that
 * can be used.
 */
export function numberSpecifier(column: Column, override?: ColumnFormat | null): string | null {
  const { format, type } = column.annotation;
  if (type !== 'number') return null;
  const custom = typeof format === 'object' && format?.type === 'custom-numeric' ? format.value : null;
  const specifier =
    (override && overrideSpecifier(override)) ?? custom ?? describedSpecifier(column) ?? namedSpecifier(format);
  return specifier ? attempt(() => formatSpecifier(safeSpecifier(specifier)).toString() && specifier) : null;
}

/** Short form of a number for axes and labels (`12k`, `3.4M`): three significant digits and k, M, B or T; below a thousand as it is. */
export function abbreviator(locale: string): (value: number) => string {
  const d3 = formatLocale(numberLocale(locale));
  const [small, large] = [d3.format(',.3~r'), d3.format('.3~s')];
  return value => {
    if (!Number.isFinite(value)) return String(value);
    const size = Math.abs(value);
    if (size < 1000 || size >= 1e15) return size >= 1e15 ? d3.format('.2~e')(value) : size === 0 ? '0' : small(value);
    return large(value).replace('G', 'B');
  };
}

/** Prints by d3 specifiers; one d3 locale per currency, made when it is first needed. */
function numberPrinter(locale: string): (specifier: string, currency: string) => Print {
  const locales = new Map<string, ReturnType<typeof formatLocale>>();
  const grouped = new Intl.NumberFormat(formattingLocale(locale));
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
      // An integer too long for a double would come out with other digits than the data has.
      if (isInteger(value) && !Number.isSafeInteger(number)) return grouped.format(BigInt(value ?? 0));
      return print(number);
    };
  };
}

function safeSpecifier(specifier: string): string {
  if (specifier.length > specifierLength) throw new RangeError('format specifier too long');
  if ((formatSpecifier(specifier).width ?? 0) > widestPadding) throw new RangeError('format pads too wide');
  return specifier;
}

/** The specifier with as many decimals as these values need, where it would trim zeros of each. */
export function alignedSpecifier(specifier: string, values: Iterable<Cell>): string {
  const parsed = attempt(() => formatSpecifier(safeSpecifier(specifier)));
  if (!parsed?.trim || (parsed.type !== 'f' && parsed.type !== '%')) return specifier;
  parsed.trim = false;
  parsed.precision = neededDecimals(values, parsed.precision ?? 6, parsed.type === '%' ? 100 : 1);
  return String(parsed);
}

/** Decimals, `most` at the most, without which one of the values (times `factor`) would lose a digit. */
function neededDecimals(values: Iterable<Cell>, most: number, factor: number): number {
  let needed = 0;
  for (const value of values) {
    if (needed >= most) break;
    if (factor === 1 && (typeof value === 'string' ? !/[.e]/i.test(value) : Number.isInteger(value))) continue;
    const digits = Math.round(Math.abs(toNumber(value) ?? 0) * factor * 10 ** most);
    if (!Number.isSafeInteger(digits)) continue;
    let decimals = most;
    while (decimals > needed && digits % 10 ** (most - decimals + 1) === 0) decimals -= 1;
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

/** Specifier of a named format: `currency`, `percent_1`, `abbr`, `accounting_2`, … */
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

/** The specifier that the Data API spells out itself, where it does. */
function describedSpecifier({ annotation }: Column): string | null {
  const description = annotation.formatDescription;
  if (typeof description !== 'object' || description === null || !('specifier' in description)) return null;
  return typeof description.specifier === 'string' && description.specifier !== '' ? description.specifier : null;
}

/** Whether the model's author wrote the specifier out, instead of naming a format. */
function isWrittenOut({ annotation: { formatDescription } }: Column): boolean {
  return formatDescription?.name === 'custom';
}

/** ISO 4217 code of the currency of a column. */
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
