import type { Mark } from '../../../report/marks/mark.js';
import { boundedWidth } from '../../../report/table/column-layout.js';
import type { Table } from '../../../report/table/table.js';
import type { TableSort } from '../../../report/table/table-sort.js';
import type { VisibleRange } from './virtual-scroll.js';

/**
 * Position of a cell as displayed. Body rows count from 0; header rows are negative (-1 is the lowest header row).
 * Columns count in display order.
 */
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

/** Size of the grid that the keyboard navigates. */
export interface GridSize {
  readonly rows: number;
  readonly columns: number;
  readonly headRows: number;
  /** Number of rows per page. */
  readonly page: number;
}

/** A key press; `forward` is the arrow key that points in the text direction. */
interface GridKey {
  readonly key: string;
  readonly far: boolean;
  readonly forward: 'ArrowRight' | 'ArrowLeft';
}

/** Returns the position that a key moves to; `null` if the key does not move. */
export function moveCell(from: CellPosition, { key, far, forward }: GridKey, size: GridSize): CellPosition | null {
  const last = { row: size.rows - 1, column: size.columns - 1 };
  const first = -size.headRows;
  const [step, edge] = key === forward ? [1, last.column] : [-1, 0];
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowRight':
      return clampCell({ ...from, column: far ? edge : from.column + step }, size);
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

/** Returns the nearest existing cell. */
export function clampCell({ row, column }: CellPosition, { rows, columns, headRows }: GridSize): CellPosition {
  return {
    row: Math.max(-headRows, Math.min(row, rows - 1)),
    column: Math.max(0, Math.min(column, columns - 1)),
  };
}

/** Returns the range between two cells. */
export function rangeOf(a: CellPosition, b: CellPosition): CellRange {
  return {
    top: Math.min(a.row, b.row),
    bottom: Math.max(a.row, b.row),
    start: Math.min(a.column, b.column),
    end: Math.max(a.column, b.column),
  };
}

/** Returns whether a cell is part of a range. */
export function isInRange(range: CellRange | null, row: number, column: number): boolean {
  return range !== null && row >= range.top && row <= range.bottom && column >= range.start && column <= range.end;
}

/** The rendered part of a table and its selection. */
export interface GridFrame {
  readonly table: Table;
  /** Number of leading columns that stay in view while the others scroll. */
  readonly pinned: number;
  /** Rendered range of the columns that are not pinned. */
  readonly columns: VisibleRange;
  readonly rows: VisibleRange;
  /** Columns that the table is sorted by, in order of priority. */
  readonly sorts: readonly TableSort[];
  /** Width of each column, in px. */
  readonly widths: readonly number[];
  readonly active: CellPosition | null;
  readonly range: CellRange | null;
  readonly selected: readonly Mark[];
  /** Whether long text wraps. */
  readonly wraps: boolean;
}

/** Returns the number of header rows: the column headings and the levels above them. */
export function headRows({ heads }: Table): number {
  return heads.length + 1;
}

/** Returns the id of a cell element, for `aria-activedescendant`. */
export function cellId(row: number, column: number): string {
  return `cell${row}.${column}`;
}

/** Returns the first column of the cell at a position and its column span. Pivot headings span several columns. */
export function spanAt(table: Table, { row, column }: CellPosition): { readonly from: number; readonly span: number } {
  const level = row < -1 ? table.heads[row + headRows(table)] : undefined;
  return level?.find(({ from, span }) => column >= from && column < from + span) ?? { from: column, span: 1 };
}

/** Returns the rendered columns of a frame in display order: the pinned columns, then the columns in view. */
export function renderedColumns({ pinned, columns }: GridFrame): number[] {
  return [
    ...Array.from({ length: pinned }, (_, index) => index),
    ...Array.from({ length: columns.last - columns.first }, (_, index) => columns.first + index),
  ];
}

/** Padding on both sides of a cell, and size of the sort arrow of a heading, in px. */
const cellPadding = 22;
const arrowWidth = 16;

/** Returns the position of the cell that an event occurred in; `null` if it occurred outside of the cells. */
export function cellAt({ target }: Event, { headRows }: Pick<GridSize, 'headRows'>): CellPosition | null {
  const cell = target instanceof Element ? target.closest('td, th') : null;
  const [row, column] = [indexOf(cell?.parentElement, 'aria-rowindex'), indexOf(cell, 'aria-colindex')];
  return row === null || column === null ? null : { row: row - headRows, column };
}

/** Returns the element of a cell; `null` if it is not rendered. */
export function cellElement(root: ParentNode, table: Table, place: CellPosition): HTMLElement | null {
  const { from, span } = spanAt(table, place);
  const line = root.querySelector(`tr[aria-rowindex="${place.row + headRows(table) + 1}"]`);
  // If the first columns of a heading are not rendered, the heading starts at the first rendered column.
  const cells = [...(line?.querySelectorAll<HTMLElement>(':scope > [aria-colindex]') ?? [])];
  return cells.find(cell => columnOf(cell) >= from && columnOf(cell) < from + span) ?? null;
}

/** Returns the resize handle that an event occurred on. */
export function handleAt({ target }: Event): Element | null {
  return target instanceof Element ? target.closest('.handle') : null;
}

/** Returns the column of an element in the table head. */
export function columnAt(element: Element): number {
  return indexOf(element.closest('th'), 'aria-colindex') ?? 0;
}

/** Returns the width that fits the rendered cells of a column. */
export function fittingWidth(root: ParentNode, column: number): number {
  const range = document.createRange();
  const cells = [...root.querySelectorAll(`tr > [aria-colindex="${column + 1}"]:not(.span)`)];
  const widths = cells.map(cell => {
    const name = cell.querySelector('.name');
    range.selectNodeContents(name ?? cell);
    return range.getBoundingClientRect().width + (name ? arrowWidth : 0);
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
