import { fileURLToPath } from 'node:url';
import { DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';

const data = (name: string): string => {
  const path = fileURLToPath(new URL(`../../node_modules/vega-datasets/data/${name}`, import.meta.url));
  return `'${path.replaceAll("'", "''")}'`;
};
const departures = `(
  SELECT flights.*, city, state
  FROM read_parquet(${data('flights-3m.parquet')}) AS flights
  LEFT JOIN read_csv(${data('airports.csv')}) AS airports ON flights.destination = airports.iata
  WHERE origin = $1
) AS departures`;

/** Expected numbers in a tenant’s tiles, queried with DuckDB from the same file without platform code. */
export interface Reference {
  readonly flights: number;
  readonly destinations: number;
  readonly averageDelay: number;
  readonly maxDelay: number;
  readonly onTimeShare: number;
  readonly days: number;
  readonly busiest: { readonly destination: string; readonly flights: number };
}

/** Queries DuckDB for the flights from an airport. */
export async function referenceFor(airport: string): Promise<Reference> {
  const [[flights, destinations, averageDelay, maxDelay, onTimeShare, days] = []] = await query(
    `SELECT count(*), count(DISTINCT destination), avg(delay), max(delay), avg((delay < 15)::INT), count(DISTINCT date::DATE) FROM ${departures}`,
    [airport],
  );
  const [[destination, most] = []] = await query(
    `SELECT destination, count(*) FROM ${departures} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1`,
    [airport],
  );
  return {
    flights: Number(flights),
    destinations: Number(destinations),
    averageDelay: Number(averageDelay),
    maxDelay: Number(maxDelay),
    onTimeShare: Number(onTimeShare),
    days: Number(days),
    busiest: { destination: String(destination), flights: Number(most) },
  };
}

/** Returns the number of flights from an airport to a state. */
export async function flightsTo(airport: string, state: string): Promise<number> {
  const [[count] = []] = await query(`SELECT count(*) FROM ${departures} WHERE state = $2`, [airport, state]);
  return Number(count);
}

/** Returns the number of flights from an airport between two days, inclusive (`2001-01-31`). */
export async function flightsBetween(airport: string, from: string, to: string): Promise<number> {
  const span = 'date >= CAST($2 AS DATE) AND date < CAST($3 AS DATE) + INTERVAL 1 DAY';
  const [[count] = []] = await query(`SELECT count(*) FROM ${departures} WHERE ${span}`, [airport, from, to]);
  return Number(count);
}

/** Returns the share of on-time flights by month or week (`2001-01-01`) until June, optionally to one state. */
export async function onTimeBy(
  granularity: 'month' | 'week',
  airport: string,
  state: string | null = null,
): Promise<[string, number][]> {
  const rows = await query(
    `SELECT strftime(date_trunc('${granularity}', date), '%Y-%m-%d'), avg((delay < 15)::INT)
    FROM ${departures} WHERE date < '2001-07-01' AND ($2 IS NULL OR state = $2) GROUP BY 1 ORDER BY 1`,
    [airport, state],
  );
  return rows.map(([start, share]) => [String(start), Number(share)]);
}

/** Returns the ten cities with the most flights: flights, share of all flights, and cumulative share. */
export async function runningShares(airport: string): Promise<[string, number, number, number][]> {
  const rows = await query(
    `SELECT city, n, n / total, (SELECT sum(m) FROM unnest(seen) AS s(m)) / total FROM (
      SELECT city, n, sum(n) OVER () AS total, list(n) OVER (ORDER BY n DESC, city ROWS UNBOUNDED PRECEDING) AS seen
      FROM (SELECT city, count(*)::DOUBLE AS n FROM ${departures} GROUP BY 1)
    ) ORDER BY n DESC, city LIMIT 10`,
    [airport],
  );
  return rows.map(([city, flights, share, running]) => [String(city), Number(flights), Number(share), Number(running)]);
}

async function query(sql: string, parameters: DuckDBValue[]): Promise<readonly (readonly unknown[])[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(sql, parameters)).getRowsJS();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
