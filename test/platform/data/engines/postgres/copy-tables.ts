import type { DuckDBConnection } from '@duckdb/node-api';
import type { Connection } from 'pg';
import type { DataSource } from './data-source.js';

/** DuckDB types with another name in Postgres. */
const typeNames = new Map([
  ['DOUBLE', 'float8'],
  ['FLOAT', 'float4'],
  ['TINYINT', 'smallint'],
  ['UTINYINT', 'smallint'],
  ['USMALLINT', 'integer'],
  ['UINTEGER', 'bigint'],
  ['HUGEINT', 'numeric(39)'],
]);

/** Recreates a schema of the data source and copies all tables and views of a DuckDB database into it. */
export async function copyTables(from: DuckDBConnection, source: DataSource, schema: string): Promise<void> {
  await source.run(`
    DROP SCHEMA IF EXISTS "${schema}" CASCADE; CREATE SCHEMA "${schema}"; GRANT USAGE ON SCHEMA "${schema}" TO reader;
    ALTER DEFAULT PRIVILEGES IN SCHEMA "${schema}" GRANT SELECT ON TABLES TO reader`);
  const tables = await from.runAndReadAll(
    "SELECT table_name FROM information_schema.tables WHERE table_schema = 'main' ORDER BY 1",
  );
  for (const [table] of tables.getRowsJson()) await copyTable(from, source, schema, String(table));
}

async function copyTable(from: DuckDBConnection, source: DataSource, schema: string, table: string): Promise<void> {
  const described = (await from.runAndReadAll(`DESCRIBE "${table}"`)).getRowsJson();
  const columns = described.map(([name, type]) => `"${name}" ${typeNames.get(String(type)) ?? String(type)}`);
  await source.run(`CREATE TABLE "${schema}"."${table}" (${columns.join(', ')})`);
  const result = await from.stream(`SELECT * FROM "${table}"`);
  async function* lines() {
    for await (const rows of result.yieldRowsJson())
      yield rows.map(row => `${row.map(cellText).join('\t')}\n`).join('');
  }
  await source.copyIn(`COPY "${schema}"."${table}" FROM STDIN`, lines());
  await source.run(`ANALYZE "${schema}"."${table}"`);
}

/** Formats a cell for COPY. */
function cellText(cell: unknown): string {
  if (cell === null) return '\\N';
  return String(cell).replace(
    /[\\\n\r\t]/g,
    char => ({ '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' })[char] ?? char,
  );
}

/** A `COPY … FROM STDIN` as a submittable of `pg`. */
export class CopyIn {
  readonly done: Promise<void>;
  readonly #text: string;
  readonly #lines: AsyncIterable<string>;
  #settle: (error?: unknown) => void = () => {};

  constructor(text: string, lines: AsyncIterable<string>) {
    this.#text = text;
    this.#lines = lines;
    this.done = new Promise((resolve, reject) => {
      this.#settle = error => (error === undefined ? resolve() : reject(error));
    });
  }

  submit(connection: Connection): void {
    connection.query(this.#text);
  }

  async handleCopyInResponse(connection: Connection & CopyConnection): Promise<void> {
    for await (const lines of this.#lines) connection.sendCopyFromChunk(Buffer.from(lines));
    connection.endCopyFrom();
  }

  handleCommandComplete(): void {}

  handleError(error: unknown): void {
    this.#settle(error);
  }

  handleReadyForQuery(): void {
    this.#settle();
  }
}

interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}
