import { extname } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { sqlString } from './open-instance.js';
import { FileProblem, type RawColumn, Reading, readStart, typedSelect } from './text-source.js';

/** What the engine guesses of texts in quotes; we look at all of them instead. */
const guessedTypes = /^(DATE|TIME|TIMESTAMP|UUID)\b/;

/** Names that the engine gives to columns which have none, or that of another. */
const given = /^C\d+$|_\d+$/i;

/** Where to look for the bracket with which an array begins. */
const startBytes = 4096;

/**
 * The SELECT that reads a JSON file: an array of objects, or objects one after another (in `.jsonl` and `.ndjson` one per line).
 * Each key is a column. Objects and arrays inside stay structs and lists, which a model's SQL reads as `address.city` and
 * `tags[1]`; where a key's values are of several types, all of them are text.
 */
export async function jsonSelect(connection: DuckDBConnection, path: string): Promise<string> {
  const format = await formatOf(path);
  // All rows settle the types; objects with many keys stay structs, however different the keys.
  const options = `format = '${format}', records = true, map_inference_threshold = -1`;
  const detected = await connection.run(
    `DESCRIBE SELECT * FROM read_json(${sqlString(path)}, ${options}, sample_size = -1)`,
  );
  const columns = (await detected.getRows()).map(([name, type]) => rawColumn(String(name), String(type)));
  if (columns.some(({ name }) => given.test(name))) await refuseTwinKeys(connection, path, format);
  const types = columns.map(({ name, type }) => `${sqlString(name)}: ${sqlString(type)}`).join(', ');
  return typedSelect(connection, columns, `read_json(${sqlString(path)}, ${options}, columns = {${types}})`);
}

/** Keys that are no names of columns: under the name that the engine gives them instead, nothing would be found. */
async function refuseTwinKeys(connection: DuckDBConnection, path: string, format: string): Promise<void> {
  const found = await connection.run(
    `SELECT DISTINCT unnest(json_keys(json)) FROM read_json_objects(${sqlString(path)}, format = '${format}')`,
  );
  const keys = (await found.getRows()).map(([key]) => String(key).toLowerCase());
  if (keys.includes('') || new Set(keys).size < keys.length) {
    throw new FileProblem('has keys that are empty or differ in case alone: rename them');
  }
}

async function formatOf(path: string): Promise<string> {
  if (extname(path).toLowerCase() !== '.json') return 'newline_delimited';
  const { text } = await readStart(path, startBytes);
  return text.trimStart().startsWith('[') ? 'array' : 'unstructured';
}

function rawColumn(name: string, type: string): RawColumn & { readonly type: string } {
  if (type === 'JSON') return { name, type, reading: Reading.jsonText };
  if (type === 'VARCHAR' || (guessedTypes.test(type) && !type.endsWith(']'))) {
    return { name, type: 'VARCHAR', reading: Reading.times };
  }
  // What a mix of negative and positive numbers is taken for.
  if (type === 'HUGEINT') return { name, type: 'VARCHAR', reading: Reading.whole };
  return { name, type, reading: Reading.asIs };
}
