import type { ColumnNeeds, ColumnText } from './column-needs.js';
import { columnGroups } from './report-table.js';
import type { Table } from './table.js';
import type { ColumnWidth } from './table-settings.js';

/** Widths of strings as a table renders them, px. */
export interface MeasuredTexts {
  /** Width of a digit. */
  readonly digit: number;
  readonly of: (text: ColumnText) => number;
}

/** Minimum column width, in px. */
export const minColumnWidth = 48;
/** Maximum column width, in px. */
export const maxColumnWidth = 1200;
/** Minimum width that a column with a share (`fr`) reserves for its content, in px. */
const minShareWidth = 144;

/** Padding on both sides of a cell, and gap between a bar and its number, in px. */
const cellPadding = 21;
const barGap = 8;
/** Width reserved for the sign of a conditional format, in px. */
const signWidth = 16;
/** Width of a sparkline, image or bar, in digits; minimum width of a sparkline or image, in px. */
const drawingDigits = 14;
const minDrawingWidth = 64;
const barDigits = 8;
/** Maximum width of an unbroken word in a heading, and of a heading before it wraps to a second line, in px. */
const maxWordWidth = 120;
const maxHeadingLineWidth = 84;
/**
 * Maximum width of a narrow box, in px. In a narrow box a text column takes at most half of the width, the first column
 * less.
 */
export const narrowBoxWidth = 480;
const textShare = 0.5;
const firstShare = 0.42;

/** Space that a column needs, in px. */
export interface ColumnWidthLimits {
  /** Width that shows nearly all of its content. */
  readonly needed: number;
  /**
   * Width with a small drawing, a wrapped heading and nearly all values in full, used if the table would not fit
   * otherwise.
   */
  readonly compact?: number;
  /** Like `compact`, with all short values in full. */
  readonly readable?: number;
  /** Minimum width unless the viewer resizes the column: numbers and dates are never cut off. */
  readonly minWidth: number;
  /** Maximum width unless the viewer resizes the column. */
  readonly maxWidth?: number;
}

/** Returns the minimum width of a cell's content and the preferred width of its drawing, px. */
function contentSpace(
  display: ColumnNeeds['display'],
  text: number,
  digit: number,
): { readonly cell: number; readonly drawing: number } {
  if (display === 'sparkline' || display === 'image') return { cell: minDrawingWidth, drawing: digit * drawingDigits };
  // A bar takes half of its cell.
  if (display === 'bar') return { cell: 2 * (text + barGap), drawing: text + barGap + digit * barDigits };
  return { cell: text, drawing: 0 };
}

/** Returns the space that columns need in a box that is `availableWidth` px wide. */
export function columnWidthLimits(
  needs: readonly ColumnNeeds[],
  texts: MeasuredTexts,
  availableWidth: number,
): ColumnWidthLimits[] {
  return needs.map((column, index) => {
    const { isWhole, display, hasSigns } = column;
    const isDrawing = display === 'sparkline' || display === 'image';
    const text = Math.max(...column.cells.map(cell => texts.of(cell))) + (hasSigns ? signWidth : 0);
    const { cell, drawing } = contentSpace(display, text, texts.digit);
    const word = Math.min(texts.of(column.word), maxWordWidth);
    const readable = Math.max(word, cell) + cellPadding;
    const heading = Math.min(texts.of(column.heading), maxHeadingLineWidth) + cellPadding;
    const needed = Math.max(readable, heading, drawing + cellPadding);
    if (isWhole) return { needed, compact: readable, minWidth: isDrawing ? 0 : cell + cellPadding };
    const total = column.cells.filter(({ style }) => style === 'total').map(each => texts.of(each));
    const compact = Math.max(word, texts.of(column.compactCell), ...total) + cellPadding;
    if (availableWidth > narrowBoxWidth || isDrawing)
      return { needed, compact: isDrawing ? readable : compact, readable, minWidth: 0 };
    const maxWidth = availableWidth * (index === 0 ? firstShare : textShare);
    const whole = index === 0 ? compact : readable;
    return {
      needed: Math.min(needed, maxWidth),
      compact: Math.min(compact, maxWidth),
      readable: Math.min(whole, maxWidth),
      minWidth: 0,
      maxWidth,
    };
  });
}

/** Clamps a width to the allowed range. */
export function boundedWidth(px: number): number {
  return Math.round(Math.max(minColumnWidth, Math.min(px, maxColumnWidth)));
}

interface Sizing {
  readonly share: number;
  readonly isFixed: boolean;
  readonly minWidth: number;
}

/** Returns the minimum widths of columns. `widths` are set by the report or the viewer. */
function minimumWidths(widths: readonly (ColumnWidth | null)[], widthLimits: readonly ColumnWidthLimits[]): number[] {
  return widths.map((width, index) =>
    minimumWidth(width, widthLimits[index] ?? { needed: minColumnWidth, minWidth: 0 }),
  );
}

/**
 * Returns the widths of all columns in a box of `availableWidth` px. Fixed columns keep their width; columns without a
 * width (`null`) get at least the width they need. The remaining width is distributed proportionally to columns with a
 * share (`fr`), or to columns without a width if there are no shares. The table scrolls if the columns do not fit.
 */
