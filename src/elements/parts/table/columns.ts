import type { Table, TableColumn } from '../../../report/table.js';

/** Rows that are looked at for the width of a column. */
const sample = 100;
const narrowest = 6;
/** Most characters of a heading that a column makes room for: a longer one takes two lines. */
const longestHeading = 11;
/** Most characters that a column has room for. */
const widestColumn = 40;
/** Share of the texts of a column that it has room for; longer ones are cut and say the rest on hover. Figures are never cut. */
const whole = 0.9;
/** Characters that a small line or an image takes. */
const drawingRoom = 14;
/** Least characters that a bar takes; it has half of its cell. */
const barRoom = 8;

/** Width of every column in characters, by its heading, its first rows and totals: a column keeps it however far it is scrolled. */
export function columnWidths(table: Table): number[] {
  const { rowCount, totalCount } = table;
  const first = Math.min(sample, rowCount);
  const lines = [
    ...Array.from({ length: first }, (_, index) => index),
    ...Array.from({ length: Math.min(totalCount, sample) }, (_, index) => Math.max(first, rowCount - 1 - index)),
  ];
  const rows = lines.flatMap(index => table.row(index) ?? []);
  return table.columns.map((column, index) => {
    const lengths = rows.map(({ cells }) => cells[index]?.text.length ?? 0).sort((a, b) => a - b);
    return columnWidth(column, lengths);
  });
}

function columnWidth({ title, kind, look }: TableColumn, lengths: readonly number[]): number {
  const isFigure = kind === 'figure' || kind === 'total';
  const heading = Math.max(narrowest, Math.min(title.length, longestHeading));
  if (look.display === 'sparkline' || look.display === 'image') return Math.max(heading, drawingRoom);
  const longest = lengths.at(isFigure ? -1 : Math.ceil(lengths.length * whole) - 1) ?? 0;
  const needed = look.display === 'bar' ? longest + Math.max(barRoom, longest + 1) : longest;
  return Math.min(widestColumn, Math.max(heading, needed));
}

/** A name for every column by which it is known again among other rows: a pivot has several of one member. */
export function columnKeys({ columns, heads }: Table): string[] {
  const above: string[][] = columns.map(() => []);
  for (const level of heads) {
    for (const { title, from, span } of level) {
      for (let column = from; column < from + span; column++) above[column]?.push(title);
    }
  }
  return columns.map(({ member, title }, index) => JSON.stringify([member, title, ...(above[index] ?? [])]));
}
