import { open } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { csvSelect } from '../engines/duckdb/csv-source.js';
import { jsonSelect } from '../engines/duckdb/json-source.js';
import { sqlString } from '../engines/duckdb/open-instance.js';
import { describeFileProblem, FileProblem } from '../engines/duckdb/text-source.js';
import { openTableInstance, writeParquet } from './parquet-file.js';
import type { ConvertRequest, DescribedTable } from './table-protocol.js';

/** First bytes of binary formats, by extension. */
const signatures: ReadonlyMap<string, string> = new Map([
  ['.parquet', 'PAR1'],
  ['.xlsx', 'PK\u0003\u0004'],
]);

/**
 * Converts an uploaded file to Parquet, with the types of all its rows.
 * @throws FileProblem with the reason if the file cannot be read.
 */
export async function convertTable({ file, sheet, output, scratch }: ConvertRequest): Promise<DescribedTable> {
  const extension = extname(file);
  await checkSignature(file, extension);
  const workbook = extension === '.xlsx' ? await rowsOfSheet(file, sheet, join(scratch, 'rows.ndjson')) : null;
  const instance = await openTableInstance(scratch);
  try {
    const connection = await instance.connect();
    const select = await selectOf(connection, workbook?.rows ?? file);
    return { ...(await writeParquet(connection, select, output)), sheets: workbook?.sheets ?? [] };
  } catch (error) {
    const problem = describeFileProblem(error);
    throw problem === undefined ? error : new FileProblem(problem);
  } finally {
    instance.closeSync();
  }
}

async function rowsOfSheet(file: string, sheet: string | null, output: string) {
  // Lazy-loaded, because most processes do not need it.
  const { readWorkbook } = await import('./workbook-source.js');
  return readWorkbook(file, sheet, output);
}

async function checkSignature(path: string, extension: string): Promise<void> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    if (bytesRead === 0) throw new FileProblem('is empty');
    const start = buffer.toString('latin1', 0, bytesRead);
    const expected = signatures.get(extension);
    if (expected === undefined ? [...signatures.values()].includes(start) : start !== expected) {
      throw new FileProblem('has a different format than its extension: correct the extension');
    }
  } finally {
    await file.close();
  }
}

function selectOf(connection: DuckDBConnection, path: string): Promise<string> {
  switch (extname(path)) {
    case '.parquet':
      return Promise.resolve(`SELECT * FROM read_parquet(${sqlString(path)})`);
    case '.csv':
    case '.tsv':
      return csvSelect(connection, path);
    default:
      return jsonSelect(connection, path);
  }
}
