import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { openInstance, sqlString } from '../engines/duckdb/open-instance.js';
import { FileProblem } from '../engines/duckdb/text-source.js';
import type { DescribedTable, TableColumn } from './table-protocol.js';

/** Limits of a table. */
const limits = {
  rows: 10_000_000,
  columns: 1_000,
  nameLength: 200,
  /** Maximum text size of one value, in bytes. */
  valueBytes: 1_000_000,
  /** Maximum text size of all values together, in bytes. */
  textBytes: 2_000_000_000,
} as const;
const previewRows = 20;
/** Maximum length of a value in a preview, in characters. */
const previewLength = 200;

/** Opens an instance for the files of one upload. */
export function openTableInstance(scratch: string): Promise<DuckDBInstance> {
  return openInstance(':memory:', { memoryLimit: '512MB', threads: 2, spillDirectory: scratch, spillLimit: '2GB' });
}

/** Quotes a name in SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Returns the columns of a SELECT. */
export async function columnsOf(connection: DuckDBConnection, select: string): Promise<TableColumn[]> {
  const rows = await (await connection.run(`DESCRIBE ${select}`)).getRows();
  return rows.map(([name, type]) => ({ name: String(name), type: String(type) }));
}

/**
 * Writes the rows of a SELECT to a Parquet file.
 * @throws FileProblem if they exceed a limit.
 */
export async function writeParquet(
  connection: DuckDBConnection,
  select: string,
  output: string,
): Promise<DescribedTable> {
  const columns = await columnsOf(connection, select);
  checkColumns(columns);
  await connection.run(
    `COPY (SELECT * FROM (${select}) LIMIT ${limits.rows + 1}) TO ${sqlString(output)} (FORMAT parquet, COMPRESSION zstd)`,
  );
  return describeParquet(connection, columns, `read_parquet(${sqlString(output)})`);
}

function checkColumns(columns: readonly TableColumn[]): void {
  if (columns.length > limits.columns) throw new FileProblem(`has more than ${limits.columns} columns: remove some`);
  for (const [index, { name }] of columns.entries()) {
    if (name.trim() !== '' && name.length <= limits.nameLength && !/[\p{Cc}\p{Surrogate}]/u.test(name)) continue;
    const allowed = `1 to ${limits.nameLength} characters without line breaks`;
    throw new FileProblem(`has an invalid name in column ${index + 1}: use ${allowed}`);
  }
}

async function describeParquet(
  connection: DuckDBConnection,
  columns: readonly TableColumn[],
  from: string,
): Promise<DescribedTable> {
  const measured = columns.filter(({ type }) => /VARCHAR|BLOB|STRUCT|MAP|\[|JSON|BIT|BIGNUM|GEOMETRY/.test(type));
  const sizes = measured.map(({ name }) => `strlen(${quoteName(name)}::VARCHAR)`);
  const longest = `greatest(0, ${sizes.map(size => `max(${size})`).join(', ')})`;
  const total = ['0', ...sizes.map(size => `coalesce(sum(${size}), 0)`)].join(' + ');
  const figures = `SELECT count(*), ${sizes.length > 0 ? longest : '0'}, ${total} FROM ${from}`;
  const [counted = []] = await (await connection.run(figures)).getRows();
  const [rows = 0, maxBytes = 0, textBytes = 0] = counted.map(Number);
  if (rows > limits.rows) throw new FileProblem(`has more than ${limits.rows} rows: split it into several tables`);
  if (maxBytes > limits.valueBytes) throw new FileProblem('has a value of more than 1 MB: shorten it');
  if (textBytes > limits.textBytes) throw new FileProblem('has more than 2 GB of text: remove columns or rows');
  const cells = columns.map(({ name }) => `left(${quoteName(name)}::VARCHAR, ${previewLength})`).join(', ');
  const shown = await (await connection.run(`SELECT ${cells} FROM ${from} LIMIT ${previewRows}`)).getRows();
  const preview = shown.map(row => row.map(cell => (cell === null ? null : String(cell))));
  return { rows, columns, preview, sheets: [] };
}
