import type { Table } from '../../../report/table.js';
import { columnGroups } from '../../../report/table-columns.js';
import { narrowBox } from './column-layout.js';

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
