import pg from 'pg';
import { SqlType } from '../../../../../src/platform/data/sql/sql-type.js';
import { type DataSource, startDataSource } from '../../engines/postgres/data-source.js';
import type { Answer } from './answer.js';
import { tableSelects, viewSelects } from './tables.js';

/** Types by Postgres OID. */
const types: Readonly<Record<number, SqlType>> = {
  16: SqlType.boolean,
  20: SqlType.bigint,
  21: SqlType.integer,
  23: SqlType.integer,
  25: SqlType.text,
  700: SqlType.double,
  701: SqlType.double,
  1042: SqlType.text,
  1043: SqlType.text,
  1082: SqlType.date,
  1114: SqlType.timestamp,
  1186: SqlType.interval,
  1700: SqlType.numeric,
};

/** Values in Postgres text format. */
const texts = { getTypeParser: () => (text: unknown) => text };

/** A Postgres server with the tables of the corpus. */
export interface PostgresWorld {
  readonly source: DataSource;
  /** Returns the result of Postgres; rejects with its error. */
  ask(text: string): Promise<Answer>;
  close(): Promise<void>;
}

/** Starts a Postgres server and creates the tables. */
export async function startPostgres(): Promise<PostgresWorld> {
  const source = await startDataSource();
  for (const [name, select] of Object.entries(tableSelects)) await source.run(`CREATE TABLE ${name} AS ${select}`);
  for (const [name, select] of Object.entries(viewSelects)) await source.run(`CREATE VIEW ${name} AS ${select}`);
  const client = new pg.Client(source.url);
  await client.connect();
  await client.query(`SET TimeZone = 'UTC'`);
  return {
    source,
    async ask(text) {
      // Rolls back, so that no statement affects the next one.
      await client.query('BEGIN READ ONLY');
      try {
        const { fields, rows } = await client.query<(string | null)[]>({ text, rowMode: 'array', types: texts });
        const columns = fields.map(({ name, dataTypeID }) => ({ name, type: types[dataTypeID] ?? SqlType.other }));
        return { columns, rows: rows.map(row => row.map((cell, index) => inProtocol(cell, columns[index]?.type))) };
      } finally {
        await client.query('ROLLBACK');
      }
    },
    async close() {
      await client.end();
      await source.stop();
    },
  };
}

function inProtocol(cell: string | null, type: SqlType | undefined): string | null {
  if (cell === null) return null;
  switch (type) {
    case SqlType.boolean:
      return cell === 't' ? 'true' : 'false';
    case SqlType.timestamp: {
      const [seconds = '', fraction = ''] = cell.split('.');
      return `${seconds.replace(' ', 'T')}.${fraction.padEnd(3, '0').slice(0, 3)}`;
    }
    default:
      return cell;
  }
}
