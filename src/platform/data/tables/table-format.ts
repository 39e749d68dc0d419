import { extname } from 'node:path';
import { suggestTableName } from '../engines/duckdb/sources.js';

/** Formats of files that can become tables, by extension. */
const formats: ReadonlySet<string> = new Set(['.csv', '.tsv', '.json', '.jsonl', '.ndjson', '.parquet', '.xlsx']);

/**
 * Returns the extension of a file that can become a table, such as `.csv`, in lower case.
 * @throws TypeError with a message that completes a sentence about the file.
 */
export function tableExtension(fileName: string): string {
  const extension = extname(fileName).toLowerCase();
  if (formats.has(extension)) return extension;
  throw new TypeError('must be a CSV, TSV, JSON, JSONL, Parquet or XLSX file, with that extension');
}

/** Returns the table name that the name of a file suggests; `data` if it contains no letters or digits. */
export function suggestTable(fileName: string): string {
  return suggestTableName(fileName.slice(0, fileName.length - extname(fileName).length)) || 'data';
}
