import { type Parameter, SqlDialect } from '../../engines/engine.js';
import { SqlProblem } from '../sql-problem.js';
import { SqlType } from '../sql-type.js';
import type {
  Aggregate,
  Case,
  Expression,
  Frame,
  FrameBound,
  Literal,
  SelectStatement,
  SortKey,
  Subquery,
  Window,
} from '../tree.js';
import { alignDecimals, decimalShape, decimalType } from './decimals.js';
import { printCall } from './print-call.js';
import { duckdbCast, duckdbType, fifteenDigits, postgresCast, postgresType } from './print-cast.js';

/** Adds a parameter to the statement and returns its placeholder. */
export type Bind = (value: Parameter) => string;

/** Prints the parts of an expression that depend on its position in the statement. */
export interface Printer {
  readonly dialect: SqlDialect;
  /** Binds a constant. The placeholder has no type, so the caller must add a cast. */
  readonly bind: Bind;
  /**
   * Prints the value of a member in a row.
   * @throws Error if members are not allowed here.
   */
  member(path: string): string;
  /** Prints a reference to a column of FROM. */
  column(source: number, column: number): string;
  /** Prints a statement without parentheses. */
  statement(statement: SelectStatement): string;
}

/**
 * Maximum length of a printed expression in characters. Checks repeat the value that they check, and nested checks
 * multiply the repetitions.
 */
const maxPrinted = 500_000;

/**
 * Prints an expression for an engine. The result needs no parentheses in any context.
 * @throws SqlProblem if the result is too long.
 */
export function printExpression(expression: Expression, printer: Printer): string {
  const sql = print(expression, printer);
  if (sql.length > maxPrinted) throw new SqlProblem('The statement is too complex: split it into subqueries');
  return sql;
}

function print(expression: Expression, printer: Printer): string {
  switch (expression.kind) {
    case 'literal':
      return printLiteral(expression, printer);
    case 'member':
      return printer.member(expression.path);
    case 'column':
      return printer.column(expression.source, expression.column);
    case 'call':
      return printCall(expression, arg => printArgument(arg, printer), printer.dialect);
    case 'cast': {
      const value = printArgument(expression.value, printer);
      return printer.dialect === SqlDialect.duckdb
        ? `(${duckdbCast(expression, value)})`
        : postgresCast(expression, value);
    }
    case 'case':
      return printCase(expression, printer);
    case 'aggregate':
      return printAggregate(expression, printer);
    case 'window':
      return printWindow(expression, printer);
    case 'subquery':
      return printSubquery(expression, printer);
    case 'measure':
      throw new Error(`the measure ${expression.path} was not converted`);
  }
}

/** Prints a sort key. */
export function printSortKey({ value, desc, nullsFirst }: SortKey, printer: Printer): string {
  return `${printExpression(value, printer)} ${desc ? 'DESC' : 'ASC'} NULLS ${nullsFirst ? 'FIRST' : 'LAST'}`;
}

/** Prints a bound constant with a cast, because placeholders have no type. */
function printLiteral({ type, value }: Literal, { bind, dialect }: Printer): string {
  if (dialect === SqlDialect.postgres) return `CAST(${value === null ? 'NULL' : bind(value)} AS ${postgresType(type)})`;
  if (type !== SqlType.numeric) return `CAST(${value === null ? 'NULL' : bind(value)} AS ${duckdbType(type)})`;
  const { precision, scale } = decimalShape(String(value ?? 0));
  return `CAST(${value === null ? 'NULL' : bind(String(value))} AS DECIMAL(${precision}, ${scale}))`;
}

/**
 * Casts whole numbers from columns in DuckDB, because the columns may have smaller types, which overflow earlier than
 * in Postgres.
 */
function printArgument(value: Expression, printer: Printer): string {
  const sql = printExpression(value, printer);
  const isStored = value.kind === 'member' || value.kind === 'column';
  const isWhole = value.type === SqlType.integer || value.type === SqlType.bigint;
  return isStored && isWhole && printer.dialect === SqlDialect.duckdb
    ? `CAST(${sql} AS ${duckdbType(value.type)})`
    : sql;
}

function printCase({ branches, otherwise }: Case, printer: Printer): string {
  const values = [...branches.map(({ value }) => value), ...(otherwise ? [otherwise] : [])];
  const result = printMeeting(values, printer);
  const whens = branches.map(({ when }, index) => `WHEN ${printExpression(when, printer)} THEN ${result(index)}`);
  return `(CASE ${whens.join(' ')}${otherwise ? ` ELSE ${result(branches.length)}` : ''} END)`;
}

