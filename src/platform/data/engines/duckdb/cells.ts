import {
  DuckDBDateValue,
  DuckDBDecimalValue,
  type DuckDBResult,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTypeId,
  type DuckDBValue,
  type DuckDBVector,
} from '@duckdb/node-api';
import { PlatformError } from '../../../errors.js';
import type { EngineCell } from '../engine.js';
import { QueryProblem } from '../query-problem.js';

const millisPerDay = 86_400_000;
/** Maximum distance of a JavaScript date from 1970, in milliseconds. */
const lastMillis = 8.64e15;

const twoDigits: readonly string[] = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/**
 * Formats timestamps as `YYYY-MM-DDTHH:MM:SS.mmm` in UTC. Caches days, because a column usually contains few different
 * days.
 */
export class TimeText {
  readonly #dates = new Map<number, string>();

  /** Returns the text of a timestamp; `undefined` beyond the range of JavaScript dates. */
  write(millis: number): string | undefined {
    if (!(Math.abs(millis) <= lastMillis)) return undefined;
    const day = Math.floor(millis / millisPerDay);
    const time = (millis - day * millisPerDay) | 0;
    return this.#date(day) + (time === 0 ? '00:00:00.000' : timeOfDay(time));
  }

  /** Returns a day as `YYYY-MM-DDT`. */
  #date(day: number): string {
    const cached = this.#dates.get(day);
    if (cached !== undefined) return cached;
    const date = new Date(day * millisPerDay).toISOString().slice(0, -'00:00:00.000Z'.length);
    this.#dates.set(day, date);
    return date;
  }
}

function timeOfDay(millis: number): string {
  const seconds = (millis / 1000) | 0;
  const minutes = (seconds / 60) | 0;
  const hour = twoDigits[(minutes / 60) | 0];
  return `${hour}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}.${String(millis % 1000).padStart(3, '0')}`;
}

/** Formats a non-null value for the protocol: numbers and times as text, non-finite numbers as null. */
type CellFormat = (value: NonNullable<DuckDBValue>) => EngineCell;

/** Returns a formatter for one column. Formatters may cache values, so don't share them between columns. */
function cellFormat(type: DuckDBTypeId): CellFormat {
  switch (type) {
    case DuckDBTypeId.FLOAT:
      return value => finiteText(value, singleText);
    case DuckDBTypeId.DOUBLE:
      return value => finiteText(value, String);
    case DuckDBTypeId.DECIMAL:
      return value => (value instanceof DuckDBDecimalValue ? decimalText(value) : String(value));
    case DuckDBTypeId.DATE:
    case DuckDBTypeId.TIMESTAMP:
    case DuckDBTypeId.TIMESTAMP_TZ:
    case DuckDBTypeId.TIMESTAMP_S:
    case DuckDBTypeId.TIMESTAMP_MS:
    case DuckDBTypeId.TIMESTAMP_NS:
      return timeFormat();
    default:
      return value => (typeof value === 'string' || typeof value === 'boolean' ? value : String(value));
  }
}

/**
 * Returns null for Infinity and NaN, such as a ratio over no rows. The protocol has no such values, and charts cannot
 * show them.
 */
function finiteText(value: DuckDBValue, text: (value: number) => string): string | null {
  return typeof value === 'number' && Number.isFinite(value) ? text(value) : null;
}

/** Returns the shortest text that identifies a 32-bit number: 0.1, not 0.10000000149011612. */
function singleText(value: number): string {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(Number(value.toPrecision(9)));
}

function decimalText({ value, scale }: DuckDBDecimalValue): string {
  if (scale === 0) return value.toString();
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0');
  const point = digits.length - scale;
  let end = digits.length;
  while (end > point && digits[end - 1] === '0') end -= 1;
  const whole = value < 0n ? `-${digits.slice(0, point)}` : digits.slice(0, point);
  return end === point ? whole : `${whole}.${digits.slice(point, end)}`;
}

/** Formats timestamps and dates. Beyond the range of JavaScript dates, uses the engine's text. */
function timeFormat(): CellFormat {
  const times = new TimeText();
  return value => {
    const millis = epochMillis(value);
    return (millis === undefined ? undefined : times.write(millis)) ?? String(value);
  };
}

function epochMillis(value: DuckDBValue): number | undefined {
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue) {
    return floorDivide(value.micros, 1000);
  }
  if (value instanceof DuckDBDateValue) return value.days * 86_400_000;
  if (value instanceof DuckDBTimestampMillisecondsValue) return Number(value.millis);
  if (value instanceof DuckDBTimestampSecondsValue) return Number(value.seconds) * 1000;
  if (value instanceof DuckDBTimestampNanosecondsValue) return floorDivide(value.nanos, 1_000_000);
  return undefined;
}

/** Divides and rounds down, so that timestamps before 1970 also get the correct millisecond. */
function floorDivide(value: bigint, by: number): number {
  const approximate = Number(value);
  // The quotient of a safe integer never rounds up to the next integer, because their distance is at least 0.001 and
  // half an ulp is less.
  if (Number.isSafeInteger(approximate)) return Math.floor(approximate / by);
  const quotient = value / BigInt(by);
  return Number(value % BigInt(by) < 0n ? quotient - 1n : quotient);
}

/** Maximum number of characters of one result, which is held in memory twice: as cells and as JSON. */
const maxResultCharacters = 16 * 1024 * 1024;

/**
 * Reads a result by column.
 *
 * The result must be materialized, because a streamed result ends early without an error if the statement fails or is
 * interrupted.
 * @throws PlatformError 400 if the result is too large.
 */
export async function readColumns(result: DuckDBResult): Promise<EngineCell[][]> {
  const columns = Array.from({ length: result.columnCount }, (_, index) => ({
    cells: [] as EngineCell[],
    format: cellFormat(result.columnTypeId(index)),
  }));
  let characters = 0;
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return columns.map(({ cells }) => cells);
    columns.forEach(({ cells, format }, index) => {
      characters += appendCells(chunk.getColumnVector(index), format, cells);
    });
    if (characters > maxResultCharacters) {
      throw new PlatformError(400, QueryProblem.result);
    }
  }
}

/** Returns the number of characters added; non-text cells count as one. */
function appendCells(vector: DuckDBVector, format: CellFormat, cells: EngineCell[]): number {
  const { itemCount } = vector;
  let characters = 0;
  for (let row = 0; row < itemCount; row++) {
    const value = vector.getItem(row);
    const cell = value === null ? null : format(value);
    characters += typeof cell === 'string' ? cell.length : 1;
    cells.push(cell);
  }
  return characters;
}
