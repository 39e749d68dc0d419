import { DuckDBInstance } from '@duckdb/node-api';
import pg from 'pg';
import { type Parameter, SqlDialect } from '../../../../../src/platform/data/engines/engine.js';
import { printExpression } from '../../../../../src/platform/data/sql/expression/print-expression.js';
import { SqlProblem } from '../../../../../src/platform/data/sql/sql-problem.js';
import { SqlType } from '../../../../../src/platform/data/sql/sql-type.js';
import type { Expression } from '../../../../../src/platform/data/sql/tree.js';
import { startPostgresServer } from '../../../../../src/platform/db/embedded-postgres/postgres-server.js';
import { columns, read } from './reading.js';

const table = `
  CREATE TABLE t (id int, i int, j int, b bigint, n numeric(12, 3), m numeric(10, 2), d double precision, e double precision,
    s varchar, u varchar, f boolean, g boolean, dt date, ts timestamp, us timestamp, odd uuid);
  INSERT INTO t VALUES
    (1, 7, 2, 3000000000, 2.505, 0.02, 2.5, 0.1, 'Hello World', 'o', true, true, '2024-01-31', '2024-01-31 10:20:30.456789', '2024-03-01 00:00:00', '00000000-0000-0000-0000-000000000001'),
    (2, -7, 2, -3000000001, -2.505, 2.01, -2.5, 3, ' a,b,,c ', ',', true, false, '2023-12-31', '2023-12-31 23:59:59.999', '2000-01-01 12:00:00', '00000000-0000-0000-0000-000000000002'),
    (3, 7, -2, 5, 1.5, 1.00, 0.5, 1e10, 'a%b_c\\d', '', false, true, '2000-02-29', '2000-02-29 00:00:00', '1999-12-31 23:00:01', null),
    (4, 0, 3, 0, 0, 7, 0, 1e-5, 'été ÉCOLE', 'é', false, false, '1970-01-01', '1970-01-01 00:00:00.5', '1969-07-20 20:17:40', null),
    (5, -1, 0, -1, 100.125, 0, -0.5, 0, '', 'xyz', null, true, '1969-12-28', '1969-12-28 04:05:06', '2001-01-01 00:00:00', null),
    (6, null, 1, null, null, 1, null, 1, null, 'n', null, null, null, null, null, null),
    (7, 2147483647, 1, 9223372036854775807, 999999999.999, 99999999.99, 1234567.891, 0.3, '42', ' 42 ', true, null, '9999-12-31', '9999-12-31 23:59:59', '0001-01-01 00:00:00', null),
    (8, 13, 5, 13, 0.005, 0.015, 1e15, 1.005, 'abcdefghij', 'cde', false, null, '2024-12-30', '2024-12-30 00:00:00', '2025-01-05 12:34:56', null);
`;

/** The rows over which an expression is evaluated. */
export const Over = {
  rows: 'FROM t ORDER BY id',
  all: 'FROM t WHERE id <> 7',
  groups: 'FROM t WHERE id <> 7 GROUP BY f ORDER BY f',
  none: 'FROM t WHERE false',
} as const;
/** Rows on which an expression is evaluated. */
export type Over = (typeof Over)[keyof typeof Over];

/** Cells as text, or that the statement failed. */
type Cells = readonly (string | null)[];

/** Both engines with the same rows. */
export interface Engines {
  /** Returns the result of Postgres for the original text, row by row, with an error for rows that fail. */
  original(text: string, over?: Over): Promise<{ readonly type: string; readonly cells: Cells }>;
  /** Returns the result of an engine for the text after reading and printing it. */
  printed(text: string, dialect: SqlDialect, over?: Over): Promise<{ readonly type: SqlType; readonly cells: Cells }>;
  close(): Promise<void>;
}

/** Placeholder for a row that fails. */
export const failed = '(error)';
const failsWithoutRow = new Set([
  '22012',
  '22003',
  '22P02',
  '22007',
  '22008',
  '22011',
  '2201E',
  '2201F',
  '22025',
  '22023',
]);

