import type { A_Const, SQLValueFunction } from 'libpg-query';
import { isoTime } from '../../time/time-zone.js';
import type { Scope } from '../scope.js';
import { SqlProblem } from '../sql-problem.js';
import { SqlType, typeWords, widens } from '../sql-type.js';
import type { Expression, Literal } from '../tree.js';
import { decimalText, maxDigits } from './decimals.js';
import { intervalText } from './interval-literal.js';

// Postgres accepts many date formats, some of which depend on its settings (`1/2/3`). Only the unambiguous ISO format
// is supported.
const pattern =
  /^\s*(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?\s*(?:Z|[+-]\d{2}(?::?\d{2})?)?)?\s*$/;

/** Reads a date (`2001-01-31`) and ignores its time. Returns `undefined` if the text is not a date. */
function dateText(text: string): string | undefined {
  return timestampText(text)?.slice(0, 10);
}

/**
 * Reads a timestamp (`2001-01-31T23:59:59.999`, with microseconds if present). Ignores a time zone, as Postgres does
 * for timestamps without time zone. Returns `undefined` if the text is not a timestamp.
 */
function timestampText(text: string): string | undefined {
  const parts = pattern.exec(text);
  if (parts === null) return undefined;
  const [, year = '', month = '', day = '', hour = '0', minute = '00', second = '00', fraction = ''] = parts;
  const micros = fraction.padEnd(6, '0');
  const millis = `${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}:${second}.${micros.slice(0, 3)}`;
  const time = Date.parse(`${millis}Z`);
  if (year === '0000' || Number.isNaN(time) || isoTime(time) !== millis) return undefined;
  return micros.endsWith('000') ? millis : `${millis}${micros.slice(3)}`;
}

function two(digits: string): string {
  return digits.padStart(2, '0');
}

const wholeNumber = /^\s*[+-]?\d+\s*$/;
const number = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;
const truths: ReadonlySet<string> = new Set(['t', 'tr', 'tru', 'true', 'y', 'ye', 'yes', 'on', '1']);
const falsehoods: ReadonlySet<string> = new Set(['f', 'fa', 'fal', 'fals', 'false', 'n', 'no', 'of', 'off', '0']);

/** Creates a constant. Long numbers, dates, timestamps and intervals are text. */
export function literal(type: SqlType, value: Literal['value']): Literal {
  return { kind: 'literal', type, value };
}

/**
 * Reads the text of a constant as a type, as Postgres does, except for forms that depend on settings or on the current
 * date.
 * @throws SqlProblem if the text is not valid for the type.
 */
export function literalOf(type: SqlType, text: string, at: number | undefined): Literal {
  const value = readValue(type, text);
  if (value === undefined)
    throw new SqlProblem(`${quoteShort(text)} is not a valid ${typeWords(type)}${hint(type)}`, at);
  return literal(type, value);
}

function readValue(type: SqlType, text: string): Literal['value'] | undefined {
  switch (type) {
    case SqlType.boolean:
      return truth(text);
    case SqlType.integer:
      return within(text, 31n) === undefined ? undefined : Number(text);
    case SqlType.bigint:
      return within(text, 63n);
    case SqlType.numeric:
    case SqlType.ratio:
      return decimalText(text);
    case SqlType.double:
      return number.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined;
    case SqlType.date:
      return dateText(text);
    case SqlType.timestamp:
      return timestampText(text);
    case SqlType.interval:
      return intervalText(text);
    case SqlType.text:
    case SqlType.unknown:
    case SqlType.other:
      return text;
  }
}

function truth(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (truths.has(word)) return true;
  return falsehoods.has(word) ? false : undefined;
}

function within(text: string, bits: bigint): string | undefined {
  if (!wholeNumber.test(text)) return undefined;
  const value = BigInt(text.trim().replace('+', ''));
  return value >= -(2n ** bits) && value < 2n ** bits ? String(value) : undefined;
}

/**
 * Truncates a constant of the caller for a message. It is part of the caller's statement, so the message reveals
 * nothing.
 */
function quoteShort(text: string): string {
  return `'${text.length > 40 ? `${text.slice(0, 40)}…` : text}'`;
}

