import type { Cell } from '../../contract/data.js';
import { compareByOrder } from '../format/compare.js';
import { toNumber } from '../format/numeric-value.js';
import type { ColumnRange, TableCell, TableColumn } from './table.js';
import type { CellFormat, ColumnSettings } from './table-settings.js';

/** Tone set by a conditional format. */
export type Tone = CellFormat['tone'];

/** Returns the tone of a value, from the first matching format. */
export function toneOf(formats: readonly CellFormat[], value: Cell): Tone | null {
  return formats.find(format => holds(format, value))?.tone ?? null;
}

/** Number of steps of a color scale on each side of zero. */
export const scaleSteps = 8;

/**
 * Returns the class of a value on a color scale: `heat-0` to `heat-8`, and `cold-1` to `cold-8` below zero on a
 * diverging scale.
 */
export function heatOf(scale: ColumnSettings['scale'], value: Cell, range: ColumnRange | null): string | null {
  const figure = toNumber(value);
  if (scale === null || figure === null || range === null) return null;
  const { min, max } = range;
  if (scale === 'sequential') return `heat-${stepOf(figure - min, max - min)}`;
  const step = stepOf(Math.abs(figure), Math.max(Math.abs(min), Math.abs(max)));
  return `${figure < 0 && step > 0 ? 'cold' : 'heat'}-${step}`;
}

/** Position of a bar in its cell, as shares of the available width. Negative bars extend to the other side of zero. */
interface CellBar {
  readonly from: number;
  readonly length: number;
  readonly isNegative: boolean;
}

/** Returns the bar of a value relative to the range of its column; `null` if there is no bar to render. */
export function barOf(value: Cell, range: ColumnRange | null): CellBar | null {
  const figure = toNumber(value);
  if (figure === null || range === null) return null;
  const low = Math.min(0, range.min);
  const span = Math.max(0, range.max) - low;
  if (!(span > 0 && Number.isFinite(span))) return null;
  const length = Math.min(1, Math.abs(figure) / span);
  return { from: Math.max(0, (Math.min(0, figure) - low) / span), length, isNegative: figure < 0 };
}

const maxTextLength = 10_000;
const maxPoints = 200;

/** Parses the numbers of a sparkline from a JSON array or comma-separated text. Downsamples long lists. */
export function lineOf(value: Cell): number[] {
  if (typeof value !== 'string' || value.length > maxTextLength) return [];
  const text = value.trim();
  const items = text.startsWith('[') ? parsedList(text) : text.split(',').map(item => item.trim());
  const figures = items.flatMap(item => (isCell(item) ? (toNumber(item) ?? []) : []));
  const step = Math.ceil(figures.length / maxPoints);
  return step > 1 ? figures.filter((_, index) => index % step === 0) : figures;
}

/** Returns the path of a sparkline in a 100 by 20 box. */
export function linePath(figures: readonly number[]): string {
  if (figures.length < 2) return '';
  const min = Math.min(...figures);
  const height = Math.max(...figures) - min;
  return figures
    .map((figure, index) => {
      const x = (100 * index) / (figures.length - 1);
      const y = height > 0 ? 18 - 16 * ((figure - min) / height) : 10;
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
    // The text is not a JSON array.
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
      return values.some(expected => isSame(expected, value));
    case 'not_equals':
      return !values.some(expected => isSame(expected, value));
    case 'contains':
      return values.some(expected => String(value).toLowerCase().includes(String(expected).toLowerCase()));
    case 'greater_than':
      return compareCells(value, low) > 0;
    case 'less_than':
      return compareCells(value, low) < 0;
    case 'between':
      return compareCells(value, low) >= 0 && compareCells(value, high) <= 0;
  }
}

function isSame(expected: Cell, value: Cell): boolean {
  return String(expected) === String(value) || compareCells(value, expected) === 0;
}

/**
 * Compares numbers by value and strings by their UTF-16 code units, which also orders dates. Returns NaN if only one of
 * the values is a number.
 */
function compareCells(left: Cell, right: Cell): number {
  const [a, b] = [toNumber(left), toNumber(right)];
  if (a !== null && b !== null) return Math.sign(a - b);
  if (a !== null || b !== null) return Number.NaN;
  return compareByOrder(String(left), String(right));
}

/** Returns the tone that a conditional format sets for a cell; `null` if none. */
export function cellTone(cell: TableCell, { settings }: TableColumn): Tone | null {
  return settings.formats.length > 0 && cell.kind !== 'total' && cell.kind !== 'header'
    ? toneOf(settings.formats, cell.value)
    : null;
}

/**
 * Maximum share of the scale color that is mixed into the surface, in percent. It preserves the contrast of the text.
 */
export const maxScaleShare = 36;