export function layOutColumns(
  widths: readonly (ColumnWidth | null)[],
  widthLimits: readonly ColumnWidthLimits[],
  availableWidth: number,
): number[] {
  const minWidths = fittedWidths(widths, widthLimits, availableWidth);
  const columns = widths.map<Sizing>((width, index) => ({
    share: width?.unit === 'fr' ? width.size : 0,
    isFixed: width?.unit === 'px',
    minWidth: minWidths[index] ?? minColumnWidth,
  }));
  const shared = columns.filter(({ share }) => share > 0);
  const fixed = totalWidth(columns.filter(({ isFixed }) => isFixed));
  const byContent = totalWidth(columns.filter(({ isFixed, share }) => !isFixed && share === 0));
  const unit = widthOfShare(shared, availableWidth - fixed - byContent);
  const stretch = shared.length > 0 || byContent === 0 ? 1 : Math.max(1, (availableWidth - fixed) / byContent);
  return columns.map(({ share, isFixed, minWidth }) => {
    if (isFixed) return minWidth;
    return share > 0 ? Math.max(minWidth, Math.floor(unit * share)) : Math.floor(minWidth * stretch);
  });
}

/**
 * Returns the minimum widths of columns. If they do not fit the box, columns shrink in proportion to their excess:
 * first drawings and headings, then text. If they do not fit in any case, text does not shrink.
 */
function fittedWidths(
  widths: readonly (ColumnWidth | null)[],
  widthLimits: readonly ColumnWidthLimits[],
  availableWidth: number,
): readonly number[] {
  const widthsFor = (of: (column: ColumnWidthLimits) => number | undefined): number[] =>
    minimumWidths(
      widths,
      widthLimits.map(column => ({ ...column, needed: of(column) ?? column.needed })),
    );
  const readable = widthsFor(column => column.readable ?? column.compact);
  const levels = [widthsFor(column => column.needed), readable, widthsFor(column => column.compact)];
  const fits = levels.findIndex(level => widthOf(level) <= availableWidth);
  const [wide, tight] = [levels[fits - 1], levels[fits]];
  if (!tight) return readable;
  if (!wide) return tight;
  const ratio = (availableWidth - widthOf(tight)) / (widthOf(wide) - widthOf(tight));
  return tight.map((from, index) => Math.floor(from + ((wide[index] ?? from) - from) * ratio));
}

function totalWidth(columns: readonly Sizing[]): number {
  return columns.reduce((total, { minWidth }) => total + minWidth, 0);
}

/**
 * Returns the width of one share, in px. A column that needs more than its share gets what it needs; the others share
 * the rest.
 */
function widthOfShare(columns: readonly Sizing[], left: number): number {
  const shares = columns.reduce((total, { share }) => total + share, 0);
  const unit = shares > 0 ? left / shares : 0;
  const wideEnough = columns.filter(({ share, minWidth }) => unit * share >= minWidth);
  if (wideEnough.length === columns.length) return unit;
  const tooNarrow = columns.filter(({ share, minWidth }) => unit * share < minWidth);
  return widthOfShare(wideEnough, left - totalWidth(tooNarrow));
}

function minimumWidth(
  width: ColumnWidth | null,
  { needed, minWidth, maxWidth = maxColumnWidth }: ColumnWidthLimits,
): number {
  if (width?.unit === 'px') return boundedWidth(Math.min(Math.max(width.size, minWidth), maxWidth));
  return Math.max(minColumnWidth, Math.ceil(width ? Math.max(minWidth, Math.min(needed, minShareWidth)) : needed));
}

/** Arrangement of the columns of a table in a box. */
export interface ColumnOrder {
  /** Indexes of the visible columns. */
  readonly columns: readonly number[];
  /** Index of the only visible column group; `null` if all groups are visible. */
  readonly group: number | null;
  /** Whether a single group can be shown. */
  readonly isGrouped: boolean;
}

/** Returns all columns in the order of the report. */
export function allColumns(table: Table): ColumnOrder {
  return { columns: table.columns.map((_, index) => index), group: null, isGrouped: false };
}

/**
 * Returns the column order of a table in a box of `availableWidth` px, given the `widths` its columns need. If the
 * first numeric columns would be out of view, they move directly after the first column. In a narrow box a pivot shows
 * only the column group `chosen`; `null` shows all groups.
 */
export function columnOrder(
  table: Table,
  widths: readonly number[],
  { availableWidth, chosen }: { readonly availableWidth: number; readonly chosen: number | null },
): ColumnOrder {
  const order = allColumns(table);
  if (widthOf(widths) <= availableWidth + 1) return order;
  if (table.headerCount > 0) return availableWidth <= narrowBoxWidth ? groupOrder(table, order, chosen) : order;
  const isFigure = (index: number): boolean => table.columns[index]?.kind === 'figure';
  const main = order.columns.findIndex(isFigure);
  if (main < 2 || widthOf(widths.slice(0, main + 1)) <= availableWidth) return order;
  const others = order.columns.slice(1);
  const columns = [0, ...others.filter(isFigure), ...others.filter(index => !isFigure(index))];
  return { ...order, columns };
}

function groupOrder(table: Table, order: ColumnOrder, chosen: number | null): ColumnOrder {
  const groups = columnGroups(table);
  const index = chosen === null ? -1 : Math.min(chosen, groups.length - 1);
  const group = groups[index];
  if (!group) return { ...order, isGrouped: groups.length > 0 };
  const end = group.from + group.span;
  const columns = order.columns.filter(column => column < table.headerCount || (column >= group.from && column < end));
  return { columns, group: index, isGrouped: true };
}

function widthOf(widths: readonly number[]): number {
  return widths.reduce((sum, px) => sum + px, 0);
}
