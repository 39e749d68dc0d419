import { open } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';

/**
 * Thrown for an invalid file. The message completes a sentence that begins with the file name, and never contains a
 * value of a row.
 */
export class FileProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FileProblem';
  }
}

type FileProblemText = (...numbers: readonly string[]) => string;

/** Engine errors to describe, by pattern. Only their numbers are used, because engine messages may quote rows. */
const descriptions: readonly (readonly [RegExp, FileProblemText])[] = [
  [
    /CSV Error on Line: (\d+).*\nExpected Number of Columns: (\d+) Found: (\d+)/s,
    (line, columns, found) =>
      `has ${columns} columns, but ${found} values in line ${line}: check its separators and quotes`,
  ],
  [
    /CSV Error on Line: (\d+).*\nValue with unterminated quote/s,
    line => `opens a double quote in line ${line} that is never closed`,
  ],
  [/CSV Error on Line: (\d+).*not utf-8/s, line => `is not UTF-8 in line ${line}: save it as UTF-8`],
  [
    /CSV Error on Line: (\d+).*Maximum line size/s,
    line => `has more than 2 MB in line ${line}: shorten it, or close the double quote before it`,
  ],
  [/CSV Error on Line: (\d+)/, line => `cannot be read from line ${line}: check its quotes`],
  [
    /invalid state/,
    () => 'is not a consistent CSV file: use the same line ending in all lines, and quotes only around complete values',
  ],
  [/byte order mark/, () => 'starts with a byte order mark: save it as UTF-8 without one'],
  // The engine reports a line or object number that is one too high.
  [
    /Malformed JSON.* in line (\d+): /s,
    line => `has invalid JSON in line ${Number(line) - 1}: write one object per line`,
  ],
  [/Malformed JSON.* in record\/value (\d+): /s, record => `has invalid JSON in object ${Number(record) - 1}`],
  [
    /in (line|record\/value) (\d+): Object .* has duplicate key/s,
    (place, at) => `has a duplicate key in ${place} ${at}`,
  ],
  [/Duplicate name .* in struct/s, () => 'has objects with keys that differ only in case: rename them'],
  [/expected records/, () => 'has no rows: write an array of objects, or one object per line'],
];

/** Descriptions of other errors, by the error class before the colon. */
const kinds: ReadonlyMap<string, string> = new Map([
  ['Out of Memory Error', 'exceeds the memory limit: raise the limit, or convert the file to Parquet'],
  ['IO Error', 'could not be read or imported: check that it is complete, its permissions and the free disk space'],
]);

/**
 * Describes a failed import. The result completes a sentence that begins with the file name; `undefined` for unknown
 * errors.
 */
export function describeFileProblem(error: unknown): string | undefined {
  if (error instanceof FileProblem) return error.message;
  if (!(error instanceof Error)) return undefined;
  for (const [pattern, describe] of descriptions) {
    const found = pattern.exec(error.message);
    if (found) return describe(...found.slice(1));
  }
  return kinds.get(error.message.split(':', 1)[0] ?? '');
}

/** The first bytes of a text file, decoded. */
export interface FileStart {
  readonly text: string;
  readonly isWhole: boolean;
}

/**
 * Reads the beginning of a UTF-8 file, without the byte order mark.
 * @throws FileProblem if the file is not UTF-8.
 */
export async function readStart(path: string, maxBytes: number): Promise<FileStart> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
    // Use `stream`, because the last character may be incomplete.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, bytesRead), { stream: true });
    if (text.includes('\0')) throw new TypeError('no text');
    return { text, isWhole: bytesRead < maxBytes };
  } catch (error) {
    throw error instanceof TypeError ? new FileProblem('is not UTF-8 text: save it as UTF-8') : error;
  } finally {
    await file.close();
  }
}

/** A column of a file before type conversion. */
export interface RawColumn {
  readonly name: string;
  readonly reading: Reading;
}

/** How to determine the type of a column. */
export const Reading = {
  /** From the text of the values: numbers, dates, timestamps or booleans. */
  anything: 'anything',
  /** For integer columns for which the engine derived too large a type: the smallest type that fits all values. */
  whole: 'whole',
  /** Quoted text: dates or timestamps if all values have that format, but never numbers. */
  times: 'times',
  /** The type from the engine, unchanged. */
  asIs: 'asIs',
  /** JSON values of several types, which become text. */
  jsonText: 'jsonText',
} as const;
/** How to determine the type of a column. */
export type Reading = (typeof Reading)[keyof typeof Reading];

