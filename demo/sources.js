import { copyFile, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';

// The package exports only its code; its data is in a sibling folder.
const samples = fileURLToPath(new URL('../data', import.meta.resolve('vega-datasets')));
const folder = fileURLToPath(new URL('../.cache/demo-sources', import.meta.url));

const exists = path =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Writes the sample data as one Parquet file per table and returns the folder. */
export async function prepareSources() {
  await mkdir(folder, { recursive: true });
  const flights = join(folder, 'flights.parquet');
  const airports = join(folder, 'airports.parquet');
  if (!(await exists(flights))) await copyFile(join(samples, 'flights-3m.parquet'), flights);
  if (!(await exists(airports))) await csvToParquet(join(samples, 'airports.csv'), airports);
  return folder;
}

async function csvToParquet(csv, parquet) {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const text = path => `'${path.replaceAll("'", "''")}'`;
  await connection.run(`COPY (SELECT * FROM read_csv(${text(csv)})) TO ${text(parquet)} (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
}
