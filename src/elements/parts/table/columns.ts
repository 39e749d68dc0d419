import type { Table } from '../../../report/table.js';

/** Rows that are looked at for the width of a column. */
const sample = 100;
const narrowest = 6;
/** Most characters of a heading that a column makes room for: a longer one takes two lines. */
const longestHeading = 11;
/** Most characters that a column has room for. */
const widestColumn = 40;
/** Share of the texts of a column that it has room for; longer ones are cut and say the rest on hover. Figures are never cut. */
const whole = 0.9;

/** Width of every column in characters, by its heading and its first rows: a column keeps it however far it is scrolled. */
export function columnWidths(table: Table): number[] {
  const rows = Array.from({ length: Math.min(sample, table.rowCount) }, (_, index) => table.row(index));
  return table.columns.map(({ title, align }, column) => {
    const lengths = rows.map(row => row[column]?.length ?? 0).sort((a, b) => a - b);
    const longest = lengths.at(align === 'end' ? -1 : Math.ceil(lengths.length * whole) - 1) ?? 0;
    return Math.min(widestColumn, Math.max(narrowest, Math.min(title.length, longestHeading), longest));
  });
}
