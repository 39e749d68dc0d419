/** A function that expressions can call in addition to the functions of a view. It depends on its arguments only. */
export type ExpressionFunction = (this: unknown, ...values: never[]) => unknown;

/** Maximum length of a string that an expression may create or search. */
const maxTextLength = 10_000;
/** Maximum length of a string that a pattern with several quantifiers may search. */
const maxRepeatedTextLength = 500;
const maxPatternLength = 200;
/** Maximum length of a sequence. */
const maxSequenceLength = 10_000;

type Dated = number | string | Date;
type List = string | readonly unknown[];

const utc =
  (read: (date: Date) => number) =>
  (value: Dated): number =>
    read(new Date(value));

function datetime(...fields: readonly Dated[]): Date {
  const [year = Number.NaN, month = 0, day = 1, ...clock] = fields.map(Number);
  return fields.length > 1 ? new Date(Date.UTC(year, month, day, ...clock)) : new Date(fields[0] ?? Number.NaN);
}

/** Accepts strings, arrays and typed arrays. */
function assertList(value: List): List {
  if (typeof value === 'string' || Array.isArray(value) || ArrayBuffer.isView(value)) return value;
  throw new TypeError('An expression of the chart requires a list or a string.');
}

function ascending(a: unknown, b: unknown): number {
  const [left, right] = [Number(a), Number(b)];
  if (!Number.isNaN(left) && !Number.isNaN(right)) return left - right;
  const [text, other] = [String(a), String(b)];
  if (text < other) return -1;
  return text > other ? 1 : 0;
}

/**
 * Creates a regular expression that cannot backtrack exponentially: rejects a repeated group if a quantifier or an
 * alternation precedes its end.
 */
export function safePattern(pattern: unknown, flags?: unknown): RegExp {
  const source = pattern instanceof RegExp ? pattern.source : String(pattern);
  const group = source.search(/\)[*+{]/);
  const isNested = group >= 0 && /[*+{|]/.test(source.slice(0, group));
  if (isNested || source.length > maxPatternLength)
    throw new RangeError(
      `A regular expression in the chart has nested quantifiers or more than ${maxPatternLength} characters.`,
    );
  return new RegExp(source, flags === undefined && pattern instanceof RegExp ? pattern.flags : String(flags ?? ''));
}

function searchableText(pattern: RegExp, value: unknown): string {
  const text = String(value);
  const repeats = pattern.source.match(/[*+{]/g)?.length ?? 0;
  const max = repeats > 1 ? maxRepeatedTextLength : maxTextLength;
  if (text.length > max) throw new RangeError(`The chart searches a string of more than ${max} characters.`);
  return text;
}

function replace(value: unknown, pattern: unknown, by: unknown): string {
  const replacement = String(by);
  if (!(pattern instanceof RegExp)) return limitLength(String(value).replace(String(pattern), () => replacement));
  return limitLength(searchableText(pattern, value).replace(pattern, replacement));
}

function limitLength(text: string): string {
  const max = 100 * maxTextLength;
  if (text.length > max) throw new RangeError(`The chart creates a string of more than ${max} characters.`);
  return text;
}

function sequence(...given: readonly number[]): number[] {
  const [start, stop, step] = given.length < 2 ? [0, given[0] ?? 0, 1] : [given[0] ?? 0, given[1] ?? 0, given[2] ?? 1];
  const count = Math.max(0, Math.ceil((stop - start) / step));
  if (!(count <= maxSequenceLength))
    throw new RangeError(`The chart creates a sequence of more than ${maxSequenceLength} values.`);
  return Array.from({ length: count }, (_, index) => start + index * step);
}

function pad(value: unknown, length: number, character: unknown = ' ', align: unknown = 'right'): string {
  const text = String(value);
  const missing = Math.min(maxTextLength, Math.max(0, length - text.length));
  const filler = (String(character)[0] ?? ' ').repeat(missing);
  if (align === 'left') return filler + text;
  if (align !== 'center') return text + filler;
  const half = Math.floor(missing / 2);
  return filler.slice(0, half) + text + filler.slice(half);
}

const {
  abs,
  acos,
  asin,
  atan,
  atan2,
  ceil,
  cos,
  exp,
  floor,
  hypot,
  log,
  max,
  min,
  pow,
  random,
  round,
  sin,
  sqrt,
  tan,
} = Math;

/**
 * Functions of Vega's expression language that need no view. All of them read times in UTC, because charts use
 * wall-clock times (see `chart-rows.ts`). Each function limits its run time and output. They take precedence over
 * functions of the view with the same name.
 */
export const builtInFunctions: Readonly<Record<string, ExpressionFunction>> = Object.assign(Object.create(null), {
  ...{ abs, acos, asin, atan, atan2, ceil, cos, exp, floor, hypot, log, max, min, pow, random, round, sin, sqrt, tan },
  isNaN: Number.isNaN,
  isFinite: Number.isFinite,
  clamp: (value: number, low: number, high: number) => max(low, min(high, value)),

  now: () => Date.now() - new Date().getTimezoneOffset() * 60_000,
  timezoneoffset: () => 0,
  utc: Date.UTC,
  datetime,
  time: (value: Dated) => new Date(value).getTime(),
  date: utc(date => date.getUTCDate()),
  day: utc(date => date.getUTCDay()),
  year: utc(date => date.getUTCFullYear()),
  month: utc(date => date.getUTCMonth()),
  hours: utc(date => date.getUTCHours()),
  minutes: utc(date => date.getUTCMinutes()),
  seconds: utc(date => date.getUTCSeconds()),
  milliseconds: utc(date => date.getUTCMilliseconds()),

  length: (list: List) => list.length,
  join: (list: readonly unknown[], by?: unknown) =>
    limitLength(Array.from(assertList(list)).join(by === undefined ? ',' : String(by))),
  indexof: (list: string, value: never) => assertList(list).indexOf(value),
  lastindexof: (list: string, value: never) => assertList(list).lastIndexOf(value),
  slice: (list: List, from?: number, to?: number) => assertList(list).slice(from, to),
  reverse: (list: readonly unknown[]) => Array.from(assertList(list)).reverse(),
  sort: (list: readonly unknown[]) => Array.from(assertList(list)).sort(ascending),
  sequence,

  parseFloat: Number.parseFloat,
  parseInt: Number.parseInt,
  upper: (value: unknown) => String(value).toUpperCase(),
  lower: (value: unknown) => String(value).toLowerCase(),
  substring: (value: unknown, from: number, to?: number) => String(value).substring(from, to),
  split: (value: unknown, by: unknown, limit?: number) =>
    by instanceof RegExp ? searchableText(by, value).split(by, limit) : String(value).split(String(by), limit),
  trim: (value: unknown) => String(value).trim(),
  pad,
  encodeURIComponent: (value: unknown) => encodeURIComponent(String(value)),

  replace,
  regexp: safePattern,
  test: (pattern: unknown, value: unknown) => {
    const safe = safePattern(pattern);
    return safe.test(searchableText(safe, value));
  },
});

/** Maps functions of local time to their UTC equivalents. */
export const utcFunctions: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  dayofyear: 'utcdayofyear',
  isoweek: 'utcisoweek',
  quarter: 'utcquarter',
  timeOffset: 'utcOffset',
  timeSequence: 'utcSequence',
  week: 'utcweek',
  utcdate: 'date',
  utcday: 'day',
  utcyear: 'year',
  utcmonth: 'month',
  utchours: 'hours',
  utcminutes: 'minutes',
  utcseconds: 'seconds',
  utcmilliseconds: 'milliseconds',
});

