import type { Table, TableColumn } from '../../report/table/table.js';
import { atEnd, atStart, type SceneContext, type TextOptions } from '../scene-context.js';
import { element, round, type SvgElement } from '../svg-element.js';

export const textSize = 13;
export const headingSize = 12;
export const rowHeight = 28;
export const lineHeight = 18;
export const cellPadding = 10;

/** A table with the positions of its columns. */
export interface Grid {
  readonly context: SceneContext;
  readonly table: Table;
  readonly width: number;
  /** Left edge of each column. */
  readonly lefts: readonly number[];
  readonly widths: readonly number[];
}

/** Places the columns next to each other, in the reading direction. */
export function gridOf(context: SceneContext, table: Table, widths: readonly number[]): Grid {
  const width = sum(widths);
  let x = 0;
  const lefts = widths.map(each => {
    const left = context.direction === 'rtl' ? width - x - each : x;
    x += each;
    return left;
  });
  return { context, table, width, lefts, widths };
}

/** Draws a line across the table. */
export function rule({ context, width }: Grid, y: number, color = context.colors.line): SvgElement {
  return element('rect', { x: 0, y: round(y - 0.5), width: round(width), height: 1, fill: color });
}

/** Groups the cells of a row for the structure of a PDF. */
export function row(cells: readonly SvgElement[]): SvgElement {
  return element('g', { 'pdf:role': 'TR' }, cells);
}

/** Groups the lines of a cell for the structure of a PDF. */
export function cellText(role: 'TH' | 'TD', lines: readonly SvgElement[]): SvgElement {
  return element('g', { 'pdf:role': role }, lines);
}

/** Returns the position of text in a column. */
export function aligned(
  context: SceneContext,
  align: TableColumn['align'],
  x: number,
  columnWidth: number,
): Pick<TextOptions, 'x' | 'anchor'> {
  if (align === 'center') return { x: x + columnWidth / 2, anchor: 'middle' };
  return align === 'end' ? atEnd(context, x, columnWidth) : atStart(context, x, columnWidth);
}

/** Adds numbers. */
export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
