import { SqlDialect } from '../../engines/engine.js';
import { raise, ValueProblem } from '../../engines/query-problem.js';
import { SqlType } from '../sql-type.js';
import type { Call, Expression } from '../tree.js';
import { alignDecimals } from './decimals.js';
import type { Operation, Text } from './define-operation.js';
import { operationOf } from './operations.js';
import { fifteenDigits } from './print-cast.js';

/** Maximum size of a concatenated text in bytes. */
const maxText = 100_000;

/** Prints an argument by its index. Must be deterministic. */
type WriteArgument = (index: number) => string;

/**
 * Prints a call for an engine.
 * @param write - prints an argument. Not called for arguments that are part of the template, such as a unit.
 */
export function printCall(original: Call, write: (argument: Expression) => string, dialect: SqlDialect): string {
  const operation = operationOf(
    original.name,
    original.args.map(({ type }) => type),
  );
  const { call, template } = templateOf(operation, original, dialect);
  const factored = writtenOnce(call, write);
  const args =
    operation.args === 'alike' && dialect === SqlDialect.duckdb ? alignDecimals(call.args, factored) : factored;
  const plain = fillTemplate(template, call, args);
  const sql = dialect === SqlDialect.duckdb ? forDuckdb(operation, call, plain, args) : plain;
  return `(${operation.grows ? boundedText(call, sql, args, dialect) : sql})`;
}

/** Returns the SQL template of an operation and the call whose arguments it references. */
function templateOf(operation: Operation, call: Call, dialect: SqlDialect): { call: Call; template: string } {
  const text = textOf(operation, call, dialect);
  const printed = typeof text === 'string' ? text : text(call);
  return typeof printed === 'string'
    ? { call, template: printed }
    : { call: { ...call, args: printed.args }, template: printed.text };
}

function textOf(operation: Operation, { args }: Call, dialect: SqlDialect): Text {
  if (dialect === SqlDialect.postgres) return operation.postgres;
  const hasRatio = args.some(({ type }) => type === SqlType.ratio);
  return (hasRatio ? operation.duckdbRatio : undefined) ?? operation.duckdb;
}

function writtenOnce({ args }: Call, write: (argument: Expression) => string): WriteArgument {
  const printedArgs = new Map<number, string>();
  return index => {
    const argument = args[index];
    const sql = printedArgs.get(index) ?? (argument ? write(argument) : '');
    printedArgs.set(index, sql);
    return sql;
  };
}

/** Replaces `$1` and `$*` in a template. Placeholders inside arguments are not replaced. */
function fillTemplate(template: string, call: Call, args: WriteArgument): string {
  return template.replace(/\$(\d+|\*)/g, (_, place: string) =>
    place === '*' ? call.args.map((_, index) => args(index)).join(', ') : args(Number(place) - 1),
  );
}

/** Adds checks that raise an error where Postgres does but the arithmetic of DuckDB returns a value. */
function forDuckdb(operation: Operation, call: Call, sql: string, args: WriteArgument): string {
  const [, divisor] = call.args;
  if (operation.divides && divisor && mayBeZero(divisor)) {
    return `CASE WHEN ${args(1)} = 0 AND ${args(0)} IS NOT NULL THEN ${raise(ValueProblem.division)} ELSE ${roundResult(operation, call, sql)} END`;
  }
  if (operation.finite)
    return `CASE WHEN NOT isfinite(${sql}) THEN ${raise(ValueProblem.range)} ELSE ${roundResult(operation, call, sql)} END`;
  return roundResult(operation, call, sql);
}

function roundResult(operation: Operation, { type }: Call, sql: string): string {
  const isMade = operation.result === SqlType.ratio || operation.result === SqlType.numeric;
  return type === SqlType.ratio && isMade ? fifteenDigits(sql) : sql;
}

/** Whether a divisor must be checked for zero. Constants other than 0 and `NULLIF(y, 0)` need no check. */
function mayBeZero(divisor: Expression): boolean {
  if (divisor.kind === 'cast' && divisor.scale === undefined) return mayBeZero(divisor.value);
  if (divisor.kind === 'literal') return divisor.value !== null && Number(divisor.value) === 0;
  const [, nothing] = divisor.kind === 'call' && divisor.name === 'nullif' ? divisor.args : [];
  return !(nothing?.kind === 'literal' && nothing.value !== null && Number(nothing.value) === 0);
}

/**
 * Limits the length of a concatenated text. The length can double with every outer select, and an engine computes it
 * for many rows before it checks its own limits. Constants do not count, because the length of the statement limits
 * them.
 */
function boundedText(call: Call, sql: string, args: WriteArgument, dialect: SqlDialect): string {
  const open = call.args.flatMap((arg, index) => (isOpen(arg) ? [args(index)] : []));
  const [first] = open;
  const factor = growth(call);
  if (first === undefined || (factor <= 1 && open.length < 2)) return sql;
  const size = dialect === SqlDialect.duckdb ? 'strlen' : 'octet_length';
  const length = open.map(one => `coalesce(${size}(${one}), 0)`).join(' + ');
  // Raise the error without a cast of a constant, which Postgres would evaluate during planning.
  const tooLong =
    dialect === SqlDialect.duckdb
      ? raise(ValueProblem.length)
      : `CAST(CAST(coalesce(left(${first}, 0), '') || 'text too long' AS integer) AS text)`;
  return `CASE WHEN ${length} > ${Math.floor(maxText / factor)} THEN ${tooLong} ELSE ${sql} END`;
}

/** Whether a value can be a long string, that is, neither a constant nor the text of a number or date. */
function isOpen(value: Expression): boolean {
  if (value.kind === 'literal') return false;
  return !(value.kind === 'cast' && value.value.type !== SqlType.text && value.value.type !== SqlType.other);
}

/** Returns how often an argument can be repeated in the result. */
export function growth({ name, args }: Call): number {
  const [separator, from, to] = args;
  if (name === 'concat_ws') return separator && isOpen(separator) ? args.length : 1;
  return name === 'replace' && size(from) > 0 ? Math.max(Math.ceil(size(to) / size(from)), 1) : 1;
}

function size(value: Expression | undefined): number {
  return value?.kind === 'literal' && value.value !== null ? Buffer.byteLength(String(value.value)) : 0;
}
