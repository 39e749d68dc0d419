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
