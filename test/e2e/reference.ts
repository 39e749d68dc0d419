import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';

const file = fileURLToPath(new URL('../../node_modules/vega-datasets/data/flights-3m.parquet', import.meta.url));

/** What a tenant's tiles must show, asked of DuckDB over the very file, without any of the platform's code. */
export interface Reference {
  readonly flights: number;
  readonly destinations: number;
  readonly averageDelay: number;
  readonly onTimeShare: number;
  readonly days: number;
  readonly busiest: { readonly destination: string; readonly flights: number };
}

/** DuckDB's own answer for the flights that leave from an airport. */
export async function referenceFor(airport: string): Promise<Reference> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const one = async (sql: string): Promise<readonly unknown[]> => {
    const reader = await connection.runAndReadAll(sql, [airport]);
    return reader.getRowsJS()[0] ?? [];
  };
  const source = `read_parquet('${file.replaceAll("'", "''")}') WHERE origin = $1`;
  const [flights, destinations, averageDelay, onTimeShare, days] = await one(
    `SELECT count(*), count(DISTINCT destination), avg(delay), avg((delay < 15)::INT), count(DISTINCT date::DATE) FROM ${source}`,
  );
  const [destination, most] = await one(
    `SELECT destination, count(*) FROM ${source} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1`,
  );
  connection.closeSync();
  instance.closeSync();
  return {
    flights: Number(flights),
    destinations: Number(destinations),
    averageDelay: Number(averageDelay),
    onTimeShare: Number(onTimeShare),
    days: Number(days),
    busiest: { destination: String(destination), flights: Number(most) },
  };
}
