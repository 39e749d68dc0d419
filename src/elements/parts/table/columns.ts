import type { Table } from '../../../report/table.js';

/** Rows that are looked at for the width of a column. */
const sample = 100;
const narrowest = 6;
/** Most characters of a heading that a column makes room for. */
const longestHeading = 16;
/** Most characters that a column has room for; longer texts are cut and say the rest on hover. */
export const widestColumn = 40;

/** Width of every column in characters, by its heading and its first rows: a column keeps it however far it is scrolled. */
export function columnWidths(table: Table): number[] {
  const rows = Array.from({ length: Math.min(sample, table.rowCount) }, (_, index) => table.row(index));
  return table.columns.map(({ title }, column) => {
    const longest = Math.max(Math.min(title.length, longestHeading), ...rows.map(row => row[column]?.length ?? 0));
    return Math.min(widestColumn, Math.max(narrowest, longest));
  });
}
