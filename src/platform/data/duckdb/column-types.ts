import type { DuckDBConnection } from '@duckdb/node-api';
import { FileProblem } from './file-problem.js';

/** A column as a file gives it. */
export interface RawColumn {
  readonly name: string;
  readonly reading: Reading;
}

/** What the values of a column are taken for. */
export const Reading = {
  /** Whatever all of its texts can be read as: a number, a date, a moment, true or false. */
  anything: 'anything',
  /** Whole numbers beyond what the engine takes for one by itself: as few bytes as all of them fit into. */
  whole: 'whole',
  /** Text in quotes: a date or a moment if all of its texts are, never a number. */
  times: 'times',
  /** As it is. */
  asIs: 'asIs',
  /** JSON values of several types: as text. */
  jsonText: 'jsonText',
} as const;
/** What the values of a column are taken for. */
export type Reading = (typeof Reading)[keyof typeof Reading];

/** What one text can be read as: one bit each, so that those of a whole column come together by `bit_or`. */
const Kind = { whole: 1, number: 2, date: 4, moment: 8, zoned: 16, logical: 32, text: 64 } as const;

const maxColumns = 2000;
const momentPattern = String.raw`\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?`;
/** No zero in front (it would be lost, and `0123` is a name), and no more digits than a double holds. */
const numberPattern = String.raw`-?(0|[1-9]\d{0,14})?(\.\d+)?([eE][-+]?\d+)?`;

/**
 * The SELECT that gives a file's columns their types.
 *
 * Types are settled by all rows, so that no row can turn out unfit later. A text counts as a whole number or a date only when
 * that is written back as the same text: `007`, `1.0` and `01/02/2001` lose nothing. Moments with a zone are turned to UTC.
 * @param from - A table function that reads the file.
 */
export async function typedSelect(
  connection: DuckDBConnection,
  columns: readonly RawColumn[],
  from: string,
): Promise<string> {
  if (columns.length > maxColumns) throw new FileProblem(`has more than ${maxColumns} columns: leave some out`);
  const guessed = columns.filter(({ reading }) => reading !== Reading.asIs && reading !== Reading.jsonText);
  const kinds = new Map<string, number>();
  if (guessed.length > 0) {
    const list = guessed.map(({ name }) => `coalesce(bit_or(${kindOf(identifier(name))}), 0)::INTEGER`).join(', ');
    const [row] = await (await connection.run(`SELECT ${list} FROM ${from}`)).getRows();
    guessed.forEach(({ name }, index) => {
      kinds.set(name, Number(row?.[index] ?? Kind.text));
    });
  }
  const list = columns.map(column => `${typed(column, kinds.get(column.name) ?? 0)} AS ${identifier(column.name)}`);
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

function typed({ name, reading }: RawColumn, kinds: number): string {
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
