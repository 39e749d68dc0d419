import type { Cell } from '../../../contract/data.js';
import { figureOf } from '../../../report/figure.js';
import type { ColumnRange } from '../../../report/table.js';
import type { CellFormat, ColumnLook } from '../../../report/table-look.js';

/** A tone that a conditional format gives. */
export type Tone = CellFormat['tone'];

/** The tone of a value: of the first format that holds. */
export function toneOf(formats: readonly CellFormat[], value: Cell): Tone | null {
  return formats.find(format => holds(format, value))?.tone ?? null;
}

/** Steps that a colour scale has on one side. */
export const scaleSteps = 8;

/** Class of a value on a colour scale: `heat-0` to `heat-8`, and `cold-1` to `cold-8` below nought on a diverging one. */
export function heatOf(scale: ColumnLook['scale'], value: Cell, range: ColumnRange | null): string | null {
  const figure = figureOf(value);
  if (scale === null || figure === null || range === null) return null;
  const { least, most } = range;
  if (scale === 'sequential') return `heat-${stepOf(figure - least, most - least)}`;
  const step = stepOf(Math.abs(figure), Math.max(Math.abs(least), Math.abs(most)));
  return `${figure < 0 && step > 0 ? 'cold' : 'heat'}-${step}`;
}

/** Where a bar stands in its cell, as shares of the room for it: on the other side of nought where it is negative. */
export interface CellBar {
  readonly from: number;
  readonly length: number;
  readonly isNegative: boolean;
}

/** The bar of a value beside those of its column; null where there is none to draw. */
export function barOf(value: Cell, range: ColumnRange | null): CellBar | null {
  const figure = figureOf(value);
  if (figure === null || range === null) return null;
  const low = Math.min(0, range.least);
  const span = Math.max(0, range.most) - low;
  if (!(span > 0 && Number.isFinite(span))) return null;
  const length = Math.min(1, Math.abs(figure) / span);
  return { from: Math.max(0, (Math.min(0, figure) - low) / span), length, isNegative: figure < 0 };
}

const longestLine = 10_000;
const mostPoints = 200;

/** The figures of a small line: a JSON list, or text with commas; too many are thinned out. */
export function lineOf(value: Cell): number[] {
  if (typeof value !== 'string' || value.length > longestLine) return [];
  const text = value.trim();
  const items = text.startsWith('[') ? parsedList(text) : text.split(',').map(item => item.trim());
  const figures = items.flatMap(item => (isCell(item) ? (figureOf(item) ?? []) : []));
  const step = Math.ceil(figures.length / mostPoints);
  return step > 1 ? figures.filter((_, index) => index % step === 0) : figures;
}

/** The path of a small line in a box of 100 by 20. */
export function linePath(figures: readonly number[]): string {
  if (figures.length < 2) return '';
  const least = Math.min(...figures);
  const height = Math.max(...figures) - least;
  return figures
    .map((figure, index) => {
      const x = (100 * index) / (figures.length - 1);
      const y = height > 0 ? 18 - 16 * ((figure - least) / height) : 10;
      return `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join('');
}

function stepOf(part: number, whole: number): number {
  const step = Math.round((part / whole) * scaleSteps);
  return Number.isFinite(step) ? Math.max(0, Math.min(step, scaleSteps)) : 0;
}

function parsedList(text: string): unknown[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : [];
  } catch {
    // Not a list after all.
    return [];
  }
}

function isCell(item: unknown): item is Cell {
  return typeof item === 'string' || typeof item === 'number';
}

function holds({ operator, values }: CellFormat, value: Cell): boolean {
  if (operator === 'is_null') return value === null;
  if (value === null) return false;
  const [low = '', high = ''] = values;
  switch (operator) {
    case 'equals':
      return values.some(wanted => isSame(wanted, value));
    case 'not_equals':
      return !values.some(wanted => isSame(wanted, value));
    case 'contains':
      return values.some(wanted => String(value).toLowerCase().includes(String(wanted).toLowerCase()));
    case 'greater_than':
      return compared(value, low) > 0;
    case 'less_than':
      return compared(value, low) < 0;
    case 'between':
      return compared(value, low) >= 0 && compared(value, high) <= 0;
  }
}

function isSame(wanted: Cell, value: Cell): boolean {
  return String(wanted) === String(value) || compared(value, wanted) === 0;
}

/** Figures by their size, texts by their letters, which puts dates in order; NaN where one of them is a figure and the other isn't. */
function compared(left: Cell, right: Cell): number {
  const [a, b] = [figureOf(left), figureOf(right)];
  if (a !== null && b !== null) return Math.sign(a - b);
  if (a !== null || b !== null) return Number.NaN;
  const [one, other] = [String(left), String(right)];
  return one < other ? -1 : one > other ? 1 : 0;
}
