import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeParquet } from '../platform/data/duckdb/parquet.js';

const samples = fileURLToPath(new URL('../../node_modules/vega-datasets/data', import.meta.url));
const tenants = ['acme', 'globex'] as const;

/** The tables of the suite, by name: what is not copied from a sample is written by its SELECT. */
export const tables = ['flights', 'airports', 'orders', 'customers', 'items', 'pulses'] as const;

/** Lays out the sources in a folder: the demo's three million flights, a shop with gaps of every kind, and hours around today. */
export async function writeSources(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await copyFile(join(samples, 'flights-3m.parquet'), join(folder, 'flights.parquet'));
  for (const [table, select] of Object.entries(selects())) await writeParquet(join(folder, `${table}.parquet`), select);
}

function selects() {
  return {
    airports: `SELECT * FROM read_csv('${join(samples, 'airports.csv').replaceAll("'", "''")}')`,
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
    // A row each hour of the years around today, and one each ten seconds of the hours around now.
    pulses: perTenant(
      (tenant, place) => `
      SELECT '${tenant}' AS tenant, beat, CAST(epoch(beat) AS BIGINT) % 97 * ${place} AS value
      FROM (SELECT unnest(generate_series(date_trunc('hour', now()::TIMESTAMP) - INTERVAL 3 YEAR,
          date_trunc('hour', now()::TIMESTAMP) + INTERVAL 3 YEAR, INTERVAL 1 HOUR)) AS beat
        UNION ALL SELECT unnest(generate_series(date_trunc('hour', now()::TIMESTAMP) - INTERVAL 4 HOUR,
          date_trunc('hour', now()::TIMESTAMP) + INTERVAL 4 HOUR, INTERVAL 10 SECOND)) + INTERVAL 5 SECOND)`,
    ),
  } satisfies Partial<Record<(typeof tables)[number], string>>;
}

function perTenant(select: (tenant: string, place: number) => string): string {
  return tenants.map((tenant, place) => select(tenant, place + 1)).join(' UNION ALL ');
}
