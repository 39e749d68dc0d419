import type { Engine, EngineCell } from '../engines/engine.js';
import { isAllowedText } from '../model/model-files.js';
import { type Conversion, findConversions } from './text-columns.js';

/** Type of a dimension. */
export type ColumnType = 'string' | 'number' | 'boolean' | 'time';

/** A column and a summary of its values. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** `null` if the column has this type. */
  readonly conversion: Conversion | null;
  /** Number of rows with a value. */
  readonly values: number;
  /** Number of distinct values. */
  readonly distinct: number;
  /** Days between the first and the last value of a time column; otherwise 0. */
  readonly days: number;
  /** Whether nearly all values are at least half of the median, as for sizes and rates, but not for amounts. */
  readonly isSteady: boolean;
}

/** A table with the columns that a model can use. */
export interface Table {
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly Column[];
}

type Runner = Pick<Engine, 'run'>;

const columnTypes: readonly (readonly [pattern: RegExp, type: ColumnType])[] = [
  [/^(VARCHAR|UUID|ENUM)/, 'string'],
  [/^(U?(TINY|SMALL|BIG|HUGE)?INT|INTEGER|UINTEGER|FLOAT|DOUBLE|DECIMAL)/, 'number'],
  [/^BOOLEAN/, 'boolean'],
  [/^(DATE|TIMESTAMP)/, 'time'],
];
/** Characters with a meaning in the SQL of a model. */
const unsafeName = /[{}`\\$\n]/;
/** Maximum length of a column name, which becomes a title. */
const maxNameLength = 500;
/**
 * Maximum number of columns that one statement summarizes, because its time grows faster than the number of columns.
 */
const columnsPerStatement = 50;
/** Figures that summarize a column. */
const figuresPerColumn = 4;

function isUsableName(name: string): boolean {
  return name.length <= maxNameLength && !unsafeName.test(name) && isAllowedText(name);
}

/** Quotes a name in SQL. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Returns the SQL of the values of a column. */
export function valueSql({ name, conversion }: Pick<Column, 'name' | 'conversion'>): string {
  return conversion?.sql(quoteIdentifier(name)) ?? quoteIdentifier(name);
}

/** Reads the columns of all tables and summarizes their values. Omits columns of unsupported types, such as lists. */
export async function readTables(engine: Pick<Engine, 'run' | 'tables'>): Promise<Table[]> {
  const sql = `SELECT table_name, column_name, min(data_type) FROM information_schema.columns
    WHERE table_schema = current_schema() GROUP BY 1, 2 ORDER BY 1, min(ordinal_position)`;
  const [tables = [], names = [], types = []] = (await engine.run(sql, [])).columns;
  const found: Table[] = [];
  for (const table of engine.tables) {
    const columns = names.flatMap((name, row) => {
      const type = columnTypes.find(([pattern]) => pattern.test(String(types[row])))?.[1];
      const isUsable = tables[row] === table && type !== undefined && isUsableName(String(name));
      return isUsable ? [{ name: String(name), type }] : [];
    });
    const texts = columns.filter(({ type }) => type === 'string').map(({ name }) => quoteIdentifier(name));
    const conversions = await findConversions(texts, quoteIdentifier(table), engine);
    const converted = columns.map(({ name, type }) => {
      const conversion = conversions.get(quoteIdentifier(name)) ?? null;
      return { name, type: conversion?.type ?? type, conversion };
    });
    found.push(await summarize(table, converted, engine));
  }
  return found;
}

async function summarize(
  table: string,
  columns: readonly Pick<Column, 'name' | 'type' | 'conversion'>[],
  engine: Runner,
): Promise<Table> {
  const list = columns.flatMap(summarized => {
    const column = valueSql(summarized);
    const days = summarized.type === 'time' ? `date_diff('day', min(${column}), max(${column}))` : '0';
    const quantile = (share: number) => `approx_quantile(${column}::DOUBLE, ${share})`;
    const isSteady = `coalesce((${quantile(0.05)} > 0 AND ${quantile(0.05)} >= ${quantile(0.5)} / 2)::INT, 0)`;
    return [`count(${column})`, `count(DISTINCT ${column})`, days, summarized.type === 'number' ? isSteady : '0'];
  });
  const counts: number[] = [];
  let rows = 0;
  for (let start = 0; start === 0 || start < list.length; start += figuresPerColumn * columnsPerStatement) {
    const part = ['count(*)', ...list.slice(start, start + figuresPerColumn * columnsPerStatement)];
    const row = await firstRow(engine, `SELECT ${part.join(', ')} FROM ${quoteIdentifier(table)}`);
    const [count = 0, ...cells] = row.map(Number);
    rows = count;
    counts.push(...cells);
  }
  const summaries = columns.map((column, index) => {
    const [values = 0, distinct = 0, days = 0, steady = 0] = counts.slice(figuresPerColumn * index);
    return { ...column, values, distinct, days, isSteady: steady === 1 };
  });
  return { name: table, rows, columns: summaries };
}

/** Runs a SELECT and returns its first row. */
export async function firstRow(engine: Runner, sql: string): Promise<(EngineCell | undefined)[]> {
  return (await engine.run(sql, [])).columns.map(([cell]) => cell);
}
