import type { ColumnWidth } from '../../../report/table-look.js';
import type { ColumnNeeds } from './columns.js';
import type { TextWidths } from './text-widths.js';

/** Narrowest that a column can be, px. */
export const narrowestColumn = 48;
/** Widest that a column can be, px. */
export const widestColumn = 1200;
/** Width that a share of what is left keeps for what stands in its column, px. */
const leastShare = 120;

/** Blank space on both sides of what stands in a cell, and between a bar and its figure, px. */
const cellPadding = 21;
const barGap = 8;
/** Room for the sign of a conditional format, px. */
const signRoom = 16;
/** Digits that a small line, an image or a bar takes, and the least that a line or an image takes, px. */
const drawingDigits = 14;
const smallDrawing = 64;
const barDigits = 8;
/** Widest word of a heading that is not broken, and room for a heading before it takes a second line, px. */
const maxWord = 120;
const headingRoom = 84;
/** Boxes up to this width are narrow, px: there a text has no more than half of the box, the first column less. */
export const narrowBox = 480;
const textShare = 0.5;
const firstShare = 0.42;

/** Room of a column, px. */
export interface ColumnRoom {
  /** What it takes to show nearly everything. */
  readonly needed: number;
  /** What it takes with a small drawing and a heading of more lines, where the table would not fit otherwise. */
  readonly compact?: number;
  /** What it never has less of, unless the viewer resizes it: figures and dates are not cut. */
  readonly least: number;
  /** What it never has more of, unless the viewer resizes it. */
  readonly most?: number;
}

/** Room that columns need in a box of `room` px. */
export function columnRooms(needs: readonly ColumnNeeds[], texts: TextWidths, room: number): ColumnRoom[] {
  return needs.map((column, index) => {
    const { isWhole, display, hasSigns } = column;
    const isDrawn = display === 'sparkline' || display === 'image';
    const text = Math.max(...column.cells.map(cell => texts.of(cell))) + (hasSigns ? signRoom : 0);
    // A bar takes half of its cell.
    const cell = isDrawn ? smallDrawing : display === 'bar' ? 2 * (text + barGap) : text;
    const drawing = isDrawn
      ? texts.digit * drawingDigits
      : display === 'bar'
        ? text + barGap + texts.digit * barDigits
        : 0;
    const word = Math.min(texts.of(column.word), maxWord);
    const compact = Math.max(word, cell) + cellPadding;
    const heading = Math.min(texts.of(column.heading), headingRoom) + cellPadding;
    const needed = Math.max(compact, heading, drawing + cellPadding);
    if (isWhole) return { needed, compact, least: isDrawn ? 0 : cell + cellPadding };
    if (room > narrowBox || isDrawn) return { needed, compact, least: 0 };
    const most = room * (index === 0 ? firstShare : textShare);
    return { needed: Math.min(needed, most), compact: Math.min(compact, most), least: 0, most };
  });
}

/** A width as a column may have it. */
export function boundedWidth(px: number): number {
  return Math.round(Math.max(narrowestColumn, Math.min(px, widestColumn)));
}

interface Sizing {
  readonly share: number;
  readonly isFixed: boolean;
  readonly least: number;
}

/** Widths that columns have where there is no room left: `widths` are those that the report or the viewer gives them. */
function leastWidths(widths: readonly (ColumnWidth | null)[], rooms: readonly ColumnRoom[]): number[] {
  return widths.map((width, index) => leastWidth(width, rooms[index] ?? { needed: narrowestColumn, least: 0 }));
}

/**
 * Widths of all columns, px, in a box of `room` px: fixed ones as they are, those without a width (null) at least as wide as they need. What is
 * left goes to the shares (`fr`), or where there are none to the columns without a width, in proportion. Where too little is left the table scrolls.
 */
export function layOutColumns(
  widths: readonly (ColumnWidth | null)[],
  rooms: readonly ColumnRoom[],
  room: number,
): number[] {
  const least = leastWidths(widths, fittedRooms(widths, rooms, room));
  const columns = widths.map<Sizing>((width, index) => ({
    share: width?.unit === 'fr' ? width.size : 0,
    isFixed: width?.unit === 'px',
    least: least[index] ?? narrowestColumn,
  }));
  const shared = columns.filter(({ share }) => share > 0);
  const fixed = leastOf(columns.filter(({ isFixed }) => isFixed));
  const byContent = leastOf(columns.filter(({ isFixed, share }) => !isFixed && share === 0));
  const unit = widthOfShare(shared, room - fixed - byContent);
  const stretch = shared.length > 0 || byContent === 0 ? 1 : Math.max(1, (room - fixed) / byContent);
  return columns.map(({ share, isFixed, least }) => {
    if (isFixed) return least;
    return share > 0 ? Math.max(least, Math.floor(unit * share)) : Math.floor(least * stretch);
  });
}

/** Rooms of which each gave up as much of what it has beyond the compact one as the box is too narrow by. */
function fittedRooms(
  widths: readonly (ColumnWidth | null)[],
  rooms: readonly ColumnRoom[],
  room: number,
): readonly ColumnRoom[] {
  const total = (of: readonly ColumnRoom[]): number => leastWidths(widths, of).reduce((sum, px) => sum + px, 0);
  const compact = rooms.map(column => ({ ...column, needed: column.compact ?? column.needed }));
  const [wide, tight] = [total(rooms), total(compact)];
  if (wide <= room || tight >= room) return wide <= room ? rooms : compact;
  const kept = (room - tight) / (wide - tight);
  return rooms.map((column, index) => {
    const from = compact[index]?.needed ?? column.needed;
    return { ...column, needed: Math.floor(from + (column.needed - from) * kept) };
  });
}

function leastOf(columns: readonly Sizing[]): number {
  return columns.reduce((total, { least }) => total + least, 0);
}

/** Width of one share, px. Columns that need more than their part get what they need, and the others the rest. */
function widthOfShare(columns: readonly Sizing[], left: number): number {
  const shares = columns.reduce((total, { share }) => total + share, 0);
  const unit = shares > 0 ? left / shares : 0;
  const fed = columns.filter(({ share, least }) => unit * share >= least);
  if (fed.length === columns.length) return unit;
  const starved = columns.filter(({ share, least }) => unit * share < least);
  return widthOfShare(fed, left - leastOf(starved));
}

function leastWidth(width: ColumnWidth | null, { needed, least, most = widestColumn }: ColumnRoom): number {
  if (width?.unit === 'px') return boundedWidth(Math.min(Math.max(width.size, least), most));
  return Math.max(narrowestColumn, Math.ceil(width ? Math.max(least, Math.min(needed, leastShare)) : needed));
}
