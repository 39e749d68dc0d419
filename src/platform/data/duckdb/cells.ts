import {
  DuckDBDateValue,
  DuckDBDecimalValue,
  type DuckDBResult,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
} from '@duckdb/node-api';
import { PlatformError } from '../../errors.js';
import type { EngineCell } from '../engine.js';

/** Most characters that one result may hold: it is kept in memory, and once more as JSON on its way out. */
const maxResultCharacters = 16 * 1024 * 1024;

const millisPerDay = 86_400_000;

/**
 * Reads a result column by column.
 *
 * The result has to be a materialized one: a streamed result ends early, without an error, when the statement fails or is
 * interrupted half-way.
 * @throws PlatformError 400 when the result is too large.
 */
export async function readColumns(result: DuckDBResult): Promise<EngineCell[][]> {
  const columns: EngineCell[][] = Array.from({ length: result.columnCount }, () => []);
  let characters = 0;
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return columns;
    columns.forEach((column, index) => {
      chunk.visitColumnValues(index, (value, _row, _column, type) => {
        const cell = toCell(value, type);
        characters += typeof cell === 'string' ? cell.length : 1;
        column.push(cell);
      });
    });
    if (characters > maxResultCharacters) {
      throw new PlatformError(400, 'The result is too large: ask for fewer columns, or set a smaller limit.');
    }
  }
}

/** A value in the protocol's form: numbers and times as text, what is not a number as null. */
function toCell(value: DuckDBValue, type: DuckDBType): EngineCell {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return numberText(value, type);
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof DuckDBDecimalValue) return decimalText(value);
  return timeText(value) ?? value.toString();
}

/** Infinity and NaN (a ratio over no rows) are no numbers of the protocol, and nothing a chart could draw: null. */
function numberText(value: number, type: DuckDBType): string | null {
  if (!Number.isFinite(value)) return null;
  return type.typeId === DuckDBTypeId.FLOAT ? singleText(value) : String(value);
}

/** Fewest digits that still name this 32-bit number: 0.1, not 0.10000000149011612. */
function singleText(value: number): string {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(Number(value.toPrecision(9)));
}

function decimalText(value: DuckDBDecimalValue): string {
  const text = value.toString();
  return value.scale === 0 ? text : text.replace(/\.?0+$/, '');
}

/** `YYYY-MM-DDTHH:MM:SS.mmm` of a date or timestamp; undefined for any other value, and for one beyond the calendar. */
function timeText(value: DuckDBValue): string | undefined {
  const millis = epochMillis(value);
  if (millis === undefined || Number.isNaN(new Date(millis).getTime())) return undefined;
  return new Date(millis).toISOString().slice(0, -1);
}

function epochMillis(value: DuckDBValue): number | undefined {
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue) {
    return floorDivide(value.micros, 1000n);
  }
  if (value instanceof DuckDBDateValue) return value.days * millisPerDay;
  if (value instanceof DuckDBTimestampMillisecondsValue) return Number(value.millis);
  if (value instanceof DuckDBTimestampSecondsValue) return Number(value.seconds) * 1000;
  if (value instanceof DuckDBTimestampNanosecondsValue) return floorDivide(value.nanos, 1_000_000n);
  return undefined;
}

/** Rounds down, so that a moment before 1970 keeps its millisecond too. */
function floorDivide(value: bigint, by: bigint): number {
  const quotient = value / by;
  return Number(value % by < 0n ? quotient - 1n : quotient);
}