/** Types that a value can have. Each is one bit, so that `bit_or` can combine the values of a column. */
const Kind = { whole: 1, number: 2, date: 4, moment: 8, zoned: 16, logical: 32, text: 64 } as const;

const maxColumns = 2000;
const momentPattern = String.raw`\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?`;
/** Numbers have no leading zero (`0123` is an identifier) and no more digits than a double can represent. */
const numberPattern = String.raw`-?(0|[1-9]\d{0,14})?(\.\d+)?([eE][-+]?\d+)?`;

/**
 * Returns the SELECT that converts a file's columns to their types.
 *
 * All rows determine the types, so no row can fail later. Text counts as an integer or date only if it is formatted
 * back to the same text: `007`, `1.0` and `01/02/2001` remain text. Timestamps with a zone are converted to UTC.
 * @param from - table function call that reads the file.
 */
export async function typedSelect(
  connection: DuckDBConnection,
  columns: readonly RawColumn[],
  from: string,
): Promise<string> {
  if (columns.length > maxColumns) throw new FileProblem(`has more than ${maxColumns} columns: remove some`);
  const detectable = columns.filter(({ reading }) => reading !== Reading.asIs && reading !== Reading.jsonText);
  const kinds = new Map<string, number>();
  if (detectable.length > 0) {
    const list = detectable.map(({ name }) => `coalesce(bit_or(${kindOf(identifier(name))}), 0)::INTEGER`).join(', ');
    const [row] = await (await connection.run(`SELECT ${list} FROM ${from}`)).getRows();
    detectable.forEach(({ name }, index) => {
      kinds.set(name, Number(row?.[index] ?? Kind.text));
    });
  }
  const list = columns.map(
    column => `${convertedColumn(column, kinds.get(column.name) ?? 0)} AS ${identifier(column.name)}`,
  );
  return `SELECT ${list.join(', ')} FROM ${from}`;
}

function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function kindOf(value: string): string {
  return `CASE WHEN ${value} IS NULL THEN 0
    WHEN TRY_CAST(${value} AS BIGINT)::VARCHAR = ${value} THEN ${Kind.whole}
    WHEN length(${value}) = 10 AND TRY_CAST(${value} AS DATE)::VARCHAR = ${value} THEN ${Kind.date}
    WHEN regexp_full_match(${value}, '${numberPattern}') AND isfinite(TRY_CAST(${value} AS DOUBLE)) THEN ${Kind.number}
    WHEN regexp_full_match(${value}, '${momentPattern}') AND TRY_CAST(${value} AS TIMESTAMP) IS NOT NULL THEN ${Kind.moment}
    WHEN regexp_full_match(${value}, '${momentPattern}(Z|[-+]\\d{2}(:?\\d{2})?)') AND TRY_CAST(${value} AS TIMESTAMPTZ) IS NOT NULL
      THEN ${Kind.zoned}
    WHEN lower(${value}) IN ('true', 'false') THEN ${Kind.logical}
    ELSE ${Kind.text} END`;
}

function convertedColumn({ name, reading }: RawColumn, kinds: number): string {
  const value = identifier(name);
  if (reading === Reading.jsonText) return `${value} ->> '$'`;
  if (reading === Reading.asIs || kinds === 0) return value;
  const areAll = (...allowed: readonly number[]) => allowed.reduce((rest, kind) => rest & ~kind, kinds) === 0;
  if (areAll(Kind.date)) return `${value}::DATE`;
  if (areAll(Kind.date, Kind.moment)) return `${value}::TIMESTAMP`;
  if (areAll(Kind.date, Kind.moment, Kind.zoned)) return `${value}::TIMESTAMPTZ AT TIME ZONE 'UTC'`;
  if (reading === Reading.times) return value;
  if (areAll(Kind.whole)) return `${value}::BIGINT`;
  if (reading === Reading.whole) return `${value}::HUGEINT`;
  if (areAll(Kind.whole, Kind.number)) return `${value}::DOUBLE`;
  if (areAll(Kind.logical)) return `${value}::BOOLEAN`;
  return value;
}
