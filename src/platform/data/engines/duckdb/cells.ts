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
/** Beyond it JavaScript has no calendar. */
const lastMillis = 8.64e15;

const twoDigits: readonly string[] = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** Writes moments as `YYYY-MM-DDTHH:MM:SS.mmm` in UTC. It remembers days: the moments of one column share few. */
export class TimeText {
  readonly #dates = new Map<number, string>();

  /** Undefined for a moment beyond the calendar. */
  write(millis: number): string | undefined {
    if (!(Math.abs(millis) <= lastMillis)) return undefined;
    const day = Math.floor(millis / millisPerDay);
    const time = (millis - day * millisPerDay) | 0;
    return this.#date(day) + (time === 0 ? '00:00:00.000' : timeOfDay(time));
  }

  /** `YYYY-MM-DDT`. */
  #date(day: number): string {
    const known = this.#dates.get(day);
    if (known !== undefined) return known;
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

/** A value that is there, in the protocol's form: numbers and times as text, what is not a number as null. */
type CellFormat = (value: NonNullable<DuckDBValue>) => EngineCell;

/** How the values of one column are written. Made anew for each column: it may remember what it wrote. */
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

/** Infinity and NaN (a ratio over no rows) are no numbers of the protocol, and nothing a chart could draw: null. */
function finiteText(value: DuckDBValue, text: (value: number) => string): string | null {
  return typeof value === 'number' && Number.isFinite(value) ? text(value) : null;
}

/** Fewest digits that still name this 32-bit number: 0.1, not 0.10000000149011612. */
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

/** A moment beyond the calendar stays as the engine writes it. */
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

/** Rounds down, so that a moment before 1970 keeps its millisecond too. */
function floorDivide(value: bigint, by: number): number {
  const near = Number(value);
  // The quotient of a safe integer is never rounded up to the next one: it lies a thousandth or more below, half an ulp is less.
  if (Number.isSafeInteger(near)) return Math.floor(near / by);
  const quotient = value / BigInt(by);
  return Number(value % BigInt(by) < 0n ? quotient - 1n : quotient);
}

/** Most characters that one result may hold: it is kept in memory, and once more as JSON on its way out. */
const maxResultCharacters = 16 * 1024 * 1024;

/**
 * Reads a result column by column.
 *
 * The result has to be a materialized one: a streamed result ends early, without an error, when the statement fails or is
 * interrupted half-way.
 * @throws PlatformError 400 when the result is too large.
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

/** Returns how many characters were added; what is no text counts as one. */
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
