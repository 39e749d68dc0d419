import type { Cell } from '../contract/data.js';
import type { RowSet } from '../contract/row-set.js';
import { columnTitle, isFigure } from './table.js';

/**
 * Rows as CSV (RFC 4180, CRLF) under the columns' titles: values as the Data API gave them, so that a spreadsheet can reckon with
 * them. A text that a spreadsheet would run as a formula is preceded by an apostrophe (OWASP, "CSV injection").
 */
export function toCsv({ columns, rows }: RowSet): string {
  const head = columns.map(column => quoted(columnTitle(column)));
  const lines = rows.map(row =>
    columns.map(column => {
      const value = row[column.member] ?? null;
      return isFigure(column) && isNumber(value) ? String(value) : quoted(value);
    }),
  );
  return [head, ...lines].map(cells => `${cells.join(',')}\r\n`).join('');
}

function isNumber(value: Cell): boolean {
  return value !== null && value !== '' && Number.isFinite(Number(value));
}

function quoted(value: Cell): string {
  const text = value === null ? '' : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
