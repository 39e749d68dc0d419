import {
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTypeId,
  type DuckDBValue,
} from '@duckdb/node-api';
import type { EngineCell } from '../engine.js';
import { TimeText } from './time-text.js';

/** A value that is there, in the protocol's form: numbers and times as text, what is not a number as null. */
export type CellFormat = (value: NonNullable<DuckDBValue>) => EngineCell;

/** How the values of one column are written. Made anew for each column: it may remember what it wrote. */
export function cellFormat(type: DuckDBTypeId): CellFormat {
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
