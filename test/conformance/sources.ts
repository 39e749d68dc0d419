import { copyFile, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { inDialect } from '../platform/data/engines/engine-under-test.js';
import { testDepth } from '../property.js';

const samples = fileURLToPath(new URL('../../node_modules/vega-datasets/data', import.meta.url));
const tenants = ['acme', 'globex'] as const;

/** Tables of the suite and their files: copied samples, and results of the SELECT statements below. */
export const files = {
  flights: 'flights.parquet',
  airports: 'airports.csv',
  orders: 'orders.parquet',
  customers: 'customers.ndjson',
  items: 'items.parquet',
  pulses: 'pulses.parquet',
  extremes: 'extremes.parquet',
} as const;

/** Writes the sources to a folder: the demo's flights, a shop with gaps of every kind, and hours around today. */
export async function writeSources(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFlights(join(folder, files.flights));
  await copyFile(join(samples, 'airports.csv'), join(folder, files.airports));
  for (const [table, file] of Object.entries(files)) {
    const select = selects.get(table);
    if (select !== undefined) await write(join(folder, file), select);
  }
}

/**
 * Writes the flights: all three million in a deep run, otherwise every twentieth and all from the airport of the first
 * caller, who reads more than the maximum number of rows. An engine with a slow import gets every thirtieth.
 */
async function writeFlights(path: string): Promise<void> {
  const all = join(samples, 'flights-3m.parquet');
  const some = (condition: string) =>
    write(
      path,
      `SELECT * EXCLUDE (file_row_number) FROM read_parquet('${all}', file_row_number = true) WHERE ${condition}`,
    );
  await inDialect({
    duckdb: () => (testDepth() === 'deep' ? copyFile(all, path) : some(`file_row_number % 20 = 0 OR origin = 'ORD'`)),
    postgres: () => some('file_row_number % 30 = 0'),
  })();
}

/** Replaces the rows of a table, all at once. */
export async function replaceSource(folder: string, table: keyof typeof files, select: string): Promise<void> {
  const next = join(folder, `next-${files[table]}.part`);
  await write(next, select);
  await rename(next, join(folder, files[table]));
}

async function write(path: string, select: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  const format = path.includes('.parquet') ? 'parquet' : 'json';
  await connection.run(`COPY (${select}) TO '${path.replaceAll("'", "''")}' (FORMAT ${format})`);
  connection.closeSync();
  instance.closeSync();
}

const selects = new Map(
  Object.entries({
    orders: perTenant(
      (tenant, place) => `
    SELECT '${tenant}' AS tenant, i AS id,
      ['new', 'paid', 'shipped', NULL, 'Returned'][1 + i % 5] AS status,
      ['Köln', 'Rom', 'O''Hara', 'a%b_c\\', NULL, '', 'köln', 'ROMA'][1 + i % 8] AS city,
      CASE WHEN i % 11 <> 0 THEN CAST(i * 37 % 1000 * ${place} AS DECIMAL(12, 2)) + 0.25 END AS amount,
      sqrt(i * ${place}) AS weight,
      CASE i % 3 WHEN 0 THEN true WHEN 1 THEN false END AS paid,
      TIMESTAMP '2024-01-01 00:00:00' + to_minutes(97 * i) AS placed_at,
      CASE WHEN i % 4 <> 0 THEN DATE '2024-01-03' + CAST(i // 15 AS INTEGER) END AS shipped_on,
      CASE WHEN i % 13 <> 0 THEN 1 + i % 40 END AS customer_id
    FROM range(${4_000 + 1_000 * place}) AS numbers(i)`,
    ),
    customers: perTenant(
      tenant => `
    SELECT '${tenant}' AS tenant, i AS id, '${tenant} ' || i AS name,
      ['DE', 'FR', NULL, 'US'][1 + i % 4] AS country, CASE i % 3 WHEN 0 THEN true WHEN 1 THEN false END AS vip
    FROM range(1, 46) AS numbers(i)`,
    ),
    items: perTenant(
      (tenant, place) => `
    SELECT '${tenant}' AS tenant, i AS id, i % ${3_300 + 1_000 * place} AS order_id,
      'sku ' || (i % 7) AS sku, 1 + i % 9 AS quantity, CAST(i % 50 AS DECIMAL(8, 2)) + 0.99 AS price
    FROM range(${9_000 * place}) AS numbers(i)`,
    ),
    // One row per hour in the years around today, and one every ten seconds in the hours around now.
    pulses: perTenant(
      (tenant, place) => `
    SELECT '${tenant}' AS tenant, beat, CAST(epoch(beat) AS BIGINT) % 97 * ${place} AS value
    FROM (SELECT unnest(generate_series(date_trunc('hour', now()::TIMESTAMP) - INTERVAL 3 YEAR,
        date_trunc('hour', now()::TIMESTAMP) + INTERVAL 3 YEAR, INTERVAL 1 HOUR)) AS beat
      UNION ALL SELECT unnest(generate_series(date_trunc('hour', now()::TIMESTAMP) - INTERVAL 4 HOUR,
        date_trunc('hour', now()::TIMESTAMP) + INTERVAL 4 HOUR, INTERVAL 10 SECOND)) + INTERVAL 5 SECOND)`,
    ),
    extremes: `
    SELECT 'acme' AS tenant, row_number() OVER () AS id, * FROM (VALUES
      (9007199254740993, 12345678901234567890.0123456789::DECIMAL(38, 10), 1e-7::DOUBLE, 'fly 🛫 off',
        TIMESTAMP '1969-07-20 20:17:40.123456', TIMESTAMPTZ '2024-06-01 12:00:00+02', DATE '1969-07-20'),
      (-9223372036854775807, -0.0000000001, 1e21, 'two' || chr(10) || 'lines', TIMESTAMP '9999-12-31 23:59:59.999999',
        TIMESTAMPTZ '2024-01-01 00:30:00+05:30', DATE '9999-12-31'),
      (0, 0, -0.1, '"quoted" \\ ''twice''', TIMESTAMP '2000-02-29 00:00:00', TIMESTAMPTZ '2000-01-01 00:00:00+00', DATE '2000-02-29'),
      (9223372036854775807, 99999999999999999999.5, 5e-324, chr(9) || '</script>', TIMESTAMP '2024-03-10 07:30:00.1', NULL, NULL),
      (NULL, NULL, NULL, NULL, NULL, NULL, NULL)
    ) AS rows(big, exact, double, text, moment, zoned, day)`,
  } satisfies Partial<Record<keyof typeof files, string>>),
);

function perTenant(select: (tenant: string, place: number) => string): string {
  return tenants.map((tenant, place) => select(tenant, place + 1)).join(' UNION ALL ');
}
