import type { Table } from '../../../report/table.js';
import type { CellPlace, GridSize } from './cell-place.js';
import { boundedWidth } from './column-layout.js';
import { headRows, spanAt } from './grid-frame.js';

/** Blank space on both sides of what stands in a cell, and the arrow of a heading, px. */
const cellPadding = 22;
const arrowRoom = 16;

/** The cell that an event happened in, by its place; null outside of all. */
export function placeAt({ target }: Event, { headRows }: Pick<GridSize, 'headRows'>): CellPlace | null {
  const cell = target instanceof Element ? target.closest('td, th') : null;
  const [row, column] = [indexOf(cell?.parentElement, 'aria-rowindex'), indexOf(cell, 'aria-colindex')];
  return row === null || column === null ? null : { row: row - headRows, column };
}

/** The element of a cell; null where it isn't drawn. */
export function cellElement(root: ParentNode, table: Table, place: CellPlace): HTMLElement | null {
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
