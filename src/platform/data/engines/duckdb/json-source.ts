import { extname } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { sqlString } from './open-instance.js';
import { FileProblem, type RawColumn, Reading, readStart, typedSelect } from './text-source.js';

/** Types that the engine derives from a sample of quoted text. All values are checked instead. */
const guessedTypes = /^(DATE|TIME|TIMESTAMP|UUID)\b/;

/** Column names that the engine generates for empty or duplicate keys. */
const generatedName = /^C\d+$|_\d+$/i;

/** Size of the prefix in which the opening bracket of an array must occur, in bytes. */
const startBytes = 4096;

/**
 * Returns the SELECT that reads a JSON file: an array of objects, or consecutive objects (`.jsonl`, `.ndjson`: one per
 * line). Each key is a column. Nested objects and arrays become structs and lists, which the SQL of a model accesses as
 * `address.city` and `tags[1]`. If the values of a key have several types, all become text.
 */
export async function jsonSelect(connection: DuckDBConnection, path: string): Promise<string> {
  const format = await formatOf(path);
  // Determine types from all rows, and read objects as structs even if they have many different keys.
  const options = `format = '${format}', records = true, map_inference_threshold = -1`;
  const detected = await connection.run(
    `DESCRIBE SELECT * FROM read_json(${sqlString(path)}, ${options}, sample_size = -1)`,
  );
  const columns = (await detected.getRows()).map(([name, type]) => rawColumn(String(name), String(type)));
  if (columns.some(({ name }) => generatedName.test(name))) await rejectDuplicateKeys(connection, path, format);
  const types = columns.map(({ name, type }) => `${sqlString(name)}: ${sqlString(type)}`).join(', ');
  return typedSelect(connection, columns, `read_json(${sqlString(path)}, ${options}, columns = {${types}})`);
}

/** Rejects keys that cannot be column names. The engine renames such columns, so queries cannot refer to them. */
async function rejectDuplicateKeys(connection: DuckDBConnection, path: string, format: string): Promise<void> {
  const result = await connection.run(
    `SELECT DISTINCT unnest(json_keys(json)) FROM read_json_objects(${sqlString(path)}, format = '${format}')`,
  );
  const keys = (await result.getRows()).map(([key]) => String(key).toLowerCase());
  if (keys.includes('') || new Set(keys).size < keys.length) {
    throw new FileProblem('has keys that are empty or differ only in case: rename them');
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
  // The engine derives HUGEINT for a mix of negative and positive numbers.
  if (type === 'HUGEINT') return { name, type: 'VARCHAR', reading: Reading.whole };
  return { name, type, reading: Reading.asIs };
}
