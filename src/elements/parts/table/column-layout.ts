import { html, type TemplateResult } from 'lit';
import { textWidth } from '../../../report/format/text-width.js';
import { columnGroups } from '../../../report/table/report-table.js';
import type { Table } from '../../../report/table/table.js';
import type { ColumnWidth } from '../../../report/table/table-look.js';
import type { ColumnNeeds, ColumnText, TextStyle } from './column-needs.js';

/** Most texts that are measured at once; others are estimated. */
const maxMeasured = 400;

/**
 * Widths of texts as the table writes them. All digits are as wide as one another, so figures of the same form are measured once. A text
 * that was not measured yet has an estimated width and is put into the probes, which `measure()` reads together.
 */
export class TextWidths {
  readonly #known = new Map<string, number>();
  readonly #asked = new Map<string, ColumnText>();
  #digits = 0;

  /** Width of a text, px. */
  of({ text, style }: ColumnText): number {
    if (text === '') return 0;
    const form = text.replace(/\d/g, '0');
    const key = `${style} ${form}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#asked.size < maxMeasured) this.#asked.set(key, { text: form, style });
    return estimate(form, style);
  }

  /** Width of a digit, px. */
  get digit(): number {
    return this.of({ text: '0000000000', style: 'body' }) / 10;
  }

  /** The texts to measure, written as in cells, out of sight. */
  render(): TemplateResult {
    return html`<div class="probes" aria-hidden="true">
      ${[...this.#asked].map(([key, { text, style }]) => html`<span class=${style} data-key=${key}>${text}</span>`)}
      <span class="body digits">0000000000</span>
    </div>`;
  }

  /** Reads the probes that were drawn; true if a width is another than was assumed. */
  measure(root: ParentNode): boolean {
    const digits = root.querySelector('.digits')?.getBoundingClientRect().width ?? 0;
    if (digits === 0) return false;
    const isOther = digits !== this.#digits;
    // In another font all that was measured is wrong.
    if (isOther && this.#digits > 0) this.#known.clear();
    this.#digits = digits;
    const probes = [...root.querySelectorAll<HTMLElement>('.probes > [data-key]')];
    const widths = probes.map(probe => probe.getBoundingClientRect().width);
    probes.forEach(({ dataset }, index) => {
      const key = dataset.key ?? '';
      this.#known.set(key, widths[index] ?? 0);
      this.#asked.delete(key);
    });
    return isOther || probes.length > 0;
  }
}

function estimate(text: string, style: TextStyle): number {
  const size = style === 'heading' ? 12 : 13;
  return (textWidth(text) * size * (style === 'total' ? 1.08 : 1)) / 12;
}

/** Narrowest that a column can be, px. */
export const minColumnWidth = 48;
/** Widest that a column can be, px. */
export const maxColumnWidth = 1200;
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
  return Math.round(Math.max(minColumnWidth, Math.min(px, maxColumnWidth)));
}

interface Sizing {
  readonly share: number;
  readonly isFixed: boolean;
  readonly least: number;
}

/** Widths that columns have where there is no room left: `widths` are those that the report or the viewer gives them. */
function leastWidths(widths: readonly (ColumnWidth | null)[], rooms: readonly ColumnRoom[]): number[] {
  return widths.map((width, index) => leastWidth(width, rooms[index] ?? { needed: minColumnWidth, least: 0 }));
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
    least: least[index] ?? minColumnWidth,
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

function leastWidth(width: ColumnWidth | null, { needed, least, most = maxColumnWidth }: ColumnRoom): number {
  if (width?.unit === 'px') return boundedWidth(Math.min(Math.max(width.size, least), most));
  return Math.max(minColumnWidth, Math.ceil(width ? Math.max(least, Math.min(needed, leastShare)) : needed));
}

/** How the columns of a table are arranged in a box. */
export interface ColumnOrder {
  /** Indexes of the columns that are shown. */
  readonly columns: readonly number[];
  /** Index of the group of columns that is shown alone; null where all are. */
  readonly group: number | null;
  /** Whether groups can be shown alone. */
  readonly isGrouped: boolean;
}

/** All columns, as the report has them. */
export function allColumns(table: Table): ColumnOrder {
  return { columns: table.columns.map((_, index) => index), group: null, isGrouped: false };
}

/**
 * The order in which the columns of a table stand in a box of `room` px where they need `widths`. Where the first figures are out of sight,
 * they come directly behind the first column. In a narrow box a pivot shows the group `chosen` of its columns alone; null shows all of them.
 */
export function columnOrder(
  table: Table,
  widths: readonly number[],
  { room, chosen }: { readonly room: number; readonly chosen: number | null },
): ColumnOrder {
  const order = allColumns(table);
  if (widthOf(widths) <= room + 1) return order;
  if (table.headerCount > 0) return room <= narrowBox ? groupOrder(table, order, chosen) : order;
  const isFigure = (index: number): boolean => table.columns[index]?.kind === 'figure';
  const main = order.columns.findIndex(isFigure);
  if (main < 2 || widthOf(widths.slice(0, main + 1)) <= room) return order;
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
