import type { Cell } from '../../contract/data.js';
import type { RowSet } from '../../contract/row-set.js';
import { toNumber } from '../format/numeric-value.js';
import { cellOf } from '../query/groups.js';
import { columnHeadings, columnTitle, isFigure, type Table } from './table.js';

/**
 * Converts rows to CSV (RFC 4180, CRLF) with column titles as header. Values are not formatted, so that spreadsheets
 * can calculate with them. Text that a spreadsheet would interpret as a formula is prefixed with an apostrophe
 * (OWASP, "CSV injection").
 * @param locale Language of generated titles of comparison columns.
 */
export function toCsv({ columns, rows }: RowSet, locale?: string): string {
  const head = columns.map(column => quoteValue(columnTitle(column, locale)));
  const lines = rows.map(row =>
    columns.map(column => field(cellOf(row, column.member), { isNumber: isFigure(column) })),
  );
  return [head, ...lines].map(line).join('');
}

/**
 * Converts a table to CSV as displayed: pivoted, sorted and with totals. There is one header line, which joins the
 * headings of a column; row headers are in every line. Values are not formatted.
 */
export function tableToCsv(table: Table): string {
  const { rowCount } = table;
  const titles = columnHeadings(table).map(quoteValue);
  const lines = Array.from({ length: rowCount }, (_, index) => {
    const row = table.row(index);
    return (row?.cells ?? []).map(({ kind, value, text }) => {
      // The heading of totals has no value.
      if (kind === 'header' && value === null) return quoteValue(row?.kind === 'total' ? text : null);
      return field(value, { isNumber: kind === 'figure' || kind === 'total' });
    });
  });
  return [titles, ...lines].map(line).join('');
}

function line(fields: readonly string[]): string {
  return `${fields.join(',')}\r\n`;
}

function field(value: Cell, { isNumber }: { readonly isNumber: boolean }): string {
  return isNumber && toNumber(value) !== null ? String(value) : quoteValue(value);
}

function quoteValue(value: Cell): string {
  const text = value === null ? '' : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
