import type { Mark } from '../../../report/mark.js';
import type { Table } from '../../../report/table.js';
import type { TableSort } from '../../../report/table-sort.js';
import type { CellPlace, CellRange } from './cell-place.js';
import type { Stretch } from './virtual.js';

/** What of a table is drawn at one time, and what of it is chosen. */
export interface GridFrame {
  readonly table: Table;
  /** Columns that stay in sight while the others scroll, from the first. */
  readonly pinned: number;
  /** Those of the others that are drawn. */
  readonly columns: Stretch;
  readonly rows: Stretch;
  /** Columns by which it is sorted, the first one foremost. */
  readonly sorts: readonly TableSort[];
  /** Px, of every column. */
  readonly widths: readonly number[];
  readonly active: CellPlace | null;
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
export function spanAt(table: Table, { row, column }: CellPlace): { readonly from: number; readonly span: number } {
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
