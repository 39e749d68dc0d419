import { SqlType } from '../sql-type.js';
import type { Expression } from '../tree.js';

/** Maximum number of digits of a DECIMAL in DuckDB. */
export const maxDigits = 38;

const pattern = /^\s*([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?\s*$/;

/**
 * Normalizes an exact number to plain digits (`-1200`, `0.50`) and preserves its decimal places. Returns `undefined` if
 * the text is not a number or has too many digits.
 */
export function decimalText(text: string): string | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = pattern.exec(text) ?? [];
  const digits = whole + fraction;
  if (digits === '' || digits.length > 2 * maxDigits) return undefined;
  const shift = Number(exponent);
  if (Math.abs(shift) > 2 * maxDigits) return undefined;
  const places = Math.max(fraction.length - shift, 0);
  const padded = (shift > fraction.length ? digits.padEnd(whole.length + shift, '0') : digits).padStart(
    places + 1,
    '0',
  );
  const point = padded.length - places;
  const front = padded.slice(0, point).replace(/^0+(?=\d)/, '');
  const back = padded.slice(point);
  if (significant(front) + back.length > maxDigits) return undefined;
  return `${sign === '-' && /[1-9]/.test(digits) ? '-' : ''}${front}${back === '' ? '' : `.${back}`}`;
}

/**
 * Returns the precision and scale of a number in plain digits. Includes a digit before the point, because DuckDB would
 * print `.5`.
 */
export function decimalShape(text: string): { readonly precision: number; readonly scale: number } {
  const [front = '', back = ''] = text.replace('-', '').split('.');
  return { precision: Math.max(Math.min(front.length + back.length, maxDigits), 1), scale: back.length };
}

function significant(front: string): number {
  return front === '0' ? 0 : front.length;
}

// DuckDB's DECIMAL has at most 38 digits and a fixed scale. If two numbers together require more digits, DuckDB
// silently rounds the decimal places: `7::DECIMAL(38,0) > 7.4` compares with 7. Therefore, computed types are short
// enough to be combined with ordinary numbers. Numbers that may be long are first cast to the scale of the others, so
// that a sum either retains all decimal places or fails.

/** Number of digits before the decimal point of a rounded number. */
const wholeDigits = 22;
/** Maximum number of decimal places of a rounded number. */
export const maxPlaces = 16;

/** Returns the DuckDB type of numbers that are rounded to some number of decimal places. */
export function decimalType(places: number): string {
  return `DECIMAL(${wholeDigits + places}, ${places})`;
}

/** Converts text to a DECIMAL with all decimal places. DuckDB would read `5e-06` with four places as 0.0001. */
export function textDecimal(text: string): string {
  return `CAST(${text} AS DECIMAL(38, ${maxPlaces}))`;
}

/**
 * Aligns the scale of values that DuckDB converts to one type, such as the operands of a comparison or the branches of
 * a CASE.
 * @param write - prints one of the values; must be deterministic.
 * @returns a function that prints an aligned value.
 */
export function alignDecimals(
  values: readonly Expression[],
  write: (index: number) => string,
): (index: number) => string {
  const isExact = values.some(({ type }) => type === SqlType.numeric);
  // Leave columns of tables unchanged. They are short, and join conditions must compare plain columns.
  if (!isExact || values.every(({ kind }) => kind === 'member' || kind === 'column')) return write;
  const places = Math.max(...values.map(one => shape(one) ?? 0));
  return index => {
    const value = values[index];
    if (value?.type !== SqlType.numeric || value.kind === 'member' || shape(value) !== undefined) return write(index);
    const zeros = values.flatMap((other, place) =>
      place === index || shape(other) !== undefined ? [] : [`CASE WHEN false THEN ${write(place)} ELSE ${zero(0)} END`],
    );
    const terms = [write(index), ...(places > 0 ? [zero(places)] : []), ...zeros];
    return terms.length === 1 ? write(index) : `(${terms.join(' + ')})`;
  };
}

function zero(places: number): string {
  return `CAST(0 AS DECIMAL(${places + 1}, ${places}))`;
}

const rounding: ReadonlySet<string> = new Set(['round', 'trunc', 'ceil', 'ceiling', 'floor', 'sign']);

/** Returns the number of decimal places of a value that is known to be short; otherwise `undefined`. */
function shape(value: Expression): number | undefined {
  if (value.kind === 'literal') return decimalShape(String(value.value ?? 0)).scale;
  if (value.kind === 'cast') return value.scale ?? (value.value.type === SqlType.numeric ? undefined : 0);
  if (value.kind !== 'call' || !rounding.has(value.name)) return undefined;
  const [, digits] = value.args;
  return digits?.kind === 'literal' ? Math.max(Number(digits.value), 0) : 0;
}