export async function openEngines(): Promise<Engines> {
  const server = await startPostgresServer();
  const client = new pg.Client({ ...server.connection });
  await client.connect();
  await client.query("SET timezone = 'UTC'");
  await client.query(table);
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  for (const statement of table.split(';\n').filter(one => one.trim() !== '')) {
    await connection.run(statement);
  }
  const onPostgres = async (sql: string, values: Parameter[]): Promise<Cells> => {
    const { rows } = await client.query({ text: sql, values, rowMode: 'array' });
    return rows.map(([cell]) => cell);
  };
  const onDuckdb = async (sql: string, values: Parameter[]): Promise<Cells> => {
    const statement = await connection.prepare(sql);
    values.forEach((value, index) => {
      if (typeof value === 'string') statement.bindVarchar(index + 1, value);
      else if (typeof value === 'boolean') statement.bindBoolean(index + 1, value);
      else if (typeof value === 'number' && Number.isInteger(value)) statement.bindBigInt(index + 1, BigInt(value));
      else statement.bindDouble(index + 1, Number(value));
    });
    const rows = await (await statement.run()).getRows();
    statement.destroySync();
    return rows.map(([cell]) => (cell === null || typeof cell === 'string' ? cell : String(cell)));
  };
  return {
    async original(text, over = Over.rows) {
      const [type] = await onPostgres(
        `SELECT pg_typeof(x)::text FROM (SELECT ${text} AS x ${over === Over.rows ? 'FROM t LIMIT 0' : Over.none}) y RIGHT JOIN (SELECT 1) z ON true`,
        [],
      );
      const cells = await rowByRow(text, sql => onPostgres(sql, []), SqlDialect.postgres, over);
      return { type: type ?? '', cells };
    },
    async printed(text, dialect, over = Over.rows) {
      const expression = read(text);
      const values: Parameter[] = [];
      const sql = print(expression, dialect, values);
      const cells = await rowByRow(
        sql,
        one => (dialect === SqlDialect.duckdb ? onDuckdb(one, values) : onPostgres(one, values)),
        dialect,
        over,
      );
      return { type: expression.type, cells };
    },
    async close() {
      connection.closeSync();
      instance.closeSync();
      await client.end();
      await server.stop();
    },
  };
}

/** Prints an expression for an engine, over the table of the tests. */
export function print(expression: Expression, dialect: SqlDialect, values: Parameter[]): string {
  return printExpression(expression, {
    dialect,
    bind: value => `$${values.push(value)}`,
    member: path => path,
    column: (_, column) => columns[column]?.[0] ?? '',
    statement: () => {
      throw new Error('no statement here');
    },
  });
}

/** Evaluates all rows at once, or one by one if that fails, so that the values of other rows are known. */
async function rowByRow(
  value: string,
  run: (sql: string) => Promise<Cells>,
  dialect: SqlDialect,
  over: Over,
): Promise<Cells> {
  const text = dialect === SqlDialect.duckdb ? `CAST(${value} AS VARCHAR)` : `CAST(${value} AS text)`;
  try {
    return await run(`SELECT ${text} ${over}`);
  } catch (error) {
    if (!isOfValues(error)) throw error;
    if (over !== Over.rows) return [failed];
  }
  const cells: (string | null)[] = [];
  for (let id = 1; id <= 8; id++) {
    try {
      cells.push(...(await run(`SELECT ${text} FROM t WHERE id = ${id}`)));
    } catch (error) {
      if (!isOfValues(error)) throw error;
      cells.push(failed);
    }
  }
  return cells;
}

/** Whether an engine rejects a value instead of the statement. */
function isOfValues(error: unknown): boolean {
  if (error instanceof SqlProblem) return false;
  if (error instanceof pg.DatabaseError) return failsWithoutRow.has(error.code ?? '');
  return error instanceof Error && /^(Out of Range|Conversion|Invalid Input) Error|Like pattern/.test(error.message);
}

/** Whether cells are equal. Inexact numbers are compared to 14 digits. */
export function same(one: Cells, other: Cells, type: SqlType): boolean {
  return one.length === other.length && one.every((cell, row) => sameCell(cell, other[row] ?? null, type));
}

function sameCell(one: string | null, other: string | null, type: SqlType): boolean {
  if (one === other) return true;
  if (one === null || other === null || one === failed || other === failed) return false;
  if (type === SqlType.numeric) return plain(one) === plain(other);
  if (type !== SqlType.ratio && type !== SqlType.double) return false;
  const [a, b] = [Number(one), Number(other)];
  return Math.abs(a - b) <= 1e-14 * Math.max(Math.abs(a), Math.abs(b));
}

function plain(number: string): string {
  return number.includes('.') ? number.replace(/\.?0+$/, '') : number;
}