/** Constants of the expression language. */
export const constants: Readonly<Record<string, unknown>> = Object.assign(Object.create(null), {
  NaN: Number.NaN,
  E: Math.E,
  LN2: Math.LN2,
  LN10: Math.LN10,
  LOG2E: Math.LOG2E,
  LOG10E: Math.LOG10E,
  PI: Math.PI,
  SQRT1_2: Math.SQRT1_2,
  SQRT2: Math.SQRT2,
  MIN_VALUE: Number.MIN_VALUE,
  MAX_VALUE: Number.MAX_VALUE,
  undefined,
});

/* biome-ignore-start lint/suspicious/noDoubleEquals: the language has the operators of JavaScript. */
type Binary = (a: never, b: never) => unknown;

/** Binary operators. */
export const binary: Readonly<Record<string, Binary>> = Object.assign(Object.create(null), {
  '*': (a: number, b: number) => a * b,
  '+': (a: number, b: number) => a + b,
  '-': (a: number, b: number) => a - b,
  '/': (a: number, b: number) => a / b,
  '%': (a: number, b: number) => a % b,
  '>': (a: number, b: number) => a > b,
  '<': (a: number, b: number) => a < b,
  '<=': (a: number, b: number) => a <= b,
  '>=': (a: number, b: number) => a >= b,
  '==': (a: unknown, b: unknown) => a == b,
  '!=': (a: unknown, b: unknown) => a != b,
  '===': (a: unknown, b: unknown) => a === b,
  '!==': (a: unknown, b: unknown) => a !== b,
  '&': (a: number, b: number) => a & b,
  '|': (a: number, b: number) => a | b,
  '^': (a: number, b: number) => a ^ b,
  '<<': (a: number, b: number) => a << b,
  '>>': (a: number, b: number) => a >> b,
  '>>>': (a: number, b: number) => a >>> b,
});
/* biome-ignore-end lint/suspicious/noDoubleEquals: the language has the operators of JavaScript. */

/** Unary operators. */
export const unary: Readonly<Record<string, (a: never) => unknown>> = Object.assign(Object.create(null), {
  '+': (a: number) => +a,
  '-': (a: number) => -a,
  '~': (a: number) => ~a,
  '!': (a: unknown) => !a,
});