function hint(type: SqlType): string {
  if (type === SqlType.date) return ': write YYYY-MM-DD';
  if (type === SqlType.timestamp) return ': write YYYY-MM-DD HH:MM:SS';
  if (type === SqlType.interval) return ': write a number and a unit, like 3 days';
  return type === SqlType.numeric ? `: use at most ${maxDigits} digits` : '';
}

/**
 * Converts a value to another type implicitly: reads a constant without a type as that type, widens a number, or
 * converts a date to midnight of that day.
 * @throws SqlProblem if the conversion needs a cast or a constant is not valid for the type.
 */
export function coerce(expression: Expression, type: SqlType, at?: number): Expression {
  if (expression.type === type) return expression;
  if (expression.kind === 'literal') {
    const constant = coerceLiteral(expression, type, at);
    if (constant) return constant;
  }
  if (!widens(expression.type, type)) {
    throw new SqlProblem(
      `Cannot convert ${typeWords(expression.type)} to ${typeWords(type)} implicitly: add a cast`,
      at,
    );
  }
  // A quotient is already a numeric and cannot become exact.
  if (expression.type === SqlType.ratio && type === SqlType.numeric) return expression;
  return { kind: 'cast', type, value: expression };
}

function coerceLiteral({ type: from, value }: Literal, to: SqlType, at: number | undefined): Literal | undefined {
  if (from !== SqlType.unknown && !widens(from, to)) return undefined;
  if (value === null) return literal(to, null);
  if (from === SqlType.unknown) return literalOf(to, String(value), at);
  if (to === SqlType.double) return literal(to, Number(value));
  if (to === SqlType.timestamp) return literal(to, `${value}T00:00:00.000`);
  return to === SqlType.bigint || to === SqlType.numeric ? literal(to, String(value)) : undefined;
}

/** Reads a constant. Text and NULL have type `unknown`. */
export function readConstant(constant: A_Const): Literal {
  const { location: at } = constant;
  if (constant.isnull) return literal(SqlType.unknown, null);
  if (constant.ival) return literal(SqlType.integer, constant.ival.ival ?? 0);
  if (constant.boolval) return literal(SqlType.boolean, constant.boolval.boolval ?? false);
  if (constant.sval) return literal(SqlType.unknown, constant.sval.sval ?? '');
  if (constant.fval) return readNumber(constant.fval.fval ?? '', at);
  throw new SqlProblem('Bit strings are not supported', at);
}

const whole = /^(-?)(\d+|0[xX][\da-fA-F]+|0[oO][0-7]+|0[bB][01]+)$/;

/** Reads a number with a fraction, or an integer that is too long for the parser. */
function readNumber(text: string, at: number | undefined): Literal {
  const plain = text.replaceAll('_', '');
  const [, sign = '', digits] = whole.exec(plain) ?? [];
  if (digits === undefined) return literalOf(SqlType.numeric, plain, at);
  const value = sign === '-' ? -BigInt(digits) : BigInt(digits);
  if (value === BigInt.asIntN(32, value)) return literal(SqlType.integer, Number(value));
  if (value === BigInt.asIntN(64, value)) return literal(SqlType.bigint, String(value));
  return literalOf(SqlType.numeric, String(value), at);
}

/** Reads `current_date`, `current_timestamp` and `localtimestamp`. */
export function readMoment({ op, location }: SQLValueFunction, scope: Scope): Literal {
  switch (op) {
    case 'SVFOP_CURRENT_DATE':
      return literal(SqlType.date, scope.now.slice(0, 10));
    case 'SVFOP_CURRENT_TIMESTAMP':
    case 'SVFOP_LOCALTIMESTAMP':
      return moment(scope);
    default:
      throw new SqlProblem(
        `${(op ?? '').replace(/^SVFOP_|_N$/g, '').toLowerCase()} is not supported: use current_date or localtimestamp`,
        location,
      );
  }
}

/** Returns the time of the statement as local time in the query's time zone. */
export function moment(scope: Scope): Literal {
  return literal(SqlType.timestamp, scope.now);
}
