import type { Table, TableCell } from '../../../report/table/table.js';
import { toHtmlTable, toTsv } from './clipboard-text.js';
import { type CellRange, headRows } from './grid-cells.js';

/** Maximum number of cells that can be copied at once. */
export const maxCopiedCells = 500_000;

/** Returns the number of cells in a range. */
export function cellCount({ top, bottom, start, end }: CellRange): number {
  return (bottom - top + 1) * (end - start + 1);
}

/** Copies the text of a range to the clipboard, both as TSV and as an HTML table. */
export function copyCells(table: Table, range: CellRange, clipboard: DataTransfer): void {
  const rows = Array.from({ length: range.bottom - range.top + 1 }, (_, index) =>
    textsOf(table, range.top + index, range),
  );
  clipboard.setData('text/plain', toTsv(rows));
  clipboard.setData('text/html', toHtmlTable(rows, Math.max(0, -range.top)));
}

function textsOf(table: Table, row: number, { start, end }: CellRange): string[] {
  if (row < 0) return headTexts(table, row).slice(start, end + 1);
  const cells = table.row(row)?.cells.slice(start, end + 1) ?? [];
  return cells.map(cellText);
}

function headTexts(table: Table, row: number): string[] {
  const level = table.heads[row + headRows(table)];
  if (!level) return table.columns.map(({ title }) => safeText(title));
  const texts = table.columns.map(() => '');
  for (const { from, title } of level) texts[from] = safeText(title);
  return texts;
}

function cellText({ text, kind }: TableCell): string {
  // Spreadsheets treat numbers with a typographic minus sign as text.
  return kind === 'figure' || kind === 'total' ? text.replaceAll('\u2212', '-') : safeText(text);
}

/** Prefixes text that a spreadsheet would run as a formula with an apostrophe (OWASP, "CSV injection"). */
function safeText(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
