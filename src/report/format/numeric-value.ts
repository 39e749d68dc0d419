import type { Cell } from '../../contract/data.js';

const numberText = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

/** True for a decimal number in the range of doubles. Spaces, other bases and `Infinity` are not accepted. */
export function isNumberText(text: string): boolean {
  return numberText.test(text) && Number.isFinite(Number(text));
}

/** Converts a cell to a number; `null` if it is not one. The Data API returns most numbers as text. */
export function toNumber(cell: Cell): number | null {
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : null;
  return typeof cell === 'string' && isNumberText(cell) ? Number(cell) : null;
}
