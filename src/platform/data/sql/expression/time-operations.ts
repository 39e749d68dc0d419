import { raise, ValueProblem } from '../../engines/query-problem.js';
import { SqlType } from '../sql-type.js';
import type { Call } from '../tree.js';
import { type Operation, operation } from './define-operation.js';

const { text, integer, numeric, double, date, timestamp, interval } = SqlType;

const sums: readonly Operation[] = [
  operation('+', [date, integer], date, '$1 + $2'),
  operation('+', [integer, date], date, '$1 + $2'),
  operation('-', [date, integer], date, '$1 - $2'),
  operation('-', [date, date], integer, '$1 - $2', { duckdb: 'CAST($1 - $2 AS INTEGER)' }),
  operation('-', [timestamp, timestamp], interval, '$1 - $2'),
  operation('+', [timestamp, interval], timestamp, '$1 + $2'),
  operation('+', [interval, timestamp], timestamp, '$1 + $2'),
  operation('-', [timestamp, interval], timestamp, '$1 - $2'),
  operation('+', [interval, interval], interval, '$1 + $2'),
  operation('-', [interval, interval], interval, '$1 - $2'),
  operation('*', [interval, integer], interval, '$1 * $2'),
  operation('*', [integer, interval], interval, '$1 * $2'),
  operation('negate', [interval], interval, '- $1', { syntax: true }),
];

/** Fields of a date for `EXTRACT`, by names that both engines know. */
const dayFields: readonly string[] = [
  'millennium',
  'century',
  'decade',
  'year',
  'isoyear',
  'quarter',
  'month',
  'week',
  'day',
  'doy',
  'dow',
  'isodow',
];
const clockFields: readonly string[] = ['hour', 'minute', 'second', 'milliseconds', 'microseconds'];

/** Fields for `EXTRACT`, by type. */
export const fieldsOf: Readonly<Partial<Record<SqlType, readonly string[]>>> = {
  [date]: [...dayFields, 'epoch'],
  [timestamp]: [...dayFields, ...clockFields, 'epoch'],
  // An interval stores months, days and time separately.
  [interval]: ['year', 'month', 'day', 'hour', 'minute', 'epoch'],
};

/** Units for `DATE_TRUNC`. Excludes centuries, which begin a year earlier in DuckDB than in Postgres. */
export const truncUnits: readonly string[] = [
  'decade',
  'year',
  'quarter',
  'month',
  'week',
  'day',
  'hour',
  'minute',
  'second',
  'milliseconds',
  'microseconds',
];

/**
 * Decimal places of fields in Postgres, which preserves microseconds. DuckDB returns whole numbers and truncates
 * seconds.
 */
const places: Readonly<Record<string, number>> = { second: 6, milliseconds: 3, microseconds: 0 };

function printExtract(call: Call): string {
  const field = word(call);
  const type = call.args[1]?.type;
  if (field === 'epoch') {
    if (type === interval) return 'CAST(extract(epoch FROM $2) AS DECIMAL(24, 6))';
    return type === date ? 'CAST(epoch_us($2) // 1000000 AS DECIMAL(18, 0))' : decimals('epoch_us($2)', 6);
  }
  const scale = places[field];
  return scale === undefined
    ? `CAST(extract(${field} FROM $2) AS DECIMAL(18, 0))`
    : decimals('extract(microseconds FROM $2)', scale);
}

function decimals(whole: string, scale: number): string {
  return `CAST(${whole} AS DECIMAL(18, 0)) * CAST('${(10 ** -scale).toFixed(scale)}' AS DECIMAL(${scale + 1}, ${scale}))`;
}

/** Returns the first argument if it is a known unit or field, because it is printed into the SQL. */
function word({ name, args: [first, value] }: Call): string {
  const allowed = name === 'date_trunc' ? truncUnits : fieldsOf[value?.type ?? SqlType.unknown];
  const found = first?.kind === 'literal' && allowed?.find(one => one === first.value);
  if (!found) throw new Error(`${name} without a field`);
  return found;
}

const fields: readonly Operation[] = [date, timestamp, interval].flatMap(type => [
  operation('extract', [text, type], numeric, call => `extract(${word(call)} FROM $2)`, { duckdb: printExtract }),
  operation('date_part', [text, type], double, call => `date_part('${word(call)}', $2)`, {
    duckdb: call => `CAST(${printExtract(call)} AS DOUBLE)`,
  }),
]);

/** Functions of dates, timestamps and intervals. */
export const timeOperations: readonly Operation[] = [
  ...sums,
  ...fields,
  // The addition of an interval prevents an optimization in DuckDB that treats a bare date_trunc as unequal to a date
  // that does not start a unit, even for NULL.
  operation('date_trunc', [text, timestamp], timestamp, call => `date_trunc('${word(call)}', $2)`, {
    duckdb: call => `(date_trunc('${word(call)}', $2) + INTERVAL 0 SECOND)`,
  }),
  operation('make_date', [integer, integer, integer], date, 'make_date($1, $2, $3)', {
    // Reject years before year 1, which the engines count differently.
    duckdb: `CASE WHEN $1 < 1 THEN ${raise(ValueProblem.range)} ELSE make_date($1, $2, $3) END`,
  }),
];
