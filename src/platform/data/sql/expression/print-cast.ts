import { raise, ValueProblem } from '../../engines/query-problem.js';
import { SqlType } from '../sql-type.js';
import type { Cast } from '../tree.js';
import { textDecimal } from './decimals.js';

const { boolean, integer, bigint, numeric, ratio, double, text, date, timestamp } = SqlType;

/** Returns the Postgres name of a type. */
export function postgresType(type: SqlType): string {
  if (type === double) return 'double precision';
  if (type === ratio) return numeric;
  return type === SqlType.unknown || type === SqlType.other ? text : type;
}

/** Returns the DuckDB name of a type, without precision. */
export function duckdbType(type: SqlType): string {
  if (type === ratio) return 'DOUBLE';
  return type === text || type === SqlType.unknown || type === SqlType.other ? 'VARCHAR' : type.toUpperCase();
}

/**
 * Rounds to 15 significant digits, which a double always preserves. Postgres does the same when it converts a double.
 */
export function fifteenDigits(sql: string): string {
  return `CAST(${fifteenDigitText(sql)} AS DOUBLE)`;
}

function fifteenDigitText(sql: string): string {
  return `format('{:.15g}', CAST(${sql} AS DOUBLE))`;
}

/** Prints a cast for Postgres. */
export function postgresCast({ type, precision, scale }: Cast, value: string): string {
  if (precision === undefined) return `CAST(${value} AS ${postgresType(type)})`;
  return `CAST(${value} AS ${type === text ? `varchar(${precision})` : `numeric(${precision}, ${scale ?? 0})`})`;
}

/** Prints a cast for DuckDB with the semantics of Postgres. */
export function duckdbCast(cast: Cast, value: string): string {
  const from = cast.value.type;
  if (cast.type === text) return asText(cast, value);
  const checked = from === text ? checkedText(cast.type, value) : value;
  switch (cast.type) {
    case numeric:
    case ratio:
      return asNumeric(cast, from, checked);
    case integer:
    case bigint:
      // Like Postgres, DuckDB rounds DECIMAL half away from zero and DOUBLE half to even. A quotient is exact in
      // Postgres.
      return `CAST(${from === ratio ? `round(${checked})` : checked} AS ${duckdbType(cast.type)})`;
    case boolean:
      return from === text ? checked : `CAST(${checked} AS BOOLEAN)`;
    default:
      return `CAST(${checked} AS ${duckdbType(cast.type)})`;
  }
}

function asText({ precision, value: { type } }: Cast, value: string): string {
  // Use a type with a digit before the decimal point, because the text has one only if the type does.
  const whole = `CAST(${type === numeric ? `${value} + CAST(0 AS DECIMAL(1, 0))` : value} AS VARCHAR)`;
  return precision === undefined ? whole : `left(${whole}, ${precision})`;
}

function exactNumber(from: SqlType, value: string): string {
  if (from === double) return textDecimal(fifteenDigitText(value));
  if (from === ratio) return textDecimal(`CAST(${value} AS VARCHAR)`);
  return from === text ? textDecimal(value) : value;
}

function asNumeric({ type, precision, scale = 0 }: Cast, from: SqlType, value: string): string {
  if (precision !== undefined) {
    return `CAST(${exactNumber(from, value)} AS DECIMAL(${precision}, ${scale}))`;
  }
  if (type === ratio) return from === double || from === text ? fifteenDigits(value) : `CAST(${value} AS DOUBLE)`;
  return `CAST(${value} AS DECIMAL(${from === integer ? 10 : 19}, 0))`;
}

/**
 * Text formats that can be cast to other types. DuckDB accepts more formats than Postgres, and reads some differently.
 */
const shapes: Partial<Readonly<Record<SqlType, string>>> = {
  [integer]: '\\s*[+-]?\\d+\\s*',
  [bigint]: '\\s*[+-]?\\d+\\s*',
  [numeric]: '\\s*[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?\\s*',
  [ratio]: '\\s*[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?\\s*',
  [double]: '\\s*[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?\\s*',
  [date]: '\\s*\\d{4}-\\d{1,2}-\\d{1,2}\\s*',
  [timestamp]: '\\s*\\d{4}-\\d{1,2}-\\d{1,2}([ T]\\d{1,2}:\\d{2}(:\\d{2}(\\.\\d{1,6})?)?)?\\s*',
};

function checkedText(type: SqlType, value: string): string {
  if (type === boolean) {
    const word = `lower(trim(${value}))`;
    const isTrue = `${word} IN ('t', 'tr', 'tru', 'true', 'y', 'ye', 'yes', 'on', '1')`;
    const isFalse = `${word} IN ('f', 'fa', 'fal', 'fals', 'false', 'n', 'no', 'of', 'off', '0')`;
    return `CASE WHEN ${isTrue} THEN true WHEN NOT ${isFalse} THEN ${raise(ValueProblem.text)} ELSE NOT ${isFalse} END`;
  }
  const shape = shapes[type];
  if (shape === undefined) throw new Error(`no cast from text to ${type}`);
  return `CASE WHEN NOT regexp_full_match(${value}, '${shape}') THEN ${raise(ValueProblem.text)} ELSE ${value} END`;
}
