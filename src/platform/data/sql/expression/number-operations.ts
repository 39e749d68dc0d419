import { raise, ValueProblem } from '../../engines/query-problem.js';
import { SqlType } from '../sql-type.js';
import type { Call } from '../tree.js';
import { decimalType, textDecimal } from './decimals.js';
import { type Operation, operation } from './define-operation.js';

const { integer, bigint, numeric, double } = SqlType;

/** Defines one operation per type. Arguments and result have the same type. */
function each(name: string, types: readonly SqlType[], count: number, text: string, others = {}): Operation[] {
  return types.map(type => operation(name, Array<SqlType>(count).fill(type), type, text, others));
}

const exact = [integer, bigint, numeric];
const all = [...exact, double];

// Reads an inexact numeric through its text, because only the text represents 1.005 as 1.005.
const decimal = textDecimal('CAST($1 AS VARCHAR)');
const whole = decimalType(0);

const arithmetic: readonly Operation[] = [
  ...each('+', all, 2, '$1 + $2'),
  ...each('-', all, 2, '$1 - $2'),
  ...each('*', [integer, bigint, double], 2, '$1 * $2'),
  operation('*', [numeric, numeric], numeric, '$1 * $2', {
    // Widen an operand, because in DuckDB the product of two numbers of up to 18 digits has only 18 digits.
    duckdb: '$1 * CAST(1 AS DECIMAL(19, 0)) * $2',
    duckdbRatio: '$1 * $2',
  }),
  ...each('/', [integer, bigint], 2, '$1 / $2', { duckdb: '$1 // $2', divides: true }),
  operation('/', [numeric, numeric], SqlType.ratio, '$1 / $2', {
    duckdb: 'CAST($1 AS DOUBLE) / CAST($2 AS DOUBLE)',
    divides: true,
  }),
  operation('/', [double, double], double, '$1 / $2', { divides: true }),
  ...['%', 'mod'].flatMap(name => each(name, [integer, bigint], 2, '$1 % $2', { divides: true })),
  ...['%', 'mod'].map(name =>
    operation(name, [numeric, numeric], numeric, '$1 % $2', {
      // Raise an error if DuckDB would convert the operands to doubles, whose remainders are inexact.
      duckdb: `CASE WHEN typeof($1 % $2) = 'DOUBLE' THEN ${raise(ValueProblem.range)} ELSE $1 % $2 END`,
      divides: true,
      exactOnly: true,
    }),
  ),
  ...each('negate', all, 1, '- $1', { syntax: true }),
];

const powers: readonly Operation[] = ['^', 'power', 'pow'].flatMap(name => [
  operation(name, [double, double], double, 'power($1, $2)', { finite: true }),
  operation(name, [numeric, numeric], SqlType.ratio, 'power($1, $2)', { finite: true }),
]);

const roots: readonly Operation[] = [
  ['sqrt', 'sqrt'],
  ['exp', 'exp'],
  ['ln', 'ln'],
  ['log', 'log10'],
  ['log10', 'log10'],
].flatMap(([name = '', duckdb]) => [
  operation(name, [double], double, `${name}($1)`, { duckdb: `${duckdb}($1)`, finite: true }),
  operation(name, [numeric], SqlType.ratio, `${name}($1)`, {
    duckdb: `${duckdb}(CAST($1 AS DOUBLE))`,
    finite: true,
  }),
]);

const rounding: readonly Operation[] = [
  ...each('abs', all, 1, 'abs($1)'),
  operation('sign', [double], double, 'sign($1)', { duckdb: 'CAST(sign($1) AS DOUBLE)' }),
  operation('sign', [numeric], numeric, 'sign($1)', { duckdb: 'CAST(sign($1) AS DECIMAL(1, 0))', exact: true }),
  ...['ceil', 'ceiling', 'floor'].flatMap(name => [
    operation(name, [double], double, `${name}($1)`),
    operation(name, [numeric], numeric, `${name}($1)`, {
      // Add a decimal place. Without it, DuckDB would convert a whole number that is longer than a bigint to a double.
      duckdb: `CAST(${name}($1 + CAST(0 AS DECIMAL(2, 1))) AS ${whole})`,
      duckdbRatio: `CAST(${name}($1) AS ${whole})`,
      exact: true,
    }),
  ]),
  operation('round', [double], double, 'round($1)', { duckdb: 'round_even($1, 0)' }),
  operation('round', [numeric], numeric, 'round($1)', {
    duckdb: `CAST($1 AS ${whole})`,
    duckdbRatio: `CAST(${decimal} AS ${whole})`,
    exact: true,
  }),
  operation('round', [numeric, integer], numeric, 'round($1, $2)', {
    duckdb: call => printRound(call, '$1'),
    duckdbRatio: call => printRound(call, decimal),
    exact: true,
  }),
  operation('trunc', [double], double, 'trunc($1)'),
  operation('trunc', [numeric], numeric, 'trunc($1)', { duckdb: `CAST(trunc($1) AS ${whole})`, exact: true }),
  operation('trunc', [numeric, integer], numeric, 'trunc($1, $2)', {
    duckdb: call => `CAST(trunc($1, ${places(call)}) AS ${resultType(call)})`,
    duckdbRatio: call => `CAST(trunc(${decimal}, ${places(call)}) AS ${resultType(call)})`,
    exact: true,
  }),
];

/**
 * Prints `round` and `trunc`. The number of decimal places must be constant, because it is part of a type in DuckDB.
 * The reader checks this.
 */
function printRound(call: Call, value: string): string {
  const digits = places(call);
  return digits < 0
    ? `CAST(round(${textDecimal(value)}, ${digits}) AS ${resultType(call)})`
    : `CAST(${value} AS ${resultType(call)})`;
}

function resultType(call: Call): string {
  return decimalType(Math.max(places(call), 0));
}

function places({ args: [, digits] }: Call): number {
  return digits?.kind === 'literal' && typeof digits.value === 'number' ? digits.value : 0;
}

/** Arithmetic and numeric functions. */
export const numberOperations: readonly Operation[] = [
  ...arithmetic,
  ...powers,
  ...roots,
  ...rounding,
  operation('log', [numeric, numeric], SqlType.ratio, 'log($1, $2)', { finite: true }),
  operation('pi', [], double, 'pi()'),
];
