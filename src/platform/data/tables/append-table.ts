import type { DuckDBConnection } from '@duckdb/node-api';
import { sqlString } from '../engines/duckdb/open-instance.js';
import { describeFileProblem, FileProblem } from '../engines/duckdb/text-source.js';
import { columnsOf, openTableInstance, quoteName, writeParquet } from './parquet-file.js';
import type { AppendRequest, DescribedTable, TableColumn } from './table-protocol.js';

/** Types of a table that can represent new values of another type, by the type of the values. */
const widened: Readonly<Record<string, readonly string[]>> = {
  BIGINT: ['HUGEINT', 'DOUBLE'],
  INTEGER: ['BIGINT', 'HUGEINT', 'DOUBLE'],
  DATE: ['TIMESTAMP'],
};

/**
 * Appends rows to a table. The table keeps its columns and their types; columns that the new rows do not have are
 * NULL.
 * @throws FileProblem if a column does not exist in the table, or has another type.
 */
export async function appendTable({ base, added, output, scratch }: AppendRequest): Promise<DescribedTable> {
  const instance = await openTableInstance(scratch);
  try {
    const connection = await instance.connect();
    const [before, after] = [base, added].map(file => `SELECT * FROM read_parquet(${sqlString(file)})`);
    const target = await columnsOf(connection, before ?? '');
    const source = await columnsOf(connection, after ?? '');
    await checkColumns(connection, { target, source, added });
    const list = target.map(column => {
      const own = find(source, column.name);
      const value = own === undefined ? 'NULL' : quoteName(own.name);
      return `CAST(${value} AS ${column.type}) AS ${quoteName(column.name)}`;
    });
    const appended = `SELECT ${list.join(', ')} FROM read_parquet(${sqlString(added)})`;
    return await writeParquet(connection, `${before} UNION ALL ${appended}`, output);
  } catch (error) {
    const problem = describeFileProblem(error);
    throw problem === undefined ? error : new FileProblem(problem);
  } finally {
    instance.closeSync();
  }
}

interface Columns {
  readonly target: readonly TableColumn[];
  readonly source: readonly TableColumn[];
  readonly added: string;
}

async function checkColumns(connection: DuckDBConnection, { target, source, added }: Columns): Promise<void> {
  for (const { name, type } of source) {
    const own = find(target, name);
    if (own === undefined) {
      throw new FileProblem(
        `has the column ${shorten(name)}, which the table does not have: replace the table instead`,
      );
    }
    const isSame = own.type === type || own.type === 'VARCHAR' || widened[type]?.includes(own.type) === true;
    if (isSame || (await isEmpty(connection, added, name))) continue;
    throw new FileProblem(
      `has ${type} values in the column ${shorten(name)}, which is ${own.type} in the table: replace the table instead`,
    );
  }
}

function find(columns: readonly TableColumn[], name: string): TableColumn | undefined {
  return columns.find(column => column.name.toLowerCase() === name.toLowerCase());
}

async function isEmpty(connection: DuckDBConnection, file: string, name: string): Promise<boolean> {
  const [row] = await (
    await connection.run(`SELECT count(${quoteName(name)}) FROM read_parquet(${sqlString(file)})`)
  ).getRows();
  return Number(row?.[0]) === 0;
}

function shorten(name: string): string {
  return JSON.stringify(name.slice(0, 60));
}
