import { SqlType } from '../sql-type.js';
import type { Expression } from '../tree.js';

/** Digits that an exact number may have: DuckDB holds no more. */
export const maxDigits = 38;

const pattern = /^\s*([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?\s*$/;

/** An exact number in plain digits (`-1200`, `0.50`), or undefined for what is none or has too many digits. Places after the point stay. */
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

/** Digits in all and after the point that a number in plain digits needs. One stands before the point: DuckDB would write `.5`. */
export function decimalShape(text: string): { readonly precision: number; readonly scale: number } {
  const [front = '', back = ''] = text.replace('-', '').split('.');
  return { precision: Math.max(Math.min(front.length + back.length, maxDigits), 1), scale: back.length };
}

function significant(front: string): number {
  return front === '0' ? 0 : front.length;
}

// DuckDB's exact numbers have 38 digits, with a fixed number of them after the point. Where two meet that need more together, it rounds
// the places after the point away in silence: `7::DECIMAL(38,0) > 7.4` compares with 7. So what we make ourselves is kept short enough to
// meet anything usual, and what may be long is given the others' places before it meets them: a sum keeps all places, or fails.

/** Digits before the point, of what is rounded. */
const wholeDigits = 22;
/** Most places after the point that may be asked for. */
export const maxPlaces = 16;

/** A type for numbers that are rounded to so many places. */
export function decimalType(places: number): string {
  return `DECIMAL(${wholeDigits + places}, ${places})`;
}

/** An exact number of a text. Of `5e-06` with four places DuckDB makes 0.0001: it is read with all places first. */
export function textDecimal(text: string): string {
  return `CAST(${text} AS DECIMAL(38, ${maxPlaces}))`;
}

/**
 * How values are written that DuckDB brings to one type: the operands of a comparison, the branches of a CASE.
 * @param write - writes one of them; the same text each time.
 */
export function alignDecimals(
  values: readonly Expression[],
  write: (index: number) => string,
): (index: number) => string {
  const isExact = values.some(({ type }) => type === SqlType.numeric);
  // Columns of tables are short; whether rows of two belong together has to be told by comparing them as they are.
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

/** Places after the point of what is known to be short; undefined where it isn't known. */
function shape(value: Expression): number | undefined {
  if (value.kind === 'literal') return decimalShape(String(value.value ?? 0)).scale;
  if (value.kind === 'cast') return value.scale ?? (value.value.type === SqlType.numeric ? undefined : 0);
  if (value.kind !== 'call' || !rounding.has(value.name)) return undefined;
  const [, digits] = value.args;
  return digits?.kind === 'literal' ? Math.max(Number(digits.value), 0) : 0;
}