/** Prints values that an engine converts to one type. */
function printMeeting(values: readonly Expression[], printer: Printer): (index: number) => string {
  const operands = values.map(value => printExpression(value, printer));
  const write = (index: number) => operands[index] ?? '';
  return printer.dialect === SqlDialect.duckdb ? alignDecimals(values, write) : write;
}

function printSubquery({ form, operand, select }: Subquery, printer: Printer): string {
  const value = operand && printExpression(operand, printer);
  const sql = `(${printer.statement(select)})`;
  if (form === 'scalar') return sql;
  return form === 'exists' ? `(EXISTS ${sql})` : `(${value} IN ${sql})`;
}

function printAggregate(aggregate: Aggregate, printer: Printer): string {
  const [key] = aggregate.order;
  const filter = printFilter(aggregate.filter, printer);
  if (key) return asResult(aggregate, `${printOrdered(aggregate, key, printer)}${filter}`, printer);
  const args = printArguments(aggregate, printer);
  return asResult(aggregate, `${aggregate.name}(${aggregate.distinct ? 'DISTINCT ' : ''}${args})${filter}`, printer);
}

/**
 * Prints an ordered-set aggregate. The fraction is a checked number from 0 to 1 and is not bound, because DuckDB
 * accepts no placeholder in this position. DuckDB interpolates DECIMAL only within its scale, so it is cast to
 * DOUBLE.
 */
function printOrdered({ name, args: [fraction] }: Aggregate, key: SortKey, printer: Printer): string {
  const part = fraction?.kind === 'literal' ? Number(fraction.value) : 0;
  const isContinuous = name === 'percentile_cont';
  const value: Expression = isContinuous ? { kind: 'cast', type: SqlType.double, value: key.value } : key.value;
  const order = printSortKey({ ...key, value }, printer).replace(/ NULLS \w+$/, '');
  return `${name}(${part}) WITHIN GROUP (ORDER BY ${order})`;
}

function printWindow(window: Window, printer: Printer): string {
  const { partition, order, frame } = window;
  const parts = [
    ...(partition.length > 0 ? [`PARTITION BY ${partition.map(one => printExpression(one, printer)).join(', ')}`] : []),
    ...(order.length > 0 ? [`ORDER BY ${order.map(one => printSortKey(one, printer)).join(', ')}`] : []),
    ...(frame ? [printFrame(frame)] : []),
  ];
  const call = `${window.name}(${printArguments(window, printer)})${printFilter(window.filter, printer)}`;
  return asResult(window, `${call} OVER (${parts.join(' ')})`, printer);
}

function printFrame({ mode, start, end }: Frame): string {
  return `${mode.toUpperCase()} BETWEEN ${printBound(start)} AND ${printBound(end)}`;
}

/** Prints a frame bound. Offsets are checked whole numbers and are not bound. */
function printBound({ at, offset }: FrameBound): string {
  const words = at === 'current' ? 'CURRENT ROW' : at.replace('-', ' ').toUpperCase();
  return offset === null ? words : `${Math.trunc(offset)} ${words}`;
}

function printArguments({ kind, name, args }: Aggregate | Window, printer: Printer): string {
  if (name === 'count' && args.length === 0) return '*';
  const [value, rows, otherwise] = args;
  if (kind === 'window' && value && rows && otherwise) return printShifted(value, rows, otherwise, printer);
  return args.map(arg => printArgument(arg, printer)).join(', ');
}

/** Prints the arguments of `lag` and `lead`. DuckDB would truncate the default value to the scale of the value. */
function printShifted(value: Expression, rows: Expression, otherwise: Expression, printer: Printer): string {
  const both = printMeeting([value, otherwise], printer);
  const first = value.type === SqlType.numeric ? `CASE WHEN true THEN ${both(0)} ELSE ${both(1)} END` : both(0);
  return `${first}, ${printArgument(rows, printer)}, ${both(1)}`;
}

function printFilter(filter: Expression | null, printer: Printer): string {
  return filter ? ` FILTER (WHERE ${printExpression(filter, printer)})` : '';
}

/** Casts results of DuckDB whose type is wider or less exact than in Postgres. */
function asResult({ name, type, args }: Aggregate | Window, sql: string, { dialect }: Printer): string {
  if (dialect === SqlDialect.postgres) return sql;
  const isMade = name !== 'min' && name !== 'max';
  if (type === SqlType.ratio && isMade) return fifteenDigits(sql);
  const isLonger = (name === 'sum' && type === SqlType.bigint) || name === 'ntile';
  if (name === 'sum' && args[0]?.type === SqlType.bigint) return `CAST(${sql} AS ${decimalType(0)})`;
  return isLonger ? `CAST(${sql} AS ${duckdbType(type)})` : sql;
}
