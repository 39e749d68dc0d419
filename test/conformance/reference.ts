import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { type EngineUnderTest, engineUnderTest } from '../platform/data/engines/engine-under-test.js';
import { files } from './sources.js';

/** How to compare a column's cells: as text, as exact decimals, or as doubles. */
export const CellKind = { text: 'text', exact: 'exact', double: 'double' } as const;
/** How to compare a column's cells. */
export type CellKind = (typeof CellKind)[keyof typeof CellKind];

/** A column of a hand-written statement, named like its key in the response. */
export interface Column {
  readonly name: string;
  readonly kind: CellKind;
}

/** The result of a hand-written statement. */
export interface Expected {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
  /** Whether the statement has an order. The response must then have the same order. */
  readonly ordered: boolean;
}

/** A plain DuckDB on the source files, without code of the platform. */
export interface Reference {
  run(sql: string): Promise<Expected>;
  /** Data location of the same tables for a platform, if they are not in the files. */
  place(): ReturnType<EngineUnderTest['place']>;
  close(): void;
}

/** Opens the files of a folder as tables with the names of the model. */
export async function openReference(folder: string): Promise<Reference> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const setUp = await instance.connect();
  for (const [table, file] of Object.entries(files)) {
    const path = join(folder, file).replaceAll("'", "''");
    await setUp.run(`CREATE VIEW ${table} AS SELECT * FROM ${readerOf(file)}('${path}')`);
  }
  setUp.closeSync();
  return {
    async place() {
      const connection = await instance.connect();
      try {
        await connection.run(`SET TimeZone = 'UTC'`);
        return await engineUnderTest.current.place(connection);
      } finally {
        connection.closeSync();
      }
    },
    async run(sql) {
      const connection = await instance.connect();
      try {
        return await read(connection, sql);
      } finally {
        connection.closeSync();
      }
    },
    close: () => instance.closeSync(),
  };
}

function readerOf(file: string): string {
  if (file.endsWith('.csv')) return 'read_csv';
  return file.endsWith('.ndjson') ? 'read_json' : 'read_parquet';
}

async function read(connection: DuckDBConnection, sql: string): Promise<Expected> {
  await connection.run(`SET TimeZone = 'UTC'`);
  const reader = await connection.runAndReadAll(sql);
  const types = reader.columnTypes().map(String);
  const columns = reader
    .columnNames()
    .map((name, index) => ({ name, kind: kindOf(types[index] ?? '') }) satisfies Column);
  const rows = reader.getRowsJson().map(row => row.map((cell, index) => inProtocol(cell, types[index] ?? '')));
  return { columns, rows, ordered: /ORDER BY[^)]*$/.test(sql) };
}

function kindOf(type: string): CellKind {
  if (/^(DOUBLE|FLOAT)$/.test(type)) return CellKind.double;
  return /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DECIMAL.*)$/.test(type) ? CellKind.exact : CellKind.text;
}

/** Formats dates and timestamps as in the protocol, other values as printed by DuckDB. */
function inProtocol(cell: unknown, type: string): string | number | boolean | null {
  if (cell === null || typeof cell === 'boolean' || typeof cell === 'number') return cell;
  const text = String(cell);
  if (type === 'DATE') return `${text}T00:00:00.000`;
  if (type !== 'TIMESTAMP') return text;
  const [date, time = ''] = text.split(' ');
  const [clock, fraction = ''] = time.split('.');
  return `${date}T${clock}.${fraction.slice(0, 3).padEnd(3, '0')}`;
}
