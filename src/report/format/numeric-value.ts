import type { Cell } from '../../contract/data.js';

const numberText = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

/** Whether a text is a decimal number that a double can hold: blanks, other bases and `Infinity` are none. */
export function isNumberText(text: string): boolean {
  return numberText.test(text) && Number.isFinite(Number(text));
}

/** A cell as a number; null where it is none. The Data API gives most numbers as texts. */
export function toNumber(cell: Cell): number | null {
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : null;
  return typeof cell === 'string' && isNumberText(cell) ? Number(cell) : null;
}
