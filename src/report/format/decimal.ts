import type { Cell } from '../../contract/data.js';
import { compareByOrder } from './compare.js';

/** A number with arbitrary precision: `digits` times 10 to the power of `-scale`. */
interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

const form = /^([+-]?)(\d{1,400})(?:\.(\d{1,400}))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * Sums cells with full precision, so that `0.1` and `0.2` make `0.3`. Skips cells that are not numbers; returns `null`
 * if no cell is a number.
 */
export function sumOf(cells: Iterable<Cell>): string | null {
  let [whole, count] = [0, 0];
  let sum: Decimal | null = null;
  for (const cell of cells) {
    const small = wholeNumber(cell);
    if (small !== null && Number.isSafeInteger(whole + small)) {
      whole += small;
      count += 1;
      continue;
    }
    const decimal = toDecimal(cell);
    if (!decimal) continue;
    sum = sum ? add(sum, decimal) : decimal;
    count += 1;
  }
  if (count === 0) return null;
  return sum ? print(add(sum, { digits: BigInt(whole), scale: 0 })) : String(whole);
}

/** Returns the difference of two cells with full precision; `null` if one of them is not a number. */
export function differenceOf(cell: Cell, other: Cell): string | null {
  const [minuend, subtrahend] = [toDecimal(cell), toDecimal(other)];
  if (!minuend || !subtrahend) return null;
  return print(add(minuend, { ...subtrahend, digits: -subtrahend.digits }));
}

/** Compares two cells: numbers with full precision, otherwise as text. */
export function compareCells(cell: Cell, other: Cell): number {
  const [one, two] = [toDecimal(cell), toDecimal(other)];
  if (!one || !two) return compareByOrder(String(cell), String(other));
  const { digits } = add(one, { ...two, digits: -two.digits });
  return compareByOrder(digits, 0n);
}

function wholeNumber(cell: Cell): number | null {
  if (typeof cell === 'number') return Number.isSafeInteger(cell) ? cell : null;
  return typeof cell === 'string' && /^-?\d{1,15}$/.test(cell) ? Number(cell) : null;
}

function toDecimal(cell: Cell): Decimal | null {
  if (typeof cell === 'boolean' || cell === null) return null;
  const match = form.exec(String(cell));
  if (!match) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

function add(one: Decimal, two: Decimal): Decimal {
  const scale = Math.max(one.scale, two.scale);
  const at = ({ digits, scale: own }: Decimal) => (own === scale ? digits : digits * 10n ** BigInt(scale - own));
  return { digits: at(one) + at(two), scale };
}

function print({ digits, scale }: Decimal): string {
  if (scale === 0) return String(digits);
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  const fraction = text.slice(-scale).replace(/0+$/, '');
  const sign = digits < 0n ? '-' : '';
  return `${sign}${text.slice(0, -scale)}${fraction === '' ? '' : `.${fraction}`}`;
}
