import { SqlDialect } from '../../engines/engine.js';
import { raise, ValueProblem } from '../../engines/query-problem.js';
import { SqlType } from '../sql-type.js';
import type { Call, Expression } from '../tree.js';
import { alignDecimals } from './decimals.js';
import type { Operation, Text } from './define-operation.js';
import { operationOf } from './operations.js';
import { fifteenDigits } from './print-cast.js';

/** Most bytes of a text that is put together of several. */
const maxText = 100_000;

/** Writes an argument by its place; the same text however often it is asked for. */
type WriteArgument = (index: number) => string;

/**
 * Writes a call for an engine.
 * @param write - writes an argument. What the engine isn't told of (a unit that is part of the text) is not written.
 */
export function printCall(given: Call, write: (argument: Expression) => string, dialect: SqlDialect): string {
  const operation = operationOf(
    given.name,
    given.args.map(({ type }) => type),
  );
  const { call, template } = templateOf(operation, given, dialect);
  const once = writtenOnce(call, write);
  const args = operation.args === 'alike' && dialect === SqlDialect.duckdb ? alignDecimals(call.args, once) : once;
  const plain = filled(template, call, args);
  const sql = dialect === SqlDialect.duckdb ? forDuckdb(operation, call, plain, args) : plain;
  return `(${operation.grows ? boundedText(call, sql, args, dialect) : sql})`;
}

/** The text of an operation, and the call whose arguments it names. */
function templateOf(operation: Operation, call: Call, dialect: SqlDialect): { call: Call; template: string } {
  const text = textOf(operation, call, dialect);
  const made = typeof text === 'string' ? text : text(call);
  return typeof made === 'string'
    ? { call, template: made }
    : { call: { ...call, args: made.args }, template: made.text };
}

function textOf(operation: Operation, { args }: Call, dialect: SqlDialect): Text {
  if (dialect === SqlDialect.postgres) return operation.postgres;
  const hasRatio = args.some(({ type }) => type === SqlType.ratio);
  return (hasRatio ? operation.duckdbRatio : undefined) ?? operation.duckdb;
}

function writtenOnce({ args }: Call, write: (argument: Expression) => string): WriteArgument {
  const written = new Map<number, string>();
  return index => {
    const argument = args[index];
    const sql = written.get(index) ?? (argument ? write(argument) : '');
    written.set(index, sql);
    return sql;
  };
}

/** What `$1` and `$*` stand for; arguments hold placeholders of their own, which stay. */
function filled(template: string, call: Call, args: WriteArgument): string {
  return template.replace(/\$(\d+|\*)/g, (_, place: string) =>
    place === '*' ? call.args.map((_, index) => args(index)).join(', ') : args(Number(place) - 1),
  );
}

/** DuckDB's arithmetic goes on where Postgres' has an error. */
function forDuckdb(operation: Operation, call: Call, sql: string, args: WriteArgument): string {
  const [, divisor] = call.args;
  if (operation.divides && divisor && mayBeZero(divisor)) {
    return `CASE WHEN ${args(1)} = 0 AND ${args(0)} IS NOT NULL THEN ${raise(ValueProblem.division)} ELSE ${rounded(operation, call, sql)} END`;
  }
  if (operation.finite)
    return `CASE WHEN NOT isfinite(${sql}) THEN ${raise(ValueProblem.range)} ELSE ${rounded(operation, call, sql)} END`;
  return rounded(operation, call, sql);
}

function rounded(operation: Operation, { type }: Call, sql: string): string {
  const isMade = operation.result === SqlType.ratio || operation.result === SqlType.numeric;
  return type === SqlType.ratio && isMade ? fifteenDigits(sql) : sql;
}

/** `x / NULLIF(y, 0)` needs no check, nor does a constant. */
function mayBeZero(divisor: Expression): boolean {
  if (divisor.kind === 'cast' && divisor.scale === undefined) return mayBeZero(divisor.value);
  if (divisor.kind === 'literal') return divisor.value !== null && Number(divisor.value) === 0;
  const [, nothing] = divisor.kind === 'call' && divisor.name === 'nullif' ? divisor.args : [];
  return !(nothing?.kind === 'literal' && nothing.value !== null && Number(nothing.value) === 0);
}

/**
 * Text that is put together can double with every select around it, and an engine makes all of it, for many rows at once, before it meets
 * a limit of its own. What the statement says itself is as long as it is.
 */
function boundedText(call: Call, sql: string, args: WriteArgument, dialect: SqlDialect): string {
  const open = call.args.flatMap((arg, index) => (isOpen(arg) ? [args(index)] : []));
  const [first] = open;
  const factor = growth(call);
  if (first === undefined || (factor <= 1 && open.length < 2)) return sql;
  const size = dialect === SqlDialect.duckdb ? 'strlen' : 'octet_length';
  const length = open.map(one => `coalesce(${size}(${one}), 0)`).join(' + ');
  // Postgres would try a cast of a constant before there is a row.
  const tooLong =
    dialect === SqlDialect.duckdb
      ? raise(ValueProblem.length)
      : `CAST(CAST(coalesce(left(${first}, 0), '') || 'text too long' AS integer) AS text)`;
  return `CASE WHEN ${length} > ${Math.floor(maxText / factor)} THEN ${tooLong} ELSE ${sql} END`;
}

/** Texts of rows and of other selects; what was a number or a day is short. */
function isOpen(value: Expression): boolean {
  if (value.kind === 'literal') return false;
  return !(value.kind === 'cast' && value.value.type !== SqlType.text && value.value.type !== SqlType.other);
}

/** How often a text can come again in what is made of it. */
export function growth({ name, args }: Call): number {
  const [separator, from, to] = args;
  if (name === 'concat_ws') return separator && isOpen(separator) ? args.length : 1;
  return name === 'replace' && size(from) > 0 ? Math.max(Math.ceil(size(to) / size(from)), 1) : 1;
}

function size(value: Expression | undefined): number {
  return value?.kind === 'literal' && value.value !== null ? Buffer.byteLength(String(value.value)) : 0;
}
