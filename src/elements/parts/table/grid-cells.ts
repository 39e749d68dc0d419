import type { Mark } from '../../../report/marks/mark.js';
import type { Table } from '../../../report/table/table.js';
import type { TableSort } from '../../../report/table/table-sort.js';
import { boundedWidth } from './column-layout.js';
import type { VisibleRange } from './virtual-scroll.js';

/** A cell by its place as it is shown: rows from 0, those of the head before them (-1 is the lowest one); columns as they stand. */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

/** Cells between two corners, both included. */
export interface CellRange {
  readonly top: number;
  readonly bottom: number;
  readonly start: number;
  readonly end: number;
}

/** What there is to move in. */
export interface GridSize {
  readonly rows: number;
  readonly columns: number;
  readonly headRows: number;
  /** Rows that a page is. */
  readonly page: number;
}

/** A key as it was pressed; `forward` is the key that points where the text runs to. */
interface GridKey {
  readonly key: string;
  readonly far: boolean;
  readonly forward: 'ArrowRight' | 'ArrowLeft';
}

/** Where a key moves to; null where it doesn't move. */
export function moveCell(from: CellPosition, { key, far, forward }: GridKey, size: GridSize): CellPosition | null {
  const last = { row: size.rows - 1, column: size.columns - 1 };
  const first = -size.headRows;
  const step = key === forward ? 1 : -1;
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowRight':
      return clampCell({ ...from, column: far ? (step > 0 ? last.column : 0) : from.column + step }, size);
    case 'ArrowDown':
      return clampCell({ ...from, row: far ? last.row : from.row + 1 }, size);
    case 'ArrowUp':
      return clampCell({ ...from, row: far ? first : from.row - 1 }, size);
    case 'Home':
      return clampCell({ row: far ? 0 : from.row, column: 0 }, size);
    case 'End':
      return clampCell({ row: far ? last.row : from.row, column: last.column }, size);
    case 'PageDown':
      return clampCell({ ...from, row: from.row + size.page }, size);
    case 'PageUp':
      return clampCell({ ...from, row: from.row < 0 ? from.row : Math.max(0, from.row - size.page) }, size);
    default:
      return null;
  }
}

/** The nearest cell there is. */
export function clampCell({ row, column }: CellPosition, { rows, columns, headRows }: GridSize): CellPosition {
  return {
    row: Math.max(-headRows, Math.min(row, rows - 1)),
    column: Math.max(0, Math.min(column, columns - 1)),
  };
}

/** The cells between two. */
export function rangeOf(a: CellPosition, b: CellPosition): CellRange {
  return {
    top: Math.min(a.row, b.row),
    bottom: Math.max(a.row, b.row),
    start: Math.min(a.column, b.column),
    end: Math.max(a.column, b.column),
  };
}

/** Whether a cell is one of a range. */
export function isInRange(range: CellRange | null, row: number, column: number): boolean {
  return range !== null && row >= range.top && row <= range.bottom && column >= range.start && column <= range.end;
}

/** What of a table is drawn at one time, and what of it is chosen. */
export interface GridFrame {
  readonly table: Table;
  /** Columns that stay in sight while the others scroll, from the first. */
  readonly pinned: number;
  /** Those of the others that are drawn. */
  readonly columns: VisibleRange;
  readonly rows: VisibleRange;
  /** Columns by which it is sorted, the first one foremost. */
  readonly sorts: readonly TableSort[];
  /** Px, of every column. */
  readonly widths: readonly number[];
  readonly active: CellPosition | null;
  readonly range: CellRange | null;
  readonly selected: readonly Mark[];
  /** Texts that are too long go on in the next line. */
  readonly wraps: boolean;
}

/** Rows of the head: the headings of the columns, and the levels above them. */
export function headRows({ heads }: Table): number {
  return heads.length + 1;
}

/** Name of the active cell's element, for `aria-activedescendant`. */
export function cellId(row: number, column: number): string {
  return `cell${row}.${column}`;
}

/** First column of the cell at a place, and how many it spans: headings of a pivot span several. */
export function spanAt(table: Table, { row, column }: CellPosition): { readonly from: number; readonly span: number } {
  const level = row < -1 ? table.heads[row + headRows(table)] : undefined;
  return level?.find(({ from, span }) => column >= from && column < from + span) ?? { from: column, span: 1 };
}

/** The columns of a frame's rows as they stand: those that stay, then those in sight. */
export function drawnColumns({ pinned, columns }: GridFrame): number[] {
  return [
    ...Array.from({ length: pinned }, (_, index) => index),
    ...Array.from({ length: columns.last - columns.first }, (_, index) => columns.first + index),
  ];
}

/** Blank space on both sides of what stands in a cell, and the arrow of a heading, px. */
const cellPadding = 22;
const arrowRoom = 16;

/** The cell that an event happened in, by its place; null outside of all. */
export function cellAt({ target }: Event, { headRows }: Pick<GridSize, 'headRows'>): CellPosition | null {
  const cell = target instanceof Element ? target.closest('td, th') : null;
  const [row, column] = [indexOf(cell?.parentElement, 'aria-rowindex'), indexOf(cell, 'aria-colindex')];
  return row === null || column === null ? null : { row: row - headRows, column };
}

/** The element of a cell; null where it isn't drawn. */
export function cellElement(root: ParentNode, table: Table, place: CellPosition): HTMLElement | null {
  const { from, span } = spanAt(table, place);
  const line = root.querySelector(`tr[aria-rowindex="${place.row + headRows(table) + 1}"]`);
  // A heading over columns of which the first are not drawn begins at the first that is.
  const cells = [...(line?.querySelectorAll<HTMLElement>(':scope > [aria-colindex]') ?? [])];
  return cells.find(cell => columnOf(cell) >= from && columnOf(cell) < from + span) ?? null;
}

/** The handle of a column's width that an event happened on. */
export function handleAt({ target }: Event): Element | null {
  return target instanceof Element ? target.closest('.handle') : null;
}

/** The column that an element of the head stands in. */
export function columnAt(element: Element): number {
  return indexOf(element.closest('th'), 'aria-colindex') ?? 0;
}

/** Width that shows whole what is drawn of a column. */
export function fittingWidth(root: ParentNode, column: number): number {
  const range = document.createRange();
  const cells = [...root.querySelectorAll(`tr > [aria-colindex="${column + 1}"]:not(.span)`)];
  const widths = cells.map(cell => {
    const name = cell.querySelector('.name');
    range.selectNodeContents(name ?? cell);
    return range.getBoundingClientRect().width + (name ? arrowRoom : 0);
  });
  return boundedWidth(Math.max(0, ...widths) + cellPadding);
}

function columnOf(cell: Element): number {
  return indexOf(cell, 'aria-colindex') ?? 0;
}

function indexOf(element: Element | null | undefined, attribute: string): number | null {
  const index = Number(element?.getAttribute(attribute) ?? 0);
  return index > 0 ? index - 1 : null;
}
