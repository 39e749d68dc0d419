import { ColumnType } from '../../../contract/sql.js';
import { problemOf } from '../../problem-of.js';
import type { SqlColumn } from '../semantic-model.js';
import type { SqlType } from '../sql/sql-type.js';

// The lines of an answer (domain.md 3): one of the schema, then lines of rows, or one that tells what broke it off.

const columnTypes: Readonly<Record<SqlType, ColumnType>> = {
  boolean: ColumnType.boolean,
  integer: ColumnType.int64,
  bigint: ColumnType.int64,
  numeric: ColumnType.double,
  ratio: ColumnType.double,
  double: ColumnType.double,
  date: ColumnType.date,
  timestamp: ColumnType.timestamp,
  text: ColumnType.string,
  interval: ColumnType.string,
  unknown: ColumnType.string,
  other: ColumnType.string,
};

/** @param lastRefreshTime - ISO 8601. */
export function schemaLine(columns: readonly SqlColumn[], lastRefreshTime: string): string {
  const schema = columns.map(({ name, type, format, title, granularity }) => ({
    name,
    column_type: columnTypes[type],
    ...(format !== undefined && { format }),
    ...(title !== undefined && { title }),
    ...(granularity !== undefined && { granularity }),
  }));
  return line({ schema, lastRefreshTime });
}

const [before, after] = [Buffer.from('{"data":['), Buffer.from(']}\n')];

/** @param rows - as JSON, without brackets around. */
export function rowsLine(rows: Uint8Array): Uint8Array<ArrayBuffer> {
  return Buffer.concat([before, rows, after]);
}

/** In the place of rows, where there are none. */
export const noRowsLine = line({ data: [] });

/** Tells what a caller may be told of it. */
export function errorLine(error: unknown): Uint8Array<ArrayBuffer> {
  return Buffer.from(line({ error: problemOf(error).message }));
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
